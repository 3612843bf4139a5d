"""Wheels that are not ours: the analysis on laws, geometries and sensors that it was not written for."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from pathlib import Path
from random import Random

import msgspec
import pytest

from drivers.motion import Geometry, SpinVerdict, Trace, WheelProfile, follow, judge
from drivers.motion.checks import swung_back
from drivers.motion.judge import READING_COUNTS
from drivers.motion.learn import CalibrationTrouble, learn
from lab.wheels import report
from lab.wheels.body import Blade, Body, Hand, Ring, Run, Throw
from lab.wheels.chance import at_most, interval
from lab.wheels.counted import Counted
from lab.wheels.evening import calibrated, evening, evening_on, trace_of
from lab.wheels.population import DEGREE, KINDS, Kind, OneWheel, Spun
from lab.wheels.sensor import Sensor
from lab.wheels.telling import tell
from lab.wheels.turning import _Spin, spin
from tests.lab.detent_wheel import DetentWheel

GEOMETRY = Geometry()
BY_NAME = {kind.name: kind for kind in KINDS}
ALARM = {"interference", "malfunction"}


@pytest.mark.clause("melbourne-wheel", "7.1.1", "7.1.2", "7.1.3")
def test_on_wheels_it_has_not_seen_no_winner_is_wrong_hands_are_noticed_and_natural_spins_left_alone() -> None:
    names = ("thin plastic", "eccentric ring", "brush and magnet")
    tallies = {name: evening(BY_NAME[name], "in the tests", 120) for name in names}
    everything = report.total(tallies)
    assert (everything.wrong, everything.missed_short, everything.refused) == (0, 0, 0), everything.examples
    assert interval(everything.false_alarms, everything.clean)[0] <= 0.001, everything.examples
    asked_of = {
        (kind, strength): count for kind, strength, count in report.hands(everything)
        if strength >= report.GOALS.get(kind, 9e9) and kind != "nudge"
    }  # fmt: skip
    noticed = sum(count["noticed"] for count in asked_of.values())
    assert noticed >= 0.9 * sum(count["spins"] for count in asked_of.values())
    assert report.missed(tallies) == []
    assert "wrong winners 0, missed short spins 0" in report.text(Counted(1, tallies))
    assert everything.most_bytes < 8000


@pytest.mark.clause("melbourne-wheel", "7.1.1", "7.1.2", "7.1.3")
def test_a_wheel_of_other_equations_than_any_of_the_judges_is_learnt_and_judged_as_well() -> None:
    strong = tuple((kind, least) for kind, least in report.GOALS.items() if kind != "nudge")
    tally = evening_on(DetentWheel("in the tests"), 150, touches=strong)  # type: ignore[arg-type]
    assert (tally.wrong, tally.missed_short, tally.refused) == (0, 0, 0), tally.examples
    assert tally.false_alarms <= 1, tally.examples
    noticed, of = (sum(count[name] for count in tally.hands.values()) for name in ("noticed", "spins"))
    assert of >= 25
    assert noticed >= 0.9 * of, tally.hands
    assert tally.furthest < 0.02


def test_the_judge_shares_no_code_with_the_judged() -> None:
    folder = Path(report.__file__).parent
    for name in ("body", "sensor", "population", "strangers", "chance"):
        tree = ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))
        imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not [module for module in imported if module.startswith(("drivers", "simulators", "controller"))]


def test_some_kinds_of_wheels_are_kept_apart_and_every_seed_draws_other_wheels() -> None:
    assert sum(kind.kept_apart for kind in report.kinds()) >= 6
    assert sum(not kind.kept_apart for kind in report.kinds()) >= 6
    for kind in report.kinds():
        assert OneWheel(kind, "a").sensor != OneWheel(kind, "b").sensor
        assert OneWheel(kind, "a").body == OneWheel(kind, "a").body


def test_whoever_changes_the_analysis_does_not_even_read_the_strangers() -> None:
    tuning = (
        "import sys; from lab.wheels import report; names = [k.name for k in report.kinds(tuning=True)]; "
        "assert len(names) >= 6 and 'lab.wheels.strangers' not in sys.modules; "
        "assert not set(names) & {k.name for k in report.kinds() if k.kept_apart}"
    )
    subprocess.run([sys.executable, "-c", tuning], check=True, timeout=60)


def test_a_measured_wheel_is_asked_about_only_where_its_reading_is_in_doubt() -> None:
    tally = evening(BY_NAME["eccentric ring"], "asked", 600)
    assert tally.wrong == 0, tally.examples
    assert 0 < tally.asked <= 0.6 * tally.wide  # an exact sensor would ask more often by the margin of an assumed band
    measured = Geometry.measured()
    assert tally.furthest < measured.near_band - measured.dead_band + READING_COUNTS / 160


def test_an_off_centre_ring_is_learnt_from_the_index_and_put_right() -> None:
    wheel = OneWheel(BY_NAME["eccentric ring"], "ring")
    profile = calibrated(wheel)
    learnt = (profile.ring.cosine**2 + profile.ring.sine**2) ** 0.5 / 160
    assert learnt == pytest.approx(wheel.sensor.ring.off, abs=0.05 * DEGREE)
    for _ in range(25):
        spun = wheel.spin()
        verdict = judge(trace_of(spun), profile, GEOMETRY)
        assert "malfunction" not in verdict.reasons, verdict.findings
        assert verdict.compartment in (None, int(spun.place))


def test_a_late_indicator_is_learnt_as_late() -> None:
    wheel = OneWheel(BY_NAME["slow sensor"], "late")
    profile = calibrated(wheel)
    for friction in (profile.clockwise, profile.anticlockwise):
        assert friction.tick_late / 160 == pytest.approx(wheel.sensor.tick_late_s, rel=0.1)


def test_friction_that_drifts_over_an_evening_is_followed_and_nobody_is_accused() -> None:
    wheel = OneWheel(BY_NAME["heavy air"], "drift")
    profile = calibrated(wheel)
    natural = profile.natural
    alarms = 0
    for n in range(120):
        share = 1 + 0.2 * n / 120
        wheel.friction = (share, share)
        verdict, natural = follow(trace_of(wheel.spin()), profile, GEOMETRY, natural)
        alarms += bool(ALARM & set(verdict.reasons))
    assert alarms <= 1
    assert natural.drifted() == pytest.approx(0.2, abs=0.03)
    frozen = sum(bool(ALARM & set(judge(trace_of(wheel.spin()), profile, GEOMETRY).reasons)) for _ in range(10))
    assert frozen >= 8  # a profile that is not followed would accuse everybody by now


def test_one_touched_spin_among_those_for_calibration_changes_nothing() -> None:
    kind = BY_NAME["brush and magnet"]
    clean, brushed = (calibrated(OneWheel(kind, "brushed"), touched=touched) for touched in (False, True))
    assert brushed.clockwise.spins + brushed.anticlockwise.spins == 60
    assert brushed.clockwise.losses == pytest.approx(clean.clockwise.losses, rel=0.03)
    for then, now in zip(clean.natural.tails, brushed.natural.tails, strict=True):
        assert now.at(0.001) == pytest.approx(then.at(0.001), rel=0.25, abs=0.3)


HANDS_AT_CALIBRATION = {
    "held": Hand("hold", 1.0, at_turn=1.2), "dragged": Hand("rigged", 1.0, at_turn=1.0),
    "braked": Hand("brake", 3.0, at_turn=1.0), "pushed": Hand("push", 0.3, at_turn=2.0),
    "nudged": Hand("nudge", 2.0, at_speed=1.5),
}  # fmt: skip


@pytest.mark.parametrize("hand", HANDS_AT_CALIBRATION.values(), ids=HANDS_AT_CALIBRATION)
def test_however_one_spin_of_calibration_was_touched_nothing_changes_and_the_bearing_is_not_blamed(hand: Hand) -> None:
    wheel = OneWheel(BY_NAME["heavy air"], "one touched")
    spins = list(wheel.calibration())
    clean = learnt_from(spins)
    spins[7] = wheel.spin(hand, sense=spins[7].sense)
    assert spins[7].run.touched
    touched = learnt_from(spins)
    assert touched.clockwise.losses == pytest.approx(clean.clockwise.losses, rel=0.03)
    assert touched.anticlockwise.losses == pytest.approx(clean.anticlockwise.losses, rel=0.03)
    for then, now in zip(clean.natural.tails, touched.natural.tails, strict=True):
        assert now.at(0.001) == pytest.approx(then.at(0.001), rel=0.25, abs=0.3)


def learnt_from(spins: Sequence[Spun]) -> WheelProfile:
    seen = {n: int(spun.place) for n, spun in enumerate(spins) if n % 7 == 3 and 0.25 < spun.place % 1.0 < 0.75}
    return learn([trace_of(spun) for spun in spins], seen, "touched", "today")


def test_calibration_says_how_many_spins_were_held_touched_or_too_short() -> None:
    wheel = OneWheel(BY_NAME["heavy air"], "many touched")
    spins = list(wheel.calibration())
    short = [
        wheel.spin(slowest=0.1, fastest=0.15, sense=spin.sense) if n % 7 == 1 else spin for n, spin in enumerate(spins)
    ]
    with pytest.raises(CalibrationTrouble, match=r"9 of 60 spins were held or are too short .* spin harder"):
        learnt_from(short)
    held = Hand("brake", 2.0, at_turn=1.0)
    touched = [wheel.spin(held, sense=spin.sense) if n % 7 == 1 else spin for n, spin in enumerate(spins)]
    with pytest.raises(CalibrationTrouble, match="9 of 60 spins are unlike the others; see that nobody touches"):
        learnt_from(touched)


def test_a_ring_far_off_its_centre_is_refused_with_how_far() -> None:
    wheel = OneWheel(BY_NAME["eccentric ring"], "far off")
    wheel.sensor = msgspec.structs.replace(wheel.sensor, ring=Ring(2.5 * DEGREE, 11.0))
    with pytest.raises(CalibrationTrouble, match=r"the ring sits 2\.[3-7] degrees off its centre; mount it again"):
        calibrated(wheel)


def test_a_wheel_that_cannot_be_learnt_is_refused_with_the_true_reason() -> None:
    def shaky(rng: object) -> object:
        body, sensor = BY_NAME["heavy air"].draw(rng)  # type: ignore[arg-type]
        return msgspec.structs.replace(body, spread=0.25), sensor

    with pytest.raises(CalibrationTrouble, match=r"differs by .* from spin to spin; clean and oil its bearing"):
        calibrated(OneWheel(Kind("shaky", shaky), "1"))  # type: ignore[arg-type]


def moved_index(shift: int) -> tuple[list[SpinVerdict], int]:
    """The verdicts after somebody moved the index mark and had it found again; and how many named a wrong winner."""
    wheel = OneWheel(BY_NAME["heavy air"], f"moved {shift}")
    profile: WheelProfile = calibrated(wheel)
    natural = profile.natural
    wheel.sensor = msgspec.structs.replace(wheel.sensor, index_at=(wheel.sensor.index_at + shift) % 52)
    verdicts = []
    wrong = 0
    for n in range(30):
        spun = wheel.spin()
        trace = msgspec.structs.replace(trace_of(spun), homed=n > 0)
        verdict, natural = follow(trace, profile, GEOMETRY, natural)
        verdicts.append(verdict)
        wrong += verdict.valid and verdict.compartment != int(spun.place)
    return verdicts, wrong


@pytest.mark.parametrize("shift", [1, -4, 20])
def test_an_index_moved_by_whole_compartments_is_asked_about_at_once_and_found_by_the_imbalance(shift: int) -> None:
    verdicts, wrong = moved_index(shift)
    assert not verdicts[0].valid  # somebody is asked which compartment it is
    found = [n for n, verdict in enumerate(verdicts) if any(f.kind == "index_moved" for f in verdict.findings)]
    assert found
    assert found[0] <= 20
    assert wrong <= found[0]
    assert all(verdict.compartment is None for verdict in verdicts[found[0] :])


@pytest.mark.parametrize(
    ("found", "of", "low", "high"), [(0, 100, 0.0, 0.0362), (5, 10, 0.1871, 0.8129), (1, 1000, 0.0000253, 0.00556)]
)
def test_intervals_are_those_of_clopper_and_pearson(found: int, of: int, low: float, high: float) -> None:
    assert interval(found, of) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


@pytest.mark.parametrize(
    ("found", "of", "below"), [(0, 0, 1.0), (0, 1_000_000, 2.996e-6), (1, 100, 0.0466), (3, 3, 1.0)]
)
def test_what_a_share_is_surely_below_grows_with_what_was_found(found: int, of: int, below: float) -> None:
    assert at_most(of, found) == pytest.approx(below, rel=0.002)


def test_beside_a_nudge_stands_where_the_wheel_would_have_rested_without_it_and_chance_goes_on_alike() -> None:
    wheel, again = (OneWheel(BY_NAME["thin plastic"], "beside") for _ in range(2))
    harmless = Hand("nudge", 1.0, at_turn=1e9)
    spun, moved = wheel.beside(harmless)
    assert (moved, spun.run.touched) == (0.0, False)
    assert again.spin(harmless).run == spun.run
    assert wheel.beside(wheel.hand("push", 0.05))[1] > 1.0
    again.spin(again.hand("push", 0.05))
    assert wheel.spin().told == again.spin().told


def furthest_apart(nudged: Run, alone: Run) -> float:
    """Compartments by which two ends of the same spin ever lay apart; the one that rests first stays where it is."""
    assert nudged.late[0] == alone.late[0]
    pairs = zip_longest(nudged.late, alone.late)
    return max(abs((a or nudged.late[-1])[1] - (b or alone.late[-1])[1]) for a, b in pairs)


@pytest.mark.parametrize("name", ["steel spring", "home made", "thin plastic"])
def test_nearly_every_nudge_leaves_four_counts_of_a_mark_so_no_limit_of_nature_excuses_a_missed_one(name: str) -> None:
    apart = []
    for n in range(20):
        wheel, again = (OneWheel(BY_NAME[name], f"mark {n}") for _ in range(2))
        hand = wheel.hand("nudge", 1.0)
        assert again.hand("nudge", 1.0) == hand
        apart.append(furthest_apart(wheel.spin(hand).run, again.spin().run))
    assert sum(by * 160 >= 4 for by in apart) >= 18


def test_a_sensor_from_before_counts_a_mark_again_that_the_wheel_swung_back_over() -> None:
    wheel = OneWheel(BY_NAME["thin plastic"], "swung back")
    assert wheel.sensor.mark_each_way
    spun = next(spun for _ in range(200) if (spun := wheel.spin()).run.reversal > 0.2)
    mark = spun.sense * (spun.run.peak - 0.1) % 52
    told = {
        each: tell(spun.run, spun.sense, 1, Sensor(index_at=mark, mark_each_way=each), wheel.rng)
        for each in (False, True)
    }
    seen = {each: rested.indexes for each, (_, _, rested) in told.items()}
    assert seen[True] > seen[False]
    assert 1 <= swung_back(Trace.from_messages(*told[True]), 0.0) <= seen[True]


def lost_at(body: Body, speed: float) -> float:
    """What one turn round this speed takes from a wheel, a compartment."""
    run = spin(body, [1.2, 0.8] * 26, Ring(), Random(1), 0.0, 1, Throw(2 * speed))
    paces = [1 / (b - a) for a, b in pairwise(run.crossings)]
    at = next(n for n, pace in enumerate(paces) if n > 30 and pace < speed)
    return (paces[at - 4] ** 2 - paces[at + 4] ** 2) / 16


def test_a_blade_that_rings_takes_more_where_pegs_come_in_its_own_time() -> None:
    still = Body(blade=Blade(chance=0.0), heavy=0.0, spread=0.0)
    rings = msgspec.structs.replace(still, blade=Blade(chance=0.0, rings=((40.0, 2.0, 1.0),)))
    assert lost_at(rings, 40) > 1.25 * lost_at(still, 40)
    assert lost_at(rings, 70) == pytest.approx(lost_at(still, 70), rel=0.02)


def test_pegs_may_differ_less_when_the_wheel_is_fast() -> None:
    uneven = [1.5, 0.5] * 26
    body = Body(blade=Blade(chance=0.0, evens=1.0), heavy=0.0, spread=0.0)
    wheel = _Spin(body, uneven, Ring(), Random(1), 0.0, 1, Throw(80), (1.0, 1.0), None)
    slow, fast = (wheel.peg_takes(0, speed) / wheel.peg_takes(1, speed) for speed in (3.0, 90.0))
    assert slow == pytest.approx(3.0, abs=0.1)
    assert fast < 1.3
