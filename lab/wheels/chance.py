"""Intervals for counted things, and how much of a hand its energy alone would show."""

from __future__ import annotations

from math import erf, exp, lgamma, log, log1p, sqrt

from lab.wheels.body import Body, Run
from lab.wheels.sensor import Sensor

DOUBT = 0.05  # of a two-sided interval
_TINY = 1e-300


def interval(found: int, of: int) -> tuple[float, float]:
    """Clopper and Pearson's 95 % interval for a share."""
    if not of:
        return 0.0, 1.0
    low = 0.0 if found == 0 else _quantile(DOUBT / 2, found, of - found + 1)
    high = 1.0 if found == of else _quantile(1 - DOUBT / 2, found + 1, of - found)
    return low, high


def at_most(of: int, found: int = 0) -> float:
    """With so many found: what the share is below, with 95 % confidence, asked from this side alone."""
    if found >= of:
        return 1.0
    return 1 - DOUBT ** (1 / of) if not found else _quantile(1 - DOUBT, found + 1, of - found)


def _quantile(share: float, a: float, b: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _beta(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), _TINY)
    total = d
    for m in range(1, 300):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + numerator * d or _TINY)
            c = 1 + numerator / c or _TINY
            total *= c * d
        if abs(c * d - 1) < 1e-12:
            break
    return front * total


def by_energy(body: Body, sensor: Sensor, run: Run, false_alarms: float = 0.001) -> float:
    """How likely the energy that a hand gave or took would show it: a yardstick, and no limit of what can be noticed.

    It knows the wheel's law, this spin's friction, when and over which way the hand worked, and what single passages of
    a peg and the clock stray by.  It does not look at when and where the wheel turned, sprang back and came to rest,
    so that of a weak hand near the stop more can be noticed; nor does it doubt friction, sway or ring as whoever has
    learnt them from sixty spins must, so that of a long weak hand less can.
    """
    speed = max(run.worked_at, 1.0)
    clock = speed * speed * speed * sensor.jitter_s * sqrt(2) / 4
    pegs = body.blade.chance * body.blade.takes * sqrt(max(run.worked, 1.0))
    strength = abs(run.work) / sqrt(clock * clock + pegs * pegs + 0.01)
    return 0.5 * (1 + erf((strength - _normal(false_alarms)) / sqrt(2)))


def _normal(tail: float) -> float:
    """Beyond how many sigma, either way, this share of a normal law lies."""
    low, high = 0.0, 10.0
    for _ in range(50):
        middle = (low + high) / 2
        if 1 - erf(middle / sqrt(2)) > tail:
            low = middle
        else:
            high = middle
    return low
