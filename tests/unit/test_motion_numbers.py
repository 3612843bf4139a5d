"""The judgement of a spin on paper: speeds, stops and landings made by hand, so that every number can be reckoned."""

from __future__ import annotations

from math import sqrt
from typing import Any

import msgspec
import pytest

from drivers.motion import Finding, Geometry, SpinVerdict, Trace, judge, lost_trace, simulated_wheel
from drivers.motion.energy import launch_end, speeds_of
from drivers.motion.judge import interference
from drivers.motion.profile import Friction, LandingLaw, Spread, Stop, WheelProfile, Window
from drivers.motion.trace import PITCH, RING
from simulators.wheel_script import SpinScript
from simulators.wheel_sensor import SensorFault
from tests.unit.test_motion_judge import trace_of
from tests.unit.wheel_play import clause

GEOMETRY, PROFILE = Geometry(), simulated_wheel()
GENTLE = LandingLaw(loss=1.4, spring=0.0, contact=0.1, release=0.1, sigma=1e9)


def paper_wheel(**given: Any) -> WheelProfile:
    """A wheel that loses nothing and is balanced: its energy is half its squared speed, and nothing is suspected."""
    friction = Friction(
        spins=30, loss=0.0, drag=0.0, cosine=0.0, sine=0.0, windows=(), stops=(), gaps=(), landing=GENTLE,
        regain=1e9, tick_phase=0.0, release=0.1,
    )  # fmt: skip
    friction = msgspec.structs.replace(friction, **given)
    return WheelProfile("paper", "today", 0.0, 0.0, friction, friction)


def paper_trace(**given: Any) -> Trace:
    """A spin from the index mark in the launch sense, of which only what is given is known."""
    return msgspec.structs.replace(lost_trace(), **given)


def touched(
    profile: WheelProfile,
    speeds: list[float] | None = None,
    release: int | None = 0,
    geometry: Geometry = GEOMETRY,
    **trace: Any,
) -> list[tuple[str, float, float, float]]:
    """Kind, turn, number and bound of every sign of a hand."""
    found = interference(paper_trace(**trace), profile, geometry, speeds or [], release, 0.0)
    assert all(one.reason == "interference" for one in found)
    return [(one.kind, one.turn, one.measured, one.expected) for one in found]


# -- speed kept and lost over a window --------------------------------------------------------------------------------


def window(still: float, swift: float = 0.0) -> WheelProfile:
    return paper_wheel(windows=(Window(3, 3, still, swift),))


SLOW, MIDDLE, FAST = [7.0] * 20, [13.0] * 20, [17.0] * 20
"""Half the squared speeds are 24.5, 84.5 and 144.5: from one to the next lie 60."""


@clause("7.1.3")
@pytest.mark.parametrize(("still", "sigmas"), [(5.0, 12.0), (10.0, 6.0), (9.0, 60 / 9)])
def test_a_step_in_speed_beyond_six_sigma_is_a_push_or_a_brake_where_it_is_first_the_largest(
    still: float, sigmas: float
) -> None:
    pushed = [("push", 20 / 52, pytest.approx(sigmas), 6.0)] if sigmas > 6 else []
    assert touched(window(still), SLOW + MIDDLE + FAST) == pushed
    braked = [("brake", 20 / 52, pytest.approx(sigmas), 6.0)] if sigmas > 6 else []
    assert touched(window(still), FAST + MIDDLE + SLOW) == braked


@clause("7.1.3")
def test_a_swift_wheel_may_stray_further_by_its_squared_speed() -> None:
    step = [7.0] * 4 + [13.0] * 3
    assert touched(window(3.0, 4 / 13**2), step) == [("push", 4 / 52, pytest.approx(60 / 5), 6.0)]
    assert touched(window(6.1, 8 / 13**2), step) == []


@clause("7.1.3")
def test_what_happens_until_the_hand_lets_go_is_the_launch() -> None:
    launch = [1.0, 20.0, 40.0, 7.0]
    assert touched(window(1.0), launch + [7.0] * 9, release=2) == []
    assert touched(window(1.0), launch + [7.0] * 2 + [13.0] * 9, release=2) == [("push", 6 / 52, 60.0, 6.0)]
    assert touched(window(1.0), [9.0] * 5) == []


# -- where it stops ---------------------------------------------------------------------------------------------------


def stops(**sigmas: float) -> tuple[WheelProfile, list[float]]:
    """A wheel and the speeds of a spin of 40 compartments, so many sigma off so far (`d2`) before its stop."""
    spreads = {int(name[1:]): off for name, off in sigmas.items()}
    return paper_wheel(stops=tuple(Stop(distance, Spread(98.0 - off, 1.0)) for distance, off in spreads.items())), [
        14.0
    ] * 40


@clause("7.1.3")
@pytest.mark.parametrize(
    ("off", "found"),
    [
        ({"d4": 6.0}, None),
        ({"d4": -6.0}, None),
        ({"d2": 7.0}, ("hold", 7.0)),
        ({"d3": 7.0}, ("hold", 7.0)),
        ({"d4": 7.0}, ("late_brake", 7.0)),
        ({"d4": -7.0}, ("late_push", 7.0)),
        ({"d4": 7.0, "d6": -7.0}, ("late_brake", 7.0)),
        ({"d4": 7.0, "d6": -8.0}, ("late_push", 8.0)),
    ],
)
def test_a_wheel_that_stops_elsewhere_than_its_speed_says_was_held_braked_or_pushed(
    off: dict[str, float], found: tuple[str, float] | None
) -> None:
    profile, speeds = stops(**off)
    expected = [(found[0], 40 / 52, found[1], 6.0)] if found else []
    assert touched(profile, speeds, peak=40 * PITCH, rest=40 * PITCH) == expected


@clause("7.1.3")
def test_a_stop_from_a_quarter_turn_a_second_is_no_hold_and_its_words_say_what_happened() -> None:
    profile = paper_wheel(stops=(Stop(2, Spread(77.5, 1.0)),))
    trace = paper_trace(peak=40 * PITCH, rest=40 * PITCH)
    (found,) = interference(trace, profile, GEOMETRY, [13.0] * 40, 0, 0.0)
    assert (found.kind, found.measured) == ("late_brake", 7.0)
    assert "2 compartments before its stop" in found.text
    assert "it went sooner than friction would stop it (+7 sigma)" in found.text
    (found,) = interference(trace, paper_wheel(stops=(Stop(2, Spread(91.5, 1.0)),)), GEOMETRY, [13.0] * 40, 0, 0.0)
    assert "it went further than its speed would carry it (-7 sigma)" in found.text


# -- the final approach -----------------------------------------------------------------------------------------------


def approach(*counts: int, before: int) -> dict[str, Any]:
    """Samples of counts from this place on; the wheel rests where they end."""
    rest = before + sum(counts)
    return {"approach": counts, "rest": rest, "peak": max(rest, before)}


FREE = 6 * PITCH
"""Where a wheel runs free whose hand let go in pitch 0: five compartments after the first that follows."""


@clause("7.1.3")
def test_a_wheel_that_gains_speed_near_its_end_was_nudged_if_it_runs_free_by_then() -> None:
    samples = (10, 10, 10, 30, 30, 30)
    gain = (90 - 30) / (PITCH * 0.06)
    at = (FREE + 110) / RING
    wheel = paper_wheel(regain=gain - 0.01)
    # The first three samples are looked at together once the wheel runs free where the first of them ends.
    assert touched(wheel, **approach(*samples, before=FREE - 10)) == [
        ("nudge", at, pytest.approx(gain), pytest.approx(gain - 0.01))
    ]
    assert touched(wheel, **approach(*samples, before=FREE - 11)) == []
    (_, _, measured, _) = touched(wheel, **approach(*samples, before=FREE))[0]
    assert touched(paper_wheel(regain=measured), **approach(*samples, before=FREE)) == []


@clause("7.1.3")
@pytest.mark.parametrize(("counts", "found"), [(-7, 2.1875), (-8, 2.5)])
def test_a_wheel_that_comes_back_faster_than_friction_stops_within_the_natural_reversal_was_pushed_back(
    counts: int, found: float
) -> None:
    geometry = Geometry(reversal=0.5)
    seen = touched(
        paper_wheel(loss=4.0), geometry=geometry, **approach(0, 0, 0, counts, counts, counts, before=FREE + 100)
    )
    allowed = 1.1 * 2
    assert seen == ([("reversal", (FREE + 100) / RING, pytest.approx(found), allowed)] if found > allowed else [])


@clause("7.1.3")
def test_a_rebound_as_fast_as_friction_allows_is_natural() -> None:
    back = approach(0, 0, 0, -8, -8, -8, before=FREE + 100)
    (_, _, measured, _) = touched(paper_wheel(loss=0.1), geometry=Geometry(reversal=1.0), **back)[0]
    loss = (measured / 1.1) ** 2 / 2
    assert 1.1 * sqrt(2 * loss) == measured
    assert touched(paper_wheel(loss=loss), **back) == []


# -- the last pegs ----------------------------------------------------------------------------------------------------


def landing(*counts_a_gap: int) -> dict[str, Any]:
    """Compartments run at so many counts a sample each, the last one to the divider at its end."""
    samples = [counts for counts in counts_a_gap for _ in range(PITCH // counts)]
    return {"approach": tuple(samples), "rest": 11 * PITCH, "peak": 11 * PITCH}


def law(sigma: float) -> LandingLaw:
    """Half a compartment beyond the middle of its last gap a wheel needs an energy of 0.7, where one unit is one."""
    return LandingLaw(1.4, 0.0, 0.1, 0.1, sigma)


@clause("7.1.3")
def test_a_wheel_that_lands_short_of_its_energy_was_braked_and_one_that_lands_beyond_it_was_nudged() -> None:
    fast = landing(16, 16)  # 5 compartments a second: an energy of 12.5
    turn = 11 / 52
    assert touched(paper_wheel(landing=law(1.0)), **fast) == [("late_brake", turn, pytest.approx(11.8), 6.0)]
    assert touched(paper_wheel(landing=law(1.97)), **fast) == []
    (_, _, residual, _) = touched(paper_wheel(landing=law(1.0)), **fast)[0]
    assert residual / (residual / 6) == 6.0
    assert touched(paper_wheel(landing=law(residual / 6)), **fast) == []
    slow = landing(2, 2)  # 0.625 compartments a second: an energy of 0.195, of 0.7 needed
    assert touched(paper_wheel(landing=law(0.05)), **slow) == [("nudge", turn, pytest.approx(10.09, abs=0.01), 6.0)]
    (_, _, residual, _) = touched(paper_wheel(landing=law(0.05)), **slow)[0]
    exact = residual * 0.05 / 6
    assert touched(paper_wheel(landing=law(exact)), **slow) == []
    assert touched(paper_wheel(landing=law(exact * 0.99)), **slow) != []


@clause("7.1.3")
@pytest.mark.parametrize(
    ("gaps", "found"),
    [
        ((Spread(0.0, 1.0), Spread(0.0, 1.0)), ("late_brake", 37.5)),
        ((Spread(-100.0, 1.0), Spread(0.0, 1.0)), ("late_brake", 100.0)),
        ((Spread(100.0, 1.0), Spread(0.0, 1.0)), ("nudge", 100.0)),
        ((Spread(0.0, 1.0), Spread(37.5, 1.0)), None),
    ],
)
def test_the_largest_loss_from_gap_to_gap_that_friction_does_not_explain_is_told(
    gaps: tuple[Spread, ...], found: tuple[str, float] | None
) -> None:
    # 10 compartments a second, then twice 5: energies of 50, 12.5 and 12.5; the last pair of gaps comes first.
    spin = landing(32, 32, 16, 16)
    expected = [(found[0], 11 / 52, pytest.approx(found[1]), 6.0)] if found else []
    assert touched(paper_wheel(gaps=gaps), **spin) == expected


@clause("7.1.3")
@pytest.mark.parametrize(("release", "found"), [(3, True), (4, False)])
def test_a_gap_counts_from_five_compartments_after_the_launch(release: int, found: bool) -> None:
    # The gaps are compartments 10, 9 and 8; the loss lies between 9 and 10.
    spin = landing(32, 32, 16)
    assert bool(touched(paper_wheel(gaps=(Spread(0.0, 1.0),)), release=release, **spin)) is found


# -- reversal, and a wheel that never ran free ------------------------------------------------------------------------


@clause("7.1.3")
def test_a_reversal_is_natural_up_to_the_houses_bound_and_what_the_sensor_may_be_out_by() -> None:
    profile = paper_wheel()
    for back in (161, 162):
        seen = touched(profile, [20.0] * 30, peak=9000, rest=9000 - back)
        assert seen == ([("reversal", 9000 / RING, 162 / PITCH, 1.0)] if back == 162 else [])
    bound = 165 / PITCH - 1.5 / PITCH
    assert bound + 1.5 / PITCH == 165 / PITCH
    assert touched(profile, [20.0] * 30, geometry=Geometry(reversal=bound), peak=9000, rest=9000 - 165) == []


@clause("7.1.3")
@pytest.mark.parametrize(("peak", "found"), [(PITCH, []), (PITCH + 1, [("hold", (PITCH + 1) / RING, 0, 5)])])
def test_a_wheel_that_never_ran_free_was_held_unless_it_hardly_moved(
    peak: int, found: list[tuple[str, float, float, float]]
) -> None:
    assert touched(window(0.001), SLOW + MIDDLE, release=None, peak=peak, rest=peak) == found


# -- the whole verdict ------------------------------------------------------------------------------------------------


def finding(verdict: SpinVerdict) -> tuple[str, str, float, float, float]:
    (one,) = verdict.findings
    return one.reason, one.kind, one.turn, one.measured, one.expected


@clause("7.1.1")
def test_three_turns_are_enough_to_the_count_and_one_count_less_is_too_few() -> None:
    trace = trace_of(SpinScript(156.0, 7, 0.45))
    enough = judge(msgspec.structs.replace(trace, peak=3 * RING + 1, rest=3 * RING + 1), PROFILE, GEOMETRY)
    assert (enough.reasons, enough.forward) == ((), 156.0)
    short = judge(msgspec.structs.replace(trace, peak=3 * RING, rest=3 * RING), PROFILE, GEOMETRY)
    forward = 156 - 1 / PITCH
    assert (short.reasons, short.forward) == (("under_revs",), forward)
    assert finding(short) == ("under_revs", "turns", forward / 52, forward, 156.0)


@clause("7.1.1", "7.1.3")
def test_the_verdict_tells_how_fast_the_wheel_was_and_how_far_it_ran_free() -> None:
    trace = trace_of(SpinScript(210, 7, 0.4))
    verdict = judge(trace, PROFILE, GEOMETRY)
    speeds = speeds_of(trace)
    release = launch_end(speeds)
    assert release is not None
    assert verdict.forward == (trace.peak - 1) / PITCH
    assert verdict.since_release == verdict.forward - release
    assert verdict.fastest == max(speeds) / 52
    gone = judge(lost_trace(-1), PROFILE, GEOMETRY)
    assert (gone.reasons, gone.compartment, gone.clear, gone.sense) == (
        ("malfunction",), None, "unknown", "anticlockwise",
    )  # fmt: skip
    assert (gone.forward, gone.reversal, gone.since_release, gone.fastest) == (0.0, 0.0, 0.0, 0.0)


@clause("7.1.2")
def test_a_pointer_exactly_at_the_edge_of_a_band_is_within_it() -> None:
    trace = trace_of(SpinScript(210, 7, 0.3))
    offset = judge(trace, PROFILE, GEOMETRY).offset
    assert offset is not None
    sure = offset - 1.5 / PITCH
    on_peg = judge(trace, PROFILE, Geometry(dead_band=sure, near_band=sure))
    assert (on_peg.clear, on_peg.compartment, on_peg.reasons) == ("not_clear", None, ("not_clear",))
    assert finding(on_peg) == ("not_clear", "on_divider", trace.rest / RING, offset, sure)
    beside = judge(trace, PROFILE, Geometry(dead_band=sure - 1e-9, near_band=sure))
    assert (beside.clear, beside.compartment, beside.reasons) == ("near", 7, ())
    assert judge(trace, PROFILE, Geometry(dead_band=sure - 1e-9, near_band=sure - 1e-9)).clear == "clear"


@clause("7.1.2")
@pytest.mark.parametrize(
    ("field", "good", "bad", "kind"), [("deflection", 33, 34, "deflected"), ("still", 1000, 999, "not_still")]
)
def test_a_bent_indicator_or_a_wheel_not_yet_still_is_not_clear(field: str, good: int, bad: int, kind: str) -> None:
    trace = trace_of(SpinScript(210, 7, 0.4))
    assert judge(msgspec.structs.replace(trace, **{field: good}), PROFILE, GEOMETRY).reasons == ()
    verdict = judge(msgspec.structs.replace(trace, **{field: bad}), PROFILE, GEOMETRY)
    assert (verdict.clear, verdict.compartment, verdict.reasons) == ("not_clear", None, ("not_clear",))
    assert finding(verdict) == ("not_clear", kind, trace.rest / RING, bad, good)


@clause("7.1.1", "7.1.3")
def test_without_the_index_mark_no_compartment_is_named_however_few_turns_are_asked_for() -> None:
    trace = trace_of(SpinScript(80, 7, 0.4), SensorFault("index_dead", 0.0))
    short = judge(trace, PROFILE, GEOMETRY)
    assert (short.clear, short.compartment, short.offset, short.reasons[0]) == ("unknown", None, None, "under_revs")
    assert "malfunction" not in short.reasons
    enough = judge(trace, PROFILE, Geometry(revolutions=1.0))
    assert (enough.clear, enough.compartment, enough.reasons[0]) == ("unknown", None, "malfunction")
    assert enough.findings[0] == Finding("malfunction", "index_missing", 0.0, 0, 1, "The index mark was never seen.")
