"""Spins of the simulated wheel as the sensor saw them."""

from __future__ import annotations

from random import Random

from drivers.motion import Trace
from simulators.wheel_physics import WheelBody
from simulators.wheel_script import SpinScript, perform
from simulators.wheel_sensor import Mounting, SensorFault, observe

BODY, MOUNTING = WheelBody(), Mounting()


def trace_of(
    script: SpinScript, fault: SensorFault | None = None, slip: int = 0, homed: bool = True, seed: int = 5
) -> Trace:
    seen = observe(perform(script, BODY), script.sense, 1, BODY, MOUNTING, Random(seed), fault, slip, homed)
    started, *turns, rested = (message for _, message in seen.messages)
    return Trace.from_messages(started, turns, rested)  # type: ignore[arg-type]
