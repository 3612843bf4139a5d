"""How many events a device may tell before it is held back: a broken one must fill neither the disk nor the pages."""

from __future__ import annotations

from collections.abc import Callable

from firmware_specs.clock import Action, Clock, Timer

FLOOD = "flood"
"""What this trouble of a device is called."""
BURST = 10_000
"""More than any device holds after the longest outage, and more than a table makes in an hour."""
RATE = 50.0
"""Events a second that a device may go on telling; ten times what the busiest table makes."""
RESUME_S = 1.0
"""A device that was held back is asked to go on this much later, with what has become free."""
TOO_MANY = f"more than {BURST} events, and more than {RATE:g} a second"


class Allowance:
    """Events that may still be taken; they become free again with time."""

    def __init__(self, burst: int | None = None, rate: float | None = None) -> None:
        self._burst, self._rate = float(BURST if burst is None else burst), RATE if rate is None else rate
        self._left = self._burst
        self._at = 0.0
        self.held_back = False

    def take(self, now: float) -> bool:
        """Whether another event may be taken now."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def recovered(self, now: float) -> bool:
        """Whether the device has been quiet for long enough to be called well again."""
        return self._left + (now - self._at) * self._rate >= self._burst / 2


class Flood(Allowance):
    """Takes nothing for a while from a device that tells too much: what is not received stays with the device."""

    def __init__(self, clock: Clock, go_on: Action, tell: Callable[[bool], None]) -> None:
        super().__init__()
        self.paused = False
        self._clock = clock
        self._ask_on = go_on
        self._tell = tell
        self._timer: Timer | None = None

    def hold_back(self) -> bool:
        """Pause; whether this is the beginning of a flood."""
        began, self.held_back, self.paused = not self.held_back, True, True
        self._later()
        return began

    def stop(self) -> None:
        """Ask for nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _later(self) -> None:
        self.stop()
        self._timer = self._clock.call_later(RESUME_S, self._go_on)

    def _go_on(self) -> None:
        self.paused = False
        self._ask_on()
        if self.recovered(self._clock.now()):
            self.held_back = False
            self._tell(False)
        elif self.held_back:
            self._later()
