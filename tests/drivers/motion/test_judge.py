"""The judgement of a spin: turns, rest, rebound, hands and faulty sensors, each by the numbers the rules give."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from drivers.motion import BadTrace, Geometry, SpinVerdict, Trace, judge, lost_trace, simulated_wheel
from simulators.wheel_physics import Launch, Touch, TouchKind, launch
from simulators.wheel_script import SpinScript
from simulators.wheel_sensor import SensorFault, observe
from tests.drivers.motion.spins import BODY, MOUNTING, trace_of

GEOMETRY, PROFILE = Geometry(), simulated_wheel()


def verdict_on(script: SpinScript, fault: SensorFault | None = None, **also: object) -> SpinVerdict:
    return judge(trace_of(script, fault, **also), PROFILE, GEOMETRY)  # type: ignore[arg-type]


@pytest.mark.clause("melbourne-wheel", "7.1.1", "5.1.2")
@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize(("forward", "enough"), [(104, False), (155.0, False), (155.48, False), (155.98, False),
                                                 (156.0, True), (156.2, True), (210, True), (700, True)])  # fmt: skip
def test_fewer_than_three_turns_are_too_few_and_exactly_three_are_enough(
    forward: float, enough: bool, sense: int
) -> None:
    verdict = verdict_on(SpinScript(forward, 7, 0.45, sense))
    assert verdict.reasons == (() if enough else ("under_revs",))
    assert (verdict.clear, verdict.compartment) == ("clear", 7)
    assert verdict.forward == pytest.approx(forward, abs=0.01)
    assert verdict.sense == ("clockwise" if sense > 0 else "anticlockwise")


@pytest.mark.clause("melbourne-wheel", "7.1.1")
def test_a_wind_up_is_not_credited_but_has_to_be_made_good() -> None:
    assert verdict_on(SpinScript(155.5, 7, 0.45, wind_up=8.0)).reasons == ("under_revs",)
    assert verdict_on(SpinScript(156.5, 7, 0.45, wind_up=8.0)).reasons == ()


@pytest.mark.clause("melbourne-wheel", "7.1.1")
def test_a_turn_once_made_is_not_undone_by_the_rebound() -> None:
    verdict = verdict_on(SpinScript(156.2, 7, 0.3, reversal=0.5))
    assert (verdict.reasons, verdict.clear) == ((), "clear")
    assert verdict.reversal == pytest.approx(0.5, abs=0.02)


@pytest.mark.clause("melbourne-wheel", "3.5", "1.1 'Indicator'")
def test_after_a_rebound_the_compartment_of_rest_counts_not_that_of_the_peak() -> None:
    verdict = verdict_on(SpinScript(180.2, 7, 0.2, reversal=0.4))
    assert (verdict.reasons, verdict.compartment) == ((), 7)


@pytest.mark.clause("melbourne-wheel", "7.1.2")
@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize(("offset", "clear"), [(0.02, "not_clear"), (0.1, "not_clear"), (0.13, "near"), (0.2, "clear"),
                                               (0.5, "clear")])  # fmt: skip
def test_on_a_divider_is_no_spin_near_one_is_a_question(offset: float, clear: str, sense: int) -> None:
    verdict = verdict_on(SpinScript(210, 51, offset, sense))
    assert verdict.clear == clear
    assert verdict.reasons == (("not_clear",) if clear == "not_clear" else ())
    assert verdict.compartment == (None if clear == "not_clear" else 51)


@pytest.mark.clause("melbourne-wheel", "7.1.2")
def test_a_wheel_that_has_not_stood_still_is_not_clear() -> None:
    trace = msgspec.structs.replace(trace_of(SpinScript(210, 7)), still=800)
    assert judge(trace, PROFILE, GEOMETRY).reasons == ("not_clear",)


def test_the_dead_band_follows_from_the_wheels_own_measures() -> None:
    assert Geometry.measured().dead_band == pytest.approx(0.10)
    assert Geometry.measured().near_band == pytest.approx(0.10 + 3 * 0.5 / 90)
    worse = Geometry.measured(sensor_mm=1.0)
    assert worse.near_band - worse.dead_band == pytest.approx(3 * 1.0 / 90)
    assert Geometry.measured(peg_mm=18).dead_band > 0.13


@pytest.mark.clause("melbourne-wheel", "7.1.1", "7.1.2")
def test_all_reasons_are_told() -> None:
    assert verdict_on(SpinScript(120, 7, 0.01)).reasons == ("under_revs", "not_clear")


@pytest.mark.clause("melbourne-wheel", "7.1.3", "5.3")
@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize(
    ("touch", "at", "found"),
    [("push", 0.9, "push"), ("brake", 1.5, "brake"), ("hold", 3.2, "hold"), ("nudge", 0, "nudge"),
     ("crawl", 0, "late_push"), ("rigged", 1.0, "brake")],
)  # fmt: skip
def test_a_hand_on_the_wheel_is_interference(touch: TouchKind, at: float, found: str, sense: int) -> None:
    verdict = verdict_on(SpinScript(210, 7, 0.4, sense, touch=touch, at_revolution=at))
    assert verdict.reasons == ("interference",)
    assert found in {finding.kind for finding in verdict.findings}
    assert verdict.compartment == 7  # level 2 may overrule the sensor, and then needs it


@pytest.mark.clause("melbourne-wheel", "7.1.3")
def test_a_reversal_of_more_than_a_compartment_is_interference() -> None:
    assert verdict_on(SpinScript(210, 7, 0.4, reversal=0.9)).reasons == ()
    assert verdict_on(SpinScript(210, 7, 0.4, reversal=1.6)).reasons == ("interference",)


@pytest.mark.parametrize("speed", [0.9, 1.3, 1.8, 2.2])
def test_a_spin_nobody_touched_is_not_suspected(speed: float) -> None:
    for seed in range(20):
        rng = Random(seed)
        sense = rng.choice((1, -1))
        motion = launch(BODY, rng.uniform(0, 52), Launch(speed * 52, 4.0), sense, rng.gauss(1, 0.02))
        started, *turns, rested = (m for _, m in observe(motion, sense, 1, BODY, MOUNTING, rng).messages)
        verdict = judge(Trace.from_messages(started, turns, rested), PROFILE, GEOMETRY)  # type: ignore[arg-type]
        assert not {"interference", "malfunction"} & set(verdict.reasons), verdict.findings


def test_a_hidden_brake_at_thirteen_tenths_of_natural_friction_is_noticed() -> None:
    noticed = 0
    for seed in range(30):
        rng = Random(seed)
        touch = Touch("rigged", 0.3, rng.uniform(1, 3))
        motion = launch(BODY, rng.uniform(0, 52), Launch(65), 1, rng.gauss(1, 0.02), (touch,))
        started, *turns, rested = (m for _, m in observe(motion, 1, 1, BODY, MOUNTING, rng).messages)
        verdict = judge(Trace.from_messages(started, turns, rested), PROFILE, GEOMETRY)  # type: ignore[arg-type]
        noticed += "interference" in verdict.reasons
    assert noticed >= 29


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize(
    "fault",
    [
        SensorFault("lost_counts", 1.5, 40),
        SensorFault("lost_counts", 3.9, 160),
        SensorFault("index_slip", 2.2, 5.5),
        SensorFault("index_slip", 3.9, -1.0),
        SensorFault("dead_channel", 2.5),
        SensorFault("stuck", 3.4),
        SensorFault("noise", 1.5, 0.002),
        SensorFault("indicator_dead", 2.5),
        SensorFault("index_dead", 1.5),
    ],
    ids=lambda fault: f"{fault.kind} at {fault.at_revolution}",
)
def test_a_sensor_that_contradicts_itself_is_a_malfunction_and_names_no_compartment(fault: SensorFault) -> None:
    verdict = verdict_on(SpinScript(210, 7, 0.4), fault)
    assert verdict.reasons == ("malfunction",)
    assert verdict.compartment is None
    assert verdict.findings[0].text


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize("degrees", [38, -38, 360 / 52, 1, 180])
def test_a_coupling_that_slipped_between_spins_is_noticed_from_the_index(degrees: float) -> None:
    verdict = verdict_on(SpinScript(210, 7, 0.4), slip=round(degrees / 360 * 8320))
    assert verdict.reasons == ("malfunction",)
    assert verdict.findings[0].kind == "index_shifted"


@pytest.mark.clause("melbourne-wheel", "7.1.2", "7.1.3")
def test_a_sensor_that_has_not_homed_finds_the_compartment_from_the_index_of_the_spin_itself() -> None:
    verdict = verdict_on(SpinScript(210, 7, 0.4), slip=1234, homed=False)
    assert (verdict.reasons, verdict.compartment) == ((), 7)
    assert verdict.clear == "near"  # somebody confirms by eye that the map is not a compartment out
    assert [finding.kind for finding in verdict.findings] == ["homed_anew"]


def test_evidence_that_is_gone_is_a_malfunction_never_a_guess() -> None:
    assert judge(lost_trace(), PROFILE, GEOMETRY).reasons == ("malfunction",)
    trace = trace_of(SpinScript(210, 7))
    torn = msgspec.structs.replace(trace, complete=False)
    assert judge(torn, PROFILE, GEOMETRY).compartment is None


@pytest.mark.parametrize("touch", ["", "push"])
def test_the_trace_kept_with_the_round_decides_the_same_again(touch: Any) -> None:
    verdict = verdict_on(SpinScript(300, 7, 0.4, reversal=0.3, touch=touch))
    kept = msgspec.json.decode(msgspec.json.encode(verdict), type=SpinVerdict)
    again = judge(Trace.decode(kept.trace), PROFILE, GEOMETRY)
    assert again == verdict == kept
    assert len(kept.trace) < 900
    turns, speeds = zip(*Trace.decode(kept.trace).speeds(), strict=True)
    assert max(speeds) == pytest.approx(verdict.fastest)
    assert turns[-1] == pytest.approx(300 / 52, abs=0.1)


def test_a_damaged_trace_is_refused() -> None:
    octets = trace_of(SpinScript(210, 7)).encode()
    for wrong in (b"", octets[:40], b"\x09" + octets[1:], octets[:20] + b"\xff" + octets[21:]):
        with pytest.raises(BadTrace):
            Trace.decode(wrong)
