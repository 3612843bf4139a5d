"""The evidence of one spin as the sensor gave it: small enough to keep with every round, enough to decide again."""

from __future__ import annotations

import itertools
import struct
import zlib
from collections.abc import Sequence

import msgspec

from firmware_specs.messages.wheel import Sense, SpinRested, SpinStarted, TurnPassed

PITCH = 160  # counts of the ring for one compartment
COMPARTMENTS = 52
RING = PITCH * COMPARTMENTS
STAMP_S = 20e-6
SAMPLE_S = 0.02
FORMAT = 1

_HEAD = struct.Struct("<BbHBBHBHH")  # format, sense, start, homed, complete, wound back, turns, tail pitches, approach
_MARKS = struct.Struct("<hBBBBB")  # index, indexes, ticks, tick phase, tick spread, illegal
_REST = struct.Struct("<iiiHBBB")  # lowest, peak, rest, still, back ticks, stray, deflection


class BadTrace(ValueError):
    """Bytes that are no trace of a spin."""


class Marks(msgspec.Struct, frozen=True, gc=False):
    """What index and indicator said over one turn, or over the part after the last."""

    index: int
    indexes: int
    ticks: int
    tick_phase: int
    tick_spread: int
    illegal: int


class Trace(msgspec.Struct, frozen=True, gc=False):
    """One spin; counts and times are net in the launch sense, from the rest angle before it."""

    sense: int
    start: int
    homed: bool
    complete: bool
    wound_back: int
    pitches: tuple[int, ...]
    turns: tuple[Marks, ...]
    tail: Marks
    lowest: int
    peak: int
    rest: int
    still: int
    back_ticks: int
    stray: int
    deflection: int
    approach: tuple[int, ...]

    @classmethod
    def from_messages(cls, started: SpinStarted, turns: Sequence[TurnPassed], rested: SpinRested) -> Trace:
        """Put a spin together from what the sensor sent; incomplete when a turn is missing."""
        pitches: list[int] = []
        marks: list[Marks] = []
        complete = not rested.gap and rested.turns == len(turns) and started.spin == rested.spin
        for number, turn in enumerate(turns, 1):
            complete = complete and turn.turn == number and len(turn.pitches) == COMPARTMENTS
            pitches += turn.pitches
            marks.append(Marks(turn.index, turn.indexes, turn.ticks, turn.tick_phase, turn.tick_spread, turn.illegal))
        pitches += rested.pitches
        return cls(
            sense=1 if started.sense is Sense.CLOCKWISE else -1,
            start=started.angle,
            homed=started.homed,
            complete=complete,
            wound_back=started.wound_back,
            pitches=tuple(pitches),
            turns=tuple(marks),
            tail=Marks(
                rested.index, rested.indexes, rested.ticks, rested.tick_phase, rested.tick_spread, rested.illegal
            ),
            lowest=rested.lowest,
            peak=rested.peak,
            rest=rested.rest,
            still=rested.still,
            back_ticks=rested.back_ticks,
            stray=rested.stray,
            deflection=rested.deflection,
            approach=rested.approach,
        )

    def encode(self) -> bytes:
        """Bytes for the journal; neighbouring pitches differ little, so differences compress well."""
        pitches = self.pitches
        steps = [pitches[0], *[b - a & 65535 for a, b in itertools.pairwise(pitches)]] if pitches else []
        octets = struct.pack(f"<{len(steps)}H", *steps)
        head = _HEAD.pack(
            FORMAT, self.sense, self.start, self.homed, self.complete, self.wound_back, len(self.turns), len(pitches),
            len(self.approach),
        )  # fmt: skip
        marks = b"".join(
            _MARKS.pack(m.index, m.indexes, m.ticks, m.tick_phase, m.tick_spread, m.illegal)
            for m in (*self.turns, self.tail)
        )
        rest = _REST.pack(self.lowest, self.peak, self.rest, self.still, self.back_ticks, self.stray, self.deflection)
        approach = struct.pack(f"<{len(self.approach)}h", *self.approach)
        body = b"".join((marks, rest, octets[::2], octets[1::2], approach[::2], approach[1::2]))
        return head + zlib.compress(body, 6)

    @classmethod
    def decode(cls, octets: bytes) -> Trace:
        """The inverse of `encode`."""
        try:
            head = _HEAD.unpack_from(octets)
            if head[0] != FORMAT:
                raise BadTrace(f"trace format {head[0]} is not known here; read it with the version that wrote it")
            _, sense, start, homed, complete, wound_back, turn_count, pitch_count, sample_count = head
            body = zlib.decompress(octets[_HEAD.size :])
            at = 0
            marks = []
            for _ in range(turn_count + 1):
                marks.append(Marks(*_MARKS.unpack_from(body, at)))
                at += _MARKS.size
            lowest, peak, rest, still, back_ticks, stray, bent = _REST.unpack_from(body, at)
            at += _REST.size
            steps = _planes(body, at, pitch_count, "H")
            approach = _planes(body, at + 2 * pitch_count, sample_count, "h")
        except (struct.error, zlib.error) as error:
            raise BadTrace(f"not a trace of a spin: {error}") from error
        pitches = []
        value = 0
        for step in steps:
            value = (value + step) & 0xFFFF
            pitches.append(value)
        return cls(
            sense, start, bool(homed), bool(complete), wound_back, tuple(pitches), tuple(marks[:-1]), marks[-1],
            lowest, peak, rest, still, back_ticks, stray, bent, approach,
        )  # fmt: skip

    @property
    def stands(self) -> int:
        """The angle at which the wheel rests after it, in counts from the index mark."""
        return (self.start + self.sense * self.rest) % RING

    def speeds(self) -> list[tuple[float, float]]:
        """Speed in turns a second against the turn it was measured at, for plots."""
        return [
            ((n + 0.5) / COMPARTMENTS, 1 / (COMPARTMENTS * STAMP_S * pitch)) for n, pitch in enumerate(self.pitches)
        ]


def apart(one: int, other: int) -> int:
    """Counts from one angle to another, the shorter way."""
    return (other - one + RING // 2) % RING - RING // 2


def lost_trace(sense: int = 1) -> Trace:
    """What is left of a spin whose evidence is gone: nothing that could name a compartment."""
    nothing = Marks(0, 0, 0, 0, 0, 0)
    return Trace(sense, 0, False, False, 0, (), (), nothing, 0, 0, 0, 0, 0, 0, 0, ())


def _planes(body: bytes, at: int, count: int, code: str) -> tuple[int, ...]:
    low, high = body[at : at + count], body[at + count : at + 2 * count]
    mixed = bytearray(2 * count)
    mixed[::2] = low
    mixed[1::2] = high
    return struct.unpack(f"<{count}{code}", mixed)
