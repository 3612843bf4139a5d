"""Chips that no antenna reads any more: for a moment they may lie there still, after that they have left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from firmware_specs.clock import Clock

GONE_MS = 300
"""A mat tells of a chip that is gone when it has not read it for this long."""
UNREAD_S = 0.6
"""It is waited for so much longer: a hand or a ring over a chip can hide it for eight tenths of a second."""
_NEARLY = 1e-6


class Unread(msgspec.Struct, frozen=True):
    """The area a chip was last read on, when that was, and when the mat told so."""

    area: int
    since: float
    told: float


class UnreadChips:
    """The chips that are waited for; `due` is called when the time of some is over."""

    def __init__(self, clock: Clock, due: Callable[[], None]) -> None:
        self._clock, self._due = clock, due
        self._unread: dict[int, Unread] = {}

    def __len__(self) -> int:
        return len(self._unread)

    def __contains__(self, tag: int) -> bool:
        return tag in self._unread

    def wait_for(self, tags: Iterable[int], area: int, transit: int) -> None:
        """These are not read on this area any more, as was told so many milliseconds after it was found."""
        now = self._clock.now()
        fresh = {tag: Unread(area, now - (GONE_MS + transit) / 1000, now) for tag in tags}
        self._unread |= fresh
        if fresh:
            self._clock.call_later(UNREAD_S, self._due)

    def clear(self) -> None:
        """Wait for nothing any more."""
        self._unread.clear()

    def kept(self) -> str:
        """All of them in a line of text, for a journal."""
        return " ".join(f"{unread.area}:{tag:x}" for tag, unread in self._unread.items())

    def resume(self, kept: str, picture: Mapping[int, Iterable[int]]) -> None:
        """Wait anew for those of such a line that the table still knows where they were."""
        for one in kept.split():
            area, _, tag = one.partition(":")
            if int(tag, 16) in picture.get(int(area), ()):
                self.wait_for((int(tag, 16),), int(area), 0)

    def on(self, area: int) -> tuple[int, ...]:
        """Those that may lie on this area still."""
        return tuple(tag for tag, unread in self._unread.items() if unread.area == area)

    def read_again(self, tags: Iterable[int], area: int) -> set[int]:
        """Those of these that were unread on this area: they lay still."""
        again = {tag for tag in tags if tag in self._unread and self._unread[tag].area == area}
        for tag in again:
            del self._unread[tag]
        return again

    def found_elsewhere(self, came: Mapping[int, int]) -> dict[int, list[int]]:
        """Those that are read on other areas now, by the area they left."""
        left: dict[int, list[int]] = {}
        for tag, area in came.items():
            unread = self._unread.get(tag)
            if unread is not None and unread.area != area:
                del self._unread[tag]
                left.setdefault(unread.area, []).append(tag)
        return left

    def overdue(self) -> list[int]:
        """Those whose time is over."""
        until = self._clock.now() - UNREAD_S + _NEARLY
        return [tag for tag, unread in self._unread.items() if unread.told <= until]

    def let_go(self, tags: Iterable[int]) -> dict[int, tuple[tuple[int, ...], int]]:
        """Wait for these no longer: by area, with how many milliseconds ago the first of them was last read there."""
        gone = {tag: self._unread.pop(tag) for tag in tags if tag in self._unread}
        now, left = self._clock.now(), {}
        for area in dict.fromkeys(unread.area for unread in gone.values()):
            here = [tag for tag, unread in gone.items() if unread.area == area]
            left[area] = tuple(here), round(1000 * (now - min(gone[tag].since for tag in here)))
        return left
