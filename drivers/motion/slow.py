"""The last second of a wheel, place by place between two pegs: what slows it there, and speed that nothing explains.

A wheel this slow is slowed by its bearing and by the indicator that leans on a peg, and both hang on the place alone:
on the way forwards the indicator resists, on the way back it gives some of that back.  What the places of a spin's own
path do to the speed is added up and taken away from where it was seen; a hand remains as speed from nowhere, also where
it only held a wheel for a moment that was about to turn back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, floor, pi, sin, sqrt

import msgspec

from drivers.motion.approach import origin_of
from drivers.motion.energy import approach_places, first_peak_seen
from drivers.motion.natural import Level
from drivers.motion.pegs import Pegs
from drivers.motion.profile import SLOW_PARTS, SlowLaw, WheelProfile
from drivers.motion.solve import Squares
from drivers.motion.trace import COMPARTMENTS, PITCH, SAMPLE_S, Trace

FASTEST = 4.5  # compartments/s, below which a wheel is followed from place to place
BEYOND = 10  # samples after it first turned back over which it still is
AWAY = 0.5  # compartments from the peg it stopped at, beyond which it has swung to another
FEWEST = 6  # samples of which something can be said
WIDTH = 3  # samples over which a speed is taken
LATER = (3, 5, 8)  # samples from one speed to the next
STEPS = 4  # in which the way between two samples is gone
STILL = 0.6  # compartments/s, below which a wheel at its turn may stand for a moment
HELD = 1.0  # compartments/s² that friction holds where the indicator would push back no harder
EDGE = 0.0125  # compartments by which a place may be misread
SEGMENT = 10  # samples over which the law is fitted at once: beyond that the pegs' own chance adds up
SMOOTH = 0.015  # how much places beside each other must be alike, against what is seen of them
BACK = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # shares that an indicator may give back, then looked at more closely
LEAST = (0.04, 0.01, 0.5, 0.01)  # of the ways in which a speed strays: few clean spins rest where a peg lets go
_STEP_S = SAMPLE_S / STEPS
_TURN = 2 * pi / COMPARTMENTS


class Slow(msgspec.Struct, frozen=True, gc=False):
    """The slow part of one spin."""

    places: list[float]  # compartments in the launch sense, dividers at whole numbers
    counts: list[int]
    pulls: list[float]  # of the imbalance, forwards, compartments/s²
    top: int  # the sample in which it first turned back
    share: float  # this spin's friction against calibration
    sense: int
    pegs: Pegs


class Strange(msgspec.Struct, frozen=True, gc=False):
    """Speed that no place explains: in units of what natural spins stray by, in compartments/s, and where."""

    strays: float
    gained: float
    at: int


class Stretch(msgspec.Struct, frozen=True, gc=False):
    """What was gained from one speed to a later one beyond what is due, and the ways in which that may be wrong."""

    begins: int
    later: int
    gained: float
    spring: float
    edge: float
    turning: float


def slow_of(trace: Trace, profile: WheelProfile, level: Level, zero: float, from_count: float) -> Slow | None:
    """The slow part of a spin until shortly after it first turned back; None when the approach does not show it."""
    counts = approach_places(trace)
    if not counts or not first_peak_seen(trace, counts):
        return None
    top = counts.index(max(counts))
    last = min(top + BEYOND, len(counts) - 1)
    begin = next((n for n, count in enumerate(counts) if count >= from_count), last)
    while begin < top and counts[begin + 1] - counts[begin] > FASTEST * PITCH * SAMPLE_S:
        begin += 1
    if last - begin < FEWEST:
        return None
    origin = origin_of(trace, profile, zero)
    seen = counts[begin : last + 1]
    first, step = (trace.start - zero) / PITCH * _TURN, trace.sense / PITCH * _TURN
    along, across = _TURN * trace.sense * profile.cosine, _TURN * trace.sense * profile.sine
    pulls = [along * sin(first + step * count) - across * cos(first + step * count) for count in seen]
    return Slow(
        [origin + count / PITCH for count in seen], seen, pulls, top - begin, level.share - level.tilt, trace.sense,
        profile.pegs,
    )  # fmt: skip


def strangest(slow: Slow, law: SlowLaw) -> Strange:
    """The stretch that gained most beyond what its places do to this wheel."""
    most = Strange(0.0, 0.0, slow.counts[slow.top])
    steady, spring, edge, turning = (sigma * sigma for sigma in law.strays)
    for one in stretches(slow, law):
        if one.gained > 0:
            sigma = sqrt(steady + spring * one.spring**2 + edge * one.edge**2 + turning * one.turning**2)
            if one.gained > most.strays * sigma:
                most = Strange(one.gained / sigma, one.gained, slow.counts[one.begins + WIDTH])
    return most


def stretches(slow: Slow, law: SlowLaw) -> Iterator[Stretch]:
    """Every stretch of the slow part, of every length that is looked at."""
    seen, spring, edge, turning = _integrals(slow, law)
    scale = 1 / (WIDTH * SAMPLE_S)
    leaves = round(slow.places[slow.top]) - AWAY
    for later in LATER:
        for n in range(len(seen) - later - WIDTH):
            end, middle, own = n + later + WIDTH, n + later, n + WIDTH
            if end > slow.top and slow.places[end] < leaves:
                break
            yield Stretch(
                n, later,
                (seen[end] - seen[middle] - seen[own] + seen[n]) * scale,
                (spring[end] - spring[middle] - spring[own] + spring[n]) * scale,
                (edge[end] - edge[middle] - edge[own] + edge[n]) * scale,
                (turning[end] - turning[middle] - turning[own] + turning[n]) * scale,
            )  # fmt: skip


def _path(slow: Slow) -> Iterator[tuple[int, float, float]]:
    """The steps between samples: of which sample, the place in the middle, compartments a sample."""
    x = slow.places
    last = len(x) - 2
    for n in range(last + 1):
        a, b = x[n], x[n + 1]
        begins = (b - x[n - 1]) / 2 if n else b - a
        ends = (x[n + 2] - a) / 2 if n < last else b - a
        for (of_a, of_begins, of_b, of_ends), (by_ab, by_begins, by_ends) in _BETWEEN:
            yield (
                n, of_a * a + of_begins * begins + of_b * b + of_ends * ends,
                by_ab * (a - b) + by_begins * begins + by_ends * ends,
            )  # fmt: skip


def _between(t: float) -> tuple[tuple[float, float, float, float], tuple[float, float, float]]:
    """Hermite's weights for the place and the pace between two samples."""
    return (
        (2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t, 3 * t**2 - 2 * t**3, t**3 - t**2),
        (6 * t**2 - 6 * t, 3 * t**2 - 4 * t + 1, 3 * t**2 - 2 * t),
    )


_BETWEEN = tuple(_between((step + 0.5) / STEPS) for step in range(STEPS))


def _integrals(slow: Slow, law: SlowLaw) -> tuple[list[float], list[float], list[float], list[float]]:
    """At each sample: the place less what is due added up twice, and the same of each way in which it may be wrong."""
    takes, back, held = law.takes, law.gives_back, law.bearing * slow.share
    mean = max(sum(takes) / SLOW_PARTS, 0.3)
    pulls, pegs, sense, top = slow.pulls, slow.pegs, slow.sense, slow.top
    still, step, half = STILL * SAMPLE_S, _STEP_S, _STEP_S * _STEP_S / 2
    v = x = v1 = x1 = v2 = x2 = v3 = x3 = 0.0
    seen, spring, edge, turning = [slow.places[0]], [0.0], [0.0], [0.0]
    scale = pull = 0.0
    left = 0
    for n, place, pace in _path(slow):
        if not left:
            left = STEPS
            pull = (pulls[n] + pulls[n + 1]) / 2
            peg = pegs[sense * round(slow.places[n]) % COMPARTMENTS] if pegs else 0.0
            scale = slow.share * max(0.3, 1 + peg / mean)
        resists = scale * _at(takes, place)
        rises = scale * (_at(takes, place + EDGE) - _at(takes, place - EDGE)) / 2
        forwards, backwards, unsure = -resists - held, held - back * resists, 0.0
        if n < top - 1 or (n < top and pace > still):
            due = forwards
        elif pace < -still:
            due, resists, rises = backwards, back * resists, back * rises
        else:
            rest = backwards if backwards < -HELD else 0.0
            share = min(max((pace / still + 1) / 2, 0.0), 1.0) if n <= top else 0.0
            due, unsure = rest + (forwards - rest) * share, forwards - rest
        due += pull
        x, v = x + v * step + due * half, v + due * step
        x1, v1 = x1 + v1 * step + resists * half, v1 + resists * step
        x2, v2 = x2 + v2 * step + rises * half, v2 + rises * step
        x3, v3 = x3 + v3 * step + unsure * half, v3 + unsure * step
        left -= 1
        if not left:
            seen.append(slow.places[n + 1] - x)
            spring.append(x1)
            edge.append(x2)
            turning.append(x3)
    return seen, spring, edge, turning


def _at(takes: Sequence[float], place: float) -> float:
    """Between two parts of a gap."""
    along = (place - floor(place)) * SLOW_PARTS
    n = int(along)
    share = along - n
    return takes[n % SLOW_PARTS] * (1 - share) + takes[(n + 1) % SLOW_PARTS] * share


# -- learning ---------------------------------------------------------------------------------------------------------


def slow_law(spins: Sequence[Slow]) -> SlowLaw | None:
    """What each place does to this wheel in one sense, from clean spins."""
    if len(spins) < FEWEST:
        return None
    squares = Squares(SLOW_PARTS, 1e-4)
    for spin in spins:
        end = spin.top
        while end >= SEGMENT:
            _add(squares, spin, end - SEGMENT, end)
            end -= SEGMENT // 2
    for part in range(SLOW_PARTS):
        squares.add([(part, 1.0), ((part + 1) % SLOW_PARTS, -1.0)], 0.0, SMOOTH)
    slows = squares.solved()
    if slows is None:
        return None
    bearing = max(sorted(slows)[SLOW_PARTS // 5], 0.05)
    law = SlowLaw(tuple(round(slow - bearing, 3) for slow in slows), round(bearing, 3), 0.0, (0.05, 0.05, 0.3, 0.05))
    law = _given_back(spins, law)
    return msgspec.structs.replace(law, strays=_strays([one for spin in spins for one in stretches(spin, law)]))


def _add(squares: Squares, spin: Slow, begin: int, end: int) -> None:
    """A few samples of the way forwards: where it was, less a line, is what its places did, added up twice."""
    part = Slow(
        spin.places[begin : end + 1], spin.counts, spin.pulls[begin : end + 1], end - begin, spin.share, 0, ()
    )  # fmt: skip
    speeds: dict[int, float] = {}
    gone: dict[int, float] = {}
    sums: list[dict[int, float]] = [{}]
    v = x = 0.0
    rows = [part.places[0]]
    for number, (n, place, _) in enumerate(_path(part), 1):
        for key, speed in speeds.items():
            gone[key] += speed * _STEP_S
        along = (place - floor(place)) * SLOW_PARTS
        low = int(along)
        for key, weight in ((low % SLOW_PARTS, 1 - along + low), ((low + 1) % SLOW_PARTS, along - low)):
            weight *= part.share
            speeds[key] = speeds.get(key, 0.0) + weight * _STEP_S
            gone[key] = gone.get(key, 0.0) + weight * _STEP_S * _STEP_S / 2
        pull = (part.pulls[n] + part.pulls[n + 1]) / 2
        x, v = x + v * _STEP_S + pull * _STEP_S * _STEP_S / 2, v + pull * _STEP_S
        if number % STEPS == 0:
            sums.append(dict(gone))
            rows.append(part.places[n + 1] - x)
    keys = sorted(gone)
    columns = [_bent([one.get(key, 0.0) * PITCH for one in sums]) for key in keys]
    for n, row in enumerate(_bent([row * PITCH for row in rows])):
        squares.add([(key, -column[n]) for key, column in zip(keys, columns, strict=True)], row)


def _bent(values: Sequence[float]) -> list[float]:
    """Without the line that fits best: where it began and how fast is each segment's own."""
    count = len(values)
    middle, mean = (count - 1) / 2, sum(values) / count
    slope = sum((n - middle) * value for n, value in enumerate(values)) * 12 / (count * (count * count - 1))
    return [value - mean - slope * (n - middle) for n, value in enumerate(values)]


def _given_back(spins: Sequence[Slow], law: SlowLaw) -> SlowLaw:
    """With the share of its force that the indicator gives back, as the first way back shows."""
    ends = [_end(spin) for spin in spins]

    def strays(back: float) -> float:
        found = msgspec.structs.replace(law, gives_back=back)
        return sum(
            min(one.gained**2, 0.5)
            for end in ends
            for one in stretches(end, found)
            if one.later == LATER[1] and one.begins + WIDTH >= end.top - 1
        )

    best = min(BACK, key=strays)
    for step in (0.1, 0.05):
        best = min((best, max(best - step, 0.0), best + step), key=strays)
    return msgspec.structs.replace(law, gives_back=round(best, 3))


def _end(spin: Slow) -> Slow:
    """The last samples before it turned, and what follows."""
    begin = max(spin.top - WIDTH - 4, 0)
    return msgspec.structs.replace(
        spin, places=spin.places[begin:], counts=spin.counts[begin:], pulls=spin.pulls[begin:], top=spin.top - begin
    )


def _strays(seen: Sequence[Stretch]) -> tuple[float, float, float, float]:
    """How far stretches stray: by reading, with the spring, with where its edges are read, and while it turns."""
    found = [0.05**2, 0.05**2, 0.3**2, 0.05**2]
    rows = [((1.0, one.spring**2, one.edge**2, one.turning**2), one.gained**2) for one in seen]
    for _ in range(5):
        matrix = [[0.0] * 4 for _ in range(4)]
        right = [0.0] * 4
        for ways, square in rows:
            due = sum(share * way for share, way in zip(found, ways, strict=True))
            weight, square = 1 / (due * due), min(square, 9 * due)
            for n, way in enumerate(ways):
                right[n] += weight * way * square
                line, scaled = matrix[n], weight * way
                for m, other in enumerate(ways):
                    line[m] += scaled * other
        for _ in range(30):
            for n in range(4):
                if matrix[n][n] > 0:
                    others = sum(matrix[n][m] * found[m] for m in range(4) if m != n)
                    found[n] = max((right[n] - others) / matrix[n][n], LEAST[n] ** 2)
    steady, spring, edge, turning = (round(sqrt(share), 4) for share in found)
    return steady, spring, edge, turning
