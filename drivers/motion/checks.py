"""Can the evidence be believed?  Index against ring, indicator against angle, lost turns, stuck or noisy channels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import floor, sqrt

from drivers.motion.energy import ahead, approach_places, first_peak_seen
from drivers.motion.profile import WheelProfile
from drivers.motion.trace import COMPARTMENTS, PITCH, RING, STAMP_S, Trace
from drivers.motion.verdict import Finding

INDEX_COUNTS = 6  # counts the index may stray from where the ring says it is
TICK_COUNTS = 6.0  # counts the mean peg of a turn may stray
SPREAD_COUNTS = 14  # counts one peg may stray from the mean
EDGE_COUNTS = 6  # counts within which a peg or mark may fall to either side
ILLEGAL = 20
ANY = 255  # passages that nobody saw: the wheel rocked for longer than the approach shows
MARK_COUNTS = 16  # how wide the index mark may be: swung back over, it is met at its other edge
FASTEST_STAMPS = 120  # a pitch in 2.4 ms is 8 turns a second: no hand does that


def index_zero(trace: Trace) -> float | None:
    """Where the ring stood at the index marks of this spin; None without any."""
    seen = marks_of(trace)
    return sum(seen) / len(seen) if seen else None


def marks_of(trace: Trace) -> list[int]:
    """Where the ring stood at each index mark; one met on the way back tells only where no other does."""
    seen = [marks.index for marks in trace.turns if marks.indexes]
    if trace.tail.indexes and not (seen and swung_back(trace, sum(seen) / len(seen))):
        seen.append(trace.tail.index)
    return seen


def swung_back(trace: Trace, zero: float) -> int:
    """How often at most the wheel passed its index mark again after it first turned back.

    By the spec such a mark counts no second time; sensors from before the spec said so count every passage.
    """
    places = approach_places(trace)
    if not first_peak_seen(trace, places):
        return ANY
    after = places[places.index(max(places)) :] if places else []
    origin = (trace.start - zero) * trace.sense
    mark = floor((origin + trace.peak + EDGE_COUNTS) / RING) * RING - origin
    if min(after, default=trace.peak) > mark + EDGE_COUNTS:
        return 0
    edges = (mark + edge for edge in range(-EDGE_COUNTS, EDGE_COUNTS + 1))
    return max(sum((one < edge) != (two < edge) for one, two in pairwise(after)) for edge in edges)


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
        again = swung_back(trace, zero) if tail and marks.indexes else 0
        if marks.indexes and abs(marks.index - should) > INDEX_COUNTS + (MARK_COUNTS if again else 0):
            text = (
                f"The index mark came {marks.index - should:+.0f} counts from where the ring has it (slipped or lost)."
            )
            found.append(_found("index_shifted", turn, marks.index, should, text))
            break
        due = _marks_due(trace, turn, zero, tail)
        if due is not None and not due <= marks.indexes <= due + again:
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
    found = []
    for turn, marks in enumerate((*trace.turns, trace.tail), 1):
        away = tick_away(trace, profile, zero, turn - 1)
        if away is None:
            continue
        allowed = max(TICK_COUNTS, 2.0 + 5 * profile.tick_noise / sqrt(marks.ticks))
        spread = max(SPREAD_COUNTS, profile.tick_spread + TICK_COUNTS) + lateness(
            pitches_of(trace, turn - 1), profile.friction(trace.sense).tick_late
        )
        if abs(away) > allowed or marks.tick_spread > spread:
            text = f"Pegs met the indicator {away:+.0f} counts from their place; ring or index has slipped."
            found.append(_found("indicator_shifted", turn, away, 0, text))
            break
    return found + _counted(trace, profile, zero)


def tick_away(trace: Trace, profile: WheelProfile, zero: float, turn: int) -> float | None:
    """Counts by which the mean peg of a turn (or of what follows the last) lies from its place; None without pegs."""
    tail = turn >= len(trace.turns)
    marks = trace.tail if tail else trace.turns[turn]
    if not marks.ticks:
        return None
    friction = profile.friction(trace.sense)
    speed = peg_speed(pitches_of(trace, turn))
    due = friction.tick_phase + trace.sense * friction.tick_late * speed + zero - profile.index
    if tail:  # over a whole turn an off-centre ring is as often ahead as behind
        origin = trace.start - zero + trace.sense * turn * RING
        steps = range(PITCH // 2, max(trace.peak - turn * RING, PITCH), PITCH)
        due += sum(ahead(profile.ring, origin + trace.sense * step) for step in steps) / len(steps)
    return (marks.tick_phase + 0.5 - due + PITCH / 2) % PITCH - PITCH / 2


def pitches_of(trace: Trace, turn: int) -> tuple[int, ...]:
    """The pitch times of one turn, or of what follows the last."""
    return trace.pitches[turn * COMPARTMENTS : (turn + 1) * COMPARTMENTS]


def lateness(pitches: Sequence[int], late: float) -> float:
    """Counts by which one peg of a turn may seem to stray because its speed was another than the turn's mean."""
    if not pitches:
        return 0.0
    mean, slow, fast = peg_speed(pitches), 1 / (STAMP_S * max(pitches)), 1 / (STAMP_S * min(pitches))
    return abs(late) * max(fast - mean, mean - slow)


def peg_speed(pitches: Sequence[int]) -> float:
    """The mean speed at which pegs passed, compartments/s: every peg counts alike, however long its pitch took."""
    return sum(1 / pitch for pitch in pitches) / (STAMP_S * len(pitches)) if pitches else 0.0


def _counted(trace: Trace, profile: WheelProfile, zero: float) -> list[Finding]:
    """Did as many pegs pass the indicator as the ring says?"""
    turns = len(trace.turns)
    edge = 1 / (STAMP_S * trace.pitches[COMPARTMENTS]) if turns and len(trace.pitches) > COMPARTMENTS else 0.0
    first, last = _pegs_before(trace, profile, zero, 0, 0.0), _pegs_before(trace, profile, zero, trace.peak, 0.0)
    second = _pegs_before(trace, profile, zero, RING, edge)
    parts = [(sum(m.ticks for m in (*trace.turns, trace.tail)), first, last, _leans(trace, profile, zero))]
    if turns:  # what the indicator leant on at the start is no doubt any more after a turn
        parts.append((sum(m.ticks for m in (*trace.turns[1:], trace.tail)), second, last, False))
    again = _passed_again(trace, profile, zero, last[0])
    for felt, begin, end, leaning in parts:
        due, slack = end[0] - begin[0], int(begin[1] or leaning) + int(end[1])
        if not -slack <= felt - due <= slack + again:
            text = f"The indicator felt {felt} pegs where the ring passed {due}."
            return [_found("indicator_miscount", turns, felt, due, text)]
    return []


def _passed_again(trace: Trace, profile: WheelProfile, zero: float, before_peak: int) -> int:
    """Pegs that came back over the indicator and went forwards again: a wheel that rocks feels them twice."""
    if not trace.back_ticks:
        return 0
    place, near = _place(trace, profile, zero, trace.rest, 0.0)
    behind = before_peak - floor(place + 2 * profile.friction(trace.sense).release + near)
    return max(0, trace.back_ticks - max(behind, 0))


def _leans(trace: Trace, profile: WheelProfile, zero: float) -> bool:
    """Whether the indicator may have leant on either side of a peg when the spin began."""
    friction = profile.friction(trace.sense)
    law = friction.landing
    reach = friction.release + (law.contact if law is not None else 0.3)
    place, _ = _place(trace, profile, zero, 0, 0.0)
    return 1 - place % 1.0 < reach + EDGE_COUNTS / PITCH


def _place(trace: Trace, profile: WheelProfile, zero: float, count: int, speed: float) -> tuple[float, float]:
    """A place in the launch sense, in pegs released, and how near to the next is too near to tell."""
    friction = profile.friction(trace.sense)
    phase = friction.tick_phase + trace.sense * friction.tick_late * speed + zero - profile.index
    angle = trace.start - zero + trace.sense * count
    phase += ahead(profile.ring, angle)
    near = max(EDGE_COUNTS, 4 * profile.tick_noise)
    return ((trace.start - phase) * trace.sense + count + 0.5 * trace.sense) / PITCH, near / PITCH


def _pegs_before(trace: Trace, profile: WheelProfile, zero: float, count: int, speed: float) -> tuple[int, bool]:
    """Pegs released up to this place, in the launch sense, and whether one is too near to tell."""
    place, near = _place(trace, profile, zero, count, speed)
    return floor(place), abs(place - round(place)) < near
