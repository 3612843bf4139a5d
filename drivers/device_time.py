"""When something was, by the device's own clock: what lies between that moment and its being told."""

from __future__ import annotations

from firmware_specs.clock import Clock
from firmware_specs.link import LAST_NUMBER, Identity

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
        self._count = (0, 0)
        self._since = 0

    def begin(self, identity: Identity) -> bool:
        """A session: whether the device has started since the last one, and counts its time anew.

        What it numbered before now may be of either count, so that nothing can be learnt from it.
        """
        boot, _ = self._count
        if self._count != (identity.boot, identity.epoch):
            self._count, self._since = (identity.boot, identity.epoch), identity.next
        if boot != identity.boot:
            self._offset = None
        return boot != identity.boot

    def ago(self, at: int, number: int = LAST_NUMBER) -> int:
        """How many milliseconds ago this moment of the device's clock was, at the least."""
        if number < self._since:
            return 0
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
