"""Kinds of wheels that nothing in the analysis was chosen by: `bench wheel --tuning` does not read this file.

Whoever looks at a spin of one of these while changing `drivers/motion` moves that kind to `population.py` and draws
another in its place.
"""

from __future__ import annotations

from random import Random

from lab.wheels.body import PLACES, Blade, Body, Ring, Stand
from lab.wheels.population import DEGREE, Kind
from lab.wheels.sensor import Sensor


def _brass_and_horn(rng: Random) -> tuple[Body, Sensor]:
    """Old: brass pins, a horn blade with a memory, a plain bearing that wants oil, hung a little out of balance."""
    blade = Blade(takes=rng.uniform(3.0, 4.6), before=rng.uniform(0.12, 0.2), after=rng.uniform(0.08, 0.16), curve=1.4,
                  gives_back=rng.uniform(0.2, 0.5), tires=rng.uniform(45, 90), sticks=rng.uniform(0.1, 0.5),
                  uneven=rng.uniform(0.03, 0.09), chance=0.03)  # fmt: skip
    body = Body(bearing=rng.uniform(1.8, 2.6), dry=rng.uniform(0.2, 0.6), dry_speed=rng.uniform(3, 8), viscous=0.015,
                blade=blade, heavy=rng.uniform(0.3, 0.9), heavy_at=rng.uniform(0, PLACES),
                other_way=rng.uniform(0.93, 1.07), spread=0.018)  # fmt: skip
    return body, Sensor(index_at=rng.uniform(0, PLACES))


def _ball_bearing_giant(rng: Random) -> tuple[Body, Sensor]:
    """Large and heavy: next to no bearing friction, much air, pegs that hardly matter until the end."""
    blade = Blade(takes=rng.uniform(0.9, 1.5), before=0.10, after=0.07, gives_back=0.4, tires=rng.uniform(70, 140),
                  uneven=0.05, chance=0.04)  # fmt: skip
    body = Body(bearing=rng.uniform(0.5, 0.9), viscous=rng.uniform(0.01, 0.03), air=rng.uniform(1.0e-3, 1.8e-3),
                blade=blade, heavy=rng.uniform(0.1, 0.4), heavy_at=rng.uniform(0, PLACES), spread=0.01)  # fmt: skip
    return body, Sensor(index_at=rng.uniform(0, PLACES), jitter_s=10e-6)


def _travelling_show(rng: Random) -> tuple[Body, Sensor]:
    """Put up anew every week: a stand that sways, a ring not quite centred, a rubber blade."""
    blade = Blade(takes=rng.uniform(3.2, 5.0), before=0.2, after=rng.uniform(0.1, 0.18), curve=1.8, gives_back=0.25,
                  tires=rng.uniform(40, 70), sticks=0.3, uneven=0.06, chance=0.05)  # fmt: skip
    ring = Ring(rng.uniform(0.1, 0.4) * DEGREE, rng.uniform(0, PLACES))
    body = Body(bearing=rng.uniform(1.2, 2.0), viscous=0.02, air=3e-4, blade=blade, heavy=rng.uniform(0.4, 1.0),
                heavy_at=rng.uniform(0, PLACES), other_way=rng.uniform(0.96, 1.05), spread=0.02,
                stand=Stand(rng.uniform(0.01, 0.025), rng.uniform(1.5, 4.0), rng.uniform(1.5, 3.0)))  # fmt: skip
    return body, Sensor(index_at=rng.uniform(0, PLACES), ring=ring, tick_jitter=2.0)


def _worn_ring_noisy_cable(rng: Random) -> tuple[Body, Sensor]:
    """A good wheel behind a poor sensor: noisy stamps, a loose index, ticks told late."""
    blade = Blade(
        takes=rng.uniform(2.4, 3.6), before=0.14, after=0.11, curve=1.1, gives_back=0.4, tires=85, chance=0.02
    )
    body = Body(bearing=rng.uniform(1.4, 2.1), viscous=0.018, blade=blade, heavy=rng.uniform(0.2, 0.7),
                heavy_at=rng.uniform(0, PLACES), other_way=rng.uniform(0.97, 1.04), spread=0.012)  # fmt: skip
    sensor = Sensor(index_at=rng.uniform(0, PLACES), jitter_s=45e-6, index_jitter=1.2, tick_jitter=2.4,
                    tick_late_s=rng.uniform(0.3e-3, 1.8e-3))  # fmt: skip
    return body, sensor


def _celluloid(rng: Random) -> tuple[Body, Sensor]:
    """A celluloid tongue on tin pegs, that hums at one speed, chatters at another and hangs a little out of balance."""
    hums = rng.uniform(40, 80)
    rings = ((hums, rng.uniform(3, 7), rng.uniform(0.3, 0.7)),
             (hums / 3, rng.uniform(1.0, 2.5), rng.uniform(-0.35, 0.5)))  # fmt: skip
    blade = Blade(takes=rng.uniform(2.0, 3.2), before=rng.uniform(0.07, 0.15), after=rng.uniform(0.06, 0.12), curve=1.2,
                  gives_back=rng.uniform(0.4, 0.7), tires=rng.uniform(90, 160), uneven=rng.uniform(0.05, 0.12),
                  chance=0.025, rings=rings, evens=rng.uniform(0.0, 1.2))  # fmt: skip
    body = Body(bearing=rng.uniform(1.2, 2.2), viscous=rng.uniform(0.01, 0.02), air=3e-4, blade=blade,
                heavy=rng.uniform(0.2, 0.8), heavy_at=rng.uniform(0, PLACES), other_way=rng.uniform(0.95, 1.06),
                spread=0.014)  # fmt: skip
    return body, Sensor(index_at=rng.uniform(0, PLACES), mark_each_way=True)


STRANGERS = (
    Kind("brass and horn", _brass_and_horn, kept_apart=True),
    Kind("ball bearing giant", _ball_bearing_giant, kept_apart=True),
    Kind("travelling show", _travelling_show, kept_apart=True),
    Kind("noisy cable", _worn_ring_noisy_cable, kept_apart=True),
    Kind("celluloid", _celluloid, kept_apart=True),
)
