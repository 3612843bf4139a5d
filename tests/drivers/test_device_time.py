"""Moments of a device's own clock on ours: the quickest telling counts, clocks drift, wrap and begin anew."""

from __future__ import annotations

import pytest

from drivers.device_time import LONGEST_MS, DeviceTime
from firmware_specs.clock import VirtualClock
from firmware_specs.link import Identity


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


def told_by(boot: int, following: int, epoch: int = 9) -> Identity:
    return Identity(1, 1, 1, bytes(8), 0, boot, epoch, 1, following, "M-1", "1.0.0")


def test_a_start_of_the_device_begins_another_count_that_nothing_of_before_is_measured_by() -> None:
    clock = VirtualClock()
    time = DeviceTime(clock)
    assert time.begin(told_by(boot=1, following=5))
    clock.run_for(30.0)
    assert time.ago(30_000, 5) == 0
    assert not time.begin(told_by(boot=1, following=6))  # the cable was out, no more
    assert time.ago(29_900, 6) == 100
    assert time.begin(told_by(boot=2, following=8))
    assert time.ago(29_000, 7) == 0  # held since before the start: nothing is known of when that was
    assert time.ago(150, 8) == 0
    clock.run_for(1.0)
    assert time.ago(1_100, 9) == 50
    assert not time.begin(told_by(boot=2, following=1, epoch=10))
    clock.run_for(1.0)
    assert time.ago(2_150, 1) == 0  # numbered from 1 again, by the same clock
