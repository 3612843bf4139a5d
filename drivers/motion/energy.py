"""Speed, energy and friction along a spin; what both judging and learning look at.

A spin is cut into stretches.  From one to the next the wheel loses energy (half the squared speed, plus the
imbalance's potential); what it lost, as a share of what this wheel loses at that speed by itself, is one number near
one for every stretch of a spin that nobody touches.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import cos, pi, sin

from drivers.motion.natural import Level
from drivers.motion.pegs import FINE, Passage, peg_table
from drivers.motion.profile import Friction, Ring, WheelProfile
from drivers.motion.ripple import Bit, rippled
from drivers.motion.scales import EARLY_S, KNOTS, STRETCHES
from drivers.motion.trace import COMPARTMENTS, PITCH, SAMPLE_S, STAMP_S, Trace

SLOWEST = 6.0  # compartments/s; below it a pitch time depends on where the pegs happen to lie
PEGS_FASTEST = 18.0  # compartments/s; above it single pegs do not show in a pitch time
STOPS = (2, 3, 4, 6, 9)
LEAST_LOSS = 0.01  # compartments²/s² a compartment; what a wheel without friction would lose
AFTER_RELEASE = 2  # compartments the hand may still be leaving the wheel
_MIDDLING = 25.0  # compartments/s
_TURN = 2 * pi / COMPARTMENTS
_FINE = FINE
_QUARTERS = 4  # steps a compartment/s in tables over the speed


class Course:
    """The stretches of one spin: where, how fast, what was lost against what is natural."""

    __slots__ = ("classes", "leans", "middles", "places", "ratios", "since", "speeds", "times", "usual")

    def __init__(self) -> None:
        self.middles: list[float] = []  # compartments into the spin
        self.places: list[float] = []  # compartments into the spin, the end of each stretch
        self.times: list[float] = []  # seconds from the first pitch
        self.speeds: list[float] = []
        self.usual: list[float] = []  # energy this wheel loses by itself from this stretch to the next
        self.ratios: list[float] = []  # energy lost to the next stretch, as a share of that
        self.leans: list[float] = []  # -1 slow, +1 fast
        self.classes: list[int] = []
        self.since: list[float] = []  # seconds from the release to where the next stretch begins


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
def loss_table(losses: tuple[float, ...]) -> tuple[float, ...]:
    """The natural loss a compartment in steps of a quarter of a compartment a second."""
    return tuple(max(interpolated(losses, n / _QUARTERS), LEAST_LOSS) for n in range(int(KNOTS[-1]) * _QUARTERS + 1))


def natural_losses(friction: Friction) -> tuple[float, ...]:
    """The natural loss a compartment in steps of a quarter of a compartment a second, ups and downs too."""
    table = loss_table(friction.losses)
    return rippled(table, friction.ripple, _QUARTERS) if friction.ripple else table


@lru_cache(maxsize=64)
def _added_up(table: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(accumulate(table, initial=0.0))


def _between(added: Sequence[float], slower: float, faster: float) -> float:
    """The mean loss from one speed to another, or over a step round both."""
    half = max(abs(faster - slower) * _QUARTERS, 1.0) / 2
    middle = min((slower + faster) / 2 * _QUARTERS + 0.5, len(added) - 1.001 - half)
    low, high = int(middle - half), int(middle + half)
    since = added[low] + (middle - half - low) * (added[low + 1] - added[low])
    upto = added[high] + (middle + half - high) * (added[high + 1] - added[high])
    return (upto - since) / (2 * half)


def interpolated(losses: Sequence[float], speed: float) -> float:
    """The loss between two knots; at the ends, the last one."""
    n, share = knot(speed)
    return losses[n] * (1 - share) + losses[n + 1] * share


def knot(speed: float) -> tuple[int, float]:
    """The knot below this speed and how far on the way to the next."""
    n = min(max(bisect_right(KNOTS, speed) - 1, 0), len(KNOTS) - 2)
    return n, min(max((speed - KNOTS[n]) / (KNOTS[n + 1] - KNOTS[n]), 0.0), 1.0)


def loss_at(table: Sequence[float], speed: float) -> float:
    n = int(speed * _QUARTERS)
    return table[n] if n < len(table) else table[-1]


@cache
def swing_table(cosine: float, sine: float) -> tuple[float, ...]:
    """The imbalance's potential over a turn from the index."""
    turn = _TURN / _FINE
    return tuple(cosine * cos(turn * n) + sine * sin(turn * n) for n in range(_FINE * COMPARTMENTS))


@cache
def ring_table(ring: Ring) -> tuple[float, ...]:
    """How far the ring reads ahead over a turn from the index, in compartments."""
    return tuple(ahead(ring, n / _FINE * PITCH) / PITCH for n in range(_FINE * COMPARTMENTS))


def ahead(ring: Ring, angle: float) -> float:
    """Counts that the ring reads ahead of the wheel, this many counts from the index mark."""
    turn = angle / PITCH * _TURN
    return ring.cosine * cos(turn) + ring.sine * sin(turn) + ring.cosine2 * cos(2 * turn) + ring.sine2 * sin(2 * turn)


def potential(profile: WheelProfile, trace: Trace, zero: float, count: float) -> float:
    """What the imbalance holds and uneven pegs have taken `count` counts into the spin."""
    angle = (trace.start - zero + trace.sense * count) / PITCH * _TURN
    held = profile.cosine * cos(angle) + profile.sine * sin(angle)
    if profile.pegs:
        taken = peg_table(profile.pegs, profile.offset).taken
        held += trace.sense * taken[round(angle / _TURN * _FINE) % len(taken)]
    return held


def lean(speed: float) -> float:
    """Slow or fast, from -1 to 1."""
    return (speed - _MIDDLING) / (speed + _MIDDLING)


def cut(pitches: Sequence[int], first: int) -> Iterator[tuple[int, int, int]]:
    """First pitch, length and class of each stretch from `first` on, until the wheel is too slow."""
    n, count = first, len(pitches)
    kind = 0
    while n < count:
        speed = 1 / (STAMP_S * pitches[n])
        while speed < STRETCHES[kind][0]:
            kind += 1
        size = STRETCHES[kind][1]
        if n + size > count or pitches[n + size - 1] * STAMP_S * SLOWEST > 1:
            return
        yield n, size, kind
        n += size


def course_of(trace: Trace, profile: WheelProfile, zero: float, first: int) -> Course:
    """The stretches of a spin from where the hand had let go."""
    friction = profile.friction(trace.sense)
    table = natural_losses(friction)
    added = _added_up(table) if friction.ripple else ()
    swing = swing_table(profile.cosine, profile.sine)
    ring = ring_table(profile.ring)
    sums = peg_table(profile.pegs, profile.offset).sums
    steps = len(swing)
    sense = trace.sense
    fine = _FINE * sense
    origin = (trace.start - zero) / PITCH * _FINE
    stamps = list(accumulate(trace.pitches, initial=0))
    course = Course()
    before_energy = before_middle = before_loss = before_speed = 0.0
    begins = ring[round(origin + fine * first) % steps]
    released = stamps[min(first, len(stamps) - 1)]
    settled = profile.settled or (EARLY_S,) * len(STRETCHES)
    known = profile.fastest
    for n, size, kind in cut(trace.pitches, first):
        end = n + size
        stop = round(origin + fine * end)
        ends = ring[stop % steps]
        length = size - sense * (ends - begins)
        begins = ends
        speed = length / ((stamps[end] - stamps[n]) * STAMP_S)
        if speed > known:
            continue
        loss = loss_at(table, speed)
        middle = n + size / 2
        fallen = size * loss / speed
        energy = 0.5 * speed * speed + fallen * fallen / 8 + swing[round(origin + fine * middle) % steps]
        start = round(origin + fine * n)
        energy += sense * (sums[stop % steps] - sums[start % steps]) / (stop - start)
        if course.places:
            between = _between(added, speed, before_speed) if added else (loss + before_loss) / 2
            usual = (middle - before_middle) * between
            course.usual.append(usual)
            course.ratios.append((before_energy - energy) / usual)
            course.leans.append(lean((speed + before_speed) / 2))
            since = (stamps[n] - released) * STAMP_S
            course.since.append(since)
            course.classes.append(kind if since > settled[kind] else kind + len(STRETCHES))
        course.middles.append(middle)
        course.places.append(float(end))
        course.times.append(stamps[end] * STAMP_S)
        course.speeds.append(speed)
        before_energy, before_middle, before_loss, before_speed = energy, middle, loss, speed
    return course


def bits_of(course: Course, level: Level, noise: Sequence[float]) -> list[Bit]:
    """What each stretch of a spin lost beyond what is due on this wheel with this spin's friction."""
    return [
        Bit(faster, slower, ratio / (level.share + level.tilt * tip) - 1, noise[kind] ** -2)
        for faster, slower, ratio, tip, kind in zip(
            course.speeds, course.speeds[1:], course.ratios, course.leans, course.classes, strict=False
        )
    ]


def passages(trace: Trace, profile: WheelProfile, level: Level, zero: float, first: int) -> Iterator[Passage]:
    """What single pegs of this spin took beyond the law and the map, where the wheel was slow enough to show it."""
    table = natural_losses(profile.friction(trace.sense))
    swing, ring = swing_table(profile.cosine, profile.sine), ring_table(profile.ring)
    sums = peg_table(profile.pegs, profile.offset).sums
    sense, steps = trace.sense, len(swing)
    fine = _FINE * sense
    origin = (trace.start - zero) / PITCH * _FINE
    place = sense * (profile.offset + (trace.start - zero) / PITCH)  # in the launch sense
    inside = 1 - place % 1.0  # where in each pitch a peg stands
    before: tuple[float, float] | None = None
    for n in range(first, len(trace.pitches)):
        rough = 1 / (STAMP_S * trace.pitches[n])
        if rough > PEGS_FASTEST:
            continue
        if rough < SLOWEST:
            return
        begins, ends = round(origin + fine * n), round(origin + fine * (n + 1))
        speed = rough * (1 - sense * (ring[ends % steps] - ring[begins % steps]))
        loss = loss_at(table, speed) * (level.share + level.tilt * lean(speed))
        fallen = loss / speed
        energy = 0.5 * speed * speed + fallen * fallen / 8 + swing[(begins + ends) // 2 % steps]
        energy += sense * (sums[ends % steps] - sums[begins % steps]) / (ends - begins)
        if before is not None:
            peg = int(place + n + 1 - 1e-9)  # the one inside this pitch
            lost = before[0] - energy - (before[1] + loss) / 2
            noise = speed**3 * 4e-5
            yield Passage(
                sense * (peg - 1) % COMPARTMENTS, sense * peg % COMPARTMENTS, inside, lost, 1 / (0.02 + noise * noise)
            )
        before = energy, loss


def stop_energies(
    trace: Trace, speeds: list[float], profile: WheelProfile, level: Level, zero: float, first: int
) -> Iterator[tuple[int, float, float]]:
    """For each distance before the peak: the distance, the speed there, the energy friction does not account for."""
    peak = trace.peak / PITCH
    over = potential(profile, trace, zero, trace.peak)
    table = natural_losses(profile.friction(trace.sense))
    for distance in STOPS:
        n = int(peak - distance - 0.5)
        if n < first or n >= len(speeds):
            continue
        left = peak - n - 0.5
        speed = speeds[n]
        energy = 0.5 * speed * speed + potential(profile, trace, zero, (n + 0.5) * PITCH)
        loss = loss_at(table, speed * 0.67) * (level.share + level.tilt * lean(speed * 0.67))
        yield distance, speed, energy - over - left * loss


def approach_places(trace: Trace) -> list[int]:
    """Counts into the spin at the end of each sample of the final approach."""
    before = trace.rest - sum(trace.approach)
    return list(accumulate(trace.approach, initial=before))[1:]


WIDTH = 3  # samples over which a speed is taken
PEAK_COUNTS = 4  # by which samples may pass by the furthest place reached
APART = 5  # samples between two speeds that are compared


class Ending:
    """The last seconds: what speed came from nowhere, how fast it came back, how fast it swung forwards again."""

    __slots__ = ("gain", "gain_at", "reverse", "swing")

    def __init__(self, gain: float, gain_at: int, reverse: float, swing: float) -> None:
        self.gain, self.gain_at, self.reverse, self.swing = gain, gain_at, reverse, swing


def first_peak_seen(trace: Trace, places: Sequence[int]) -> bool:
    """Whether the approach shows where the wheel first turned back; after long rocking only later swings are left."""
    return max(places, default=0) >= trace.peak - PEAK_COUNTS


def ending_of(trace: Trace, from_count: int) -> Ending:
    """Gain of speed before the wheel first turns back, speeds backwards and forwards after it; compartments/s."""
    approach = trace.approach
    places = approach_places(trace)
    sums = list(accumulate(approach, initial=0))
    speeds = [sums[n + WIDTH] - sums[n] for n in range(len(approach) - WIDTH + 1)]
    gain, gain_at, reverse, swing = 0, 0, 0, 0
    turned = not first_peak_seen(trace, places)
    for n, now in enumerate(speeds):
        if places[n] < from_count:
            continue
        if now < reverse:
            reverse = now
        if now <= -2:
            turned = True
        if turned:
            if now > swing:
                swing = now
        elif n >= APART and places[n - APART] >= from_count and now - speeds[n - APART] > gain:
            gain, gain_at = now - speeds[n - APART], places[n + WIDTH - 1]
    scale = 1 / (PITCH * WIDTH * SAMPLE_S)
    return Ending(gain * scale, gain_at, -reverse * scale, swing * scale)


def levelled(friction: Friction, level: Level, speed: float) -> float:
    """The loss a compartment at this speed on this evening."""
    return loss_at(natural_losses(friction), speed) * (level.share + level.tilt * lean(speed))
