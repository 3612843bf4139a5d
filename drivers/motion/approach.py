"""The last few compartments before a stop, gap by gap between the pegs.

Between two pegs the indicator is free, so the speed there is the wheel's own; from gap to gap it loses what friction
and one peg take, and from the last gap it lands exactly where its energy runs out, part of it in the bent indicator.
"""

from __future__ import annotations

from bisect import bisect_left
from math import sqrt

import msgspec

from drivers.motion.energy import ahead, approach_places, first_peak_seen, levelled, potential
from drivers.motion.natural import Level
from drivers.motion.profile import Friction, LandingLaw, WheelProfile
from drivers.motion.trace import PITCH, SAMPLE_S, Trace

GAPS = 4
_ENTER, _LEAVE = 0.25, 0.75  # the part of a gap in which no indicator touches a peg


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


def _when(rising: list[int], count: float) -> float:
    """When the approach passed this count, between two samples."""
    n = bisect_left(rising, count)
    if n == 0:
        return 0.0
    before, after = rising[n - 1], rising[n]
    return (n - 1 + (count - before) / (after - before)) * SAMPLE_S
