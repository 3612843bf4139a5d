"""The course of a spin at speed: its own friction, and any part of it in which it lost or kept more than that.

Friction differs a little from spin to spin, so a spin is first held against itself: its level and tilt are fitted,
leaning on what the wheel has done lately.  Then every part of it, from a single stretch to all that is left, is
asked how much more it lost than the rest, in units of what that strays by.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from math import sqrt

import msgspec

from drivers.motion.energy import Course
from drivers.motion.natural import Level
from drivers.motion.profile import Friction

PARTS = (1, 2, 3, 5, 8, 13)  # stretches looked at together, and from each one to the end
LEAST_OWN = 0.02  # a part that is nearly the whole spin cannot be told from its friction
FEWEST = 4  # stretches in a spin of which something can be said


class Part(msgspec.Struct, frozen=True, gc=False):
    """Stretches in a row, how far they stray together, and how much more than its friction the wheel lost there."""

    strays: float
    first: int
    last: int
    share: float


class Fitted(msgspec.Struct, frozen=True, gc=False):
    """A spin held against itself and against the wheel as it is."""

    level: Level
    strange: float  # how far its friction is from the wheel's, in units of what spins differ by
    braked: Part | None
    pushed: Part | None


def fit(course: Course, friction: Friction, now: Level) -> Fitted | None:
    """The friction of this spin and the parts that stray most from it; None when it is too short to say."""
    ratios, leans = course.ratios, course.leans
    count = len(ratios)
    if count < FEWEST:
        return None
    weight_of = [1 / (sigma * sigma) for sigma in friction.noise]
    weights = [weight_of[kind] for kind in course.classes]
    off = [ratio - now.share - now.tilt * tip for ratio, tip in zip(ratios, leans, strict=True)]
    leaning = [w * g for w, g in zip(weights, leans, strict=True)]
    lost = [w * r for w, r in zip(weights, off, strict=True)]
    w0 = sum(weights)
    w1 = sum(leaning)
    w2 = sum(wg * g for wg, g in zip(leaning, leans, strict=True))
    r0, r1 = sum(lost), sum(wr * g for wr, g in zip(lost, leans, strict=True))
    # The wheel's own spread from spin to spin, as what is known beforehand.
    a, b, c = w0 + friction.level**-2, w1, w2 + friction.tilt**-2
    det = a * c - b * b
    share, tilt = (c * r0 - b * r1) / det, (a * r1 - b * r0) / det
    strange = sqrt((share / friction.level) ** 2 + (tilt / friction.tilt) ** 2)
    sum_w = list(accumulate(weights, initial=0.0))
    sum_g = list(accumulate(leaning, initial=0.0))
    sum_r = list(accumulate(
        (wr - share * w - tilt * wg for wr, w, wg in zip(lost, weights, leaning, strict=True)), initial=0.0
    ))  # fmt: skip
    most = least = 0.0
    at_most = at_least = (0, 0)
    a_, b_, c_ = a / det, b / det, c / det
    for first in range(count):
        w_first, g_first, r_first = sum_w[first], sum_g[first], sum_r[first]
        for last in _ends(first, count):
            w, g = sum_w[last] - w_first, sum_g[last] - g_first
            own = w - (c_ * w * w - 2 * b_ * w * g + a_ * g * g)  # what the fit has not taken away
            if own < LEAST_OWN * w:
                continue
            strays = (sum_r[last] - r_first) / sqrt(own)
            if strays > most:
                most, at_most = strays, (first, last)
            elif strays < least:
                least, at_least = strays, (first, last)

    def part(strays: float, at: tuple[int, int]) -> Part | None:
        first, last = at
        if first == last:
            return None
        w, g = sum_w[last] - sum_w[first], sum_g[last] - sum_g[first]
        own = w - (c_ * w * w - 2 * b_ * w * g + a_ * g * g)
        return Part(strays, first, last, strays / sqrt(own))

    level = Level(round(now.share + share, 5), round(now.tilt + tilt, 5))
    return Fitted(level, strange, part(most, at_most), part(least, at_least))


@cache
def _ends(first: int, count: int) -> tuple[int, ...]:
    """Where the parts that begin here end."""
    return (*(first + size for size in PARTS if first + size < count), count)
