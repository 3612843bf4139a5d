"""The judgement of a spin on paper: holds, reversals, turns and bands, to the count."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from drivers.motion import Finding, Geometry, SpinVerdict, judge, lost_trace, simulated_wheel
from drivers.motion.energy import ahead, launch_end, speeds_of
from drivers.motion.judge import interference
from drivers.motion.natural import SIGNS, Level
from drivers.motion.profile import Ring, Stop, WheelProfile
from drivers.motion.scales import KNOTS
from drivers.motion.signs import UNSEEN, Signs, signs_of
from drivers.motion.trace import PITCH, RING
from simulators.wheel_script import SpinScript
from simulators.wheel_sensor import SensorFault
from tests.controller.games.wheel.play import clause
from tests.drivers.motion.paper import TAME, paper_trace, paper_wheel
from tests.drivers.motion.spins import trace_of

GEOMETRY, PROFILE = Geometry(), simulated_wheel()


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
