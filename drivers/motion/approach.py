"""The last few compartments before a stop, gap by gap between the pegs.

Between two pegs the indicator is free, so the speed there is the wheel's own; from gap to gap it loses what friction
and one peg take, and from the last gap it lands exactly where its energy runs out, part of it in the bent indicator.
Slower still, what slows it hangs on the place alone, forwards and on its first way back: speed beyond that came from
a hand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin, sqrt

import msgspec

from drivers.motion.energy import WIDTH, ahead, approach_places, first_peak_seen, levelled, potential
from drivers.motion.natural import Level
from drivers.motion.profile import SLOW_PARTS, Friction, LandingLaw, Slowing, WheelProfile
from drivers.motion.trace import COMPARTMENTS, PITCH, SAMPLE_S, Trace

GAPS = 4
_ENTER, _LEAVE = 0.25, 0.75  # the part of a gap in which no indicator touches a peg
SLOW = 4.0  # compartments/s, below which a wheel is followed from place to place
BEYOND = 6  # samples after it first turned back over which it still is
UNKNOWN = 0.065  # compartments/s by which a wheel strays at a place that calibration hardly met
# A speed over three samples against that five samples on: what each sample between them adds to the difference.
WEIGHTS = tuple(share * SAMPLE_S for share in (1 / 6, 1 / 2, 5 / 6, 1.0, 1.0, 5 / 6, 1 / 2, 1 / 6))
_STEADY = 0.08  # compartments/s by which a stretch strays where nothing is uneven within its parts
_EDGE = 0.15  # share of what slows it on either side of a part that may act within it


class Landing(msgspec.Struct, frozen=True, gc=False):
    """Energies in the last gaps, the last one first, and how far the peak lies beyond the middle of that one."""

    energies: tuple[float, ...]
    speeds: tuple[float, ...]
    beyond: float


def origin_of(trace: Trace, profile: WheelProfile, zero: float) -> float:
    """The launch sense's own place at the start, in compartments, as the ring reads it near the stop."""
    angle = trace.start - zero
    at_stop = angle + trace.sense * trace.peak
    return trace.sense * (profile.offset + (angle - ahead(profile.ring, at_stop)) / PITCH)


def landing_of(trace: Trace, profile: WheelProfile, zero: float, from_count: float) -> Landing | None:
    """The last gaps before the wheel first turned back; None when its approach shows not even one."""
    places = approach_places(trace)
    if not places or not first_peak_seen(trace, places):
        return None
    top = places.index(max(places))
    rising = places[: top + 1]
    origin = origin_of(trace, profile, zero)
    peak = origin + trace.peak / PITCH
    gap = int(peak // 1)
    if peak - gap < _LEAVE + 0.02:
        gap -= 1
    energies: list[float] = []
    speeds: list[float] = []
    last = gap
    while len(energies) < GAPS:
        first, second = ((gap + edge - origin) * PITCH for edge in (_ENTER, _LEAVE))
        if first < max(rising[0], from_count) or second > rising[-1]:
            break
        took = _when(rising, second) - _when(rising, first)
        if took <= 0:
            break
        speed = (_LEAVE - _ENTER) / took
        speeds.append(speed)
        energies.append(0.5 * speed * speed + potential(profile, trace, zero, (gap + 0.5 - origin) * PITCH))
        gap -= 1
    if not energies:
        return None
    over = potential(profile, trace, zero, trace.peak)
    return Landing(tuple(e - over for e in energies), tuple(speeds), peak - last - 0.5)


def losses(landing: Landing, friction: Friction, level: Level) -> list[float]:
    """What each gap lost to the next beyond friction and peg; the last pair first."""
    energies, speeds = landing.energies, landing.speeds
    return [
        energies[n + 1] - energies[n] - levelled(friction, level, (speeds[n] + speeds[n + 1]) / 2)
        for n in range(len(energies) - 1)
    ]


def bend(beyond: float, contact: float, release: float) -> float:
    """How far the indicator was bent this far beyond the middle of a gap; a peg that let go counts in full."""
    return min(max(0.0, beyond - 0.5 + contact), contact + release)


def expected(law: LandingLaw, beyond: float) -> float:
    """The energy that carries a wheel this far beyond the middle of its last gap."""
    bent = bend(beyond, law.contact, law.release)
    return law.loss * beyond + law.spring * float(bent**law.power)


def landing_residual(landing: Landing, law: LandingLaw, level: Level) -> float:
    """Energy beyond what was needed on this evening, in units that stray equally at every energy."""
    due = expected(law, landing.beyond) * (level.share - level.tilt)
    return (landing.energies[0] - due) / sqrt(0.3 + max(due, 0.0))


class Stretch(msgspec.Struct, frozen=True, gc=False):
    """A sixth of a second near the stop: what was gained beside the imbalance's pull, and through which parts."""

    gained: float  # compartments/s
    parts: list[tuple[int, int]]  # of the gap, at the beginning and the end of each sample
    moved: int  # counts
    at: int  # counts into the spin


def stretches(trace: Trace, profile: WheelProfile, zero: float, from_count: float) -> Iterator[Stretch]:
    """Every stretch of the slow wheel until shortly after it first turned back."""
    places = approach_places(trace)
    if not places or not first_peak_seen(trace, places):
        return
    top = places.index(max(places))
    last = min(top + BEYOND, len(places) - 1)
    begin = next((n for n, place in enumerate(places) if place >= from_count), last)
    origin = origin_of(trace, profile, zero)
    parts = [int((origin + place / PITCH) * SLOW_PARTS // 1) % SLOW_PARTS for place in places[begin : last + 1]]
    turned = top - begin
    pairs = [(a, b) if n < turned else (a + SLOW_PARTS, b + SLOW_PARTS) for n, (a, b) in enumerate(pairwise(parts))]
    pulls = _pulls(trace, profile, zero, places[begin : last + 1])
    scale = 1 / (WIDTH * SAMPLE_S * PITCH)
    size = len(WEIGHTS)
    for n in range(begin, last - size + 1):
        before = (places[n + WIDTH] - places[n]) * scale
        if before > SLOW:
            continue
        gained = (places[n + size] - places[n + size - WIDTH]) * scale - before
        here = slice(n - begin, n - begin + size)
        gained -= sum(weight * pull for weight, pull in zip(WEIGHTS, pulls[here], strict=True))
        yield Stretch(gained, pairs[here], abs(places[n + size] - places[n]), places[n + size // 2])


def _pulls(trace: Trace, profile: WheelProfile, zero: float, places: list[int]) -> list[float]:
    """The imbalance's pull forwards at each place, compartments/s²."""
    turn = 2 * pi / COMPARTMENTS
    along, across = turn * trace.sense * profile.cosine, -turn * trace.sense * profile.sine
    first, step = (trace.start - zero) / PITCH * turn, trace.sense / PITCH * turn
    return [along * sin(first + step * place) + across * cos(first + step * place) for place in places]


class Strange(msgspec.Struct, frozen=True, gc=False):
    """Speed that no place of the wheel explains: in units of what natural spins stray by, in compartments/s, where."""

    strays: float
    gained: float
    at: int


def strangest(trace: Trace, profile: WheelProfile, level: Level, zero: float, from_count: float) -> Strange:
    """The stretch near the stop that gained most beyond what its places do to this wheel."""
    slowing = profile.friction(trace.sense).slowing
    assert slowing is not None
    share = level.share - level.tilt
    most = Strange(0.0, 0.0, trace.peak)
    for stretch in stretches(trace, profile, zero, from_count):
        gained, sigma = unexplained(stretch, slowing, share)
        if gained > most.strays * sigma:
            most = Strange(gained / sigma, gained, stretch.at)
    return most


def unexplained(stretch: Stretch, slowing: Slowing, share: float) -> tuple[float, float]:
    """What a stretch gained beyond what its places do, and what that strays by; compartments/s."""
    table = _halves(slowing)
    due = uneven = 0.0
    for weight, (begin, end) in zip(WEIGHTS, stretch.parts, strict=True):
        if not (slowing.strays[begin] and slowing.strays[end]):
            return stretch.gained, UNKNOWN
        due += weight * (table[begin][0] + table[end][0])
        uneven += weight * (table[begin][1] + table[end][1])
    many = 1 + stretch.moved * SLOW_PARTS / PITCH
    sigma = slowing.strays[stretch.parts[len(WEIGHTS) // 2][0]]
    return stretch.gained - share * due, sigma * sqrt(1 + uneven * uneven / (many * _STEADY * _STEADY))


@lru_cache(maxsize=16)
def _halves(slowing: Slowing) -> tuple[tuple[float, float], ...]:
    """Of each part: half of what it does a second, and half of what it may do otherwise at one of its edges."""
    adds = slowing.adds
    return tuple((adds[n] / 2, _EDGE * abs(adds[_beside(n, 1)] - adds[_beside(n, -1)]) / 2) for n in range(len(adds)))


def _beside(part: int, step: int) -> int:
    """The part next to this one, forwards or back."""
    way = part // SLOW_PARTS * SLOW_PARTS
    return way + (part + step) % SLOW_PARTS


def _when(rising: list[int], count: float) -> float:
    """When the approach passed this count, between two samples."""
    n = bisect_left(rising, count)
    if n == 0:
        return 0.0
    before, after = rising[n - 1], rising[n]
    return (n - 1 + (count - before) / (after - before)) * SAMPLE_S
