"""Who commits the journal, and when: all that waits goes in one commit as soon as the last one has ended."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from bisect import bisect_left
from collections.abc import Callable
from typing import Protocol

from controller.journal.file import Entry, JournalFile
from firmware_specs.clock import Clock

Release = Callable[[], None]
Failed = Callable[[Exception], None]
_STOP_WAIT = 10.0


class Committer(Protocol):
    """Takes entries in order and calls `release` for each once it is on disk."""

    def add(self, entry: Entry, release: Release) -> None: ...

    def probe(self, release: Release) -> None:
        """Call `release` once the journal has shown that it could commit now; never, when it cannot."""

    def close(self) -> None: ...


TIMES_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
"""Bounds between which the time to the disk is counted."""


class Timed:
    """Counts how long each entry took until it was released; the rest is another committer's."""

    def __init__(self, committer: Committer, now: Callable[[], float]) -> None:
        self._committer, self._now = committer, now
        self.counts = [0] * (len(TIMES_S) + 1)
        self.seconds = 0.0

    def add(self, entry: Entry, release: Release) -> None:
        added = self._now()

        def released() -> None:
            took = self._now() - added
            self.counts[bisect_left(TIMES_S, took)] += 1
            self.seconds += took
            release()

        self._committer.add(entry, released)

    def probe(self, release: Release) -> None:
        self._committer.probe(release)

    def close(self) -> None:
        self._committer.close()


class InlineCommitter:
    """For virtual time: everything of one instant in one commit, on the clock's own thread."""

    def __init__(self, journal: JournalFile, clock: Clock, failed: Failed) -> None:
        self._journal = journal
        self._clock = clock
        self._failed = failed
        self._entries: list[Entry] = []
        self._releases: list[Release] = []

    def add(self, entry: Entry, release: Release) -> None:
        if not self._entries:
            self._clock.call_later(0.0, self._commit)
        self._entries.append(entry)
        self._releases.append(release)

    def _commit(self) -> None:
        if not self._entries:
            return
        entries, releases = self._entries, self._releases
        self._entries, self._releases = [], []
        try:
            self._journal.append(entries)
        except (OSError, sqlite3.Error) as error:
            self._failed(error)
            return
        _release_all(releases)

    def probe(self, release: Release) -> None:
        self._journal.probe()
        self._clock.call_later(0.0, release)

    def close(self) -> None:
        self._commit()
        self._journal.close()


class ThreadCommitter:
    """For a real table: a thread of its own waits for the disk, so that the loop never does."""

    def __init__(self, journal: JournalFile, loop: asyncio.AbstractEventLoop, failed: Failed) -> None:
        self._journal = journal
        self._loop = loop
        self._failed = failed
        self._queue: queue.SimpleQueue[tuple[Entry | None, Release] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._commit_all, name="journal", daemon=True)
        self._thread.start()

    def add(self, entry: Entry, release: Release) -> None:
        self._queue.put((entry, release))

    def probe(self, release: Release) -> None:
        self._queue.put((None, release))

    def _commit_all(self) -> None:
        going_on = True
        while going_on:
            waiting = [self._queue.get()]  # without deadline: close() always puts the None that ends it
            while not self._queue.empty():
                waiting.append(self._queue.get_nowait())
            entries = [item for item in waiting if item is not None]
            going_on = (not entries or self._commit(entries)) and None not in waiting

    def _commit(self, waiting: list[tuple[Entry | None, Release]]) -> bool:
        entries = [entry for entry, _ in waiting if entry is not None]
        try:
            if entries:
                self._journal.append(entries)
            else:
                self._journal.probe()
        except Exception as error:  # whatever it is: a thread that dies in silence would leave the table waiting
            self._loop.call_soon_threadsafe(self._failed, error)
            return False
        self._loop.call_soon_threadsafe(_release_all, [release for _, release in waiting])
        return True

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join(_STOP_WAIT)
        self._journal.close()


def _release_all(releases: list[Release]) -> None:
    """Release everything that is on disk; a screen or log that fails on one must not keep back the others."""
    first: Exception | None = None
    for release in releases:
        try:
            release()
        except Exception as error:
            first = first or error
    if first is not None:
        raise first
