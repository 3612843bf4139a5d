"""The simulated wheel sensor at the edges of what it can see."""

from __future__ import annotations

from random import Random

import pytest

from firmware_specs.messages.wheel import TurnPassed
from simulators.wheel_physics import WheelBody
from simulators.wheel_script import SpinScript, perform
from simulators.wheel_sensor import Mounting, SensorFault, observe


@pytest.mark.parametrize("short_of", [0.0, 1e-12, 1e-13, 1e-14, 3e-15])
def test_a_ring_that_stops_on_the_very_count_of_a_turn_still_tells_the_turns_it_saw(short_of: float) -> None:
    body = WheelBody()
    for spin in range(60):
        motion = perform(SpinScript(210 + spin / 7, spin % 52, 0.4), body)
        fault = SensorFault("stuck", 2.0 - short_of)
        seen = observe(motion, 1, 1, body, Mounting(), Random(spin), fault)
        assert len([message for _, message in seen.messages if isinstance(message, TurnPassed)]) <= 2
