"""The table's own time: the clock's, except that a clock set back makes nobody wait longer. Pure, so it replays."""

from __future__ import annotations

import msgspec

JITTER_MS = 1_000
"""A clock that time servers keep right may step back by less than this."""


class TableTime(msgspec.Struct):
    """What the clock said at the last event, and by how much it was set back since the table last stood at rest."""

    last: int = 0
    back: int = 0

    def at(self, clock: int, at_rest: bool) -> int:
        """The time of an event that the clock puts here; `at_rest` when nothing runs that could come too late."""
        if at_rest:
            self.back = 0
        elif clock < self.last:
            self.back += self.last - clock
        self.last = clock
        return clock + self.back

    def due(self, at: int, timer: int) -> int:
        """The time at which a timer came: it waits for its seconds, not for the clock, so it is as late as it says."""
        if timer - at <= JITTER_MS:
            return at
        self.back += timer - at
        return timer
