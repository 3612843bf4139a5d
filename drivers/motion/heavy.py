"""Where the wheel hangs heaviest, seen again in every spin: an index that was moved by whole compartments shows there.

Pegs look alike, so an index mark put back one compartment further names a neighbour every time and nothing else
differs.  The imbalance does not move with it.
"""

from __future__ import annotations

from math import cos, exp, hypot, pi, sin
from operator import mul

import msgspec

from drivers.motion.energy import Course
from drivers.motion.natural import Level
from drivers.motion.profile import WheelProfile
from drivers.motion.trace import COMPARTMENTS, PITCH, Trace

TEMPER = 0.25  # how much of what the numbers say is believed: stretches do not stray quite independently
FORGET = 0.99  # a spin
FAR = 3.0  # sigma; what strays further, such as under a hand, counts as this
CENTRED = 2.0  # counts; a ring no further off says nothing by itself
SURE = 5000.0  # to one against the index where it was
NONE = (0.0,) * 14
_TURN = 2 * pi / COMPARTMENTS
_PAIRS = tuple((i, j) for i in range(4) for j in range(i, 4))

Evidence = tuple[float, ...]
"""Of an imbalance and an off-centre ring beside the known ones: four sums of what was seen, ten of how surely."""


class Moved(msgspec.Struct, frozen=True, gc=False):
    """By how many compartments the index seems to have moved, and how likely that is against not at all."""

    compartments: int
    odds: float


def seen_in(trace: Trace, course: Course, profile: WheelProfile, level: Level, zero: float) -> Evidence:
    """What one spin says about an imbalance or a ring other than the known ones."""
    noise = profile.friction(trace.sense).noise
    off = []
    scales = []
    for ratio, tip, usual, kind in zip(course.ratios, course.leans, course.usual, course.classes, strict=True):
        sigma = noise[kind]
        off.append(min(max((ratio - level.share - level.tilt * tip) / sigma, -FAR), FAR))
        scales.append(1 / (sigma * usual))
    origin = (trace.start - zero) / PITCH
    angles = [(origin + trace.sense * middle) * _TURN for middle in course.middles]
    shapes = [[cos(angle) for angle in angles], [sin(angle) for angle in angles]]
    if hypot(profile.ring.cosine, profile.ring.sine) > CENTRED:
        shapes += _misread(trace, course, origin)
    rows = [[(b - a) * scale for a, b, scale in zip(shape, shape[1:], scales, strict=False)] for shape in shapes]
    seen = [0.0] * 14
    for i, row in enumerate(rows):
        seen[i] = sum(map(mul, row, off))
    for at, (i, j) in enumerate(_PAIRS, 4):
        if j < len(rows):
            seen[at] = sum(map(mul, rows[i], rows[j]))
    return tuple(seen)


def _misread(trace: Trace, course: Course, origin: float) -> list[list[float]]:
    """The energy that a ring would misread in each stretch if it were off its centre one way or the other."""
    along, across = [], []
    for middle, end, speed in zip(course.middles, course.places, course.speeds, strict=True):
        size = 2 * (end - middle)
        begins, ends = ((origin + trace.sense * at) * _TURN for at in (end - size, end))
        share = -speed * speed * trace.sense / (size * PITCH)
        along.append(share * (cos(ends) - cos(begins)))
        across.append(share * (sin(ends) - sin(begins)))
    return [along, across]


def gathered(before: Evidence, seen: Evidence) -> Evidence:
    """With one more spin."""
    return tuple(float(f"{FORGET * old + new:.6g}") for old, new in zip(before, seen, strict=True))


def moved(profile: WheelProfile, evidence: Evidence) -> Moved:
    """Which whole number of compartments the index has most likely moved by; odds below one speak for none."""
    if max(_gain(profile, evidence, 1), _gain(profile, evidence, -1)) <= 0:  # the way there leads over the first step
        return Moved(0, 0.0)
    gains = {step: _gain(profile, evidence, step) for step in range(-COMPARTMENTS // 2, COMPARTMENTS // 2) if step}
    best = max(gains, key=lambda step: gains[step])
    total = sum(exp(min(TEMPER * gain, 300.0)) for gain in gains.values())
    return Moved(best, total / len(gains))


def _gain(profile: WheelProfile, evidence: Evidence, step: int) -> float:
    """The logarithm of how much better an index moved by so many compartments explains what was seen."""
    turned = (
        *_turned(profile.cosine, profile.sine, step * _TURN),
        *_turned(profile.ring.cosine, profile.ring.sine, step * _TURN),
    )
    gain = sum(value * saw for value, saw in zip(turned, evidence, strict=False))
    for sure, (i, j) in zip(evidence[4:], _PAIRS, strict=True):
        gain -= (0.5 if i == j else 1.0) * turned[i] * turned[j] * sure
    return gain


def _turned(cosine: float, sine: float, angle: float) -> tuple[float, float]:
    """What is added to a wave that is turned by this angle."""
    return cosine * (cos(angle) - 1) + sine * sin(angle), sine * (cos(angle) - 1) - cosine * sin(angle)
