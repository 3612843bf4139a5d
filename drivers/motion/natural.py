"""What this wheel does by itself, lately: how its friction stands, and how far natural spins stray.

Friction changes with warmth and wear over an evening, so both are followed, slowly and within bounds, from spins
that nobody is thought to have touched.  How unusual a spin is, is told as the share of natural spins that look so.
"""

from __future__ import annotations

from math import exp, expm1, log, log1p, pi, sqrt

import msgspec

SIGNS = ("course", "level", "stop", "landing", "gain", "swing", "slow")
"""What is looked at: the course at speed, the friction of the whole spin, the stop, the last pegs, the very end, and
the slow wheel place by place."""
EDITIONS = (6, 7)
"""How many of them were looked at, edition by edition: a spin is judged again by as many as its row has tails for."""

FOLLOW = 0.15  # of the way to a new spin's friction
REMEMBER = 0.012  # of the way to a new spin's straying
STRANGE = 4  # spins in a row with the same other friction: the wheel has changed, nobody touched it each time
PLAIN = 1e-5  # a spin so unusual was touched, and says nothing of natural ones; rarer than that, tails would never heal
SPENT = 0.7  # of the chance that the house allows: how far natural spins stray is itself learnt from few
FURTHEST = 0.5  # share by which friction may leave what calibration found before somebody must calibrate again
WIDEST = 2.5  # times the straying seen at calibration
_EULER = 0.5772156649


class Tail(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """How large one sign gets on natural spins; the largest of many follows Gumbel's law."""

    mean: float
    sigma: float

    def rarity(self, value: float) -> float:
        """The share of natural spins on which this sign is at least so large."""
        scale = self.sigma * sqrt(6) / pi
        return -expm1(-exp(min(-(value - self.mean) / scale - _EULER, 700.0)))

    def at(self, rarity: float) -> float:
        """How large it is on just that share."""
        scale = self.sigma * sqrt(6) / pi
        return self.mean - scale * (_EULER + log(-log1p(-rarity)))

    def follow(self, value: float, most: float, first: Tail) -> Tail:
        """After one more spin; what lies beyond `most` counts as `most`."""
        if value < 0:  # nothing was seen of it
            return self
        away = min(value, most) - self.mean
        mean = self.mean + REMEMBER * away
        sigma = sqrt((1 - REMEMBER) * (self.sigma**2 + REMEMBER * away * away))
        mean = min(max(mean, first.mean / WIDEST), first.mean * WIDEST)
        return Tail(round(mean, 4), round(min(max(sigma, first.sigma / 1.5), first.sigma * WIDEST), 4))


class Level(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Friction against what calibration found: the share at middling speed, and how it leans towards high speed."""

    share: float = 1.0
    tilt: float = 0.0


class Natural(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The wheel as it is now."""

    spins: int
    clockwise: Level
    anticlockwise: Level
    tails: tuple[Tail, ...]  # in the order of SIGNS
    strange: int = 0  # spins in a row whose friction alone was unusual
    strange_share: float = 0.0
    heavy: tuple[float, ...] = (0.0,) * 14  # what speaks for an index that was moved; see `heavy.py`
    pegs: tuple[float, ...] = ()  # what each peg takes beside the others, followed; see `pegs.py`
    ripples: tuple[tuple[float, ...], ...] = ()  # of both senses, followed; see `ripple.py`

    def level(self, sense: int) -> Level:
        return self.clockwise if sense > 0 else self.anticlockwise

    def rarity(self, signs: tuple[float, ...]) -> float:
        """The share of natural spins of which some sign is as unusual as the most unusual of these."""
        least = min((tail.rarity(sign) for tail, sign in zip(self.tails, signs, strict=False)), default=1.0)
        return min(1.0, least * len(self.tails))

    def learning(self, first: Natural) -> Natural:
        """With the signs that an earlier edition did not look at, as calibration found them."""
        return msgspec.structs.replace(self, tails=self.tails + first.tails[len(self.tails) :])

    def drifted(self) -> float:
        """The furthest either sense has left its calibration, as a share."""
        return max((self.clockwise.share - 1.0, self.anticlockwise.share - 1.0), key=abs)

    def after(self, sense: int, level: Level, signs: tuple[float, ...], first: Natural, limit: float) -> Natural:
        """The wheel after one more spin; `limit` is the rarity at which a sign speaks against it."""
        each = chance_of_each(limit, len(self.tails))
        against = [sign > tail.at(each) for tail, sign in zip(self.tails, signs, strict=False)]
        others = any(on for name, on in zip(SIGNS, against, strict=False) if name != "level")
        now = self
        if against[SIGNS.index("level")] and not others:
            near = self.strange and abs(level.share - self.strange_share) < 0.05
            count = self.strange + 1 if near else 1
            mean = (self.strange_share * (count - 1) + level.share) / count
            now = msgspec.structs.replace(now, strange=count, strange_share=round(mean, 4))
            if count < STRANGE:
                return now
            now = _levelled(now, sense, Level(now.strange_share, now.level(sense).tilt), 1.0)
            return msgspec.structs.replace(now, strange=0, strange_share=0.0)
        if self.rarity(signs) < PLAIN:
            return now
        tails = tuple(
            tail.follow(sign, tail.at(each), start)
            for tail, sign, start in zip(self.tails, signs, first.tails, strict=False)
        )
        now = msgspec.structs.replace(now, spins=self.spins + 1, tails=tails)
        if any(against):
            return now
        now = msgspec.structs.replace(now, strange=0, strange_share=0.0)
        return _levelled(now, sense, level, FOLLOW)


def chance_of_each(limit: float, signs: int = len(SIGNS)) -> float:
    """How seldom one sign must be so large to speak against a spin, that all of them together keep to the limit."""
    return SPENT * limit / signs


def _levelled(now: Natural, sense: int, level: Level, gain: float) -> Natural:
    """Friction of this sense followed, and of the other one half as fast: it is one bearing."""
    old = now.level(sense)
    moved, leant = level.share - old.share, level.tilt - old.tilt
    clockwise, anticlockwise = (
        Level(_within(was.share + share * moved, 1.0), _within(was.tilt + share * leant, 0.0))
        for was, share in (
            (now.clockwise, gain if sense > 0 else gain / 2),
            (now.anticlockwise, gain if sense < 0 else gain / 2),
        )
    )
    return msgspec.structs.replace(now, clockwise=clockwise, anticlockwise=anticlockwise)


def _within(value: float, about: float) -> float:
    return round(min(max(value, about - FURTHEST), about + FURTHEST), 5)


def one_in(rarity: float) -> str:
    """A rarity as people say it."""
    if rarity <= 1e-9:
        return "less than one natural spin in a billion looks like this"
    count = 1 / rarity
    if count < 2:
        return "natural spins look like this"
    digits = max(0, len(str(int(count))) - 2)
    return f"about one natural spin in {round(count, -digits):,.0f} looks like this"


def spread_of(values: list[float], least: float) -> Tail:
    """The tail of clean spins; fewer spins are trusted less."""
    count = len(values)
    mean = sum(values) / count
    sigma = sqrt(sum((v - mean) ** 2 for v in values) / max(count - 1, 1)) * (1 + 1.5 / sqrt(count))
    return Tail(round(mean, 4), round(max(sigma, least), 4))
