"""Kinds of wheels, each drawn anew from a seed; some are kept apart to judge the analysis by.

"worn everything" and "steel spring" were looked at while its noise floor was chosen; "felt tongue", "bicycle rim",
"stiff grease" and "home made" were counted when the band of doubt at a divider was chosen. They count as known since;
kinds that it has truly never met are in `strangers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import pi, sin
from random import Random

import msgspec

from lab.wheels.body import PLACES, Blade, Body, Hand, HandKind, Ring, Run, Stand, Throw, pegs_of
from lab.wheels.chance import by_energy
from lab.wheels.sensor import Sensor, Told
from lab.wheels.telling import tell
from lab.wheels.turning import spin

DEGREE = PLACES / 360


class Kind(msgspec.Struct, frozen=True):
    """A physical law and geometry; `draw` makes one wheel of it."""

    name: str
    draw: Callable[[Random], tuple[Body, Sensor]]
    kept_apart: bool = False


def _sensor(rng: Random, **given: object) -> Sensor:
    return msgspec.structs.replace(Sensor(index_at=rng.uniform(0, PLACES)), **given)


def _body(rng: Random, blade: Blade, **given: float) -> Body:
    common: dict[str, object] = {
        "heavy": rng.uniform(0.15, 0.9),
        "heavy_at": rng.uniform(0, PLACES),
        "other_way": rng.uniform(0.95, 1.06),
        "spread": rng.uniform(0.008, 0.02),
    }
    return Body(blade=blade, **{**common, **given})  # type: ignore[arg-type]


def _plain(rng: Random) -> Body:
    blade = Blade(takes=rng.uniform(2.5, 4.0), tires=rng.uniform(50, 120), chance=rng.uniform(0.01, 0.04))
    return _body(rng, blade, bearing=rng.uniform(1.4, 2.2), viscous=rng.uniform(0.01, 0.03), air=rng.uniform(0, 3e-4))


def _soft_leather(rng: Random) -> tuple[Body, Sensor]:
    blade = Blade(takes=rng.uniform(3.0, 4.5), before=rng.uniform(0.25, 0.34), after=rng.uniform(0.15, 0.22), curve=1.6,
                  gives_back=0.12, tires=rng.uniform(35, 60), sticks=0.6, chance=0.04)  # fmt: skip
    return _body(rng, blade, bearing=1.5, viscous=0.02), _sensor(rng)


def _thin_plastic(rng: Random) -> tuple[Body, Sensor]:
    blade = Blade(takes=rng.uniform(2.2, 3.4), before=0.06, after=rng.uniform(0.04, 0.07), gives_back=0.75,
                  tires=150, chance=0.015)  # fmt: skip
    return _body(rng, blade, bearing=rng.uniform(1.2, 1.8), viscous=0.015), _sensor(rng, mark_each_way=True)


def _weak_pegs(rng: Random) -> tuple[Body, Sensor]:
    blade = Blade(takes=rng.uniform(0.6, 1.2), before=0.12, after=0.08, uneven=0.10, chance=0.08)
    return _body(rng, blade, bearing=rng.uniform(3.0, 4.2), viscous=0.02), _sensor(rng)


def _heavy_air(rng: Random) -> tuple[Body, Sensor]:
    blade = Blade(takes=rng.uniform(2.5, 3.5), mass=1e-4)
    return _body(rng, blade, bearing=1.5, viscous=0.005, air=rng.uniform(8e-4, 1.6e-3)), _sensor(rng)


def _eccentric_ring(rng: Random) -> tuple[Body, Sensor]:
    ring = Ring(rng.uniform(0.3, 0.6) * DEGREE, rng.uniform(0, PLACES))
    return _plain(rng), _sensor(rng, ring=ring)


def _slow_sensor(rng: Random) -> tuple[Body, Sensor]:
    return _plain(rng), _sensor(rng, tick_late_s=rng.uniform(0.7e-3, 1.5e-3), jitter_s=60e-6, tick_jitter=2.5)


def _shaken_stand(rng: Random) -> tuple[Body, Sensor]:
    stand = Stand(rng.uniform(0.01, 0.03), rng.uniform(2.0, 6.0), rng.uniform(1.0, 3.0))
    return msgspec.structs.replace(_plain(rng), stand=stand), _sensor(rng)


def _drifting(rng: Random) -> tuple[Body, Sensor]:
    return msgspec.structs.replace(_plain(rng), spread=0.025), _sensor(rng)


def _dry_bearing(rng: Random) -> tuple[Body, Sensor]:
    blade = Blade(takes=rng.uniform(2.0, 3.0), chance=0.03)
    return _body(rng, blade, bearing=1.8, dry=rng.uniform(0.4, 0.9), dry_speed=rng.uniform(4, 12)), _sensor(rng)


def _steel_spring(rng: Random) -> tuple[Body, Sensor]:
    blade = Blade(takes=rng.uniform(3.5, 5.5), before=0.10, after=0.10, curve=0.7, gives_back=0.6, tires=80,
                  mass=rng.uniform(1e-4, 4e-4), uneven=0.05)  # fmt: skip
    return _body(rng, blade, bearing=1.0, viscous=0.012, heavy=rng.uniform(0.8, 1.3)), _sensor(rng)


def _worn_everything(rng: Random) -> tuple[Body, Sensor]:
    blade = Blade(takes=rng.uniform(2.0, 3.5), before=0.22, after=0.14, curve=1.3, uneven=0.15, chance=0.10, sticks=0.4)
    ring = Ring(rng.uniform(0.1, 0.35) * DEGREE, rng.uniform(0, PLACES))
    body = _body(rng, blade, bearing=rng.uniform(1.5, 2.5), viscous=0.03, dry=0.3, spread=0.03)
    return body, _sensor(rng, ring=ring, tick_late_s=0.5e-3, jitter_s=30e-6)


def _brush_and_magnet(rng: Random) -> tuple[Body, Sensor]:
    blade = Blade(takes=rng.uniform(1.5, 2.5), before=0.15, after=0.10, tires=200)
    return _body(rng, blade, bearing=0.9, viscous=rng.uniform(0.06, 0.11), heavy=0.4), _sensor(rng, jitter_s=25e-6)


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


def _stiff_plastic(rng: Random) -> tuple[Body, Sensor]:
    """A blade of stiff plastic that rings: at the speed at which pegs come in its own time, and at half of it."""
    own = rng.uniform(24, 64)
    rings = ((own, rng.uniform(0.04, 0.09) * own, rng.uniform(0.4, 1.0)),
             (own / 2, rng.uniform(0.03, 0.07) * own, rng.uniform(0.2, 0.6)))  # fmt: skip
    blade = Blade(takes=rng.uniform(2.2, 3.4), before=0.08, after=rng.uniform(0.05, 0.09), gives_back=0.6, tires=150,
                  uneven=rng.uniform(0.04, 0.1), chance=0.02, rings=rings)  # fmt: skip
    return _body(rng, blade, bearing=rng.uniform(1.3, 1.9), viscous=0.015), _sensor(rng)


def _bumpy(rng: Random) -> tuple[Body, Sensor]:
    """Pegs bent and filed by hand under a hard blade: what they lose goes up and down with place and with speed."""
    rings = tuple(
        (rng.uniform(low, low + 22), rng.uniform(1.5, 4.0), rng.choice((-1, 1)) * rng.uniform(0.15, 0.45))
        for low in (10, 32, 54, 76)
    )
    blade = Blade(takes=rng.uniform(2.6, 3.8), before=0.14, after=0.10, curve=0.9, gives_back=0.4, tires=120,
                  uneven=rng.uniform(0.1, 0.18), chance=0.03, rings=rings, evens=rng.uniform(0.5, 1.8))  # fmt: skip
    return _body(rng, blade, bearing=rng.uniform(1.4, 2.0), viscous=0.012, air=2e-4), _sensor(rng)


KINDS = (
    Kind("soft leather", _soft_leather),
    Kind("thin plastic", _thin_plastic),
    Kind("weak pegs", _weak_pegs),
    Kind("heavy air", _heavy_air),
    Kind("eccentric ring", _eccentric_ring),
    Kind("slow sensor", _slow_sensor),
    Kind("shaken stand", _shaken_stand),
    Kind("drifting evening", _drifting),
    Kind("dry bearing", _dry_bearing, kept_apart=True),
    Kind("steel spring", _steel_spring),
    Kind("worn everything", _worn_everything),
    Kind("brush and magnet", _brush_and_magnet, kept_apart=True),
    Kind("felt tongue", _felt_tongue),
    Kind("bicycle rim", _bicycle_rim),
    Kind("stiff grease", _stiff_grease),
    Kind("home made", _home_made),
    Kind("stiff plastic", _stiff_plastic),
    Kind("bumpy", _bumpy),
)

HANDS: tuple[tuple[HandKind, tuple[float, ...]], ...] = (
    ("brake", (0.1, 0.2, 0.3, 0.5, 1.0)),
    ("rigged", (0.05, 0.1, 0.2, 0.3)),
    ("push", (0.005, 0.01, 0.02, 0.05)),
    ("hold", (0.3, 1.0)),
    ("nudge", (0.5, 1.0, 2.0)),
    ("crawl", (1.0, 3.0)),
)


class Spun(msgspec.Struct):
    """One spin: what truly happened and what the sensor told."""

    sense: int
    run: Run
    told: Told
    hand: Hand | None
    throw: Throw
    dealer: int

    @property
    def place(self) -> float:
        """Truly under the blade, in compartments from divider 0."""
        return self.sense * self.run.rest % PLACES

    @property
    def short(self) -> bool:
        return self.run.forward < 3 * PLACES


class OneWheel:
    """A wheel on its stand through calibration and an evening."""

    def __init__(self, kind: Kind, seed: str) -> None:
        self.kind = kind
        self.rng = Random(f"{kind.name} {seed}")
        self.body, self.sensor = kind.draw(self.rng)
        self.pegs = pegs_of(self.body, self.rng)
        self.at = self.rng.uniform(0, PLACES)
        self.spins = 0
        self.friction = (1.0, 1.0)

    def spin(self, hand: Hand | None = None, *, slowest: float = 0.8, fastest: float = 1.9, sense: int = 0) -> Spun:
        """A dealer spins it, and perhaps somebody lays a hand on it."""
        rng = self.rng
        sense = sense or rng.choice((1, -1))
        drawn = rng.choice((0.0, 0.0, rng.uniform(0.3, 8.0)))
        throw = Throw(rng.uniform(slowest, fastest) * PLACES, drawn, rng.uniform(12.0, 28.0), rng.uniform(1.7, 2.4))
        ring = self.sensor.ring
        run = spin(self.body, self.pegs, ring, rng, sense * self.at, sense, throw, self.friction, hand)
        self.spins += 1
        told = tell(run, sense, self.spins, self.sensor, rng)
        self.at = sense * run.rest % PLACES
        return Spun(sense, run, told, hand, throw, 0)

    def beside(self, hand: Hand) -> tuple[Spun, float]:
        """A spin with this hand, and by how many compartments it rests from where it would have, chance being equal."""
        before, at = self.rng.getstate(), self.at
        spun = self.spin(hand)
        after, stands = self.rng.getstate(), self.at
        self.rng.setstate(before)
        self.at, self.spins = at, self.spins - 1
        alone = self.spin()
        self.rng.setstate(after)
        self.at = stands
        return spun, abs(spun.run.rest - alone.run.rest)

    def by_energy(self, run: Run) -> float:
        """How likely the energy alone that a hand gave or took would show what was done to this wheel."""
        return by_energy(self.body, self.sensor, run)

    def calibration(self, each_way: int = 30) -> Iterator[Spun]:
        """Clean spins both ways, as a technician makes them."""
        for n in range(2 * each_way):
            yield self.spin(sense=1 if n % 2 else -1, slowest=0.75, fastest=1.9)

    def hand(self, kind: HandKind, strength: float) -> Hand:
        """The same touches that the scenarios know, from a random moment on."""
        if kind == "nudge":
            return Hand(kind, strength, at_speed=self.rng.uniform(0.3, 3.0))
        if kind == "crawl":
            return Hand(kind, strength, at_speed=2.0)
        return Hand(kind, strength, at_turn=self.rng.uniform(1.0, 4.0))


def drift(rng: Random, of: float, spins: int) -> Callable[[int], tuple[float, float]]:
    """Friction of bearing and blade over an evening: up or down, both or mostly one, evenly or there and back."""
    of = rng.choice((-of, of))
    bearing, blade = rng.choice(((1.0, 1.0), (1.0, 1.0), (1.0, 0.3), (0.3, 1.0)))
    back = rng.random() < 0.3

    def at(n: int) -> tuple[float, float]:
        share = min(n / max(spins, 1), 1.0)
        gone = of * (sin(pi * share) if back else share)
        return 1.0 + bearing * gone, 1.0 + blade * gone

    return at
