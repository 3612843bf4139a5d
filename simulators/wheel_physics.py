"""The hand-spun wheel as physics: bearing and air drag, 52 pegs, a sprung indicator, imbalance, people's hands.

Lengths are compartments and times are seconds, in launch coordinates: `y` grows in the sense of the launch and
the divider pegs stand at whole numbers.  Motion is a list of closed-form pieces (constant acceleration, or a
spring), so a spin of twenty seconds costs some hundred microseconds instead of twenty thousand steps.
"""

from __future__ import annotations

from bisect import bisect_right
from math import acos, atan2, cos, floor, hypot, inf, pi, sin, sqrt
from typing import Literal

import msgspec

COMPARTMENTS = 52
FAST = 10.0  # compartments/s; above it the indicator's spring only costs energy, below it its path matters
EPSILON = 1e-9

TouchKind = Literal["brake", "rigged", "push", "hold", "nudge", "crawl"]
Piece = tuple[float, float, float, float, float, float]  # t, y, v, acceleration, spring frequency, spring centre


class WheelBody(msgspec.Struct, frozen=True):
    """One wheel: what slows it, what unbalances it, and how its indicator meets a peg."""

    bearing: float = 0.03 * COMPARTMENTS  # compartments/s²
    air: float = 0.019  # 1/s
    peg_energy: float = 0.07 * COMPARTMENTS  # compartments²/s², lost at every peg
    contact_before: float = 0.20  # the indicator touches this far before the line
    release_after: float = 0.11  # and lets go this far after it
    springiness: float = 0.28  # share of the indicator's push that a rebound gets back
    imbalance: float = 0.012 * COMPARTMENTS  # compartments/s² at worst
    imbalance_at: float = 11.0  # the compartment that hangs heaviest
    against_ratio: float = 1.04  # friction of the second sense against the first
    friction_spread: float = 0.02  # spin to spin, one sigma


class Touch(msgspec.Struct, frozen=True):
    """A hand or a hidden brake on the turning wheel; starts at whichever of the three comes first.

    `strength` is the share of natural deceleration (brake, rigged), the share of the speed (push), how short the
    stop is (hold: 1.5 compartments / strength), compartments/s gained (nudge), or compartments crawled (crawl).
    """

    kind: TouchKind
    strength: float
    at_revolution: float = inf
    at_time: float = inf
    at_speed: float = -1.0  # compartments/s
    lasting: float = 1.5  # seconds, for a brake


class Launch(msgspec.Struct, frozen=True):
    """A hand: winds the wheel back a little, pulls it, lets go at `speed` compartments/s."""

    speed: float
    wind_up: float = 0.0
    pull: float = 20.0  # compartments the hand stays on the wheel


class Motion:
    """Where the wheel is at every instant from the first touch to rest, and who touched it meanwhile."""

    __slots__ = ("end", "interfered", "lowest", "peak", "pieces", "release", "rest", "start", "times")

    def __init__(
        self, pieces: list[Piece], end: float, rest: float, start: float, release: float, interfered: bool = False
    ) -> None:
        self.pieces = pieces
        self.times = [piece[0] for piece in pieces]
        self.end = end
        self.rest = rest
        self.start = start
        self.release = release
        self.interfered = interfered
        self.lowest = start
        self.peak = max(start, rest)
        for piece in pieces:
            y = piece[1]
            if y > self.peak:
                self.peak = y
            elif y < self.lowest:
                self.lowest = y

    def at(self, t: float) -> tuple[float, float]:
        """Position and speed at an instant."""
        if t >= self.end:
            return self.rest, 0.0
        if t <= self.times[0]:
            return self.start, 0.0
        return along(self.pieces[bisect_right(self.times, t) - 1], t)

    @property
    def forward(self) -> float:
        """Largest excursion in the launch sense, from rest (W-A1, W-A2)."""
        return self.peak - self.start

    @property
    def reversal(self) -> float:
        return self.peak - self.rest


def along(piece: Piece, t: float) -> tuple[float, float]:
    """Position and speed on one piece."""
    t0, y, v, acceleration, spring, centre = piece
    tau = t - t0
    if spring:
        c, s = cos(spring * tau), sin(spring * tau)
        return centre + (y - centre) * c + v / spring * s, v * c - spring * (y - centre) * s
    return y + v * tau + 0.5 * acceleration * tau * tau, v + acceleration * tau


def launch(body: WheelBody, start: float, hand: Launch, sense: int, friction: float = 1.0,
           touches: tuple[Touch, ...] = ()) -> Motion:  # fmt: skip
    """One spin from rest at `start`, by hand, until it rests again."""
    pieces, t, y = hand_pieces(start, hand)
    release = t
    return Coast(body, sense, friction, start, release, pieces, touches).run(t, y, hand.speed)


def hand_pieces(start: float, hand: Launch) -> tuple[list[Piece], float, float]:
    """The part of a spin during which the hand is on the wheel; also when and where it lets go."""
    pieces: list[Piece] = []
    t = 0.0
    if hand.wind_up > 0:
        half = hand.wind_up / 2
        frequency = 8.0 / hand.wind_up if hand.wind_up > 2.0 else 4.0
        pieces.append((0.0, start, 0.0, 0.0, frequency, start - half))
        t = pi / frequency
    low = start - hand.wind_up
    pull = hand.pull + hand.wind_up
    acceleration = hand.speed**2 / (2 * pull)
    pieces.append((t, low, 0.0, acceleration, 0.0, 0.0))
    return pieces, t + hand.speed / acceleration, low + pull


def resume(body: WheelBody, motion: Motion, t: float, touch: Touch, sense: int, friction: float = 1.0) -> Motion:
    """The same spin, touched at `t`: what was before stays, what follows is computed afresh."""
    y, v = motion.at(t)
    pieces = motion.pieces[: bisect_right(motion.times, t)]
    if t > motion.end:
        pieces.append((motion.end, motion.rest, 0.0, 0.0, 0.0, 0.0))
    touch = msgspec.structs.replace(touch, at_time=t)
    return Coast(body, sense, friction, motion.start, motion.release, pieces, (touch,)).run(t, y, v)


def at_rest(place: float) -> Motion:
    """A wheel that nobody has touched yet."""
    return Motion([(0.0, place, 0.0, 0.0, 0.0, 0.0)], 0.0, place, place, 0.0)


class Coast:
    """The wheel left to itself, and to whoever touches it."""

    def __init__(self, body: WheelBody, sense: int, friction: float, start: float, release: float,
                 pieces: list[Piece], touches: tuple[Touch, ...]) -> None:  # fmt: skip
        scale = friction * (body.against_ratio if sense < 0 else 1.0)
        self.f = body.bearing * scale
        self.air = body.air * scale
        self.energy = body.peg_energy * scale
        self.before = body.contact_before
        self.after = body.release_after
        self.bend = self.before + self.after
        self.k = 2 * self.energy / self.bend**2
        self.springiness = body.springiness
        self.resist = resistance(body, sense)
        self.start = start
        self.release = release
        self.pieces = pieces
        self.waiting = sorted(touches, key=lambda touch: (touch.at_revolution, touch.at_time))
        self.interfered = False
        self.drag = 0.0
        self.extra = 0.0
        self.until_t = inf
        self.until_stop = False

    def run(self, t: float, y: float, v: float) -> Motion:
        """Go on from here until the wheel rests and nobody touches it any more."""
        contact, gap = self._meeting(y) if v <= FAST else (None, floor(y))
        for _ in range(20_000):
            if self._trigger(t, y, v):
                touch = self.waiting.pop(0)
                t, y, v = self._begin(touch, t, y, v)
                if touch.kind == "crawl":
                    contact, gap = self._meeting(y)
            if t >= self.until_t - EPSILON or (self.until_stop and v <= EPSILON):
                self._let_go()
            if contact is None and v > FAST and self.until_t == inf and not self.until_stop:
                t, y, v = self._fast(t, y, v)
                gap = floor(y - self.after + EPSILON)
                if self._trigger(t, y, v):
                    continue
            moved = self._slow(t, y, v, contact, gap)
            if moved is None:
                return Motion(self.pieces, t, y, self.start, self.release, self.interfered)
            t, y, v, contact, gap = moved
        raise RuntimeError("the simulated wheel does not come to rest; check its friction parameters")

    def _meeting(self, y: float) -> tuple[tuple[int, int] | None, int]:
        """Which peg the indicator leans on after forward motion, and the gap it is in."""
        gap = floor(y)
        if y - gap < self.after:
            return (gap, 1), gap - 1
        return ((gap + 1, 1) if gap + 1 - y < self.before else None), gap

    def _trigger(self, t: float, y: float, v: float) -> bool:
        if not self.waiting:
            return False
        touch = self.waiting[0]
        return (
            y >= self.start + touch.at_revolution * COMPARTMENTS - EPSILON
            or t >= touch.at_time - EPSILON
            or (v <= touch.at_speed and t > self.release)
        )

    def _begin(self, touch: Touch, t: float, y: float, v: float) -> tuple[float, float, float]:
        self.interfered = True
        strength = touch.strength
        self._let_go()
        if touch.kind in ("brake", "rigged"):
            self.drag = strength * (self.f + self.energy)
            self.until_t = t + touch.lasting if touch.kind == "brake" else inf
            self.until_stop = touch.kind == "rigged"
        elif touch.kind == "push":
            self.extra = max(abs(v), 1.0) * strength / 0.15
            self.until_t = t + 0.15
        elif touch.kind == "nudge":
            self.extra = strength / 0.1
            self.until_t = t + 0.1
        elif touch.kind == "hold":
            self.drag = max(v, 0.5) ** 2 / (2 * 1.5 / strength)
            self.until_stop = True
        else:  # crawl: led by hand at walking pace into the wanted compartment
            pace = max(v, 1.0)
            self.pieces.append((t, y, pace, 0.0, 0.0, 0.0))
            t, y, v = t + strength / pace, y + strength, 0.0
        return t, y, v

    def _let_go(self) -> None:
        self.drag = self.extra = 0.0
        self.until_t = inf
        self.until_stop = False

    def _fast(self, t: float, y: float, v: float) -> tuple[float, float, float]:
        """From peg to peg while the spring only costs energy."""
        stop_y, stop_t, stop_v = inf, inf, FAST
        if self.waiting:
            touch = self.waiting[0]
            stop_y = self.start + touch.at_revolution * COMPARTMENTS
            stop_t = touch.at_time
            stop_v = max(FAST, touch.at_speed)
        peg = floor(y - self.after + EPSILON) + 1
        f, air, lost, after = self.f, self.air, 2 * self.energy, self.after
        resist, append = self.resist, self.pieces.append
        slowest = stop_v * stop_v + lost
        square = v * v
        while True:
            target = peg + after
            if target > stop_y:
                break
            acceleration = -(f + air * v + resist[peg % COMPARTMENTS])
            distance = target - y
            left = square + 2 * acceleration * distance
            if left < slowest:
                break
            arriving = sqrt(left)
            lasts = 2 * distance / (v + arriving)
            if t + lasts > stop_t:
                break
            append((t, y, v, acceleration, 0.0, 0.0))
            t += lasts
            y = target
            peg += 1
            square = left - lost
            v = sqrt(square)
        return t, y, v

    def _slow(
        self, t: float, y: float, v: float, contact: tuple[int, int] | None, gap: int
    ) -> tuple[float, float, float, tuple[int, int] | None, int] | None:
        """One piece with the spring's path; None when the wheel rests for good."""
        pull = self.extra - self.resist[floor(y + 1) % COMPARTMENTS]
        direction = 1 if v > 0 else -1
        if abs(v) <= EPSILON:
            force = pull
            if contact:
                bent = y - (contact[0] - contact[1] * self.before)
                force -= self.k * self.springiness * bent
            if abs(force) <= 1.05 * self.f + self.drag:
                return self._wait(t, y, contact, gap)
            direction, v = (1, 0.0) if force > 0 else (-1, 0.0)
        push = pull - direction * (self.f + self.air * abs(v) + self.drag)
        limit = self.until_t - t
        if self.waiting:
            limit = min(limit, self.waiting[0].at_time - t)
        limit = max(limit, EPSILON)
        touch_y = inf
        if self.waiting and direction > 0:
            touch_y = self.start + self.waiting[0].at_revolution * COMPARTMENTS
        if contact is None:
            edge = gap + 1 - self.before if direction > 0 else gap + self.before
            reach = min(edge, touch_y)
            if (edge - y) * direction <= EPSILON:
                lasts, reach = 0.0, edge
            else:
                lasts = time_to(v, push, reach - y)
            stops = -v / push if v * push < 0 else inf
            if lasts > 0.0:
                self.pieces.append((t, y, v, push, 0.0, 0.0))
            tau = min(lasts, stops, limit)
            y2, v2 = y + v * tau + 0.5 * push * tau * tau, v + push * tau
            if tau == stops:
                v2 = 0.0
            elif tau == lasts and reach == edge:
                return t + tau, edge, v2, (gap + 1 if direction > 0 else gap, direction), gap
            return t + tau, y2, v2, None, gap
        peg, side = contact
        origin = peg - side * self.before
        stiffness = self.k if direction == side else self.k * self.springiness
        frequency = sqrt(stiffness)
        centre = origin + push / stiffness
        loading = direction == side
        edge = origin + side * self.bend if loading else origin
        reach = min(edge, touch_y) if direction > 0 else edge
        lasts = spring_time_to(y, v, frequency, centre, reach, direction)
        stops = spring_stop(y, v, frequency, centre)
        tau = min(lasts, stops, limit)
        self.pieces.append((t, y, v, 0.0, frequency, centre))
        y2, v2 = along(self.pieces[-1], t + tau)
        if tau == stops:
            v2 = 0.0
        elif tau == lasts and reach == edge:
            if loading:
                return t + tau, edge, v2, None, peg if side > 0 else peg - 1
            return t + tau, edge, v2, None, peg - 1 if side > 0 else peg
        return t + tau, y2, v2, contact, gap

    def _wait(
        self, t: float, y: float, contact: tuple[int, int] | None, gap: int
    ) -> tuple[float, float, float, tuple[int, int] | None, int] | None:
        """At rest; only a touch that is still to come can move it again."""
        comes = min(self.until_t, self.waiting[0].at_time if self.waiting else inf)
        if comes == inf:
            return None
        self.pieces.append((t, y, 0.0, 0.0, 0.0, 0.0))
        return comes, y, 0.0, contact, gap


def resistance(body: WheelBody, sense: int) -> list[float]:
    """What the imbalance adds to the drag between peg n-1 and peg n, in launch coordinates."""
    turn = 2 * pi / COMPARTMENTS
    return [body.imbalance * sense * sin(turn * (sense * (n - 0.5) - body.imbalance_at)) for n in range(COMPARTMENTS)]


def time_to(v: float, acceleration: float, distance: float) -> float:
    """When `distance` is first covered at constant acceleration; never, if the wheel stops before."""
    if abs(acceleration) < EPSILON:
        return distance / v if v * distance > 0 else inf
    root = v * v + 2 * acceleration * distance
    if root < 0:
        return inf
    if distance < 0:
        v, acceleration, distance = -v, -acceleration, -distance
    denominator = v + sqrt(root)
    return 2 * distance / denominator if denominator > 0 else inf


def spring_stop(y: float, v: float, frequency: float, centre: float) -> float:
    """When a wheel on the indicator's spring next stands still."""
    angle = atan2(v / frequency, y - centre)
    if angle <= 1e-7:
        angle += pi
    return angle / frequency


def spring_time_to(y: float, v: float, frequency: float, centre: float, edge: float, direction: int) -> float:
    """When a wheel on the indicator's spring reaches `edge`, moving in `direction`; inf if it turns back before."""
    reach = hypot(y - centre, v / frequency)
    cosine = (edge - centre) / reach if reach else 2.0
    if abs(cosine) > 1:
        return inf
    angle = atan2(v / frequency, y - centre)
    swing = acos(cosine)
    # y = centre + reach * cos(frequency * t - angle); it rises while that argument is negative
    goal = angle - swing if direction > 0 else angle + swing
    while goal < -1e-7:
        goal += 2 * pi
    while goal > 2 * pi - 1e-7:
        goal -= 2 * pi
    return max(goal, 0.0) / frequency
