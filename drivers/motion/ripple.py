"""How the losses of one wheel go up and down between the knots of its law: a blade that rings, pegs that are not alike.

Where pegs come in the indicator's own time a wheel loses more, within a few compartments a second.  The curve is learnt
over the speed in each sense, as smooth as lets one half of the spins foretell the other half best; a wheel of which no
curve foretells anything has none.  It is followed slowly from spins that nobody is thought to have touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import log

import msgspec

from drivers.motion.solve import Squares

SLOWEST, FASTEST = 6.0, 130.0  # compartments/s
STEPS = 72  # between these, each as much faster than the one before as any other
SMOOTHNESS = (
    1e1,
    1e2,
    1e3,
    1e4,
    1e5,
    1e6,
)  # how strongly neighbours are held in line; which one is for the spins to say
RIDGE = 25.0  # how strongly a speed that was hardly met is held to the law: a fifth, one sigma
BETTER = 0.9  # of what the other half strays by without a curve, for it to be believed
BETWEEN = (0.125, 0.375, 0.625, 0.875)  # of the way from the slower speed to the faster, where a stretch looks
FOLLOW = 0.03  # of the way to what one more stretch says
CLIPPED = 3.0  # sigmas that one stretch may say at most
FURTHEST = 0.25  # share by which it may leave what calibration found

Ripple = tuple[float, ...]
"""By what share more than the law the wheel loses at each speed; empty: nothing is known but the law."""


class Bit(msgspec.Struct, frozen=True, gc=False):
    """From one stretch to the next: the two speeds, the share lost beyond what was due, and its weight."""

    faster: float
    slower: float
    beyond: float
    weight: float


@lru_cache(maxsize=64)
def rippled(table: tuple[float, ...], ripple: Ripple, steps: int) -> tuple[float, ...]:
    """A table of losses, of so many steps a compartment/s, with the curve in it."""
    return tuple(
        loss * (1 + ripple[low] * (1 - share) + ripple[low + 1] * share)
        for loss, (low, share) in zip(table, _places(len(table), steps), strict=True)
    )


@cache
def _places(count: int, steps: int) -> tuple[tuple[int, float], ...]:
    return tuple(_place(n / steps) for n in range(count))


def _place(speed: float) -> tuple[int, float]:
    """The step below this speed and how far on the way to the next."""
    along = min(max(log(max(speed, SLOWEST) / SLOWEST) / log(FASTEST / SLOWEST) * (STEPS - 1), 0.0), STEPS - 1.001)
    return int(along), along - int(along)


def _entries(bit: Bit) -> list[tuple[int, float]]:
    found: dict[int, float] = {}
    for part in BETWEEN:
        low, share = _place(bit.slower + part * (bit.faster - bit.slower))
        found[low] = found.get(low, 0.0) + (1 - share) / len(BETWEEN)
        found[low + 1] = found.get(low + 1, 0.0) + share / len(BETWEEN)
    return list(found.items())


def learnt_ripple(spins: Sequence[Sequence[Bit]], known: Ripple = ()) -> Ripple:
    """The curve of these spins beyond the one they were read with; that one where they foretell no better."""
    rows = [[(_entries(bit), bit.beyond, bit.weight) for bit in spin] for spin in spins]
    halves = [[row for spin in rows[half::2] for row in spin] for half in (0, 1)]
    plain = sum(_strays(half, [0.0] * STEPS) for half in halves)
    best, smooth = BETTER * plain, 0.0
    for each in SMOOTHNESS:
        found = [_solved(half, each) for half in halves]
        strays = sum(_strays(half, other) for half, other in zip(halves, reversed(found), strict=True))
        if strays < best:
            best, smooth = strays, each
    if not smooth:
        return known
    more = _solved([*halves[0], *halves[1]], smooth)
    return tuple(
        round((1 + was) * (1 + further) - 1, 4) for was, further in zip(known or (0.0,) * STEPS, more, strict=True)
    )


def _strays(rows: Sequence[tuple[list[tuple[int, float]], float, float]], curve: Sequence[float]) -> float:
    return sum(weight * (beyond - sum(curve[n] * by for n, by in row)) ** 2 for row, beyond, weight in rows)


def _solved(rows: Sequence[tuple[list[tuple[int, float]], float, float]], smooth: float) -> list[float]:
    squares = Squares(STEPS, RIDGE)
    for row, beyond, weight in rows:
        squares.add(row, beyond, weight)
    for n in range(1, STEPS - 1):
        squares.add([(n - 1, 1.0), (n, -2.0), (n + 1, 1.0)], 0.0, smooth)
    return squares.solved() or [0.0] * STEPS


def followed(ripple: Ripple, first: Ripple, seen: Sequence[Bit]) -> Ripple:
    """The curve after one more spin, by a small step within bounds."""
    now = list(ripple)
    for bit in seen:
        most = CLIPPED * bit.weight**-0.5
        step = FOLLOW * min(max(bit.beyond, -most), most)
        for n, by in _entries(bit):
            now[n] = min(max(now[n] + step * by, first[n] - FURTHEST), first[n] + FURTHEST)
    return tuple(round(share, 4) for share in now)
