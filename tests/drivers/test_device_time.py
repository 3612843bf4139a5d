"""Moments of a device's own clock on ours: the quickest telling counts, clocks drift, wrap and begin anew."""

from __future__ import annotations

import pytest

from drivers.device_time import LONGEST_MS, DeviceTime
from firmware_specs.clock import VirtualClock


def after(clock: VirtualClock, seconds: float) -> int:
    """Let time pass; the device's milliseconds then."""
    clock.run_for(seconds)
    return round(clock.now() * 1000) + 5_000


def test_what_is_told_later_than_the_quickest_was_so_much_earlier() -> None:
    clock = VirtualClock()
    time = DeviceTime(clock)
    assert time.ago(after(clock, 1.0)) == 0
    assert time.ago(after(clock, 1.0) - 120) == 120
    assert time.ago(after(clock, 1.0)) == 0


def test_a_slow_first_telling_is_unlearnt_with_a_quicker_one() -> None:
    clock = VirtualClock()
    time = DeviceTime(clock)
    assert time.ago(after(clock, 1.0) - 300) == 0
    assert time.ago(after(clock, 1.0)) == 0
    assert time.ago(after(clock, 1.0) - 300) == 300


@pytest.mark.parametrize("drift", [-5e-5, 5e-5])
def test_an_evening_of_clocks_that_run_apart_moves_nothing(drift: float) -> None:
    clock = VirtualClock()
    time = DeviceTime(clock)
    for _ in range(6 * 60):
        clock.run_for(60.0)
        assert time.ago(round(clock.now() * 1000 * (1 + drift))) <= 3


def test_a_clock_that_goes_round_or_begins_anew_is_followed() -> None:
    clock = VirtualClock()
    time = DeviceTime(clock)
    round_the_end = (1 << 32) - 500
    clock.run_for(1.0)
    time.ago(round_the_end)
    clock.run_for(1.0)
    assert time.ago((round_the_end + 1_000 - 40) % (1 << 32)) == 40
    clock.run_for(1.0)
    assert time.ago(0x7000_0000) == 0
    clock.run_for(1.0)
    assert time.ago(0x7000_0000 + 950) == 50


def test_a_moment_of_long_ago_is_not_believed() -> None:
    clock = VirtualClock()
    time = DeviceTime(clock)
    time.ago(after(clock, 1.0))
    assert time.ago(after(clock, 1.0) - LONGEST_MS - 10_000) == 0
