"""A wheel and its spins made by hand, so that every number can be reckoned."""

from __future__ import annotations

from typing import Any

import msgspec

from drivers.motion import Natural, Trace, lost_trace
from drivers.motion.natural import SIGNS, Level, Tail
from drivers.motion.profile import Friction, LandingLaw, Ring, WheelProfile
from drivers.motion.scales import CLASSES, KNOTS

GENTLE = LandingLaw(loss=1.4, spring=0.0, power=2.0, contact=0.1, release=0.1, sigma=1e9)
TAME = Natural(60, Level(), Level(), tuple(Tail(1.0, 0.5) for _ in SIGNS))


def paper_wheel(**given: Any) -> WheelProfile:
    """A balanced wheel that loses four units a compartment at every speed, one spin like the other."""
    friction = Friction(
        spins=30, losses=(4.0,) * len(KNOTS), level=0.02, tilt=0.02, noise=(0.01,) * CLASSES, stops=(), gaps=(),
        landing=GENTLE, tick_phase=0.0, tick_late=0.0, release=0.1,
    )  # fmt: skip
    friction = msgspec.structs.replace(friction, **given)
    return WheelProfile("paper", "today", 0.0, 0.0, 0.0, 0.0, Ring(), 2.0, 4, 0.5, 130.0, friction, friction, TAME)


def paper_trace(**given: Any) -> Trace:
    """A spin from the index mark in the launch sense, of which only what is given is known."""
    return msgspec.structs.replace(lost_trace(), **given)
