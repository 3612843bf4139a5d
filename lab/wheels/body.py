"""What a hand-spun wheel is made of, what is done to it, and one spin as it truly was; `turning.py` spins it.

Lengths are compartments, times seconds, in launch coordinates: `x` is the place under the blade and grows in the
sense of the launch; pegs stand at whole numbers.
"""

from __future__ import annotations

from math import pi, sin
from random import Random
from typing import Literal

import msgspec

PLACES = 52
TURN = 2 * pi / PLACES

HandKind = Literal["brake", "rigged", "push", "hold", "nudge", "crawl"]


class Blade(msgspec.Struct, frozen=True):
    """What hangs between the pegs: how far it bends, what it takes, what it gives back."""

    takes: float = 3.6  # compartments²/s² at a slow peg
    before: float = 0.18  # compartments before the peg at which it touches
    after: float = 0.12  # and after it, at which it snaps free
    curve: float = 1.0  # force grows with this power of the bend
    gives_back: float = 0.3  # share of its force on the way back
    tires: float = 60.0  # compartments/s at which it returns too late and takes half
    mass: float = 0.0  # share of the squared speed that the impact takes
    sticks: float = 0.0  # compartments/s² of stiction while it leans
    uneven: float = 0.02  # how pegs differ, one sigma, for good
    chance: float = 0.02  # how one passage differs from the next, one sigma
    rings: tuple[tuple[float, float, float], ...] = ()  # resonances: compartments/s, their width, share taken more
    evens: float = 0.0  # share of the pegs' differences that is gone when fast; beyond 1 they are the other way round


class Stand(msgspec.Struct, frozen=True):
    """A stand that sways when the wheel is launched: compartments, Hz, seconds to fade."""

    sway: float = 0.0
    rate: float = 4.0
    fades: float = 2.0


class Body(msgspec.Struct, frozen=True):
    """One wheel."""

    bearing: float = 1.6  # compartments/s²
    dry: float = 0.0  # share by which the bearing bites harder near rest
    dry_speed: float = 4.0  # compartments/s over which that fades
    viscous: float = 0.02  # 1/s
    air: float = 0.0  # 1/compartment
    blade: Blade = Blade()
    heavy: float = 0.6  # compartments/s² of imbalance
    heavy_at: float = 11.0
    other_way: float = 1.03  # friction of the anticlockwise sense
    spread: float = 0.015  # friction from spin to spin, one sigma
    stand: Stand = Stand()


class Hand(msgspec.Struct, frozen=True):
    """What somebody does to the turning wheel; from a turn, or from when it has become this slow."""

    kind: HandKind
    strength: float
    at_turn: float = float("inf")
    at_speed: float = -1.0
    lasting: float = 1.5
    then: Hand | None = None  # and afterwards this


class Throw(msgspec.Struct, frozen=True):
    """How it is launched."""

    speed: float  # compartments/s at release
    drawn_back: float = 0.0
    pull: float = 20.0
    growth: float = 2.0  # place grows with this power of time while the hand pulls


class Run(msgspec.Struct):
    """One spin as it truly was."""

    start: float
    lowest: float
    peak: float
    rest: float
    end: float
    touched: bool
    crossings: list[float]  # when the ring passed each further pitch; the first is the rest angle itself
    snaps: list[tuple[float, float]]  # place and speed at which pegs left the blade forwards
    back_snaps: int
    late: list[tuple[float, float]]  # time and place every millisecond while slow
    bent: float  # at rest, share of where it lets go
    release: float  # time at which the hand let go
    work: float  # compartments²/s² that a hand gave or took on the way
    worked: float  # compartments over which it did
    worked_at: float  # the wheel's speed when it began

    @property
    def forward(self) -> float:
        return self.peak - self.start

    @property
    def reversal(self) -> float:
        return self.peak - self.rest


class Ring(msgspec.Struct, frozen=True):
    """The ring of counts on the wheel, perhaps not centred: reads `place + off * sin(place - at)`."""

    off: float = 0.0  # compartments
    at: float = 0.0

    def reads(self, place: float) -> float:
        return place + self.off * sin((place - self.at) * TURN) if self.off else place


def pegs_of(body: Body, rng: Random) -> list[float]:
    """What each peg of this wheel takes, against the mean."""
    return [max(0.2, rng.gauss(1.0, body.blade.uneven)) for _ in range(PLACES)]
