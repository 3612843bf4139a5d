"""Everything about a spin that could tell of a hand, each as one number that is large when the spin is unusual."""

from __future__ import annotations

from math import cos, pi, sin

import msgspec

from drivers.motion.approach import landing_of, landing_residual, losses, origin_of
from drivers.motion.course import Fitted, fit
from drivers.motion.energy import AFTER_RELEASE, Course, Ending, course_of, ending_of, stop_energies
from drivers.motion.natural import Level
from drivers.motion.profile import Friction, Stop, WheelProfile
from drivers.motion.slow import Strange, slow_of, strangest
from drivers.motion.trace import PITCH, Trace

UNSEEN = -1.0
"""A sign of which this spin says nothing."""
FREE_AFTER = 5  # compartments after the launch before its end may be looked at


class Signs(msgspec.Struct, frozen=True):
    """The signs of one spin, and what they were read from."""

    values: tuple[float, ...]  # in the order of natural.SIGNS
    course: Course
    fitted: Fitted | None
    level: Level
    stop: tuple[float, int, float]  # how far it strays, signed; the distance; the speed 2 or 3 compartments before it
    landing: float
    ending: Ending
    zero: float  # where the index mark sits, as this spin saw it
    slow: Strange | None = None


def signs_of(trace: Trace, profile: WheelProfile, now: Level, speeds: list[float], release: int, zero: float) -> Signs:
    """Look at one spin; `now` is the wheel's friction of late."""
    friction = profile.friction(trace.sense)
    first = release + 1 + AFTER_RELEASE
    course = course_of(trace, profile, zero, first)
    fitted = fit(course, friction, now)
    level = fitted.level if fitted is not None else now
    along, strange = UNSEEN, UNSEEN
    if fitted is not None:
        along = max((abs(part.strays) for part in (fitted.braked, fitted.pushed) if part is not None), default=0.0)
        strange = fitted.strange
    stop = _stop(trace, profile, level, speeds, zero, first)
    landing = _landing(trace, profile, friction, level, zero, (first + FREE_AFTER) * PITCH)
    ending = ending_of(trace, (first + FREE_AFTER) * PITCH)
    slow = _slow(trace, profile, friction, level, zero, (first + FREE_AFTER) * PITCH)
    values = (
        along,
        strange,
        abs(stop[0]) if stop[1] else UNSEEN,
        UNSEEN if landing is None else abs(landing),
        ending.gain,
        max(ending.swing, ending.reverse),
        UNSEEN if slow is None else slow.strays,
    )
    return Signs(values, course, fitted, level, stop, landing or 0.0, ending, zero, slow)


def _slow(
    trace: Trace, profile: WheelProfile, friction: Friction, level: Level, zero: float, from_count: float
) -> Strange | None:
    seen = slow_of(trace, profile, level, zero, from_count) if friction.slow is not None else None
    return strangest(seen, friction.slow) if seen is not None and friction.slow is not None else None


def phase_of(trace: Trace, profile: WheelProfile, zero: float) -> tuple[float, float]:
    """Where between two pegs the wheel turned back, as a point on a circle."""
    angle = 2 * pi * (origin_of(trace, profile, zero) + trace.peak / PITCH)
    return cos(angle), sin(angle)


def _stop(
    trace: Trace, profile: WheelProfile, level: Level, speeds: list[float], zero: float, first: int
) -> tuple[float, int, float]:
    """Did it stop where its speed would have carried it?"""
    laws = {stop.distance: stop for stop in profile.friction(trace.sense).stops}
    phase = phase_of(trace, profile, zero)
    found = list(stop_energies(trace, speeds, profile, level, zero, first))
    late = max((speed for distance, speed, _ in found if distance <= 3), default=0.0)
    strays = [
        (_strays(laws[distance], energy, phase), distance, late) for distance, _, energy in found if distance in laws
    ]
    return max(strays, key=lambda stop: abs(stop[0]), default=(0.0, 0, 0.0))


def _strays(law: Stop, energy: float, phase: tuple[float, float]) -> float:
    return (energy - law.mean - law.cosine * phase[0] - law.sine * phase[1]) / law.sigma


def _landing(
    trace: Trace, profile: WheelProfile, friction: Friction, level: Level, zero: float, from_count: int
) -> float | None:
    """Gap by gap: did a hand help or hinder over the last few pegs?"""
    law = friction.landing
    landing = landing_of(trace, profile, zero, from_count)
    if law is None or landing is None:
        return None
    residual = landing_residual(landing, law, level) / law.sigma
    lost = (spread.sigmas(loss) for loss, spread in zip(losses(landing, friction, level), friction.gaps, strict=False))
    return max((residual, *lost), key=abs)
