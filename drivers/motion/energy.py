"""Speed, energy and friction along a spin; what both judging and learning look at.

Energy is half the squared speed plus the imbalance's potential.  What friction takes is added back, so a wheel that
nobody touches keeps a level line, and a hand on it makes a step.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from math import cos, pi, sin

from drivers.motion.profile import Friction
from drivers.motion.trace import COMPARTMENTS, PITCH, STAMP_S, Trace

SLOWEST = 6.0  # compartments/s; below it a pitch time depends on where the pegs happen to lie
LAGS = ((3, 3), (13, 6), (52, 13))  # compartments between two blocks, compartments in a block
STOPS = (2, 3, 4, 6, 9, 13, 20)
_TURN = 2 * pi / (PITCH * COMPARTMENTS)


def speeds_of(trace: Trace) -> list[float]:
    """Mean speed over each complete pitch, compartments/s."""
    scale = 1 / STAMP_S
    return [scale / pitch for pitch in trace.pitches]


def launch_end(speeds: list[float]) -> int | None:
    """The pitch of the first speed peak that five slower ones follow (W-A5); None when the hand never let go."""
    fastest = 0.0
    at = 0
    for n, speed in enumerate(speeds):
        if speed >= fastest:
            fastest, at = speed, n
        elif n - at >= 5:
            return at
    return None


@cache
def _swing(cosine: float, sine: float) -> tuple[float, ...]:
    """The imbalance's potential in steps of a tenth of a compartment from the index, doubled to spare a modulo."""
    steps = 10 * COMPARTMENTS
    turn = 2 * pi / steps
    once = [cosine * cos(turn * n) + sine * sin(turn * n) for n in range(steps)]
    return tuple(once + once)


def potential(friction: Friction, trace: Trace, zero: float, count: float) -> float:
    """The imbalance's potential `count` counts into the spin."""
    angle = (trace.start - zero + trace.sense * count) * _TURN
    return friction.cosine * cos(angle) + friction.sine * sin(angle)


def levels(trace: Trace, speeds: list[float], friction: Friction, zero: float) -> list[float]:
    """Energy with friction added back, at the middle of each pitch."""
    swing = _swing(friction.cosine, friction.sine)
    steps = len(swing) // 2
    at = round((trace.start - zero + trace.sense * PITCH / 2) / PITCH * 10) % steps
    loss, drag = friction.loss, friction.drag
    spent = 0.0
    line: list[float] = []
    append = line.append
    turn = 10 * trace.sense
    for speed in speeds:
        lost = loss + drag * speed
        append(0.5 * speed * speed + swing[at] + spent + 0.5 * lost)
        spent += lost
        at = (at + turn) % steps
    return line


def steps_of(
    line: list[float], speeds: list[float], first: int, last: int, lag: int, block: int
) -> Iterator[tuple[int, float, float]]:
    """Place, speed and size of each step in the level line over one window."""
    sums = [0.0, *accumulate(line)]
    stride = 1 if lag < 10 else lag // 4
    half = (lag + block) // 2
    share = 1 / block
    for n in range(first, last - lag - block + 1, stride):
        step = (sums[n + lag + block] - sums[n + lag] - sums[n + block] + sums[n]) * share
        yield n, speeds[n + half], step


def last_swift(speeds: list[float], first: int) -> int:
    """One past the last pitch that is fast enough for energy to mean something."""
    n = len(speeds)
    while n > first and speeds[n - 1] < SLOWEST:
        n -= 1
    return n


def stop_energies(
    trace: Trace, speeds: list[float], friction: Friction, zero: float, first: int
) -> Iterator[tuple[int, float, float]]:
    """For each distance before the peak: the distance, the speed there, the energy friction does not account for."""
    peak = trace.peak / PITCH
    over = potential(friction, trace, zero, trace.peak)
    for distance in STOPS:
        n = int(peak - distance - 0.5)
        if n < first or n >= len(speeds):
            continue
        left = peak - n - 0.5
        speed = speeds[n]
        energy = 0.5 * speed * speed + potential(friction, trace, zero, (n + 0.5) * PITCH)
        yield distance, speed, energy - over - left * (friction.loss + friction.drag * speed * 0.67)


def approach_places(trace: Trace) -> list[int]:
    """Counts into the spin at the end of each sample of the final approach."""
    before = trace.rest - sum(trace.approach)
    return list(accumulate(trace.approach, initial=before))[1:]


def regains(trace: Trace, from_count: int) -> tuple[float, float, int]:
    """Largest gain of forward speed and fastest reverse speed in the final approach (compartments/s), and where."""
    approach = trace.approach
    places = approach_places(trace)
    scale = 1 / (PITCH * 0.06)
    slowest = 1 << 30
    gain, gain_at, reverse = 0, 0, 0
    for n in range(2, len(approach)):
        if places[n - 2] < from_count:
            continue
        now = approach[n] + approach[n - 1] + approach[n - 2]
        if now > 0:
            base = slowest if slowest > 0 else 0
            if now - base > gain and slowest < 1 << 30:
                gain, gain_at = now - base, places[n]
        if now < slowest:
            slowest = now
        if now < reverse:
            reverse = now
    return gain * scale, -reverse * scale, gain_at
