"""The law of one wheel from clean spins: losses at every speed in both senses, imbalance, and an off-centre ring.

No shape is assumed for the losses: bearing, air and pegs are whatever the wheel shows between the knots.  Imbalance
swings once a turn by the same energy at every speed; a ring off its centre misreads the speed by the same share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import cos, pi, sin, sqrt

import msgspec

from drivers.motion.energy import AFTER_RELEASE, cut, interpolated, knot, launch_end, speeds_of
from drivers.motion.pegs import Passage, Pegs, apart
from drivers.motion.profile import Ring
from drivers.motion.scales import KNOTS
from drivers.motion.solve import Squares
from drivers.motion.trace import COMPARTMENTS, PITCH, STAMP_S, Trace

SMOOTH = 0.02  # how strongly neighbouring knots are held in line where spins say little
ROUNDS = 2
EVEN = 0.4  # compartments²/s² by which pegs are taken to differ before anything is seen
LEAST_UNEVEN = 0.02  # and by no less than this
_K = len(KNOTS)
_SWING, _RING = 2 * _K, 2 * _K + 2
_TURN = 2 * pi / COMPARTMENTS


class Law(msgspec.Struct, frozen=True):
    """What clean spins say together."""

    losses: dict[int, tuple[float, ...]]  # by sense
    cosine: float
    sine: float
    ring: Ring


class _Step(msgspec.Struct, frozen=True, gc=False):
    """From one stretch to the next: what was lost, over how far, between which speeds, and where."""

    sense: int
    lost: float
    distance: float
    speeds: tuple[float, float]
    fallen: tuple[float, float]  # compartments over speed, of each stretch: what its own slowing hides
    swing: tuple[float, float]
    ring: tuple[float, ...]


def law_of(spins: Sequence[Trace], index: float) -> Law | None:
    """The law of these spins; None when they do not tell its parts from each other."""
    steps = [step for trace in spins for step in _steps(trace, index)]
    mean = sum(step.lost for step in steps) / max(sum(step.distance for step in steps), 1e-9)
    law = Law({1: (mean,) * _K, -1: (mean,) * _K}, 0.0, 0.0, Ring())
    for _ in range(ROUNDS):
        found = _solved(steps, law)
        if found is None:
            return None
        law = found
    return law


def _solved(steps: Sequence[_Step], law: Law) -> Law | None:
    squares = Squares(_RING + 4)
    for step in steps:
        first = 0 if step.sense > 0 else _K
        losses = law.losses[step.sense]
        natural = [max(interpolated(losses, speed), 0.5) for speed in step.speeds]
        usual = step.distance * (natural[0] + natural[1]) / 2
        hidden = ((step.fallen[0] * natural[0]) ** 2 - (step.fallen[1] * natural[1]) ** 2) / 8
        entries: dict[int, float] = {}
        for speed in step.speeds:
            n, share = knot(speed)
            entries[first + n] = entries.get(first + n, 0.0) + step.distance * (1 - share) / 2
            entries[first + n + 1] = entries.get(first + n + 1, 0.0) + step.distance * share / 2
        entries[_SWING], entries[_SWING + 1] = step.swing
        for n, value in enumerate(step.ring):
            entries[_RING + n] = value
        squares.add(list(entries.items()), step.lost + hidden, 1 / (usual * usual))
    strength = SMOOTH * len(steps) / _K
    for first in (0, _K):
        for n in range(1, _K - 1):
            below, above = KNOTS[n] - KNOTS[n - 1], KNOTS[n + 1] - KNOTS[n]
            bend = [(first + n - 1, above), (first + n, -(below + above)), (first + n + 1, below)]
            squares.add(bend, 0.0, strength / (below * above * 25.0))
    for n in range(_RING, _RING + 4):
        squares.add([(n, 1.0)], 0.0, 1e-6 * len(steps))
    found = squares.solved()
    if found is None:
        return None
    return Law(
        {1: tuple(round(x, 4) for x in found[:_K]), -1: tuple(round(x, 4) for x in found[_K:_SWING])},
        round(found[_SWING], 4),
        round(found[_SWING + 1], 4),
        Ring(*(round(x, 3) for x in found[_RING:])),
    )


def learnt_pegs(seen: Sequence[Passage]) -> Pegs:
    """The map by least squares, leaning on pegs being alike as far as they turn out to be."""
    found = _pegs_solved(seen, EVEN, 1.0)
    if found is None:
        return ()
    scatter = sum(one.weight * (one.lost - _says(found, one)) ** 2 for one in seen) / max(len(seen) - COMPARTMENTS, 1)
    uneven = sqrt(sum(value * value for value in found) / COMPARTMENTS)
    return apart(_pegs_solved(seen, max(uneven, LEAST_UNEVEN), max(scatter, 1.0)) or found)


def _pegs_solved(seen: Sequence[Passage], uneven: float, scatter: float) -> list[float] | None:
    squares = Squares(COMPARTMENTS, uneven**-2)
    for one in seen:
        squares.add([(one.first, one.share), (one.second, 1 - one.share)], one.lost, one.weight / scatter)
    return squares.solved()


def _says(pegs: Sequence[float], one: Passage) -> float:
    return pegs[one.first] * one.share + pegs[one.second] * (1 - one.share)


def _steps(trace: Trace, index: float) -> Iterator[_Step]:
    """Every stretch against the next, as they are read and with what would change if the ring were off its centre."""
    release = launch_end(speeds_of(trace))
    if release is None:
        return
    stamps = list(accumulate(trace.pitches, initial=0))
    origin = (trace.start - index) / PITCH
    sense = trace.sense
    before: tuple[float, float, float, float, tuple[float, float], tuple[float, ...]] | None = None
    for n, size, _ in cut(trace.pitches, release + 1 + AFTER_RELEASE):
        speed = size / ((stamps[n + size] - stamps[n]) * STAMP_S)
        energy = 0.5 * speed * speed
        middle = n + size / 2
        angle = (origin + sense * middle) * _TURN
        swing = (cos(angle), sin(angle))
        ends = [(origin + sense * edge) * _TURN for edge in (n, n + size)]
        # A ring `e` counts ahead at the end and not at the beginning has passed `e` counts less than it says.
        share = -2 * energy * sense / (size * PITCH)
        ring = tuple(share * (f(h * ends[1]) - f(h * ends[0])) for h in (1, 2) for f in (cos, sin))
        now = (middle, speed, energy, size / speed, swing, ring)
        if before is not None:
            yield _Step(
                sense,
                before[2] - energy,
                middle - before[0],
                (before[1], speed),
                (before[3], size / speed),
                (swing[0] - before[4][0], swing[1] - before[4][1]),
                tuple(b - a for a, b in zip(before[5], ring, strict=True)),
            )
        before = now
