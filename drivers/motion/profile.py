"""What is known of one wheel: its geometry, where its index sits, how it slows down when nobody touches it."""

from __future__ import annotations

from math import hypot
from pathlib import Path

import msgspec


class Geometry(msgspec.Struct, frozen=True):
    """When the pointer is clearly inside a compartment (W-A3), as shares of one compartment."""

    dead_band: float = 0.10
    near_band: float = 0.15
    revolutions: float = 3.0
    still_ms: int = 1000
    reversal: float = 1.0  # compartments of rebound that are natural (W-A4)
    bent_percent: int = 33  # a soft indicator may lean on a peg this far and the pointer is still clear of it

    @classmethod
    def measured(
        cls, peg_mm: float = 12.0, pointer_mm: float = 4.0, compartment_mm: float = 90.0, sensor_mm: float = 0.5
    ) -> Geometry:
        """Bands from the wheel itself: half a peg, half a pointer and twice the sensor's error."""
        dead = (peg_mm / 2 + pointer_mm / 2 + 2 * sensor_mm) / compartment_mm
        return cls(dead_band=dead, near_band=dead + 0.05)


class Spread(msgspec.Struct, frozen=True, gc=False):
    """How far a quantity strays on clean spins."""

    mean: float
    sigma: float

    def sigmas(self, value: float) -> float:
        return (value - self.mean) / self.sigma


class Window(msgspec.Struct, frozen=True, gc=False):
    """Energy gained or lost beyond friction over `lag` compartments: its spread on clean spins at each speed."""

    lag: int
    block: int
    still: float  # compartments²/s², what does not depend on speed
    swift: float  # 1, the share of the squared speed

    def sigma(self, speed: float) -> float:
        return hypot(self.still, self.swift * speed * speed)


class Stop(msgspec.Struct, frozen=True, gc=False):
    """Energy left over when the wheel stops, counted from `distance` compartments before."""

    distance: int
    spread: Spread


class LandingLaw(msgspec.Struct, frozen=True, gc=False):
    """What carries the wheel beyond its last gap: bearing friction, and the spring of the indicator."""

    loss: float  # compartments²/s² a compartment, between pegs
    spring: float  # 1/s², half the indicator's stiffness
    contact: float  # compartments before the divider at which it touches
    release: float  # and after it, at which it lets go
    sigma: float


class Friction(msgspec.Struct, frozen=True):
    """How the wheel slows down in one sense: loss per compartment is `loss + drag * speed`, less the imbalance."""

    spins: int
    loss: float  # compartments²/s² a compartment, pegs included
    drag: float  # 1/s
    cosine: float  # the imbalance's potential over the angle from the index
    sine: float
    windows: tuple[Window, ...]
    stops: tuple[Stop, ...]
    gaps: tuple[Spread, ...]  # energy lost from gap to gap beyond friction, the last pair of gaps first
    landing: LandingLaw
    regain: float  # compartments/s, the most a clean spin ever speeds up near its end
    tick_phase: float  # counts, where pegs leave the indicator
    release: float  # compartments after the divider


class WheelProfile(msgspec.Struct, frozen=True):
    """One wheel as calibrated: the map from index to compartment and its friction in both senses."""

    wheel: str
    learnt: str  # date, as given by whoever calibrated
    offset: float  # place under the pointer, in compartments, when the index mark passes
    index: float  # counts, where the ring stands at the index mark
    clockwise: Friction
    anticlockwise: Friction

    def friction(self, sense: int) -> Friction:
        return self.clockwise if sense > 0 else self.anticlockwise

    def encode(self) -> bytes:
        """Readable JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @classmethod
    def decode(cls, octets: bytes) -> WheelProfile:
        """The inverse of `encode`; msgspec.ValidationError tells what is wrong."""
        return msgspec.json.decode(octets, type=cls)


def simulated_wheel() -> WheelProfile:
    """The profile of the simulated wheel, learnt from its own clean spins by `controller.proving.wheel_bench`."""
    return WheelProfile.decode((Path(__file__).parent / "simulated_wheel.json").read_bytes())
