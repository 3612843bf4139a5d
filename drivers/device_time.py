"""When something was, by the device's own clock: what lies between that moment and its being told."""

from __future__ import annotations

from firmware_specs.clock import Clock

DRIFT = 1e-4
"""How far two clocks run apart at most, for each second."""
AHEAD_MS = 1_000
"""A device's moment this far ahead of what was thought possible is of another count: its clock began anew."""
LONGEST_MS = 60_000
"""What is older than this is not told in milliseconds any more."""
_WRAP = 1 << 32


class DeviceTime:
    """Learns from the quickest telling so far how the device's milliseconds and ours lie to each other."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._offset: float | None = None
        self._learnt_at = 0.0

    def ago(self, at: int) -> int:
        """How many milliseconds ago this moment of the device's clock was, at the least."""
        now = self._clock.now()
        between = now * 1000 - at
        if self._offset is None:
            self._offset, self._learnt_at = between, now
            return 0
        later = (between - self._offset + _WRAP / 2) % _WRAP - _WRAP / 2
        elapsed, self._learnt_at = now - self._learnt_at, now
        if later < -AHEAD_MS or later > LONGEST_MS + elapsed * 1000:
            self._offset = between
            return 0
        # The quickest counts; between two tellings the clocks may have run apart a little.
        self._offset += min(later, DRIFT * 1000 * elapsed)
        return min(max(0, round(later)), LONGEST_MS)
