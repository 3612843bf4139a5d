"""How a sensor by the spec sits at such a wheel, and how exactly it reads; `telling.py` tells what it tells."""

from __future__ import annotations

import msgspec

from firmware_specs.messages.wheel import SpinRested, SpinStarted, TurnPassed
from lab.wheels.body import Ring

Told = tuple[SpinStarted, list[TurnPassed], SpinRested]


class Sensor(msgspec.Struct, frozen=True):
    """How it sits and how exactly it reads."""

    index_at: float = 17.37  # the place under the blade when the index mark passes
    ring: Ring = Ring()
    jitter_s: float = 15e-6
    index_jitter: float = 0.6  # counts
    tick_jitter: float = 1.5  # counts
    tick_late_s: float = 0.0
    mark_each_way: bool = False  # from before the spec said that a mark swung back over counts no second time
