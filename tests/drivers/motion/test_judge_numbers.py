"""The judgement of a spin on paper: courses, stops and landings made by hand, so that every number can be reckoned."""

from __future__ import annotations

from math import exp, log, pi, sqrt
from typing import Any

import msgspec
import pytest

from drivers.motion import Finding, Geometry, Natural, SpinVerdict, Trace, judge, lost_trace, simulated_wheel
from drivers.motion.approach import Landing, landing_residual
from drivers.motion.course import fit
from drivers.motion.energy import Course, ahead, ending_of, launch_end, speeds_of
from drivers.motion.judge import interference
from drivers.motion.natural import FOLLOW, FURTHEST, PLAIN, SIGNS, STRANGE, Level, Tail, one_in
from drivers.motion.profile import Friction, LandingLaw, Ring, Stop, WheelProfile
from drivers.motion.scales import CLASSES, KNOTS
from drivers.motion.signs import UNSEEN, Signs, signs_of
from drivers.motion.trace import PITCH, RING
from simulators.wheel_script import SpinScript
from simulators.wheel_sensor import SensorFault
from tests.controller.games.wheel.play import clause
from tests.drivers.motion.spins import trace_of

GEOMETRY, PROFILE = Geometry(), simulated_wheel()
GENTLE = LandingLaw(loss=1.4, spring=0.0, power=2.0, contact=0.1, release=0.1, sigma=1e9)
TAME = Natural(60, Level(), Level(), tuple(Tail(1.0, 0.5) for _ in SIGNS))


def paper_wheel(**given: Any) -> WheelProfile:
    """A balanced wheel that loses four units a compartment at every speed, one spin like the other."""
    friction = Friction(
        spins=30, losses=(4.0,) * len(KNOTS), level=0.02, tilt=0.02, noise=(0.01,) * CLASSES, stops=(), gaps=(),
        landing=GENTLE, tick_phase=0.0, tick_late=0.0, release=0.1,
    )  # fmt: skip
    friction = msgspec.structs.replace(friction, **given)
    return WheelProfile("paper", "today", 0.0, 0.0, 0.0, 0.0, Ring(), 2.0, 4, 0.5, 130.0, friction, friction, TAME)


def paper_trace(**given: Any) -> Trace:
    """A spin from the index mark in the launch sense, of which only what is given is known."""
    return msgspec.structs.replace(lost_trace(), **given)


# -- how unusual is unusual -------------------------------------------------------------------------------------------


@clause("7.1.3")
@pytest.mark.parametrize("rarity", [0.5, 0.01, 0.001, 1e-6])
def test_a_sign_that_large_is_met_on_just_that_share_of_natural_spins(rarity: float) -> None:
    tail = Tail(2.5, 0.6)
    assert tail.rarity(tail.at(rarity)) == pytest.approx(rarity)


@clause("7.1.3")
def test_the_largest_of_many_follows_gumbels_law() -> None:
    scale = 0.6 * sqrt(6) / pi
    middle = 2.5 - 0.5772156649 * scale
    assert Tail(2.5, 0.6).rarity(middle) == pytest.approx(1 - exp(-1))
    assert Tail(2.5, 0.6).at(0.001) == pytest.approx(middle - scale * log(-log(0.999)))


@clause("7.1.3")
@pytest.mark.parametrize(("share", "alarm"), [(0.01, True), (0.0001, False)])
def test_the_house_sets_how_often_a_natural_spin_may_be_called_touched(share: float, alarm: bool) -> None:
    sign = TAME.tails[0].at(0.001 / len(SIGNS))
    trace = trace_of(SpinScript(210, 7, 0.4))
    speeds = speeds_of(trace)
    release = launch_end(speeds)
    assert release is not None
    seen = signs_of(trace, PROFILE, Level(), speeds, release, PROFILE.index)
    values = (sign, *(0.0,) * (len(SIGNS) - 1))
    odd = msgspec.structs.replace(seen, values=values)
    geometry = Geometry(false_alarms=share)
    found = interference(paper_trace(peak=9000, rest=9000), paper_wheel(), geometry, odd, TAME)
    assert bool(found) is alarm
    assert TAME.rarity(values) == pytest.approx(0.001)


def test_rarity_is_said_as_people_say_it() -> None:
    assert one_in(1.0) == "natural spins look like this"
    assert one_in(1 / 40123) == "about one natural spin in 40,000 looks like this"
    assert one_in(0.0) == "less than one natural spin in a billion looks like this"


# -- the wheel followed over an evening -------------------------------------------------------------------------------

QUIET = (1.0,) * len(SIGNS)


def test_friction_is_followed_from_natural_spins_in_its_own_sense_and_half_as_fast_in_the_other() -> None:
    after = TAME.after(1, Level(1.1, 0.02), QUIET, TAME, 0.001)
    assert after.clockwise == Level(round(1 + FOLLOW * 0.1, 5), round(FOLLOW * 0.02, 5))
    assert after.anticlockwise == Level(round(1 + FOLLOW * 0.05, 5), round(FOLLOW * 0.01, 5))
    assert after.spins == 61


def test_a_touched_spin_teaches_nothing_about_natural_ones() -> None:
    far = TAME.tails[0].at(PLAIN / 100)
    touched = (far, *QUIET[1:])
    assert TAME.after(1, Level(1.3), touched, TAME, 0.001) == TAME


def test_one_spin_of_strange_friction_is_set_aside_and_four_alike_are_the_wheels_own() -> None:
    strange = (1.0, TAME.tails[1].at(1e-9), *QUIET[2:])
    now = TAME
    for n in range(1, STRANGE):
        now = now.after(1, Level(1.2), strange, TAME, 0.001)
        assert (now.strange, now.clockwise) == (n, Level())
    now = now.after(1, Level(1.2), strange, TAME, 0.001)
    assert (now.strange, now.clockwise.share) == (0, 1.2)
    unlike = TAME.after(1, Level(1.2), strange, TAME, 0.001).after(1, Level(0.8), strange, TAME, 0.001)
    assert unlike.strange == 1


def test_friction_is_followed_only_so_far() -> None:
    now = TAME
    for _ in range(200):
        now = now.after(1, Level(2.5), QUIET, TAME, 0.001)
    assert now.clockwise.share == 1 + FURTHEST
    assert now.drifted() == pytest.approx(FURTHEST)


def test_a_sign_that_was_not_seen_changes_no_tail() -> None:
    after = TAME.after(1, Level(), (UNSEEN,) * len(SIGNS), TAME, 0.001)
    assert after.tails == TAME.tails
    assert TAME.rarity((UNSEEN,) * len(SIGNS)) == pytest.approx(1.0)


# -- the course at speed ----------------------------------------------------------------------------------------------


def course(ratios: list[float]) -> Course:
    """Stretches of a spin with these losses, as shares of what is natural; at middling speed."""
    made = Course()
    made.ratios = ratios
    made.leans = [0.0] * len(ratios)
    made.classes = [2] * len(ratios)
    made.usual = [50.0] * len(ratios)
    made.speeds = [30.0] * (len(ratios) + 1)
    made.middles = [6.5 + 13.0 * n for n in range(len(ratios) + 1)]
    made.places = [13.0 * (n + 1) for n in range(len(ratios) + 1)]
    made.times = [0.4 * (n + 1) for n in range(len(ratios) + 1)]
    return made


FRICTION = paper_wheel().clockwise


@clause("7.1.3")
def test_a_spin_is_held_against_itself_so_that_more_friction_all_along_is_no_touch() -> None:
    fitted = fit(course([1.1] * 40), FRICTION, Level())
    assert fitted is not None
    assert fitted.level.share == pytest.approx(1.1, abs=0.002)
    assert fitted.strange == pytest.approx(5.0, abs=0.1)  # a tenth, where spins differ by a fiftieth
    assert all(part is None or abs(part.strays) < 2.5 for part in (fitted.braked, fitted.pushed))
    lately = fit(course([1.1] * 40), FRICTION, Level(1.1))
    assert lately is not None
    assert lately.strange == pytest.approx(0.0, abs=1e-6)


@clause("7.1.3")
@pytest.mark.parametrize(("first", "last"), [(10, 13), (20, 21), (25, 40)])
def test_the_part_that_lost_more_is_found_where_it_is_and_by_how_much(first: int, last: int) -> None:
    ratios = [1.3 if first <= n < last else 1.0 for n in range(40)]
    fitted = fit(course(ratios), FRICTION, Level())
    assert fitted is not None
    assert fitted.braked is not None
    assert (fitted.braked.first, fitted.braked.last) == (first, last)
    assert fitted.braked.share == pytest.approx(0.3, rel=0.1)
    ratios = [0.7 if first <= n < last else 1.0 for n in range(40)]
    fitted = fit(course(ratios), FRICTION, Level())
    assert fitted is not None
    assert fitted.pushed is not None
    assert (fitted.pushed.first, fitted.pushed.last) == (first, last)
    assert fitted.pushed.share == pytest.approx(-0.3, rel=0.1)


@clause("7.1.3")
def test_of_a_spin_with_hardly_a_stretch_nothing_is_said() -> None:
    assert fit(course([1.0, 1.5, 1.0]), FRICTION, Level()) is None


# -- the final approach -----------------------------------------------------------------------------------------------


def approach(*counts: int, before: int) -> Trace:
    """Samples of counts from this place on; the wheel rests where they end."""
    rest = before + sum(counts)
    return paper_trace(approach=counts, rest=rest, peak=max(rest, before))


@clause("7.1.3")
def test_speed_from_nowhere_is_a_gain_only_before_the_wheel_first_turns_back() -> None:
    samples = (*(10,) * 8, *(30,) * 8)
    gain = (90 - 30) / (PITCH * 0.06)
    seen = ending_of(approach(*samples, before=1000), 0)
    assert (seen.gain, seen.reverse, seen.swing) == (pytest.approx(gain), 0.0, 0.0)
    assert seen.gain_at == 1000 + 80 + 90
    assert ending_of(approach(*samples, before=1000), 5000).gain == 0.0
    back = ending_of(approach(10, 0, -8, -8, -8, 0, 4, 4, 4, 0, before=1000), 0)
    assert back.gain == 0.0
    assert back.reverse == pytest.approx(24 / (PITCH * 0.06))
    assert back.swing == pytest.approx(12 / (PITCH * 0.06))


@clause("7.1.3")
@pytest.mark.parametrize(("energy", "strays"), [(0.7, 0.0), (12.5, 11.8), (0.2, -0.5)])
def test_a_landing_needs_the_energy_that_carries_it_so_far(energy: float, strays: float) -> None:
    # Half a compartment beyond the middle of its last gap a wheel needs an energy of 0.7, where one unit is one.
    landing = Landing((energy,), (1.0,), 0.5)
    assert landing_residual(landing, GENTLE, Level()) == pytest.approx(strays)
    assert landing_residual(landing, GENTLE, Level(2.0)) == pytest.approx((energy - 1.4) / sqrt(1.7))


@clause("7.1.3")
def test_the_bent_indicator_takes_its_share_of_a_landing() -> None:
    law = LandingLaw(loss=0.0, spring=100.0, power=2.0, contact=0.2, release=0.1, sigma=1.0)
    bent = Landing((4.0,), (1.0,), 0.5)  # a fifth of a compartment bent: 100 x 0.04
    assert landing_residual(bent, law, Level()) == pytest.approx(0.0)
    let_go = Landing((9.0,), (1.0,), 1.2)  # bent as far as it goes: 100 x 0.09
    assert landing_residual(let_go, law, Level()) == pytest.approx(0.0)


@clause("7.1.3")
@pytest.mark.parametrize(("mean", "found"), [(64.0, "late_brake"), (80.0, "late_push"), (72.0, "")])
def test_a_wheel_that_stops_elsewhere_than_its_speed_says_was_braked_or_pushed(mean: float, found: str) -> None:
    # 12 compartments a second are an energy of 72, of which next to nothing is lost on a wheel without friction.
    profile = paper_wheel(losses=(0.01,) * len(KNOTS), stops=(Stop(6, mean, 0.0, 0.0, 1.0),))
    trace = paper_trace(peak=40 * PITCH, rest=40 * PITCH, pitches=(round(50_000 / 12),) * 40)
    seen = signs_of(trace, profile, Level(), speeds_of(trace), 0, 0.0)
    assert seen.values[SIGNS.index("stop")] == pytest.approx(abs(72 - mean), abs=0.2)
    kinds = [one.kind for one in interference(trace, profile, GEOMETRY, seen, TAME) if "stop" in one.text]
    assert kinds == ([found] if found else [])


@clause("7.1.3")
def test_a_stop_from_more_than_a_quarter_turn_a_second_within_three_compartments_is_a_hold() -> None:
    profile = paper_wheel(losses=(0.01,) * len(KNOTS), stops=(Stop(2, 50.0, 0.0, 0.0, 1.0),))
    trace = paper_trace(peak=40 * PITCH, rest=40 * PITCH, pitches=(round(50_000 / 14),) * 40)
    seen = signs_of(trace, profile, Level(), speeds_of(trace), 0, 0.0)
    (held,) = [one for one in interference(trace, profile, GEOMETRY, seen, TAME) if "stop" in one.text]
    assert held.kind == "hold"


# -- reversal, and a wheel that never ran free ------------------------------------------------------------------------


def touched(profile: WheelProfile, signs: Signs | None, geometry: Geometry = GEOMETRY, **trace: Any) -> list[Any]:
    found = interference(paper_trace(**trace), profile, geometry, signs, TAME)
    return [(one.kind, one.turn, one.measured, one.expected) for one in found]


def no_signs() -> Signs:
    trace = paper_trace(peak=9000, rest=9000, pitches=(2500,) * 56)
    seen = signs_of(trace, paper_wheel(), Level(), speeds_of(trace), 0, 0.0)
    return msgspec.structs.replace(seen, values=(UNSEEN,) * len(SIGNS))


@clause("7.1.3")
def test_a_reversal_is_natural_up_to_the_houses_bound_and_what_the_sensor_may_be_out_by() -> None:
    for back in (161, 162):
        seen = touched(paper_wheel(), no_signs(), peak=9000, rest=9000 - back)
        assert seen == ([("reversal", 9000 / RING, round(162 / PITCH, 3), 1.0)] if back == 162 else [])
    bound = 165 / PITCH - 1.5 / PITCH
    assert touched(paper_wheel(), no_signs(), Geometry(reversal=bound), peak=9000, rest=9000 - 165) == []


@clause("7.1.3")
def test_a_wheel_that_comes_back_further_by_itself_may_do_so_in_play() -> None:
    springy = msgspec.structs.replace(paper_wheel(), reversal=1.4)
    assert touched(springy, no_signs(), peak=9000, rest=9000 - 250) == []
    assert touched(springy, no_signs(), peak=9000, rest=9000 - 265) != []


@clause("7.1.3")
@pytest.mark.parametrize(("peak", "found"), [(PITCH, []), (PITCH + 1, [("hold", (PITCH + 1) / RING, 0, 5)])])
def test_a_wheel_that_never_ran_free_was_held_unless_it_hardly_moved(
    peak: int, found: list[tuple[str, float, float, float]]
) -> None:
    assert touched(paper_wheel(), None, peak=peak, rest=peak) == found


# -- a ring off its centre --------------------------------------------------------------------------------------------


@clause("7.1.2")
def test_the_place_at_rest_is_put_right_by_what_the_ring_misreads_there() -> None:
    trace = trace_of(SpinScript(210, 7, 0.3))
    plain = judge(trace, PROFILE, GEOMETRY)
    assert plain.offset is not None
    ring = Ring(cosine=4.0, sine=-3.0)
    off = judge(trace, msgspec.structs.replace(PROFILE, ring=ring), GEOMETRY)
    assert off.offset is not None
    misread = ahead(ring, trace.start + trace.sense * trace.rest)
    assert abs(abs(off.offset - plain.offset) - abs(misread) / PITCH) < 2e-2


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
