"""Can the evidence be believed?  Index against ring, indicator against angle, lost turns, stuck or noisy channels."""

from __future__ import annotations

from math import floor

from drivers.motion.profile import WheelProfile
from drivers.motion.trace import COMPARTMENTS, PITCH, RING, Trace
from drivers.motion.verdict import Finding

INDEX_COUNTS = 6  # counts the index may stray from where the ring says it is
TICK_COUNTS = 6.0  # counts the mean peg of a turn may stray
SPREAD_COUNTS = 14  # counts one peg may stray from the mean
EDGE_COUNTS = 6  # counts within which a peg or mark may fall to either side
ILLEGAL = 20
FASTEST_STAMPS = 120  # a pitch in 2.4 ms is 8 turns a second: no hand does that


def index_zero(trace: Trace) -> float | None:
    """Where the ring stood at the index marks of this spin; None without any."""
    seen = [marks.index for marks in (*trace.turns, trace.tail) if marks.indexes]
    if not seen:
        return None
    return sum(seen) / len(seen)


def malfunctions(trace: Trace, profile: WheelProfile) -> list[Finding]:
    """Everything that makes this evidence unfit to name a compartment."""
    if not trace.complete:
        return [_found("evidence_lost", len(trace.turns), 0, 0, "Part of the spin was not seen by the sensor.")]
    found = _ring(trace)
    if found:
        return found
    zero = index_zero(trace)
    if zero is None:
        text = "The index mark was never seen."
        return [_found("index_missing", len(trace.turns), 0, 1, text)] if trace.peak >= 2 * RING else []
    return _index(trace, profile, zero) + _ticks(trace, profile, zero)


def _found(kind: str, turn: float, measured: float, expected: float, text: str) -> Finding:
    return Finding("malfunction", kind, float(turn), float(measured), float(expected), text)


def _ring(trace: Trace) -> list[Finding]:
    found = []
    turns = len(trace.turns)
    complete = trace.peak // PITCH
    if len(trace.pitches) != complete and len(trace.pitches) != turns * COMPARTMENTS + 51:
        text = "The pitch times do not add up to the counts of the ring."
        found.append(_found("ring_miscount", turns, len(trace.pitches), complete, text))
    if trace.rest > trace.peak or trace.lowest > 0:
        text = "The rest lies beyond the furthest place reached."
        found.append(_found("ring_miscount", turns, trace.rest, trace.peak, text))
    if trace.pitches and min(trace.pitches) < FASTEST_STAMPS:
        at = trace.pitches.index(min(trace.pitches)) / COMPARTMENTS
        text = "A compartment passed faster than any wheel turns."
        found.append(_found("ring_noise", at, min(trace.pitches), FASTEST_STAMPS, text))
    illegal = max(marks.illegal for marks in (*trace.turns, trace.tail))
    if illegal > ILLEGAL:
        text = "The ring's channels gave steps that cannot be; one may be dead or disturbed."
        found.append(_found("ring_noise", turns, illegal, ILLEGAL, text))
    if trace.stray:
        text = "Pegs passed the indicator after the ring had stopped counting."
        found.append(_found("ring_stuck", trace.peak / RING, trace.stray, 0, text))
    return found


def _index(trace: Trace, profile: WheelProfile, zero: float) -> list[Finding]:
    should = profile.index if trace.homed else zero
    found = []
    for turn, marks in enumerate((*trace.turns, trace.tail), 1):
        tail = turn > len(trace.turns)
        if marks.indexes and abs(marks.index - should) > INDEX_COUNTS:
            text = (
                f"The index mark came {marks.index - should:+.0f} counts from where the ring has it (slipped or lost)."
            )
            found.append(_found("index_shifted", turn, marks.index, should, text))
            break
        due = _marks_due(trace, turn, zero, tail)
        if due is not None and marks.indexes != due:
            text = f"The index mark was seen {marks.indexes} times in turn {turn} instead of {due}."
            found.append(_found("index_missing", turn, marks.indexes, due, text))
            break
    return found


def _marks_due(trace: Trace, turn: int, zero: float, tail: bool) -> int | None:
    """How many index marks this turn must show; None when one lies too near its edge to tell."""
    first = (turn - 1) * RING
    last = trace.peak if tail else turn * RING
    origin = (trace.start - zero) * trace.sense  # the launch sense's own angle at the start of the spin
    before, after = (origin + first) / RING, (origin + last) / RING
    edge = EDGE_COUNTS / RING
    for place in (before, after):
        if abs(place - round(place)) < edge:
            return None
    return floor(after) - floor(before)


def _ticks(trace: Trace, profile: WheelProfile, zero: float) -> list[Finding]:
    friction = profile.friction(trace.sense)
    found = []
    moved = zero - profile.index
    total = 0
    for turn, marks in enumerate((*trace.turns, trace.tail), 1):
        total += marks.ticks
        if not marks.ticks:
            continue
        away = (marks.tick_phase + 0.5 - friction.tick_phase - moved + PITCH / 2) % PITCH - PITCH / 2
        allowed = TICK_COUNTS if marks.ticks > 8 else TICK_COUNTS + 2
        if abs(away) > allowed or marks.tick_spread > SPREAD_COUNTS:
            text = f"Pegs met the indicator {away:+.0f} counts from their place; ring or index has slipped."
            found.append(_found("indicator_shifted", turn, away, 0, text))
            break
    first = _pegs_before(trace, friction.tick_phase + moved, 0)
    last = _pegs_before(trace, friction.tick_phase + moved, trace.peak)
    due, slack = last[0] - first[0], int(first[1] or last[1])
    if abs(total - due) > slack:
        text = f"The indicator felt {total} pegs where the ring passed {due}."
        found.append(_found("indicator_miscount", len(trace.turns), total, due, text))
    return found


def _pegs_before(trace: Trace, phase: float, count: int) -> tuple[int, bool]:
    """Pegs released up to this place, in the launch sense, and whether one is too near to tell."""
    place = ((trace.start - phase) * trace.sense + count + 0.5 * trace.sense) / PITCH
    return floor(place), abs(place - round(place)) < EDGE_COUNTS / PITCH
