"""Which rows of a journal belong to a time, also where the clock was wrong for a while: no row is ever left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from controller.journal.file import Row


class Journal(Protocol):
    """Rows by their number; a `JournalFile` is one."""

    @property
    def last_seq(self) -> int: ...

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[Row]: ...

    def last_before(self, at: int) -> int: ...


class Listed:
    """Rows that were read already."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = list(rows)

    @property
    def last_seq(self) -> int:
        return self._rows[-1].seq if self._rows else 0

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[Row]:
        return (row for row in self._rows if row.seq >= first and (last is None or row.seq <= last))

    def last_before(self, at: int) -> int:
        """As a journal's: where the fewest rows are on the wrong side of this moment."""
        best, found, late = 0, 0, 0
        for row in self._rows:
            late += 1 if row.at >= at else -1
            if late < best:
                best, found = late, row.seq
        return found


class Timed(NamedTuple):
    """A row and when it was, as far as the rows around it tell."""

    at: int
    row: Row


def within(journal: Journal, first: int, last: int, start: int, end: int) -> Iterator[Timed]:
    """The rows of a time from `first` to `last`, each at a moment that lies in it and not before the one before."""
    times = straightened([min(max(row.at, start), end - 1) for row in journal.rows(first, last)])
    for at, row in zip(times, journal.rows(first, last), strict=True):
        yield Timed(at, row)


def straightened(times: list[int]) -> list[int]:
    """Times that never go back: those that fit most others are believed, the rest are when the one before was."""
    believed = _longest_rising(times)
    now = times[believed[0]] if believed else 0
    straight, place = [], 0
    for number, at in enumerate(times):
        if place < len(believed) and believed[place] == number:
            now, place = at, place + 1
        straight.append(now)
    return straight


def _longest_rising(times: list[int]) -> list[int]:
    """The places of the longest run of times that never goes back."""
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int] = []
    for number, at in enumerate(times):
        place = bisect_right(ends, at)
        before.append(at_end[place - 1] if place else -1)
        if place == len(ends):
            ends.append(at)
            at_end.append(number)
        else:
            ends[place], at_end[place] = at, number
    found = []
    number = at_end[-1] if at_end else -1
    while number >= 0:
        found.append(number)
        number = before[number]
    return found[::-1]
