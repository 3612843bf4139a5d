"""The index mark of a wheel that swings back over it before it rests: natural once more, and a doubled mark never."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from drivers.motion import Geometry, SpinVerdict, Trace, judge, simulated_wheel
from drivers.motion.checks import index_zero, swung_back
from simulators.wheel_script import SpinScript
from tests.drivers.motion.spins import MOUNTING, trace_of

SWINGS_BACK = {1: SpinScript(200, 17, 0.7, 1, reversal=0.4), -1: SpinScript(200, 17, 0.6, -1, reversal=0.4)}
RUNS_ON = SpinScript(200, 30, 0.4)


def told_otherwise(trace: Trace, **tail: Any) -> SpinVerdict:
    told = msgspec.structs.replace(trace, tail=msgspec.structs.replace(trace.tail, **tail))
    return judge(told, simulated_wheel(), Geometry())


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("seen", [1, 2])
def test_a_mark_swung_back_over_is_natural_whether_the_sensor_counts_it_again_or_not(sense: int, seen: int) -> None:
    trace = trace_of(SWINGS_BACK[sense])
    assert trace.tail.indexes == 1
    assert swung_back(trace, 0.0) == 1
    verdict = told_otherwise(trace, indexes=seen, index=trace.tail.index + 9 * (seen - 1))
    assert (verdict.reasons, verdict.compartment) == ((), 17), verdict.findings


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("seen", [0, 3, 4])
def test_a_mark_missing_or_doubled_is_refused_also_where_the_wheel_swung_back(sense: int, seen: int) -> None:
    verdict = told_otherwise(trace_of(SWINGS_BACK[sense]), indexes=seen)
    assert [(finding.kind, finding.measured) for finding in verdict.findings] == [("index_missing", seen)]


@pytest.mark.parametrize("turn", [0, 1, None])
def test_a_doubled_mark_is_refused_on_a_wheel_that_does_not_swing_back(turn: int | None) -> None:
    trace = trace_of(RUNS_ON)
    assert swung_back(trace, 0.0) == 0
    turns = [msgspec.structs.replace(marks, indexes=2) if n == turn else marks for n, marks in enumerate(trace.turns)]
    verdict = told_otherwise(msgspec.structs.replace(trace, turns=tuple(turns)), indexes=2 if turn is None else 1)
    assert verdict.reasons == ("malfunction",)


def test_where_the_ring_stood_is_not_read_from_a_mark_met_from_behind() -> None:
    trace = trace_of(SWINGS_BACK[1])
    seen = [marks.index for marks in trace.turns if marks.indexes]
    behind = msgspec.structs.replace(trace, tail=msgspec.structs.replace(trace.tail, index=trace.tail.index + 14))
    assert index_zero(behind) == pytest.approx(sum(seen) / len(seen))
    slipped = told_otherwise(trace, index=trace.tail.index + 40)
    assert [finding.kind for finding in slipped.findings] == ["index_shifted"]


def test_nobody_knows_how_often_a_wheel_passed_its_mark_that_rocked_for_longer_than_was_seen() -> None:
    trace = trace_of(SWINGS_BACK[1])
    rocked = msgspec.structs.replace(trace, peak=trace.rest + 90, approach=(0,) * len(trace.approach))
    assert swung_back(rocked, 0.0) > 10
    assert MOUNTING.index_at % 1.0 == pytest.approx(0.37)  # between where these spins turn back and where they rest
