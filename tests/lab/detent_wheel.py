"""A wheel of other equations than any in `lab.wheels`: pegs as smooth hills, a ball bearing, friction that wanders.

Nothing strikes and nothing snaps.  A sprung ball rides over rounded pegs: part of what it takes it gives back on the
far side.  The bearing follows Stribeck, air goes with the speed to the power of 1.7, and while the wheel turns its
friction wanders by itself.  Carried along by place while fast, by time while slow.
"""

from __future__ import annotations

from math import exp, floor, sin, sqrt
from random import Random

from lab.wheels.body import PLACES, TURN, Hand, Run, Throw
from lab.wheels.population import Kind, OneWheel, Spun
from lab.wheels.sensor import Sensor
from lab.wheels.telling import tell

STEPS = 8  # a compartment while fast
SLOW = 7.0
DT = 0.001
RELEASE = 0.16  # beyond a peg, where the ball is told to have passed it


def _unused(rng: Random) -> tuple[object, Sensor]:
    return None, Sensor(index_at=rng.uniform(0, PLACES))


class DetentWheel(OneWheel):
    """One such wheel, drawn from its seed."""

    def __init__(self, seed: str) -> None:
        self.kind = Kind("detent", _unused)  # type: ignore[arg-type]
        self.rng = rng = Random(f"detent {seed}")
        self.sensor = Sensor(index_at=rng.uniform(0, PLACES), jitter_s=22e-6, tick_late_s=rng.uniform(0, 8e-4))
        self.rolling, self.stribeck = rng.uniform(0.9, 1.5), rng.uniform(0.2, 0.7)
        self.drag = rng.uniform(1.0e-3, 2.5e-3)
        self.hill, self.width, self.kept = rng.uniform(14, 22), rng.uniform(0.07, 0.10), rng.uniform(0.35, 0.6)
        self.heavy, self.heavy_at = rng.uniform(0.2, 0.8), rng.uniform(0, PLACES)
        self.way = {1: 1.0, -1: rng.uniform(0.94, 1.06)}
        self.hills = [rng.lognormvariate(0.0, 0.04) for _ in range(PLACES)]
        self.at, self.spins, self.friction = rng.uniform(0, PLACES), 0, (1.0, 1.0)

    def by_energy(self, run: Run) -> float:
        """Nobody has reckoned what could be noticed on it."""
        return 0.0

    def spin(self, hand: Hand | None = None, *, slowest: float = 0.8, fastest: float = 1.9, sense: int = 0) -> Spun:
        rng = self.rng
        sense = sense or rng.choice((1, -1))
        throw = Throw(rng.uniform(slowest, fastest) * PLACES, 0.0, rng.uniform(12.0, 26.0), 2.0)
        run = _Detent(self, sense, throw, hand).run(sense * self.at)
        self.spins += 1
        told = tell(run, sense, self.spins, self.sensor, rng)
        self.at = sense * run.rest % PLACES
        return Spun(sense, run, told, hand, throw, 0)


class _Detent:
    def __init__(self, wheel: DetentWheel, sense: int, throw: Throw, hand: Hand | None) -> None:
        self.wheel, self.sense, self.throw, self.hand = wheel, sense, throw, hand
        self.share = wheel.way[sense] * wheel.rng.lognormvariate(0.0, 0.012)
        self.wander = 0.0
        self.until, self.kind, self.force, self.touched = 0.0, "", 0.0, False
        self.work = self.worked = self.worked_at = 0.0

    def losing(self, v: float) -> float:
        wheel = self.wheel
        bearing = wheel.rolling * (1 + wheel.stribeck * exp(-((v / 3.0) ** 2)))
        return wheel.friction[0] * self.share * (1 + self.wander) * (bearing + wheel.drag * v**1.7)

    def hills(self, x: float, v: float) -> float:
        """The ball's push forwards: against the wheel on the way up, part of it back on the way down."""
        peg = floor(x + 0.5)
        away = (x - peg) / self.wheel.width
        if abs(away) > 3.5:
            return 0.0
        height = self.wheel.hill * self.wheel.hills[self.sense * peg % PLACES] * self.wheel.friction[1] * self.share
        slope = away * exp(-away * away / 2)
        return height * slope * (self.wheel.kept if slope * v > 0 else 1.0)

    def falls(self, x: float) -> float:
        return -self.wheel.heavy * self.sense * sin((self.sense * x - self.wheel.heavy_at) * TURN)

    def touching(self, t: float, x: float, v: float, start: float) -> float:
        """What a hand adds forwards just now."""
        hand = self.hand
        if hand is not None and (x >= start + hand.at_turn * PLACES or v <= hand.at_speed >= 0):
            self.hand, self.touched, self.kind, self.worked_at = None, True, hand.kind, v
            self.force, self.until = {
                "brake": (hand.strength, t + 1.5), "rigged": (hand.strength, 1e9),
                "push": (v * hand.strength / 0.15, t + 0.15), "nudge": (hand.strength / 0.1, t + 0.1),
                "hold": (v * v * hand.strength / 3.0, 1e9),
            }[hand.kind]  # fmt: skip
        if not self.kind:
            return 0.0
        if t >= self.until:
            self.kind = ""
            return 0.0
        if self.kind in ("brake", "rigged"):
            natural = self.losing(abs(v)) + self.wheel.hill * self.wheel.width * (1 - self.wheel.kept)
            return -self.force * natural * ((v > 0) - (v < 0))
        return -self.force if self.kind == "hold" else self.force

    def run(self, start: float) -> Run:
        throw, rng = self.throw, self.wheel.rng
        lasts = 2 * throw.pull / throw.speed
        x, v, t, n = start + throw.pull, throw.speed, lasts, 1
        crossings = [0.0]
        while start + n <= x:
            crossings.append(lasts * sqrt(n / throw.pull))
            n += 1
        snaps = [
            (peg + RELEASE, throw.speed * sqrt((peg + RELEASE - start) / throw.pull))
            for peg in range(floor(start - RELEASE) + 1, floor(x - RELEASE) + 1)
        ]
        while v > SLOW:
            step = 1 / STEPS
            self.wander += -self.wander * 0.002 + rng.gauss(0.0, 0.0004)
            # The hill is narrower than a step, so fast wheels are told what a whole hill takes, where it stands.
            helped = self.touching(t, x, v, start)
            pegs = floor(x + step - RELEASE) - floor(x - RELEASE)
            taken = 0.0
            if pegs:
                peg = floor(x + step - RELEASE)
                taken = self.wheel.hill * self.wheel.hills[self.sense * peg % PLACES] * self.wheel.width
                taken *= (1 - self.wheel.kept) * self.wheel.friction[1] * self.share
                snaps.append((peg + RELEASE, v))
            self.work += helped * step
            self.worked += step * bool(helped)
            left = v * v + 2 * ((self.falls(x + step / 2) - self.losing(v) + helped) * step - taken)
            if left < 1.0:
                break
            arriving = sqrt(left)
            before, x = x, x + step
            while start + n <= x:
                crossings.append(t + 2 * (start + n - before) / (v + arriving))
                n += 1
            t += 2 * step / (v + arriving)
            v = arriving
        return self._slowly(t, x, v, start, n, crossings, snaps, lasts)

    def _slowly(
        self, t: float, x: float, v: float, start: float, n: int, crossings: list[float],
        snaps: list[tuple[float, float]], release: float,
    ) -> Run:  # fmt: skip
        peak, late, back, still = x, [], 0, 0
        while still < 300 and t < 200:
            helped = self.touching(t, x, v, start)
            pushes = self.hills(x, v) + self.falls(x) + (helped if self.kind != "hold" or v > 0 else 0.0)
            resist = self.losing(abs(v))
            before = x
            if v == 0.0:
                v = 0.0 if abs(pushes) <= 1.05 * resist else (pushes - resist * (1 if pushes > 0 else -1)) * DT
            else:
                faster = v + (pushes - resist * (1 if v > 0 else -1)) * DT
                v = 0.0 if faster * v < 0 else faster
            still = still + 1 if v == 0.0 else 0
            x += v * DT
            t += DT
            self.work += helped * v * DT
            self.worked += abs(v) * DT * bool(helped)
            late.append((t, x))
            peak = max(peak, x)
            passed = floor(x - RELEASE) - floor(before - RELEASE)
            if passed > 0:
                snaps.append((x, v))
            elif floor(x + RELEASE) < floor(before + RELEASE):
                back += 1
            while start + n <= x:
                crossings.append(t)
                n += 1
        return Run(start, start, peak, x, t - 0.3, self.touched, crossings, snaps, back, late, 0.0, release, self.work,
                   self.worked, self.worked_at)  # fmt: skip
