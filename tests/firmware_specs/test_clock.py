"""The virtual clock lets pass what it is told to, and not more."""

from __future__ import annotations

from firmware_specs.clock import VirtualClock


def test_a_timer_that_was_called_off_does_not_carry_time_past_the_end() -> None:
    clock = VirtualClock()
    rung: list[float] = []
    clock.call_later(1.0, rung.append, 1.0).cancel()
    clock.call_later(9.0, lambda: rung.append(clock.now()))
    clock.run_for(2.0)
    assert (clock.now(), rung) == (2.0, [])
    clock.run_for(7.0)
    assert rung == [9.0]
