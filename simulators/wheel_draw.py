"""Random spins for benches and property tests: clean, short, touched or badly sensed, each with the truth beside it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal

import msgspec

from firmware_specs.spec import Message
from simulators.wheel_physics import COMPARTMENTS, Launch, Motion, Touch, TouchKind, WheelBody, launch
from simulators.wheel_script import SpinScript, perform
from simulators.wheel_sensor import FaultKind, Mounting, SensorFault, observe

Cause = Literal["clean", "short", "made", "touch", "fault", "slipped"]

TOUCHES: dict[TouchKind, tuple[float, ...]] = {
    "brake": (0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0),
    "rigged": (0.05, 0.1, 0.2, 0.3, 0.5),
    "push": (0.005, 0.01, 0.02, 0.05, 0.1, 0.3),
    "hold": (0.1, 0.3, 1.0),
    "nudge": (0.2, 0.4, 0.7, 1.0, 2.0),
    "crawl": (1.0, 3.0, 6.0),
}
FAULTS: dict[FaultKind, tuple[float, ...]] = {
    "lost_counts": (2, 5, 10, 40, 160, 800),
    "index_slip": (-5.5, -1.0, -0.3, 0.3, 1.0, 5.5),
    "noise": (0.0005, 0.002, 0.01),
    "dead_channel": (1.0,),
    "stuck": (1.0,),
    "indicator_dead": (1.0,),
    "index_dead": (1.0,),
}
_SHARES: tuple[tuple[Cause, float], ...] = (
    ("clean", 0.40), ("short", 0.12), ("made", 0.08), ("touch", 0.25), ("fault", 0.13), ("slipped", 0.02),
)  # fmt: skip


class Drawn(msgspec.Struct, frozen=True):
    """One spin as the sensor tells it, and what really happened."""

    cause: Cause
    kind: str  # of touch or fault, empty for neither
    strength: float
    sense: int
    motion: Motion
    messages: list[Message]  # empty when the sensor saw no spin

    @property
    def place(self) -> float:
        """What is truly under the pointer, in compartments from divider 0."""
        return self.sense * self.motion.rest % COMPARTMENTS


def draw(
    seed: int, spins: int, body: WheelBody | None = None, mounting: Mounting | None = None, only: Cause | None = None
) -> Iterator[Drawn]:
    """So many random spins; the same seed gives the same spins."""
    rng = Random(seed)
    body, mounting = body or WheelBody(), mounting or Mounting()
    causes, weights = zip(*_SHARES, strict=True)
    for _ in range(spins):
        cause: Cause = only or rng.choices(causes, weights)[0]
        yield _one(rng, cause, body, mounting)


def _one(rng: Random, cause: Cause, body: WheelBody, mounting: Mounting) -> Drawn:
    sense = rng.choice((1, -1))
    kind, strength = "", 0.0
    touches: tuple[Touch, ...] = ()
    fault: SensorFault | None = None
    slip = 0
    if cause == "made":
        motion = perform(_script(rng, sense), body)
    else:
        if cause == "touch":
            touch = _touch(rng)
            kind, strength, touches = touch.kind, touch.strength, (touch,)
        speed = rng.uniform(0.35, 0.85) if cause == "short" else rng.uniform(0.8, 1.9)
        wind_up = rng.choice((0.0, 0.0, rng.uniform(0.3, 8.0)))
        hand = Launch(speed * COMPARTMENTS, wind_up, rng.uniform(12.0, 28.0))
        friction = rng.gauss(1.0, body.friction_spread)
        motion = launch(body, rng.uniform(0.0, COMPARTMENTS), hand, sense, friction, touches)
        if cause == "fault":
            fault_kind = rng.choice(tuple(FAULTS))
            kind, strength = fault_kind, rng.choice(FAULTS[fault_kind])
            fault = SensorFault(fault_kind, rng.uniform(0.1, motion.forward / COMPARTMENTS), strength)
        elif cause == "slipped":
            kind, strength = "standing", rng.choice((-38.0, -7.0, -1.0, 1.0, 6.923, 38.0, 180.0))
            slip = round(strength / 360 * COMPARTMENTS * 160)
    seen = observe(motion, sense, 1, body, mounting, rng, fault, slip)
    messages = [message for _, message in seen.messages] if seen.spin else []
    return Drawn(cause, kind, strength, sense, motion, messages)


def _touch(rng: Random) -> Touch:
    kind = rng.choice(tuple(TOUCHES))
    strength = rng.choice(TOUCHES[kind])
    if kind == "nudge":
        return Touch(kind, strength, at_speed=rng.uniform(0.3, 3.0))
    if kind == "crawl":
        return Touch(kind, strength, at_speed=2.0)
    return Touch(kind, strength, at_revolution=rng.uniform(1.0, 4.0))


def _script(rng: Random, sense: int) -> SpinScript:
    """Spins at the edges: about three turns, about a divider, rebounds of every size."""
    forward = rng.choice((rng.uniform(155.9, 156.1), rng.uniform(150, 162), rng.uniform(156, 400)))
    reversal = rng.choice((0.0, 0.0, rng.uniform(0.05, 1.6)))
    offset = rng.choice((rng.uniform(0.0, 0.2), rng.uniform(0.0, 0.999)))
    return SpinScript(forward, rng.randrange(COMPARTMENTS), offset, sense, reversal)
