"""The very end of a spin, place by place: what slows it there is learnt, and what is not explained is a hand."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from drivers.motion import Geometry, Trace, WheelProfile, judge
from drivers.motion.alone import alone, without
from drivers.motion.approach import UNKNOWN, strangest, stretches
from drivers.motion.learn import learn
from drivers.motion.natural import Level, chance_of_each
from drivers.motion.profile import SLOW_PARTS, Slowing
from drivers.motion.slowing import Slow, slowing_of
from drivers.motion.trace import PITCH, SAMPLE_S
from lab.wheels.body import Hand
from lab.wheels.evening import calibrated, trace_of
from lab.wheels.population import KINDS, OneWheel
from tests.drivers.motion.paper import paper_trace, paper_wheel

BY_NAME = {kind.name: kind for kind in KINDS}
LOSING = -2.0  # compartments/s²
NUDGE = 0.8  # compartments/s


def slowed(speed: float, phase: float = 0.0, nudged_at: float = -1.0) -> Trace:
    """A wheel that loses two compartments/s every second until it stands, perhaps nudged for a tenth of one."""
    place, time, places = phase, 0.0, [round(phase * PITCH)]
    while speed > 0:
        speed += SAMPLE_S * (LOSING + (NUDGE / 0.1 if nudged_at <= time < nudged_at + 0.1 else 0.0))
        place += max(speed, 0.0) * SAMPLE_S
        time += SAMPLE_S
        places.append(round(place * PITCH))
    steps = tuple(b - a for a, b in pairwise(places))
    return paper_trace(approach=(*steps, *(0,) * 8), peak=places[-1], rest=places[-1])


def ends_of(traces: list[Trace]) -> list[Slow]:
    wheel = paper_wheel()
    return [Slow(list(stretches(trace, wheel, 0.0, 0.0)), 1.0) for trace in traces]


def natural_ends(count: int = 30) -> list[Trace]:
    rng = Random(16)
    return [slowed(rng.uniform(2.5, 3.5), rng.random()) for _ in range(count)]


def test_what_slows_the_wheel_is_learnt_of_every_part_it_passed_forwards() -> None:
    slowing, strange = slowing_of(ends_of(natural_ends()))
    known = [n for n in range(SLOW_PARTS) if slowing.strays[n]]
    assert len(known) == SLOW_PARTS
    assert sum(slowing.adds[n] for n in known) / len(known) == pytest.approx(LOSING, abs=0.05)
    assert max(strange) < 4


def test_a_nudge_that_only_keeps_a_slowing_wheel_going_is_told_with_its_place_and_its_speed() -> None:
    slowing, strange = slowing_of(ends_of(natural_ends()))
    wheel = paper_wheel(slowing=slowing)
    alone_ = strangest(slowed(3.0, 0.3), wheel, Level(), 0.0, 0.0)
    nudged = slowed(3.0, 0.3, nudged_at=0.8)
    found = strangest(nudged, wheel, Level(), 0.0, 0.0)
    assert alone_.strays < 4
    assert found.strays > 2 * max(strange)
    assert found.gained == pytest.approx(NUDGE, abs=0.12)
    there = (0.3 + 3.0 * 0.85 - 0.85**2) * PITCH
    assert found.at == pytest.approx(there, abs=0.2 * PITCH)


def test_on_an_evening_of_more_friction_a_wheel_is_expected_to_slow_down_more() -> None:
    slowing, _ = slowing_of(ends_of(natural_ends()))
    wheel = paper_wheel(slowing=slowing)
    trace = slowed(3.0, 0.3)
    plain, heavy = (strangest(trace, wheel, Level(share), 0.0, 0.0) for share in (1.0, 1.5))
    assert heavy.gained - plain.gained == pytest.approx(0.5 * -LOSING * 0.1, abs=0.03)


def test_where_calibration_hardly_was_only_speed_that_is_truly_gained_counts() -> None:
    nowhere = Slowing((LOSING,) * 2 * SLOW_PARTS, (0.0,) * 2 * SLOW_PARTS)
    wheel = paper_wheel(slowing=nowhere)
    assert strangest(slowed(3.0), wheel, Level(), 0.0, 0.0).gained <= 0.12  # a count more or less
    found = strangest(slowed(3.0, nudged_at=0.8), wheel, Level(), 0.0, 0.0)
    assert found.gained == pytest.approx(NUDGE + LOSING * 0.1, abs=0.12)
    assert found.strays == pytest.approx(found.gained / UNKNOWN)


def test_no_place_however_reckoned_falls_outside_the_parts_of_a_gap() -> None:
    wheel = paper_wheel()
    for start in range(0, 8320, 97):
        trace = slowed(3.0)
        for one in (
            trace,
            paper_trace(approach=trace.approach, peak=trace.peak, rest=trace.rest, start=start, sense=-1),
        ):
            seen = [part for stretch in stretches(one, wheel, 0.0, 0.0) for pair in stretch.parts for part in pair]
            assert 0 <= min(seen) <= max(seen) < 2 * SLOW_PARTS


def test_only_one_that_lies_far_from_all_others_is_alone() -> None:
    even = [0.9, 1.0, 1.1, 1.0, 0.95, 1.05, 1.0, 0.9, 1.1, 1.0, 1.02]
    assert alone(even) is None
    assert alone([*even, 2.0]) == len(even)
    assert alone([*even[:5], 2.0]) is None  # too few to say what is alike
    assert without("abc", 1) == ["a", "c"]


# -- on wheels that are not ours --------------------------------------------------------------------------------------


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize("kind", ["worn everything", "soft leather"])
def test_a_nudge_into_the_bent_indicator_is_noticed_that_gains_the_wheel_no_speed(kind: str) -> None:
    wheel = OneWheel(BY_NAME[kind], "nudged")
    profile = calibrated(wheel)
    clean = [judge(trace_of(wheel.spin()), profile, Geometry.measured()) for _ in range(40)]
    assert sum("interference" in verdict.reasons for verdict in clean) <= 1
    spun = [wheel.spin(wheel.hand("nudge", 1.0)) for _ in range(40)]
    verdicts = [judge(trace_of(one), profile, Geometry.measured()) for one in spun if one.run.touched]
    assert sum("interference" in verdict.reasons for verdict in verdicts) >= 0.85 * len(verdicts)


TOUCHED = {
    "crawled": ("heavy air", Hand("crawl", 1.0, at_speed=2.0)),
    "carried": ("heavy air", Hand("crawl", 3.0, at_speed=2.0)),
    "nudged": ("home made", Hand("nudge", 2.0, at_speed=1.0)),
    "hardly": ("thin plastic", Hand("nudge", 1.0, at_speed=1.5)),
    "late": ("steel spring", Hand("nudge", 1.0, at_speed=2.5)),
}


@pytest.mark.parametrize(("kind", "hand"), TOUCHED.values(), ids=TOUCHED)
def test_one_late_touch_among_those_for_calibration_widens_no_threshold(kind: str, hand: Hand) -> None:
    wheel = OneWheel(BY_NAME[kind], "late at calibration")
    spins = list(wheel.calibration(31))
    seen = {n: int(spun.place) for n, spun in enumerate(spins) if n < 50 and 0.25 < spun.place % 1.0 < 0.75}
    traces = [trace_of(spun) for spun in spins]
    for n in range(58, 62):
        left_out, touched = without(traces, n), list(traces)
        spun = wheel.spin(hand, sense=spins[n].sense)
        assert spun.run.touched
        touched[n] = trace_of(spun)
        before, after = (thresholds(learn(given, seen, kind, "today")) for given in (left_out, touched))
        assert max(after[name] / before[name] for name in before) < 1.25


def thresholds(profile: WheelProfile) -> dict[str, float]:
    """How much energy, or speed, a spin may show at its end before somebody is said to have touched it."""
    _, _, stop, landing, gain, _ = (tail.at(chance_of_each(0.001)) for tail in profile.natural.tails)
    found = {}
    for friction, way in ((profile.clockwise, "clockwise"), (profile.anticlockwise, "anticlockwise")):
        assert friction.landing is not None
        assert friction.slowing is not None
        found[f"landing {way}"] = landing * friction.landing.sigma
        found |= {f"gap {n} {way}": landing * gap.sigma for n, gap in enumerate(friction.gaps)}
        found |= {f"stop {one.distance} {way}": stop * one.sigma for one in friction.stops}
        known = [sigma for sigma in friction.slowing.strays if sigma]
        found[f"gain {way}"] = gain * sum(known) / len(known)
    return found
