"""The journal: one SQLite file, every row chained to the one before it by hash, durable before anything leaves.

`JournalFile` knows rows, chain and snapshots; who commits when is in `controller.commit`.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

SCHEMA = 1
GENESIS = bytes(32)
SNAPSHOTS_KEPT = 3
PAGE_BYTES = 1024
"""A commit writes whole pages: on a card, small ones save a third of the wear and a quarter of the wait."""
QUICK_PAGE_BYTES = 4096


class JournalTrouble(Exception):
    """The journal cannot be used: what, where, and what to do."""


class Row(NamedTuple):
    """One journalled event with everything the table concluded from it."""

    seq: int
    at: int
    body: bytes
    hash: bytes


class Snapshot(NamedTuple):
    """The whole table after the event `seq`."""

    seq: int
    body: bytes


class Stub(NamedTuple):
    """What stands for the rows removed from the beginning: the last one's hash, and where they are kept."""

    last: int
    hash: bytes
    exports: tuple[tuple[str, str, int, int], ...] = ()  # file, its sha256, first and last row

    def encode(self) -> str:
        return json.dumps({"last": self.last, "hash": self.hash.hex(), "exports": self.exports})

    @classmethod
    def decode(cls, text: str) -> Stub:
        facts = json.loads(text)
        return cls(facts["last"], bytes.fromhex(facts["hash"]), tuple(tuple(one) for one in facts["exports"]))


class Entry(NamedTuple):
    """What is to be written: a row, and now and then a snapshot of the table right after it."""

    at: int
    body: bytes
    snapshot: bytes | None = None


INSERT_ROW = "INSERT INTO entries VALUES (?, ?, ?, ?)"


def chained(previous: bytes, seq: int, at: int, body: bytes) -> bytes:
    """The hash that ties a row to all before it."""
    return hashlib.sha256(b"%b%d|%d|%b" % (previous, seq, at, body)).digest()


def sealed(hash_at_seq: bytes, seq: int, body: bytes) -> bytes:
    """The hash that ties a snapshot to its place in the chain."""
    return hashlib.sha256(b"snapshot%b%d|%b" % (hash_at_seq, seq, body)).digest()


class JournalFile:
    """The rows on disk. Not safe for two threads at once; the committer is the only writer."""

    def __init__(self, connection: sqlite3.Connection, path: Path, lock: IO[str] | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock
        last = connection.execute("SELECT seq, hash, at FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        self.last_seq: int = last[0] if last else 0
        self._last_hash: bytes = last[1] if last else GENESIS
        self.last_at: int = last[2] if last else 0

    @classmethod
    def open(cls, path: Path, table: str, durable: bool = True, alone: bool = False) -> JournalFile:
        """Open for writing, made anew if there is none; a second writer is refused.

        Not `durable`, it outlives a killed process but no power cut. `alone`, nobody can read it meanwhile, which
        saves what is shared with readers.
        """
        lock = _only_writer(path)
        connection: sqlite3.Connection | None = None
        try:
            connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            connection.execute(f"PRAGMA page_size={PAGE_BYTES if durable else QUICK_PAGE_BYTES}")
            if alone:
                connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
            if mode != "wal":
                raise JournalTrouble(
                    f"{path}: this file system cannot keep a write-ahead log (it offers {mode}); "
                    "put the journal on a local disk"
                )
            connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'OFF'}")
            _prepare(connection, path, table)
            return cls(connection, path, lock)
        except BaseException as error:
            if connection is not None:
                connection.close()
            lock.close()
            if isinstance(error, sqlite3.Error):
                raise JournalTrouble(
                    f"{path}: not a usable journal ({error}); move the file aside and keep it as evidence, "
                    "then start with a new path or restore a backup"
                ) from error
            raise

    @classmethod
    def read_only(cls, path: Path) -> JournalFile:
        """Open to look at, also while a table writes to it."""
        if not path.exists():
            raise JournalTrouble(f"{path}: no such journal; give the path of an existing one")
        try:
            connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
            _check_schema(connection, path)
            return cls(connection, path, None)
        except sqlite3.DatabaseError as error:
            raise JournalTrouble(
                f"{path}: not a readable journal ({error}); check the path; if it is the right one, keep it as "
                "evidence and restore the last backup"
            ) from error

    def append(self, entries: Sequence[Entry]) -> None:
        """Add rows in one transaction that is on disk on return."""
        seq, previous = self.last_seq, self._last_hash
        rows, snapshots = [], []
        for at, body, snapshot in entries:
            seq += 1
            previous = chained(previous, seq, at, body)
            rows.append((seq, at, body, previous))
            if snapshot is not None:
                snapshots.append((seq, snapshot, sealed(previous, seq, snapshot)))
        execute = self._connection.execute
        if len(rows) == 1 and not snapshots:
            execute(INSERT_ROW, rows[0])  # a statement alone is a transaction, and costs half as much
            self.last_seq, self._last_hash, self.last_at = seq, previous, entries[-1].at
            return
        execute("BEGIN IMMEDIATE")
        try:
            self._connection.executemany(INSERT_ROW, rows)
            if snapshots:
                self._connection.executemany("INSERT INTO snapshots VALUES (?, ?, ?)", snapshots)
                execute(
                    "DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?)",
                    (SNAPSHOTS_KEPT,),
                )
            execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            raise
        self.last_seq, self._last_hash, self.last_at = seq, previous, entries[-1].at

    def probe(self) -> None:
        """Show that a commit could begin now, without writing anything; raises sqlite3.Error when it could not."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("ROLLBACK")

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[Row]:
        """The rows from `first` to `last`, in order."""
        upto = self.last_seq if last is None else last
        read = first - 1
        try:
            for row in self._connection.execute(
                "SELECT * FROM entries WHERE seq BETWEEN ? AND ? ORDER BY seq", (first, upto)
            ):
                read = row[0]
                yield Row(*row)
        except sqlite3.Error as error:
            raise self._damaged(f"after event {read}", error) from error

    def meta(self, key: str) -> str | None:
        found = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return found[0] if found else None

    @property
    def removed(self) -> Stub | None:
        """What was removed from the beginning after it had been exported."""
        text = self.meta("removed")
        try:
            return Stub.decode(text) if text else None
        except (ValueError, KeyError, TypeError) as error:
            raise self._broken(1, f"and later were removed, and their stub cannot be read ({error})") from error

    def hash_at(self, seq: int) -> bytes:
        """The hash of a row, also of the last one that was removed; all zeros before the first."""
        stub = self.removed
        if stub is not None and seq == stub.last:
            return stub.hash
        if seq == 0:
            return GENESIS
        found = self._connection.execute("SELECT hash FROM entries WHERE seq = ?", (seq,)).fetchone()
        if found is None:
            raise self._broken(seq, "is missing")
        known: bytes = found[0]
        return known

    def first_at(self, at: int) -> int | None:
        """The first row at or after this time; None when all are before it."""
        found = self._connection.execute("SELECT seq FROM entries WHERE at >= ? ORDER BY seq LIMIT 1", (at,)).fetchone()
        return found[0] if found else None

    def oldest_snapshot(self) -> int | None:
        """The row of the oldest snapshot kept; a restart may need everything from there on."""
        oldest: int | None = self._connection.execute("SELECT min(seq) FROM snapshots").fetchone()[0]
        return oldest

    def remove_before(self, stub: Stub) -> None:
        """Remove all rows up to the stub's last one and leave the stub in their place, in one transaction."""
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        execute("DELETE FROM entries WHERE seq <= ?", (stub.last,))
        execute("INSERT OR REPLACE INTO meta VALUES ('removed', ?)", (stub.encode(),))
        execute("COMMIT")
        execute("VACUUM")  # else the room would stay inside the file
        execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def newest_sound_snapshot(self) -> Snapshot | None:
        """The newest snapshot whose seal fits the chain; a damaged one is passed over for the one before."""
        try:
            for seq, body, seal in self._connection.execute("SELECT seq, body, seal FROM snapshots ORDER BY seq DESC"):
                at_seq = self._connection.execute("SELECT hash FROM entries WHERE seq = ?", (seq,)).fetchone()
                if at_seq and isinstance(body, bytes) and sealed(at_seq[0], seq, body) == seal:
                    return Snapshot(seq, body)
        except sqlite3.Error as error:
            raise self._damaged("among its snapshots", error) from error
        return None

    def verify(self, first: int = 1, last: int | None = None) -> int:
        """Follow the chain from `first` to `last` or the end; how many rows, or JournalTrouble at the first break."""
        try:
            return self._follow(first, last)
        except sqlite3.Error as error:
            raise self._damaged("in its index", error) from error

    def _follow(self, first: int, last: int | None) -> int:
        stub = self.removed
        expected = first = max(first, stub.last + 1 if stub is not None else 1)
        previous = self.hash_at(first - 1)
        count = 0
        for seq, at, body, found in self.rows(first, last):
            if seq != expected:
                raise self._broken(expected, "is missing")
            readable = isinstance(at, int) and isinstance(body, bytes)
            previous = chained(previous, seq, at, body) if readable else GENESIS
            if previous != found:
                raise self._broken(seq, "was altered, or a row before it was removed or reordered")
            expected += 1
            count += 1
        if last is not None:
            if first <= last and expected <= last:
                raise self._broken(expected, "is missing")
            return count
        anchor = self._connection.execute("SELECT seq FROM snapshots ORDER BY seq DESC LIMIT 1").fetchone()
        if anchor and anchor[0] >= expected:
            raise self._broken(expected, "is missing: a snapshot was taken after it")
        return count

    def _damaged(self, where: str, error: sqlite3.Error) -> JournalTrouble:
        return JournalTrouble(
            f"{self.path}: damaged {where} ({error}); do not play on it: keep the file as evidence, then restore the "
            "last backup or start a new one"
        )

    def _broken(self, seq: int, how: str) -> JournalTrouble:
        return JournalTrouble(
            f"{self.path}: event {seq} {how}; do not play on this journal: keep it as evidence and call the "
            "supervisor, then start a new one"
        )

    def close(self) -> None:
        self._connection.close()
        if self._lock is not None:
            self._lock.close()


def _make_folder(folder: Path) -> None:
    """Make the folder with its name on disk, too: a power cut must not take it away with the journal in it."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in missing:
        above = os.open(made.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(above)
        finally:
            os.close(above)


def _only_writer(path: Path) -> IO[str]:
    try:
        _make_folder(path.parent)
        lock = open(f"{path}.lock", "a+")  # noqa: SIM115 - held as long as the journal is
    except OSError as error:
        raise JournalTrouble(
            f"{path}: cannot be written ({error.strerror}); check the directory and its rights"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise JournalTrouble(
            f"{path}: another controller (process {holder}) writes to this journal; "
            "stop it first, or give this table a journal of its own"
        ) from error
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def _prepare(connection: sqlite3.Connection, path: Path, table: str) -> None:
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        _check_schema(connection, path)
        return
    # In one transaction: a journal is there whole or not at all, whenever the power goes.
    connection.executescript(
        f"""
        BEGIN;
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE entries (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL);
        CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, body BLOB NOT NULL, seal BLOB NOT NULL);
        INSERT INTO meta VALUES ('schema', '{SCHEMA}'), ('table', {_quoted(table)});
        COMMIT;
        """
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    try:
        found = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        raise JournalTrouble(f"{path}: a database, but not a journal of this program; check the path") from error
    if found is None or int(found[0]) != SCHEMA:
        version = found[0] if found else "none"
        raise JournalTrouble(
            f"{path}: journal schema {version}, this program knows {SCHEMA}; use the version that wrote it"
        )
