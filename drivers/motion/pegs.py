"""What each peg takes beside the others: a worn or new peg, or a magnet, is learnt as its place's and nobody's hand.

Slow wheels show it peg by peg, because from one compartment to the next they lose much of what they have.  The map
is learnt at calibration and followed from every spin by small steps, so that one touch hardly moves it and what stays
at one place does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import cos, pi, sin

import msgspec

from drivers.motion.trace import COMPARTMENTS

FINE = 10  # steps a compartment in tables over the angle
RAMP = 1  # steps before and after a peg over which it takes
FOLLOW = 0.08  # of the way to what one more passage of a peg says
MOST = 1.0  # compartments²/s² that one passage may say
CHANGED = 0.6  # compartments²/s² beyond which what a peg takes is no longer what calibration found
_TURN = 2 * pi / COMPARTMENTS

Pegs = tuple[float, ...]
"""By how much each peg takes more than the mean, compartments²/s²; from divider 0 on.  Empty: all alike."""


class PegTable(msgspec.Struct, frozen=True, gc=False):
    """What the pegs passed so far took, clockwise over the angle from the index, and its running sum."""

    taken: tuple[float, ...]
    sums: tuple[float, ...]


@lru_cache(maxsize=64)
def peg_table(pegs: Pegs, offset: float) -> PegTable:
    """The map as a table over the angle from the index mark."""
    steps = FINE * COMPARTMENTS
    rises = [0.0] * steps
    for peg, takes in enumerate(pegs):
        at = round((peg - offset) * FINE)
        for step in range(at - RAMP, at + RAMP):
            rises[step % steps] += takes / (2 * RAMP)
    taken = list(accumulate(rises))
    mean = sum(taken) / steps
    even = [value - mean for value in taken]
    return PegTable(tuple(even), tuple(accumulate(even, initial=0.0)))


class Passage(msgspec.Struct, frozen=True, gc=False):
    """From one compartment to the next: the two pegs that share what was lost, and how much more than expected."""

    first: int
    second: int
    share: float  # of the first one
    lost: float
    weight: float


def followed(pegs: Pegs, seen: Sequence[Passage]) -> Pegs:
    """The map after one more spin; a single touch moves it by next to nothing."""
    now = list(pegs)
    for one in seen:
        step = FOLLOW * min(max(one.lost, -MOST), MOST)
        now[one.first] += step * one.share
        now[one.second] += step * (1 - one.share)
    return apart(now)


def changed(now: Pegs, then: Pegs, beyond: float = CHANGED) -> tuple[int, float] | None:
    """The peg that has come to take most more, or less, than at calibration; None while none stands out."""
    if not now or not then:
        return None
    peg, more = max(enumerate(a - b for a, b in zip(now, then, strict=True)), key=lambda one: abs(one[1]))
    return (peg, more) if abs(more) > beyond else None


def apart(pegs: Sequence[float]) -> Pegs:
    """Without what friction and imbalance account for: the mean, and a swing once a turn."""
    mean = sum(pegs) / COMPARTMENTS
    along = sum(value * cos(_TURN * n) for n, value in enumerate(pegs)) * 2 / COMPARTMENTS
    across = sum(value * sin(_TURN * n) for n, value in enumerate(pegs)) * 2 / COMPARTMENTS
    return tuple(
        round(value - mean - along * cos(_TURN * n) - across * sin(_TURN * n), 3) for n, value in enumerate(pegs)
    )
