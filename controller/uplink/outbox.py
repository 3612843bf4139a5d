"""The journal as outbox: what of it has not been sent yet, read beside the table that writes it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from controller.journal.file import JournalFile, JournalTrouble, Row
from controller.journal.head import Head, Note
from controller.uplink.messages import FORM, Address, Beat, Rows, Stands

ROWS_MOST = 1_000
"""Rows in one message."""
BYTES_MOST = 256 << 10
"""And bytes, unless one row alone has more."""


class Parted(Exception):
    """The stream holds another past than this journal: what differs."""


class Outbox:
    """Reads rows for the floor. Whatever it sees is on disk: a write-ahead log shows nothing before it is synced."""

    def __init__(self, path: Path, newest_head: Callable[[], Note | None]) -> None:
        self._file = JournalFile.read_only(path)
        self._newest_head = newest_head
        self._noted = 0
        self.more = False
        """Whether the last message was full, so that there may be more on disk already."""
        self.address = Address.of(self._file.origin)

    @property
    def last(self) -> int:
        """The last row on disk."""
        return self._file.newest()

    def agree(self, stands: Stands) -> None:
        """Hold what the stream has against the journal; Parted when they differ."""
        if stands.row > (last := self.last):
            raise Parted(
                f"the floor has {stands.row} events of this journal, and here are {last}: it was put back to an "
                "earlier time, or another machine plays on with it"
            )
        if stands.row >= self._first - 1 and self._file.hash_at(stands.row) != stands.hash:
            raise Parted(f"event {stands.row} or an earlier one is another at the floor than in this journal")

    @property
    def _first(self) -> int:
        """The first row that is still here."""
        stub = self._file.removed
        return stub.last + 1 if stub is not None else 1

    def after(self, stands: Stands) -> Rows | None:
        """The next message; None when all was sent."""
        note, before, hash = self._newest_head(), stands.row, stands.hash
        peaks: tuple[tuple[int, bytes], ...] = ()
        found = self._some(before + 1)
        if not found or found[0].seq != before + 1:
            stub = self._file.removed
            if stub is not None and before < stub.last:
                before, hash, peaks = stub.last, stub.hash, stub.peaks
                found = self._some(before + 1)
        text = self._due(note, before + len(found))
        if not found and not text:
            return None
        ends = found[-1].hash if found else hash
        return Rows(FORM, before + 1, hash, tuple((row.at, row.body) for row in found), ends, text, peaks)

    def _some(self, first: int) -> list[Row]:
        """As many rows as go into one message."""
        found: list[Row] = []
        octets = 0
        rows = list(self._file.rows(first, first + ROWS_MOST - 1))
        self.more = len(rows) == ROWS_MOST
        for row in rows:
            octets += len(row.body)
            if found and octets > BYTES_MOST:
                self.more = True
                break
            found.append(row)
        return found

    def _due(self, note: Note | None, upto: int) -> str:
        """A head that was not sent yet, of rows that have been."""
        if note is None or not self._noted < note.head.size <= upto:
            return ""
        return note.text()

    def sent(self, rows: Rows, message: int) -> Stands:
        """A message is in the stream under this number."""
        if rows.note:
            self._noted = int(rows.note.split("\n", 2)[1])
        return Stands(message, rows.upto, rows.hash)

    def beat(self, stands: Stands, parted: str = "") -> Beat:
        """What tells the floor that this table is there, and where it thinks the stream stands."""
        note = self._newest_head() if parted else None
        last = self.last
        here = max(min(stands.row, last), self._first - 1)
        return Beat(FORM, last, here, self._file.hash_at(here), parted, note.text() if note is not None else "")

    def prove(self, head: Head) -> None:
        """Hold a head against the journal; JournalTrouble when it stands for another past."""
        self._file.last_seq = self.last  # it was opened a while ago
        self._file.prove(head)

    def close(self) -> None:
        self._file.close()


def opened(path: Path, newest_head: Callable[[], Note | None]) -> Outbox | None:
    """The outbox of a journal; None while it cannot be read, or has no name of its own yet."""
    try:
        outbox = Outbox(path, newest_head)
    except (JournalTrouble, sqlite3.Error):
        return None
    if outbox.address.journal == "old":
        outbox.close()
        return None
    return outbox
