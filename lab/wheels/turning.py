"""A hand-spun wheel integrated step by step: bearing, air, a blade that bends over pegs, imbalance, and hands.

Fast, the wheel is carried from pitch to pitch; slow, through the blade's own force every millisecond.  This takes most
of the judge's time: `compiled.py` makes machine code of it, which plays the same spins.
"""

from __future__ import annotations

from math import exp, floor, pi, sin, sqrt
from random import Random

from lab.wheels.body import PLACES, TURN, Body, Hand, Ring, Run, Throw

SLOW = 9.0  # compartments/s, below which the blade's path matters
STEP_S = 0.001
LONGEST_S = 120.0
EVENING = 30.0  # compartments/s, at which half of what evens has evened out


def spin(
    body: Body, pegs: list[float], ring: Ring, rng: Random, start: float, sense: int, throw: Throw,
    friction: tuple[float, float] = (1.0, 1.0), hand: Hand | None = None,
) -> Run:  # fmt: skip
    """One spin from rest to rest; `start` is in launch coordinates, `friction` of bearing and air, and of the blade."""
    return _Spin(body, pegs, ring, rng, start, sense, throw, friction, hand).run()


class _Spin:
    def __init__(
        self, body: Body, pegs: list[float], ring: Ring, rng: Random, start: float, sense: int, throw: Throw,
        friction: tuple[float, float], hand: Hand | None,
    ) -> None:  # fmt: skip
        self.body, self.pegs, self.ring, self.rng = body, pegs, ring, rng
        blade = body.blade
        self.blade = blade
        self.bearing, self.dry, self.dry_speed = float(body.bearing), float(body.dry), float(body.dry_speed)
        self.viscous, self.air = float(body.viscous), float(body.air)
        self.takes, self.tires, self.mass = float(blade.takes), float(blade.tires), float(blade.mass)
        self.chance = float(blade.chance)
        self.rings, self.evens = blade.rings, float(blade.evens)
        self.start, self.sense, self.throw, self.hand = start, sense, throw, hand
        way = rng.gauss(1.0, body.spread) * (body.other_way if sense < 0 else 1.0)
        self.scale, self.bite = friction[0] * way, friction[1] * way
        self.work = self.worked = self.worked_at = 0.0
        self.touched = False
        self.extra_until = float("inf")
        self.extra = 0.0  # compartments/s², forwards
        self.drags = 0.0  # share of the natural deceleration
        self.holds = 0.0
        self.acting = False
        self.crossings: list[float] = []
        self.snaps: list[tuple[float, float]] = []
        self.back_snaps = 0
        self.late: list[tuple[float, float]] = []
        self.sway_phase = rng.uniform(0, 2 * pi)

    # -- laws ---------------------------------------------------------------------------------------------------

    def slowing(self, v: float) -> float:
        """What bearing and air take at this speed, without blade and imbalance."""
        bearing = self.bearing
        if self.dry:
            bearing *= 1 + self.dry * exp(-v / self.dry_speed)
        return self.scale * (bearing + self.viscous * v + self.air * v * v)

    def resonates(self, v: float) -> float:
        """What the blade takes where pegs come in its own time or a part of it, against what it takes elsewhere."""
        share = 1.0
        for speed, width, more in self.rings:
            away = (v - speed) / width
            share += more / (1 + away * away)
        return share

    def peg_takes(self, peg: int, v: float) -> float:
        share = v / self.tires
        mean = self.takes / (1 + share * share) + self.mass * v * v
        if self.rings:
            mean *= self.resonates(v)
        uneven = self.pegs[self.sense * peg % PLACES]
        if self.evens:
            uneven = 1.0 + (uneven - 1.0) * (1.0 - self.evens * v * v / (v * v + EVENING * EVENING))
        return mean * uneven * self.bite

    def natural(self, v: float) -> float:
        share = v / self.tires
        blade = self.takes / (1 + share * share) + self.mass * v * v
        if self.rings:
            blade *= self.resonates(v)
        return self.slowing(v) + self.bite * blade

    def falls(self, x: float) -> float:
        """The imbalance's pull, forwards."""
        return -self.body.heavy * self.sense * sin((self.sense * x - self.body.heavy_at) * TURN)

    def reads(self, x: float) -> float:
        return self.sense * self.ring.reads(self.sense * x)

    def sways(self, t: float) -> float:
        stand = self.body.stand
        if not stand.sway:
            return 0.0
        since = max(t - self.release, 0.0)
        return stand.sway * exp(-since / stand.fades) * sin(2 * pi * stand.rate * t + self.sway_phase)

    # -- the hand -----------------------------------------------------------------------------------------------

    def touch(self, t: float, x: float, v: float) -> None:
        hand = self.hand
        assert hand is not None
        self.hand, self.touched, self.acting = hand.then, True, True
        self.extra = self.drags = self.holds = 0.0
        self.worked_at = v
        self.extra_until = float("inf")
        if hand.kind in ("brake", "rigged"):
            self.drags = hand.strength
            if hand.kind == "brake":
                self.extra_until = t + hand.lasting
        elif hand.kind == "push":
            self.extra, self.extra_until = v * hand.strength / 0.15, t + 0.15
        elif hand.kind == "nudge":
            self.extra, self.extra_until = hand.strength / 0.1, t + 0.1
        elif hand.kind == "hold":
            self.holds = v * v / (3.0 / hand.strength)

    def due(self, x: float, v: float) -> bool:
        hand = self.hand
        # A wheel that swings back is slower than any hand waits for, and no hand that waits for a turn acts there.
        return hand is not None and (x >= self.start + hand.at_turn * PLACES or v <= hand.at_speed >= 0)

    def let_go(self) -> None:
        self.extra = self.drags = self.holds = 0.0
        self.acting = False
        self.extra_until = float("inf")

    def pushed(self, v: float) -> float:
        """What the hand adds forwards at this speed."""
        return self.extra - (self.drags * self.natural(v) if self.drags else 0.0) - self.holds

    # -- the motion ---------------------------------------------------------------------------------------------

    def run(self) -> Run:
        throw = self.throw
        low = self.start - throw.drawn_back
        pull = throw.pull + throw.drawn_back
        lasts = throw.growth * pull / throw.speed
        self.release = 0.6 * (throw.drawn_back > 0) + lasts
        began = self.release - lasts
        zero = self.reads(self.start)
        x = low + pull
        n = 0
        if not throw.drawn_back > 0:
            self.crossings.append(0.0)
            n = 1
        while True:
            place = self._place(zero + n)
            if place >= x:
                break
            t = began + lasts * (max(place - low, 0.0) / pull) ** (1 / throw.growth)
            self.crossings.append(t - self.sways(t) / max(throw.speed * 0.5, 1.0))
            n += 1
        for peg in range(floor(self.start - self.blade.after) + 1, floor(x - self.blade.after) + 1):
            share = max((peg + self.blade.after - low) / pull, 1e-6)
            self.snaps.append((peg + self.blade.after, throw.speed * share ** (1 - 1 / throw.growth)))
        t, x, v, n = self._fast(self.release, x, throw.speed, zero, n)
        return self._slow(t, x, v, zero, n, low)

    def _place(self, reading: float) -> float:
        """The true place at which the ring reads this."""
        if not self.ring.off:
            return reading
        x = reading
        for _ in range(3):
            x -= self.reads(x) - reading
        return x

    def _fast(self, t: float, x: float, v: float, zero: float, n: int) -> tuple[float, float, float, int]:
        """From pitch to pitch and peg to peg while fast."""
        after, chance, gauss = self.blade.after, self.blade.chance, self.rng.gauss
        slowing, pull, heavy_at, sense = self.slowing, -self.body.heavy * self.sense, self.body.heavy_at, self.sense
        level, swaying = not self.ring.off, bool(self.body.stand.sway)
        snaps, crossings = self.snaps, self.crossings
        target = self._place(zero + n)
        peg = floor(x - after + 1e-9) + 1
        square = v * v
        while True:
            if self.hand is not None and self.due(x, v):
                if self.hand.kind == "crawl":
                    break
                self.touch(t, x, v)
            elif self.acting and t >= self.extra_until:
                self.let_go()
            snap = peg + after
            goal = target if target < snap else snap
            distance = goal - x
            push = pull * sin((sense * (x + distance / 2) - heavy_at) * TURN) - slowing(v)
            if self.acting:
                helped = self.pushed(v)
                push += helped
                self.work += helped * distance
                self.worked += distance
            left = square + 2 * push * distance
            if left <= 1.0:
                break
            arriving = sqrt(left)
            t += 2 * distance / (v + arriving)
            x, v, square = goal, arriving, left
            if goal == snap:
                snaps.append((x, v))
                square -= 2 * self.peg_takes(peg, v) * gauss(1.0, chance)
                v = sqrt(square) if square > 1.0 else 1.0
                peg += 1
            if goal == target:
                crossings.append(t - self.sways(t) / v if swaying else t)
                n += 1
                target = zero + n if level else self._place(zero + n)
            if v <= SLOW and goal == snap:  # the blade hangs free here
                break
        return t, x, v, n

    def _stiff(self, stiff: float, peg: int, v: float) -> float:
        """How hard the blade resists at this peg, this time."""
        chance = max(self.rng.gauss(1.0, self.chance), 0.3)
        share = v / self.tires
        return stiff * self.pegs[self.sense * peg % PLACES] * chance / (1 + share * share)

    def _slow(self, t: float, x: float, v: float, zero: float, n: int, low: float) -> Run:
        """Through the blade's force until nothing moves any more."""
        body, blade = self.body, self.blade
        bend = blade.before + blade.after
        stiff = blade.takes * self.bite * (blade.curve + 1) / bend ** (blade.curve + 1)
        peg = floor(x - blade.after + 1e-9) + 1  # the next one in front
        side = 1 if x > peg - blade.before else 0  # which side it leans on: 1 forwards, -1 backwards, 0 free
        take = self._stiff(stiff, peg, v)
        peak, crawl_to = x, -1.0
        late = self.late
        pace = 0.0
        next_reading = zero + n
        curve, before, after, back = blade.curve, blade.before, blade.after, blade.gives_back
        swaying, level = bool(body.stand.sway), not self.ring.off
        slowing, fall, heavy_at, sense = self.slowing, -body.heavy * self.sense, body.heavy_at, self.sense
        give_up = t + LONGEST_S
        while t < give_up:
            if self.hand is not None and self.due(x, v):
                if self.hand.kind == "crawl":
                    crawl_to, pace = x + self.hand.strength, max(v, 1.0)
                    self.hand, self.touched, self.worked_at = None, True, v
                else:
                    self.touch(t, x, v)
            elif self.acting and t >= self.extra_until:
                self.let_go()
            force = fall * sin((sense * x - heavy_at) * TURN)
            if side > 0:
                depth = x - peg + before
                if depth > 0:
                    force -= take * depth**curve * (1.0 if v > 0 else back)
            elif side < 0:
                depth = peg - 1 + before - x
                if depth > 0:
                    force += take * depth**curve * (1.0 if v < 0 else back)
            resist = slowing(abs(v))
            if crawl_to >= 0:
                self.work += (resist - force) * v * STEP_S
                self.worked += v * STEP_S
                v = pace
                if x >= crawl_to:
                    crawl_to, v = -1.0, 0.0
            else:
                helped = self.extra if self.acting else 0.0
                against = resist
                if self.acting:
                    if self.drags or self.holds:
                        against += self.holds + self.drags * self.natural(abs(v))
                    self.work += self.pushed(abs(v)) * v * STEP_S
                    self.worked += abs(v) * STEP_S
                if v > 0:
                    v2 = v + (force + helped - against) * STEP_S
                    v = v2 if v2 > 0 else 0.0
                elif v < 0:
                    v2 = v + (force + helped + against) * STEP_S
                    v = v2 if v2 < 0 else 0.0
                if v == 0.0:
                    stuck = 1.08 * against + (blade.sticks if side else 0.0)
                    total = force + helped
                    if abs(total) <= stuck:
                        if not self.acting or self.extra_until == float("inf"):
                            break
                    else:
                        v = (total - against if total > 0 else total + against) * STEP_S
            x += v * STEP_S
            t += STEP_S
            late.append((t, x))
            if x > peak:
                peak = x
            if v > 0:
                if side < 0 and x > peg - 1 + before:
                    side = 0
                if side == 0 and x > peg - before:
                    side = 1
                if side > 0 and x > peg + after:
                    self.snaps.append((x, v))
                    peg += 1
                    side = 1 if x > peg - before else 0
                    take = self._stiff(stiff, peg, v)
                reading = (x if level else self.reads(x)) + (self.sways(t) if swaying else 0.0)
                while reading >= next_reading:
                    self.crossings.append(t - (reading - next_reading) / max(v, 0.05))
                    n += 1
                    next_reading = zero + n
            elif v < 0:
                if side > 0 and x < peg - before:
                    side = 0
                if side == 0 and x < peg - 1 + before:
                    side = -1
                    take = stiff * self.pegs[self.sense * (peg - 1) % PLACES]
                if side < 0 and x < peg - 1 - after:
                    self.back_snaps += 1
                    peg -= 1
                    side = 0
        bent = 0.0
        if side > 0:
            bent = (x - peg + before) / bend
        elif side < 0:
            bent = (peg - 1 + before - x) / bend
        return Run(
            self.start, low, peak, x, t, self.touched, self.crossings, self.snaps, self.back_snaps, late,
            min(max(bent, 0.0), 1.0), self.release, self.work, self.worked, self.worked_at,
        )  # fmt: skip
