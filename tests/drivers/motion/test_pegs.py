"""Single pegs: what each takes is learnt and followed, and a late indicator is no shifted one."""

from __future__ import annotations

from math import cos, pi, sqrt

import msgspec
import pytest

from drivers.motion import Trace
from drivers.motion.approach import landing_of
from drivers.motion.checks import lateness, malfunctions, peg_speed, tick_away
from drivers.motion.energy import course_of, ending_of
from drivers.motion.pegs import Passage, Pegs, changed, followed, peg_table
from drivers.motion.scales import EARLY_S, STRETCHES
from drivers.motion.trace import PITCH, RING, Marks
from lab.wheels.evening import calibrated
from lab.wheels.population import KINDS, OneWheel
from tests.drivers.motion.paper import paper_trace, paper_wheel

BY_NAME = {kind.name: kind for kind in KINDS}
EVEN: Pegs = (0.0,) * 52


@pytest.mark.parametrize("kind", ["home made", "worn everything"])
def test_calibration_learns_what_every_single_peg_takes(kind: str) -> None:
    wheel = OneWheel(BY_NAME[kind], "pegs")
    learnt = calibrated(wheel).pegs
    mean = sum(wheel.pegs) / 52
    truly = [wheel.body.blade.takes * (peg - mean) for peg in wheel.pegs]
    along = sum(a * b for a, b in zip(learnt, truly, strict=True))
    alike = along / sqrt(sum(a * a for a in learnt) * sum(b * b for b in truly))
    assert alike > 0.9


def test_a_map_of_pegs_is_followed_by_small_steps_and_leaves_imbalance_alone() -> None:
    heavy = [Passage(17, 18, 1.0, 30.0, 1.0)]
    once = followed(EVEN, heavy)
    assert 0.05 < once[17] < 0.09
    assert changed(once, EVEN) is None
    pegs = EVEN
    for _ in range(20):
        pegs = followed(pegs, heavy)
    found = changed(pegs, EVEN)
    assert found is not None
    assert found[0] == 17
    swing = [Passage(n, n, 1.0, cos(2 * pi * n / 52), 1.0) for n in range(52)]
    assert max(map(abs, followed(EVEN, swing))) < 0.001


def test_a_wheel_that_passed_an_uneven_peg_has_lost_that_much_more_either_way() -> None:
    uneven = tuple(0.52 if peg == 10 else -0.01 for peg in range(52))
    taken = peg_table(uneven, 0.0).taken
    assert taken[105] - taken[95] == pytest.approx(0.52, abs=0.02)
    assert sum(taken) == pytest.approx(0.0, abs=1e-9)


# -- a late indicator -------------------------------------------------------------------------------------------------

LAUNCH = (5000,) * 26 + (556,) * 26  # from 10 to 90 compartments a second within a turn
LATE = 0.3  # counts for each compartment a second


def launched(spread: int) -> Trace:
    """Two turns whose first began slowly; pegs seem 15 counts on there, and 27 in the turn after it."""
    turns = (Marks(0, 1, 52, 15, spread, 0), Marks(0, 1, 52, 27, 2, 0))
    return paper_trace(
        complete=True, homed=True, pitches=LAUNCH + (556,) * 52, turns=turns, tail=Marks(0, 0, 0, 0, 0, 0), start=80,
        peak=2 * RING, rest=2 * RING, still=1000,
    )  # fmt: skip


def test_a_late_indicator_counts_every_peg_of_the_launch_alike() -> None:
    profile = paper_wheel(tick_late=LATE)
    assert peg_speed(LAUNCH) == pytest.approx(50, rel=0.01)
    for turn in (0, 1):
        assert tick_away(launched(16), profile, 0.0, turn) == pytest.approx(0.5, abs=0.1)
    assert lateness(LAUNCH, LATE) == pytest.approx(0.3 * 40, rel=0.01)
    shifted = [found.kind for found in malfunctions(launched(16), profile)]
    assert "indicator_shifted" not in shifted
    assert "indicator_shifted" in [found.kind for found in malfunctions(launched(40), profile)]


# -- what calibration has never met -----------------------------------------------------------------------------------


def test_a_stretch_met_sooner_after_the_release_than_ever_at_calibration_is_trusted_less() -> None:
    profile = paper_wheel()
    trace = paper_trace(pitches=tuple(range(1500, 4000, 10)), peak=250 * PITCH, rest=250 * PITCH)
    known = course_of(trace, profile, 0.0, 5)
    assert max(since for since, kind in zip(known.since, known.classes, strict=True) if kind >= 7) <= EARLY_S
    later = msgspec.structs.replace(profile, settled=(4.0,) * len(STRETCHES))
    shy = course_of(trace, later, 0.0, 5)
    assert {kind >= 7 for since, kind in zip(shy.since, shy.classes, strict=True) if since <= 4.0} == {True}
    assert {kind >= 7 for since, kind in zip(shy.since, shy.classes, strict=True) if since > 4.0} == {False}


# -- a wheel that rocks for long --------------------------------------------------------------------------------------


def test_what_is_seen_of_a_wheel_that_rocked_for_long_is_no_landing_and_no_speed_from_nowhere() -> None:
    swings = (*(2, 6, 10, 14, 14, 14, 10, 6, 2) * 2, *(-6, -8, -6), 0)
    rest = 20 * PITCH + sum(swings)
    here = paper_trace(approach=swings, peak=20 * PITCH + sum(swings[:-4]), rest=rest)
    assert ending_of(here, 0).gain > 0
    rocked = paper_trace(approach=swings, peak=22 * PITCH, rest=rest)
    assert ending_of(rocked, 0).gain == 0.0
    assert landing_of(rocked, paper_wheel(), 0.0, 0) is None
