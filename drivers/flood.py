"""How many events a device may tell before it is held back: a broken one must fill neither the disk nor the pages."""

from __future__ import annotations

BURST = 10_000
"""More than any device holds after the longest outage, and more than a table makes in an hour."""
RATE = 50.0
"""Events a second that a device may go on telling; ten times what the busiest table makes."""
RESUME_S = 1.0
"""A device that was held back is asked to go on this much later, with what has become free."""


class Allowance:
    """Events that may still be taken; they become free again with time."""

    def __init__(self) -> None:
        self._left = float(BURST)
        self._at = 0.0
        self.held_back = False

    def take(self, now: float) -> bool:
        """Whether another event may be taken now."""
        self._left = min(float(BURST), self._left + (now - self._at) * RATE)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def recovered(self, now: float) -> bool:
        """Whether the device has been quiet for long enough to be called well again."""
        return self._left + (now - self._at) * RATE >= BURST / 2
