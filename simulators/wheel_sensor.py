"""What the wheel sensor makes of a motion: pitch times, index marks, pegs, the final approach; and how it errs.

Pure: a motion, an errant ring and a seeded source of jitter give the messages of a spin with the time of each.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from math import ceil, cos, floor, sin, sqrt
from random import Random
from typing import Literal

import msgspec

from firmware_specs.messages.wheel import Moved, Sense, SpinRested, SpinStarted, TurnPassed
from firmware_specs.spec import Message
from simulators.wheel_physics import COMPARTMENTS, Motion, WheelBody, spring_time_to

PITCH = 160  # counts
RING = PITCH * COMPARTMENTS
TICKS_PER_S = 50_000  # pitch times are in 20 µs
SAMPLE_S = 0.02
SAMPLES = 160
STILL_S = 1.0
SPIN_PITCHES = 13.0  # a quarter turn
SPIN_SPEED = 13.0  # compartments/s, a quarter turn a second

FaultKind = Literal[
    "lost_counts", "index_slip", "dead_channel", "stuck", "noise", "indicator_dead", "index_dead", "silence", "restart"
]


class SensorFault(msgspec.Struct, frozen=True):
    """Something wrong with the sensor from `at_revolution` on.

    `strength`: counts lost (lost_counts), compartments slipped (index_slip), share of counts too many (noise).
    """

    kind: FaultKind
    at_revolution: float = 1.5
    strength: float = 1.0


class Mounting(msgspec.Struct, frozen=True):
    """How the sensor sits on the wheel and how exactly it reads."""

    index_at: float = 17.37  # the wheel's place under the pointer when the index mark passes
    index_jitter: float = 0.6  # counts, one sigma
    tick_jitter: float = 1.5  # counts, one sigma, per peg
    stamp_jitter: float = 15e-6  # seconds, one sigma


class Seen(msgspec.Struct, frozen=True):
    """The messages of one motion, each with its time from the first touch."""

    messages: list[tuple[float, Message]]
    spin: bool
    rest_at: float


Ring = Callable[[float], float]


def errant_ring(fault: SensorFault | None, start: float) -> tuple[Ring | None, Ring | None]:
    """Where the ring believes to be for a true place, and the inverse; None twice when it follows the wheel."""
    if fault is None:
        return None, None
    y0 = start + fault.at_revolution * COMPARTMENTS
    if fault.kind in ("lost_counts", "index_slip"):
        lost = fault.strength / PITCH if fault.kind == "lost_counts" else fault.strength
        if lost >= 0:
            return (
                lambda y: y if y <= y0 else max(y0, y - lost),
                lambda r: r if r <= y0 else r + lost,
            )
        return lambda y: y if y <= y0 else y - lost, lambda r: r if r <= y0 else max(y0, r + lost)
    if fault.kind in ("dead_channel", "stuck"):
        return lambda y: min(y, y0), lambda r: r if r <= y0 else float("inf")
    if fault.kind == "noise":
        rate = 1.0 + fault.strength
        return (
            lambda y: y if y <= y0 else y0 + (y - y0) * rate,
            lambda r: r if r <= y0 else y0 + (r - y0) / rate,
        )
    return None, None


def observe(
    motion: Motion,
    sense: int,
    spin: int,
    body: WheelBody,
    mounting: Mounting,
    rng: Random,
    fault: SensorFault | None = None,
    ring_offset: int = 0,
    homed: bool = True,
) -> Seen:
    """Everything the sensor posts about this motion."""
    return _Watch(motion, sense, spin, body, mounting, rng, fault, ring_offset, homed).watch()


class _Watch:
    """One motion seen through one sensor."""

    def __init__(self, motion: Motion, sense: int, spin: int, body: WheelBody, mounting: Mounting, rng: Random,
                 fault: SensorFault | None, ring_offset: int, homed: bool) -> None:  # fmt: skip
        self.motion = motion
        self.sense = sense
        self.spin = spin
        self.body = body
        self.mounting = mounting
        self.rng = rng
        self.fault = fault
        self.offset = ring_offset
        self.homed = homed
        self.ring, self.inverse = errant_ring(fault, motion.start)
        self.fault_y = motion.start + fault.at_revolution * COMPARTMENTS if fault else float("inf")
        zero = sense * motion.start * PITCH  # the wheel's own counts, from divider 0
        self.phase = (motion.start * PITCH) % 1.0
        self.start_angle = floor(zero - mounting.index_at * PITCH + ring_offset) % RING

    def watch(self) -> Seen:
        motion = self.motion
        peak_y = motion.peak
        stop_t = motion.end
        stuck = self.fault is not None and self.fault.kind in ("stuck", "dead_channel") and peak_y > self.fault_y
        if stuck:
            peak_y = self.fault_y
        crossings = self._crossings(peak_y)
        if stuck:
            stop_t = min(stop_t, self._first_time(self.fault_y))
        started = self._started()
        if started is None:
            return self._moved(stop_t)
        jitter = _jitters()
        at = self.rng.randrange(len(jitter) - len(crossings) - 1) if len(crossings) < 3000 else 0
        scale = self.mounting.stamp_jitter * TICKS_PER_S
        stamps = [round(t * TICKS_PER_S + jitter[(at + n) % len(jitter)] * scale) for n, t in enumerate(crossings)]
        pitches = [1 if b <= a else b - a if b - a < 65535 else 65535 for a, b in itertools.pairwise(stamps)]
        wound = max(0, round((motion.start - motion.lowest) * PITCH))
        sense = Sense.CLOCKWISE if self.sense > 0 else Sense.ANTICLOCKWISE
        messages: list[tuple[float, Message]] = [
            (started, SpinStarted(self.spin, self.start_angle, sense, self.homed, min(wound, 65535)))
        ]
        turns = min(len(pitches) // COMPARTMENTS, 255)
        y = motion.start
        for turn in range(1, turns + 1):
            # A ring that stops on the very count of a full turn has no true place beyond it.
            y_next = min(self._true(motion.start + turn * COMPARTMENTS), peak_y)
            index, indexes = self._index(y, y_next)
            ticks, phase, spread = self._ticks(y, y_next)
            first = (turn - 1) * COMPARTMENTS
            message = TurnPassed(
                self.spin, turn, tuple(pitches[first : first + COMPARTMENTS]), index, indexes, ticks, phase, spread,
                self._illegal(y_next),
            )  # fmt: skip
            messages.append((max(crossings[turn * COMPARTMENTS], started), message))
            y = y_next
        messages.append((stop_t + STILL_S, self._rested(turns, pitches, y, peak_y, stop_t)))
        return Seen(messages, True, stop_t + STILL_S)

    # -- ring ---------------------------------------------------------------------------------------------------

    def _true(self, ring: float) -> float:
        return ring if self.inverse is None else self.inverse(ring)

    def _seen(self, y: float) -> float:
        return y if self.ring is None else self.ring(y)

    def _net(self, y: float) -> int:
        """Counts from the rest angle, in the launch sense."""
        return floor(self.phase + (self._seen(y) - self.motion.start) * PITCH)

    def _crossings(self, peak: float) -> list[float]:
        """When each further pitch was first complete; the first entry is when the wheel passed its rest angle."""
        motion = self.motion
        pieces = motion.pieces
        shift = motion.start - self.phase / PITCH
        ends = [piece[1] for piece in pieces[1:]]
        ends.append(motion.rest)
        times: list[float] = []
        append = times.append
        n = 0
        inverse = self.inverse
        target = motion.start
        if motion.lowest >= motion.start:
            append(pieces[0][0])
            n = 1
            target = shift + 1 if inverse is None else inverse(shift + 1)
        for piece, end in zip(pieces, ends, strict=True):
            if target > end:
                continue
            t, y, v, acceleration, spring, centre = piece
            while target <= end:
                if spring:
                    append(t + spring_time_to(y, v, spring, centre, target, 1))
                else:
                    distance = target - y
                    root = v * v + 2 * acceleration * distance
                    speed = v + (sqrt(root) if root > 0 else 0.0)
                    append(t + 2 * distance / speed if speed > 0 else t)
                n += 1
                target = shift + n if inverse is None else inverse(shift + n)
                if target > peak:
                    return times
        return times

    def _first_time(self, y_wanted: float) -> float:
        pieces = self.motion.pieces
        for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
            end = self.motion.rest if after is None else after[1]
            if piece[1] <= y_wanted <= end:
                t, y, v, acceleration, spring, centre = piece
                if spring:
                    return t + spring_time_to(y, v, spring, centre, y_wanted, 1)
                root = max(v * v + 2 * acceleration * (y_wanted - y), 0.0)
                return t + 2 * (y_wanted - y) / (v + sqrt(root)) if v + root > 0 else t
        return self.motion.end

    def _started(self) -> float | None:
        """When the motion became a spin, if it did."""
        y = self.motion.lowest + SPIN_PITCHES
        while y < self.motion.peak:
            t = self._first_time(y)
            if self.motion.at(t)[1] >= SPIN_SPEED:
                return t
            y += 1.0
        return None

    def _moved(self, stop_t: float) -> Seen:
        motion = self.motion
        fastest = max((abs(piece[2]) for piece in motion.pieces), default=0.0) / COMPARTMENTS
        after = (self.start_angle + self.sense * self._net(motion.rest)) % RING
        if abs(motion.rest - motion.start) * PITCH < 2 and fastest < 0.005:
            return Seen([], False, stop_t)
        message = Moved(self.start_angle, after, min(round(fastest * 1000), 65535))
        return Seen([(stop_t + STILL_S, message)], False, stop_t + STILL_S)

    # -- index and pegs -----------------------------------------------------------------------------------------

    def _index(self, y: float, y_next: float) -> tuple[int, int]:
        """The ring's angle at the last index mark between two places, and how many marks there were."""
        if self.fault is not None and self.fault.kind == "index_dead" and y_next > self.fault_y:
            return 0, 0
        mark = self.sense * self.mounting.index_at
        last = mark + floor((y_next - mark) / COMPARTMENTS) * COMPARTMENTS
        if last <= y:
            return 0, 0
        count = 1 + floor((last - y) / COMPARTMENTS)
        error = self.sense * (self._seen(last) - last) * PITCH + self.offset
        counts = floor(error + self.rng.gauss(0.0, self.mounting.index_jitter))
        return (counts + RING // 2) % RING - RING // 2, count

    def _ticks(self, y: float, y_next: float) -> tuple[int, int, int]:
        """Pegs that left the indicator forwards between two places: count, mean phase, spread."""
        after = self.body.release_after
        if self.fault is not None and self.fault.kind == "indicator_dead" and y_next > self.fault_y:
            y_next = max(y, self.fault_y)
        ticks = floor(y_next - after) - floor(y - after)
        if ticks <= 0:
            return 0, 0, 0
        first, last = self._seen(y) - y, self._seen(y_next) - y_next
        error = first
        if first != last:
            where = (y_next - self.fault_y) / max(y_next - y, 1e-9)
            error = first + (last - first) * min(max(where, 0.0), 1.0)
        jitter = self.mounting.tick_jitter
        phase = (self.sense * (after + error) - self.mounting.index_at) * PITCH + self.offset
        phase += self.rng.gauss(0.0, jitter / sqrt(ticks))
        spread = abs(last - first) * PITCH * 0.5 + jitter * 2.2
        return min(ticks, 255), floor(phase) % PITCH, min(round(spread), 255)

    def _illegal(self, y: float) -> int:
        if self.fault is None or y <= self.fault_y or self.fault.kind != "noise":
            return 0
        return min(255, round(abs(self.fault.strength) * RING / 2))

    # -- rest ---------------------------------------------------------------------------------------------------

    def _rested(self, turns: int, pitches: list[int], y: float, peak_y: float, stop_t: float) -> SpinRested:
        motion = self.motion
        index, indexes = self._index(y, peak_y)
        ticks, phase, spread = self._ticks(y, peak_y)
        stray = 0
        rest = motion.rest
        if stop_t < motion.end:
            rest = peak_y
            y_later = motion.at(stop_t + STILL_S)[0]
            stray = max(0, floor(y_later - self.body.release_after) - floor(peak_y - self.body.release_after))
        dead = self.fault is not None and self.fault.kind == "indicator_dead" and peak_y > self.fault_y
        return SpinRested(
            spin=self.spin,
            turns=turns,
            gap=False,
            pitches=tuple(pitches[turns * COMPARTMENTS :][:51]),
            lowest=min(0, self._net(motion.lowest)),
            peak=max(0, self._net(peak_y)),
            rest=self._net(rest),
            still=round(STILL_S * 1000),
            index=index,
            indexes=indexes,
            ticks=ticks,
            back_ticks=0 if dead else back_ticks(peak_y, rest, self.body),
            tick_phase=phase,
            tick_spread=spread,
            illegal=self._illegal(peak_y),
            stray=min(stray, 255),
            deflection=0 if dead else deflection(peak_y, rest, self.body),
            approach=self._approach(stop_t),
        )

    def _approach(self, stop_t: float) -> tuple[int, ...]:
        """Counts per 20 ms over the last 3.2 s of motion."""
        motion = self.motion
        pieces, times = motion.pieces, motion.times
        start, phase, ring = motion.start, self.phase, self.ring
        t = stop_t - SAMPLES * SAMPLE_S
        last_piece = len(pieces) - 1
        i = 0
        while i < last_piece and times[i + 1] <= t:
            i += 1
        counts: list[int] = []
        append = counts.append
        next_t = times[i + 1] if i < last_piece else float("inf")
        t0, y0, v0, a, spring, centre = pieces[i]
        half = a / 2
        for n in range(SAMPLES + 1):
            t = stop_t + (n - SAMPLES) * SAMPLE_S
            while t >= next_t:
                i += 1
                next_t = times[i + 1] if i < last_piece else float("inf")
                t0, y0, v0, a, spring, centre = pieces[i]
                half = a / 2
            tau = t - t0
            if tau <= 0:
                y = start if t <= times[0] else y0
            elif t >= motion.end:
                y = motion.rest
            elif spring:
                y = centre + (y0 - centre) * cos(spring * tau) + v0 / spring * sin(spring * tau)
            else:
                y = y0 + (v0 + half * tau) * tau
            if ring is not None:
                y = ring(y)
            append(floor(phase + (y - start) * PITCH))
        return tuple([b - a for a, b in itertools.pairwise(counts)])


@cache
def _jitters() -> tuple[float, ...]:
    """A fixed pool of normal deviates; a spin takes a run of it from a random place."""
    rng = Random(20)
    return tuple(rng.gauss(0.0, 1.0) for _ in range(8192))


def back_ticks(peak: float, rest: float, body: WheelBody) -> int:
    """Pegs that left the indicator on the way back from the peak."""
    highest = floor(peak - body.release_after)
    lowest = ceil(rest + body.release_after)
    return max(0, highest - lowest + 1)


def deflection(peak: float, rest: float, body: WheelBody) -> int:
    """How far the indicator is bent at rest, in per cent of where it lets go."""
    peg = round(rest)
    bend = body.contact_before + body.release_after
    if peak < peg + body.release_after:
        bent = rest - (peg - body.contact_before)
    else:
        bent = peg + body.contact_before - rest
        if bent > bend:
            return 0
    return min(100, ceil(100 * bent / bend - 1e-6)) if bent > 1e-6 else 0
