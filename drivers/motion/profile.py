"""What is known of one wheel: its geometry, where its index sits, how it slows down when nobody touches it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from drivers.motion.natural import EDITIONS, Natural
from drivers.motion.ripple import STEPS, Ripple
from drivers.motion.scales import CLASSES, KNOTS, STRETCHES

COMPARTMENTS = 52
FORM = 2
"""Of the profile; another form was learnt by another analysis and cannot be judged by."""
DOUBTED_ERRORS = 3
"""Beyond a dead band that was measured somebody confirms what lies within so many times the sensor's stated error.

`tablectl bench wheel` tells how far readings truly stray.  A dead band that is an assumption keeps the wider margin of
the rulebook (W-A3).
"""


class Geometry(msgspec.Struct, frozen=True):
    """When the pointer is clearly inside a compartment (W-A3), as shares of one compartment."""

    dead_band: float = 0.10
    near_band: float = 0.15
    revolutions: float = 3.0
    still_ms: int = 1000
    reversal: float = 1.0  # compartments of rebound that are natural (W-A4)
    bent_percent: int = 33  # a soft indicator may lean on a peg this far and the pointer is still clear of it
    false_alarms: float = 0.001  # the share of natural spins that may be called touched

    @classmethod
    def measured(
        cls, peg_mm: float = 12.0, pointer_mm: float = 4.0, compartment_mm: float = 90.0, sensor_mm: float = 0.5
    ) -> Geometry:
        """Bands from the wheel itself: half a peg, half a pointer and twice the sensor's error; thrice it beyond."""
        dead = (peg_mm / 2 + pointer_mm / 2 + 2 * sensor_mm) / compartment_mm
        return cls(dead_band=dead, near_band=dead + DOUBTED_ERRORS * sensor_mm / compartment_mm)


class Spread(msgspec.Struct, frozen=True, gc=False):
    """How far a quantity strays on clean spins."""

    mean: float
    sigma: float

    def sigmas(self, value: float) -> float:
        return (value - self.mean) / self.sigma


class Stop(msgspec.Struct, frozen=True, gc=False):
    """Energy left over when the wheel stops, counted from `distance` compartments before.

    It depends on where between two pegs the wheel turns back, so its mean swings once a gap.
    """

    distance: int
    mean: float
    cosine: float
    sine: float
    sigma: float


class LandingLaw(msgspec.Struct, frozen=True, gc=False):
    """What carries the wheel beyond its last gap: bearing friction, and the spring of the indicator."""

    loss: float  # compartments²/s² a compartment, between pegs
    spring: float  # what the indicator takes, for a bend of one compartment
    power: float  # the power of the bend that this grows with; 2 for a plain spring
    contact: float  # compartments before the divider at which it touches
    release: float  # and after it, at which it lets go
    sigma: float


SLOW_PARTS = 60  # of the gap between two pegs


class SlowLaw(msgspec.Struct, frozen=True):
    """What each place between two pegs takes from a slow wheel; see `slow.py`."""

    takes: tuple[float, ...]  # compartments/s² that the indicator resists, from divider to divider in the launch sense
    bearing: float  # compartments/s² that everything else takes
    gives_back: float  # share of the indicator's force on the way back
    strays: tuple[float, float, float, float]  # steady; with the spring; with where its edges lie; while it turns


class Friction(msgspec.Struct, frozen=True):
    """How the wheel slows down in one sense when nobody touches it."""

    spins: int
    losses: tuple[float, ...]  # compartments²/s² a compartment, all losses together, at the speeds of `energy.KNOTS`
    level: float  # how much the friction of one spin differs from the next, one sigma, as a share
    tilt: float  # and how much more so when fast than when slow
    noise: tuple[float, ...]  # how far the loss of one stretch strays, as a share, by the classes of `energy.STRETCHES`
    stops: tuple[Stop, ...]
    gaps: tuple[Spread, ...]  # energy lost from gap to gap beyond friction, the last pair of gaps first
    landing: LandingLaw | None  # None where the wheel ends too abruptly to tell
    tick_phase: float  # counts, where pegs leave the indicator of a wheel that hardly moves
    tick_late: float  # counts it seems further for each compartment a second
    release: float  # compartments after the divider
    slow: SlowLaw | None = None  # None in profiles from before that was learnt, and where it cannot be
    ripple: Ripple = ()  # by what share its losses differ from those at the knots; see `ripple.py`


class Ring(msgspec.Struct, frozen=True, gc=False):
    """How far the ring reads ahead of the wheel over the angle from the index, in counts: it is never quite centred."""

    cosine: float = 0.0
    sine: float = 0.0
    cosine2: float = 0.0  # twice a turn
    sine2: float = 0.0


class WheelProfile(msgspec.Struct, frozen=True):
    """One wheel as calibrated: the map from index to compartment and its friction in both senses."""

    wheel: str
    learnt: str  # date, as given by whoever calibrated
    offset: float  # place under the pointer, in compartments, when the index mark passes
    index: float  # counts, where the ring stands at the index mark
    cosine: float  # the imbalance's potential over the angle from the index, compartments²/s²
    sine: float
    ring: Ring
    tick_noise: float  # counts, one peg, one sigma
    tick_spread: int  # counts, the furthest one peg ever strayed from its turn's mean
    reversal: float  # compartments, the furthest the wheel ever came back by itself
    fastest: float  # compartments/s; beyond it nothing is known of its losses
    clockwise: Friction
    anticlockwise: Friction
    natural: Natural  # what clean spins looked like when it was learnt
    form: int = FORM
    settled: tuple[float, ...] = ()  # seconds after the release from which on stretches of each class are known
    pegs: tuple[float, ...] = ()  # by how much each peg takes more than the mean, compartments²/s²; see `pegs.py`
    serial: str = ""  # of the sensor it was learnt with; empty where nobody noted it

    def friction(self, sense: int) -> Friction:
        return self.clockwise if sense > 0 else self.anticlockwise

    def encode(self) -> bytes:
        """Readable JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @classmethod
    def decode(cls, octets: bytes) -> WheelProfile:
        """The inverse of `encode`; msgspec.ValidationError tells what is wrong."""
        form = msgspec.json.decode(octets, type=_Form).form
        if form != FORM:
            raise msgspec.ValidationError(f"the profile has form {form} and this program reads form {FORM}")
        profile = msgspec.json.decode(octets, type=cls)
        _check(profile)
        return profile


def _check(profile: WheelProfile) -> None:
    """A profile that was cut short or edited by hand is refused before a spin is judged by it."""
    for friction in (profile.clockwise, profile.anticlockwise):
        if len(friction.losses) != len(KNOTS) or len(friction.noise) != CLASSES:
            raise msgspec.ValidationError("the profile's losses or their spread are not complete")
        spreads = (friction.level, friction.tilt, *friction.noise, *(stop.sigma for stop in friction.stops))
        landing = (friction.landing.sigma,) if friction.landing is not None else ()
        if min(*friction.losses, *spreads, *landing, *(gap.sigma for gap in friction.gaps)) <= 0:
            raise msgspec.ValidationError("the profile holds a loss or a spread that is not positive")
        if friction.ripple and (len(friction.ripple) != STEPS or min(friction.ripple) <= -1):
            raise msgspec.ValidationError("the profile does not say at every speed how its losses go up and down")
        slow = friction.slow
        if slow is not None and (len(slow.takes) != SLOW_PARTS or min(slow.strays) <= 0):
            raise msgspec.ValidationError("the profile does not say of every place how the wheel slows there")
    if profile.settled and len(profile.settled) != len(STRETCHES):
        raise msgspec.ValidationError("the profile does not say when each of its stretches is known")
    if profile.pegs and len(profile.pegs) != COMPARTMENTS:
        raise msgspec.ValidationError("the profile does not say of every peg what it takes")
    tails = profile.natural.tails
    if len(tails) not in EDITIONS or min(tail.sigma for tail in tails) <= 0:
        raise msgspec.ValidationError("the profile does not say how far natural spins stray")


class _Form(msgspec.Struct):
    form: int = 1  # the first profiles did not say


def simulated_wheel() -> WheelProfile:
    """The profile of the simulated wheel, learnt from its own clean spins by `lab.proofs.wheel_bench`."""
    return WheelProfile.decode((Path(__file__).parent / "simulated_wheel.json").read_bytes())
