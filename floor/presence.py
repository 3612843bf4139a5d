"""Which tables are there now: by their rows and beats, and how far behind each is."""

from __future__ import annotations

import time
from collections.abc import Iterable

import msgspec

SILENT_S = 16.0
"""Three beats of a table that did not come."""


class Seen(msgspec.Struct):
    """When a table was heard last, by this machine's steady clock, and how many rows it said it has."""

    at: float
    last: int = 0
    told_silent: bool = False


class Presence:
    """Held in memory only: after a restart everybody is heard anew."""

    def __init__(self) -> None:
        self.seen: dict[str, Seen] = {}

    def rows(self, origins: Iterable[str]) -> None:
        """Rows of these journals came."""
        for origin in set(origins):
            self._now(origin)

    def beat(self, origin: str, last: int) -> None:
        self._now(origin).last = last

    def _now(self, origin: str) -> Seen:
        seen = self.seen.setdefault(origin, Seen(0.0))
        seen.at = time.monotonic()
        return seen

    def here(self, origin: str) -> bool:
        """Whether it was heard of lately."""
        seen = self.seen.get(origin)
        return seen is not None and time.monotonic() - seen.at < SILENT_S

    def expect(self, origins: Iterable[str]) -> None:
        """Tables that were there before this start; whoever does not come back is missed."""
        for origin in origins:
            self._now(origin)

    def turned(self) -> list[tuple[str, bool]]:
        """Who has fallen silent since the last look, and who is there again."""
        found = []
        for origin, seen in self.seen.items():
            quiet = not self.here(origin)
            if quiet != seen.told_silent:
                seen.told_silent = quiet
                found.append((origin, quiet))
        return found

    def at_once(self) -> list[tuple[str, str]]:
        """Journals of one table that are both alive."""
        by_table: dict[str, list[str]] = {}
        for origin in self.seen:
            if self.here(origin):
                by_table.setdefault(origin.split("/")[1], []).append(origin)
        return [(both[0], both[1]) for both in by_table.values() if len(both) > 1]
