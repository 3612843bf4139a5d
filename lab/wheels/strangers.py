"""Kinds of wheels that no detector was tuned on: `bench wheel --tuning` does not read this file.

One number knows them: `MEASURED_MARGIN` went from 0.02 back to 0.015 after a run that counted them too, so how often
a spin is asked about is not judged by strangers here; what is noticed and what is a false alarm is.
Whoever looks at a spin of one of these while changing `drivers/motion` moves that kind to `population.py` and draws
another in its place.
"""

from __future__ import annotations

from random import Random

from lab.wheels.body import PLACES, Blade, Body, Ring, Stand
from lab.wheels.population import DEGREE, Kind
from lab.wheels.sensor import Sensor


def _felt_tongue(rng: Random) -> tuple[Body, Sensor]:
    """A thick soft tongue that hardly springs back, on a well greased bearing."""
    blade = Blade(takes=rng.uniform(4.5, 6.0), before=0.28, after=rng.uniform(0.06, 0.10), curve=2.2, gives_back=0.05,
                  tires=rng.uniform(28, 40), sticks=0.9, uneven=0.03, chance=0.03)  # fmt: skip
    body = Body(bearing=0.7, viscous=0.045, blade=blade, heavy=rng.uniform(0.05, 0.2), heavy_at=rng.uniform(0, PLACES),
                other_way=rng.uniform(0.90, 0.95), spread=0.012)  # fmt: skip
    return body, Sensor(index_at=rng.uniform(0, PLACES))


def _bicycle_rim(rng: Random) -> tuple[Body, Sensor]:
    """Light and open: spokes in the air, a stiff short clapper, badly balanced."""
    blade = Blade(takes=rng.uniform(1.2, 1.9), before=0.08, after=0.03, curve=0.5, gives_back=0.5, tires=110,
                  mass=rng.uniform(3e-4, 6e-4), uneven=0.08, chance=0.05)  # fmt: skip
    body = Body(bearing=1.9, viscous=0.0, air=rng.uniform(1.5e-3, 2.2e-3), blade=blade, heavy=rng.uniform(1.0, 1.5),
                heavy_at=rng.uniform(0, PLACES), other_way=1.0, spread=0.01)  # fmt: skip
    return body, Sensor(index_at=rng.uniform(0, PLACES), jitter_s=20e-6)


def _stiff_grease(rng: Random) -> tuple[Body, Sensor]:
    """A cold bearing that drags with the speed and bites near rest, on a light stand, behind a late sensor."""
    blade = Blade(takes=rng.uniform(2.2, 3.2), before=0.16, after=0.14, curve=1.2, gives_back=0.35, tires=70,
                  chance=0.025)  # fmt: skip
    body = Body(bearing=1.1, dry=rng.uniform(0.5, 1.1), dry_speed=rng.uniform(2, 5), viscous=rng.uniform(0.05, 0.08),
                blade=blade, heavy=rng.uniform(0.2, 0.6), heavy_at=rng.uniform(0, PLACES), spread=0.022,
                stand=Stand(0.015, rng.uniform(6, 9), 0.8))  # fmt: skip
    return body, Sensor(index_at=rng.uniform(0, PLACES), tick_late_s=2e-3, jitter_s=35e-6)


def _home_made(rng: Random) -> tuple[Body, Sensor]:
    """Pegs by hand, a ring glued on askew, two ways that differ by a tenth."""
    blade = Blade(takes=rng.uniform(2.6, 3.8), before=0.13, after=0.11, curve=0.9, gives_back=0.45, tires=95,
                  uneven=0.12, chance=0.04)  # fmt: skip
    ring = Ring(rng.uniform(0.4, 0.7) * DEGREE, rng.uniform(0, PLACES))
    body = Body(bearing=rng.uniform(1.5, 2.4), viscous=0.012, air=4e-4, blade=blade, heavy=rng.uniform(0.6, 1.1),
                heavy_at=rng.uniform(0, PLACES), other_way=1.10, spread=0.018)  # fmt: skip
    return body, Sensor(index_at=rng.uniform(0, PLACES), ring=ring, index_jitter=1.0, tick_jitter=2.2)


STRANGERS = (
    Kind("felt tongue", _felt_tongue, kept_apart=True),
    Kind("bicycle rim", _bicycle_rim, kept_apart=True),
    Kind("stiff grease", _stiff_grease, kept_apart=True),
    Kind("home made", _home_made, kept_apart=True),
)
