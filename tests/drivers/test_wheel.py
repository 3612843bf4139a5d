"""The wheel's driver over a real link: each spin told once, judged from what the sensor held, whoever restarts."""

from __future__ import annotations

import msgspec
import pytest

from drivers.events import DeviceEvent, DeviceTrouble, DeviceTroubleOver
from drivers.motion import Geometry, Trace, judge
from drivers.wheel import WheelKnocked, WheelRested, WheelStarted, WheelTurned
from firmware_specs.messages.wheel import Lamp, Sense, SpinRested, SpinStarted, Turning, TurnPassed
from simulators.wheel import sensor_fault
from simulators.wheel_script import SpinScript
from simulators.wheel_sensor import SensorFault
from tests.drivers.wheel_bench import PROFILE, Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


STORY = ["start 1", "turn 1", "turn 2", "turn 3", "turn 4", "rest 1"]


def test_a_spin_is_told_turn_by_turn_and_judged_at_rest(bench: Bench) -> None:
    bench.wheel.play(SpinScript(215, 30, 0.4, -1))
    rested = bench.until(WheelRested)
    assert bench.journal.spin == STORY
    assert isinstance(rested, WheelRested)
    assert rested.verdict.valid
    assert rested.verdict.compartment == 30 == int(bench.wheel.place)
    started = bench.journal.of(WheelStarted)[0]
    assert isinstance(started, WheelStarted)
    assert started.sense == "anticlockwise"
    again = judge(Trace.decode(rested.verdict.trace), PROFILE, Geometry())
    assert again == rested.verdict


def test_the_sensor_keeps_the_whole_spin_until_its_verdict_is_on_disk(bench: Bench) -> None:
    bench.wheel.play(SpinScript(215, 30))
    bench.until(WheelTurned, 3)
    bench.clock.run_for(0.2)
    assert bench.wheel.link.held == 4
    bench.until(WheelRested)
    bench.clock.run_for(1.0)
    assert bench.wheel.link.held == 0


@pytest.mark.parametrize("told", range(6))
def test_a_controller_killed_at_any_point_of_a_spin_finishes_it_and_tells_nothing_twice(
    bench: Bench, told: int
) -> None:
    bench.wheel.play(SpinScript(215, 30))
    if told:
        bench.clock.run_until(lambda: len(bench.journal.spin) >= told, 60)
    bench.restart_controller()
    bench.until(WheelRested)
    assert bench.journal.spin == STORY
    rested = bench.journal.of(WheelRested)[0]
    assert isinstance(rested, WheelRested)
    assert (rested.verdict.valid, rested.verdict.compartment) == (True, 30)
    bench.restart_controller()
    bench.wheel.play(SpinScript(215, 31))
    bench.until(WheelRested, 2)
    again = [word.replace(" 1", " 2") if "turn" not in word else word for word in STORY]
    assert bench.journal.spin == [*STORY, "knock", *again]  # turned to where the second spin begins


def test_a_controller_that_comes_back_after_the_wheel_rested_still_finishes_the_spin(bench: Bench) -> None:
    bench.wheel.play(SpinScript(215, 30))
    bench.until(WheelTurned, 2)
    bench.driver.stop()
    bench.clock.run_for(40)
    bench.driver = bench.controller()
    rested = bench.until(WheelRested)
    assert bench.journal.spin == STORY
    assert isinstance(rested, WheelRested)
    assert rested.verdict.compartment == 30


def test_what_a_dying_controller_took_but_did_not_write_is_told_again(bench: Bench) -> None:
    bench.wheel.play(SpinScript(215, 30))
    bench.until(WheelTurned, 2)
    bench.journal.writes = False
    bench.clock.run_for(3)
    bench.journal.writes = True
    bench.restart_controller()
    bench.until(WheelRested)
    assert bench.journal.spin == STORY


def test_a_cable_pulled_in_mid_spin_costs_nothing(bench: Bench) -> None:
    bench.wheel.play(SpinScript(215, 30))
    bench.until(WheelTurned, 2)
    bench.wire.unplug()
    bench.clock.run_for(2)
    bench.wire.replug()
    rested = bench.until(WheelRested)
    assert bench.journal.spin == STORY
    assert isinstance(rested, WheelRested)
    assert rested.verdict.valid


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize("controller_dies_too", [False, True])
def test_evidence_that_is_really_gone_is_a_malfunction_and_names_nothing(
    bench: Bench, controller_dies_too: bool
) -> None:
    bench.wheel.play(SpinScript(215, 30))
    bench.until(WheelTurned, 2)
    if controller_dies_too:
        bench.driver.stop()
    bench.wheel.link.power_cycle(keep_memory=False, off_for=0.3)
    if controller_dies_too:
        bench.driver = bench.controller()
    rested = bench.until(WheelRested)
    assert isinstance(rested, WheelRested)
    assert rested.verdict.reasons == ("malfunction",)
    assert rested.verdict.compartment is None
    bench.clock.run_for(30)
    assert len(bench.journal.of(WheelRested)) == 1
    bench.restart_controller()
    bench.clock.run_for(5)
    assert len(bench.journal.of(WheelRested)) == 1
    bench.wheel.play(SpinScript(215, 31))
    rested = bench.until(WheelRested, 2)
    assert isinstance(rested, WheelRested)
    assert (rested.verdict.reasons, rested.verdict.compartment) == ((), 31)
    assert rested.verdict.clear == "near"  # the sensor homed anew, so somebody confirms the compartment by eye


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize("off_for", [0.3, 20.0])
def test_a_sensor_that_was_off_during_the_spin_says_so(bench: Bench, off_for: float) -> None:
    bench.wheel.play(SpinScript(215, 30))
    bench.until(WheelTurned, 2)
    bench.wheel.link.power_cycle(keep_memory=True, off_for=off_for)
    rested = bench.until(WheelRested)
    assert isinstance(rested, WheelRested)
    assert (rested.spin, rested.verdict.reasons, rested.verdict.compartment) == (1, ("malfunction",), None)
    assert bench.journal.spin == ["start 1", "turn 1", "turn 2", "rest 1"]


@pytest.mark.parametrize(
    "plain", [True, "lost_counts", "index_slip", "dead_channel", "stuck", "noise", "indicator_dead", "index_dead",
              "silence", "restart"],
)  # fmt: skip
def test_a_sensor_fault_of_a_scenario_ends_in_malfunction(bench: Bench, plain: object) -> None:
    bench.wheel.play(SpinScript(215, 30), sensor_fault(plain))
    rested = bench.until(WheelRested)
    assert isinstance(rested, WheelRested)
    assert rested.verdict.reasons == ("malfunction",)


@pytest.mark.clause("melbourne-wheel", "7.1.3")
def test_a_hand_laid_on_the_turning_wheel_is_seen(bench: Bench) -> None:
    bench.wheel.spin(1.2, 1, wind_up=0.0)
    bench.until(WheelTurned, 2)
    bench.wheel.touch("hold", 1.0)
    rested = bench.until(WheelRested)
    assert isinstance(rested, WheelRested)
    assert "interference" in rested.verdict.reasons
    assert rested.verdict.compartment in (None, int(bench.wheel.place))
    assert bench.journal.spin == ["start 1", "turn 1", "turn 2", "rest 1"]


def test_a_nudge_within_the_second_of_stillness_belongs_to_the_spin(bench: Bench) -> None:
    bench.wheel.play(SpinScript(215, 30, 0.5))
    bench.clock.run_until(lambda: not bench.wheel.moving, 60)
    bench.clock.run_for(0.5)
    bench.wheel.touch("nudge", 3.0)
    rested = bench.until(WheelRested)
    assert isinstance(rested, WheelRested)
    assert "interference" in rested.verdict.reasons


def test_a_knock_after_the_rest_is_told_and_is_no_spin(bench: Bench) -> None:
    bench.wheel.play(SpinScript(215, 30, 0.5))
    bench.until(WheelRested)
    bench.clock.run_for(3)
    bench.wheel.touch("nudge", 3.0)
    knocked = bench.until(WheelKnocked)
    assert isinstance(knocked, WheelKnocked)
    assert knocked.before != knocked.after
    bench.wheel.turn_to(12.5)
    bench.until(WheelKnocked, 2)
    assert len(bench.journal.of(WheelRested)) == 1


def test_a_slipped_coupling_is_reported_and_over_once_the_sensor_has_homed_again(bench: Bench) -> None:
    bench.wheel.slip(38 / 360 * 52)
    bench.wheel.play(SpinScript(215, 30))
    trouble = bench.until(DeviceTrouble)
    assert isinstance(trouble, DeviceTrouble)
    assert trouble.code == "map_slipped"
    done: list[str] = []
    bench.driver.order(9, "Rehome", {}, lambda status, result: done.append(status))
    bench.clock.run_until(lambda: bool(done), 5)
    bench.wheel.play(SpinScript(215, 31))
    bench.until(DeviceTroubleOver)
    rested = bench.journal.of(WheelRested)[-1]
    assert isinstance(rested, WheelRested)
    assert rested.verdict.compartment == 31


def test_live_angles_come_only_when_asked_for(bench: Bench) -> None:
    bench.wheel.play(SpinScript(215, 30))
    bench.until(WheelRested)
    assert bench.journal.glimpses == []
    bench.driver.desire({"live_rate": 10, "lamp": "blinking"})
    bench.clock.run_for(1)
    assert bench.wheel.lamp is Lamp.BLINKING
    bench.wheel.play(SpinScript(215, 30, sense=-1))
    bench.until(WheelRested, 2)
    seen = [live for live in bench.journal.glimpses if isinstance(live, Turning)]
    assert 60 < len(seen) < 160
    assert min(live.speed for live in seen) < -800


def test_the_sensor_answers_questions(bench: Bench) -> None:
    answers: list[tuple[str, dict[str, object]]] = []
    bench.driver.order(1, "ReadAngle", {}, lambda status, result: answers.append((status, result)))
    bench.wheel.fail(SensorFault("indicator_dead"))
    bench.driver.order(2, "SelfTest", {}, lambda status, result: answers.append((status, result)))
    bench.clock.run_until(lambda: len(answers) == 2, 5)
    assert answers[0][0] == "done"
    assert answers[0][1]["moving"] is False
    assert answers[1][1]["indicator"] is False


def test_a_spin_costs_little_time(bench: Bench) -> None:
    for n in range(1, 21):
        bench.wheel.spin(1.2, 1 if n % 2 else -1)
        bench.until(WheelRested, n)
    assert len(bench.journal.of(WheelRested)) == 20
    assert all(event.verdict.reasons in ((), ("not_clear",)) for event in bench.journal.of(WheelRested))  # type: ignore[attr-defined]


def test_what_was_followed_of_the_wheel_is_known_again_after_a_restart(bench: Bench) -> None:
    for n in range(3):
        bench.wheel.spin(1.3, 1 if n % 2 else -1)
        bench.until(WheelRested, n + 1)
        bench.clock.run_for(3)
    before = bench.driver.natural
    assert before != PROFILE.natural
    bench.restart_controller()
    assert bench.driver.natural == before


def test_a_profile_learnt_with_another_sensor_is_told_with_what_to_do() -> None:
    bench = Bench(msgspec.structs.replace(PROFILE, serial="WHEEL-9"))
    (trouble,) = bench.journal.of(DeviceTrouble)
    assert isinstance(trouble, DeviceTrouble)
    assert trouble.code == "other_sensor"
    assert "WHEEL-9" in trouble.text
    assert "calibrate" in trouble.remedy


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize("restarted", [False, True])
def test_a_record_that_was_told_before_is_refused_and_nothing_is_settled_on_it(bench: Bench, restarted: bool) -> None:
    bench.wheel.play(SpinScript(215, 30))
    bench.until(WheelRested)
    told = [event for event in bench.sent if isinstance(event, SpinStarted | TurnPassed | SpinRested)]
    if restarted:
        bench.clock.run_for(3)
        bench.restart_controller()
    for event in told:
        bench.wheel.link.post(msgspec.structs.replace(event, spin=2))
    rested = bench.until(WheelRested, 2)
    assert isinstance(rested, WheelRested)
    assert (rested.verdict.reasons, rested.verdict.compartment) == (("malfunction",), None)
    assert [finding.kind for finding in rested.verdict.findings] == ["replayed"]
    assert "Spin again; if it comes again, look for what stands between" in rested.verdict.findings[0].text


def kinds(rested: DeviceEvent) -> list[str]:
    assert isinstance(rested, WheelRested)
    return [finding.kind for finding in rested.verdict.findings if finding.reason == "malfunction"]


def forged(bench: Bench, spin: int, by: int) -> None:
    """Tell the last spin again as another one: begun elsewhere, its times a little different."""
    last = [event for event in bench.sent if isinstance(event, SpinStarted | TurnPassed | SpinRested)]
    for event in last[-6:]:
        made = msgspec.structs.replace(event, spin=spin)
        if isinstance(made, SpinStarted):
            made = msgspec.structs.replace(made, angle=(made.angle + by) % 8320)
        elif isinstance(made, TurnPassed):
            made = msgspec.structs.replace(made, pitches=tuple(pitch + 1 for pitch in made.pitches))
        bench.wheel.link.post(made)


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize("restarted", [False, True])
def test_a_spin_that_begins_where_the_wheel_did_not_rest_is_refused(bench: Bench, restarted: bool) -> None:
    bench.wheel.play(SpinScript(215, 30))
    bench.until(WheelRested)
    bench.clock.run_for(1)
    if restarted:
        bench.restart_controller()
        bench.clock.run_for(1)
    forged(bench, 2, 0)
    rested = bench.until(WheelRested, 2)
    assert isinstance(rested, WheelRested)
    assert kinds(rested) == ["out_of_place"]
    assert (rested.verdict.reasons, rested.verdict.compartment) == (("malfunction",), None)
    assert "compartments from where the wheel last rested" in rested.verdict.findings[0].text


def test_spins_that_follow_each_other_and_a_wheel_seen_to_be_turned_contradict_nothing(bench: Bench) -> None:
    for n in range(1, 9):
        if n % 3 == 0:
            bench.wheel.turn_to(5.5 * n)
            bench.clock.run_for(2)
        if n % 4 == 0:
            bench.restart_controller()
        bench.wheel.play(SpinScript(215, 4 * n, 0.5, 1 if n % 2 else -1))
        assert kinds(bench.until(WheelRested, n)) == []
        bench.clock.run_for(3)


@pytest.mark.clause("melbourne-wheel", "7.1.3")
def test_of_two_records_that_contradict_each_other_neither_is_believed_and_the_next_stands(bench: Bench) -> None:
    bench.wheel.play(SpinScript(215, 30))
    bench.until(WheelRested)
    bench.clock.run_for(1)
    forged(bench, 2, 480)  # its end is elsewhere too
    assert kinds(bench.until(WheelRested, 2)) == ["out_of_place"]
    for n, refused in ((3, ["out_of_place"]), (4, [])):
        bench.wheel.spin(1.4, 1)
        assert kinds(bench.until(WheelRested, n)) == refused
        bench.clock.run_for(3)


@pytest.mark.clause("melbourne-wheel", "7.1.3")
def test_nothing_is_settled_on_a_spin_judged_by_the_profile_of_another_sensor() -> None:
    bench = Bench(msgspec.structs.replace(PROFILE, serial="WHEEL-9"))
    bench.wheel.play(SpinScript(215, 30))
    rested = bench.until(WheelRested)
    assert kinds(rested) == ["other_sensor"]
    assert isinstance(rested, WheelRested)
    assert rested.verdict.compartment is None
    assert "calibrate" in rested.verdict.findings[0].text


@pytest.mark.parametrize("restarted", [False, True])
def test_a_spin_that_never_ends_is_told_with_what_to_do_and_over_when_it_rests(bench: Bench, restarted: bool) -> None:
    begun = SpinStarted(1, 0, Sense.CLOCKWISE, True, 0)
    bench.wheel.link.post(begun)
    bench.until(WheelStarted)
    if restarted:
        bench.clock.run_for(60)
        bench.restart_controller()
    bench.clock.run_for(175)
    assert bench.journal.of(DeviceTrouble) == []
    bench.clock.run_for(10)
    (trouble,) = bench.journal.of(DeviceTrouble)
    assert isinstance(trouble, DeviceTrouble)
    assert (trouble.code, "3 minutes" in trouble.text, "no spin" in trouble.remedy) == ("never_rests", True, True)
    bench.wheel.spins = 1
    bench.wheel.spin(1.3, 1)
    over = bench.until(DeviceTroubleOver)
    assert isinstance(over, DeviceTroubleOver)
    assert over.code == "never_rests"
    bench.clock.run_for(400)
    assert len(bench.journal.of(DeviceTrouble)) == 1
