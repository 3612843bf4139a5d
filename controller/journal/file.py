"""The journal: one SQLite file, every row chained to the one before it by hash, durable before anything leaves.

`JournalFile` knows rows, chain and snapshots; who commits when is in `controller.journal.committer`.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from controller.journal.anew import name_anew, only_writer, write_anew
from controller.journal.chain import GENESIS, Entry, Row, Snapshot, Stub, chained, digest, sealed, stands_for
from controller.journal.head import Head, slug
from controller.journal.packed import pack, unpack
from controller.journal.schema import (
    READABLE,
    SCHEMA,
    TREE,
    TREE_SCHEMA,
    JournalTrouble,
    check_places,
    check_schema,
    check_tables,
    new_id,
    no_damage,
    prepare,
)
from controller.journal.tree import STORED, Subtree, Tree, leaf

__all__ = [
    "GENESIS",
    "READABLE",
    "SCHEMA",
    "Entry",
    "JournalFile",
    "JournalTrouble",
    "Row",
    "Snapshot",
    "Stub",
    "chained",
    "digest",
    "sealed",
]

SNAPSHOTS_KEPT = 3
PAGE_BYTES = 512
"""A commit writes whole pages, and the card whole blocks of eight: the fewer are touched, the less it wears."""
QUICK_PAGE_BYTES = 4096
HEAD_EVERY = 32
"""Rows from one head to the next, about a round; a snapshot has one, too."""
TILE = 1 << STORED[-1]
REMOVED_AT_ONCE = 1024
"""Rows; some milliseconds on a small machine."""


INSERT_ROW = "INSERT INTO entries VALUES (?, ?, ?, ?)"
INSERT_SUBTREE = "INSERT INTO tree VALUES (?, ?, ?)"


class JournalFile:
    """The rows on disk. Not safe for two threads at once; the committer is the only writer."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, lock: IO[str] | None, pack: Callable[[bytes], bytes] = bytes
    ) -> None:
        self.path = path
        self._pack = pack
        self._connection = connection
        self._lock = lock
        last = connection.execute("SELECT seq, hash, at FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        self.last_seq: int = last[0] if last else 0
        self._last_hash: bytes = last[1] if last else GENESIS
        self.last_at: int = last[2] if last else 0
        self._schema = int(self.meta("schema") or 0)
        self.origin = self._name()
        self.resumed: Snapshot | None = None
        self.took: Callable[[Head], None] = lambda head: None
        if lock is not None:
            self._nothing_beside()
        self._tree = Tree() if self._treeless or lock is None else self.tree_at(self.last_seq)

    @classmethod
    def open(cls, path: Path, table: str, durable: bool = True, alone: bool = False) -> JournalFile:
        """Open for writing, made anew if there is none; a second writer is refused.

        Not `durable`, it outlives a killed process but no power cut, and no card need be spared. `alone`, nobody can
        read it meanwhile, which saves what is shared with readers.
        """
        lock = only_writer(path)
        connection: sqlite3.Connection | None = None
        try:
            if durable:
                write_anew(Path(f"{path}-wal"))
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
            prepare(connection, path, table)
            if durable:
                name_anew(path)
            return cls(connection, path, lock, pack if durable else bytes)
        except BaseException as error:
            if connection is not None:
                connection.close()
            lock.close()
            if isinstance(error, OSError):
                raise JournalTrouble(
                    f"{path}: what was written last cannot be put on disk ({error.strerror}); free space or replace "
                    "the card, then start again"
                ) from error
            if isinstance(error, sqlite3.Error) and no_damage(error):
                raise JournalTrouble(
                    f"{path}: cannot be opened now ({error}), which says nothing about what is in it; check its "
                    "rights, who else has it open, and whether the machine has run out of open files, then start again"
                ) from error
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
            check_schema(connection, path)
            return cls(connection, path, None)
        except sqlite3.DatabaseError as error:
            if no_damage(error):
                raise JournalTrouble(
                    f"{path}: cannot be opened now ({error}), which says nothing about what is in it; check its rights "
                    "and whether the machine has run out of open files, then try again"
                ) from error
            raise JournalTrouble(
                f"{path}: not a readable journal ({error}); check the path; if it is the right one, keep it as "
                "evidence and restore the last backup"
            ) from error

    @classmethod
    def beside(cls, path: Path) -> JournalFile:
        """Open to remove old rows from while a table writes new ones; rows cannot be added here."""
        cls.read_only(path).close()  # says what it is where it is no journal
        connection = sqlite3.connect(f"file:{path}?mode=rw", uri=True, isolation_level=None)
        connection.execute("PRAGMA synchronous=FULL")
        journal = cls(connection, path, None)
        if journal._schema != SCHEMA:
            connection.close()
            raise JournalTrouble(
                f"{path}: of a version before this one, until its table has played on: start it once, then try again"
            )
        return journal

    def append(self, entries: Sequence[Entry]) -> None:
        """Add rows in one transaction that is on disk on return."""
        if self._schema != SCHEMA:
            self._lift()
        before = self.last_seq
        if len(entries) == 1 and entries[0].snapshot is None and (before + 1) % TILE:
            self._append_one(entries[0])
        else:
            self._append_together(entries)
        if entries[-1].snapshot is not None or self.last_seq // HEAD_EVERY != before // HEAD_EVERY:
            self.took(self.head())

    def _append_one(self, entry: Entry) -> None:
        """A statement alone is a transaction, and costs half as much."""
        at, body, _ = entry
        seq = self.last_seq + 1
        hash = chained(self._last_hash, seq, at, body)
        self._all_taken(self._connection.execute(INSERT_ROW, (seq, at, self._pack(body), hash)), 1)
        self._tree.add(leaf(seq, at, body))
        self.last_seq, self._last_hash, self.last_at = seq, hash, at

    def _append_together(self, entries: Sequence[Entry]) -> None:
        seq, previous, tree = self.last_seq, self._last_hash, self._tree.copy()
        rows: list[tuple[int, int, bytes, bytes]] = []
        snapshots: list[tuple[int, bytes, bytes]] = []
        whole: list[Subtree] = []
        for at, body, snapshot in entries:
            seq += 1
            previous = chained(previous, seq, at, body)
            rows.append((seq, at, self._pack(body), previous))
            whole += tree.add(leaf(seq, at, body))
            if snapshot is not None:
                snapshots.append((seq, self._pack(snapshot), sealed(previous, seq, snapshot)))
        execute, many = self._connection.execute, self._connection.executemany
        with self._transaction():
            self._all_taken(many(INSERT_ROW, rows), len(rows))
            self._all_taken(many(INSERT_SUBTREE, whole), len(whole))
            if snapshots:
                self._all_taken(many("INSERT INTO snapshots VALUES (?, ?, ?)", snapshots), len(snapshots))
                execute(
                    "DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?)",
                    (SNAPSHOTS_KEPT,),
                )
        self.last_seq, self._last_hash, self.last_at = seq, previous, entries[-1].at
        self._tree = tree

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _all_taken(self, cursor: sqlite3.Cursor, count: int) -> None:
        """A trigger can make the database swallow a row in silence."""
        if count and cursor.rowcount != count:
            raise sqlite3.IntegrityError(f"the database took {cursor.rowcount} rows of {count}; something hides in it")

    @property
    def _treeless(self) -> bool:
        return self._schema < TREE_SCHEMA

    def _lift(self) -> None:
        """Make an older journal one of this schema; not before the first row, for the version that wrote it may have
        to end its round first."""
        execute = self._connection.execute
        with self._transaction():
            tree = self._plant() if self._treeless else self._tree
            execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(SCHEMA),))
        self._tree, self._schema = tree, SCHEMA
        self.origin = self._name()

    def _plant(self) -> Tree:
        """The tree over rows that had none yet, and what names their journal in its heads."""
        tree = self.removed.tree() if self.removed is not None else Tree()
        self._connection.execute(TREE)
        for row in self.rows(tree.size + 1):
            self._connection.executemany(INSERT_SUBTREE, tree.add(leaf(row.seq, row.at, row.body)))
        self._connection.execute("INSERT INTO meta VALUES ('id', ?)", (new_id(),))
        return tree

    def probe(self) -> None:
        """Show that a commit could begin now, without writing anything; raises sqlite3.Error when it could not."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("ROLLBACK")

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[Row]:
        """The rows from `first` to `last`, in order."""
        upto = self.last_seq if last is None else last
        read = first - 1
        try:
            for read, at, lying, hash in self._connection.execute(
                "SELECT seq, at, body, hash FROM entries WHERE seq BETWEEN ? AND ? ORDER BY seq", (first, upto)
            ):
                yield Row(read, at, unpack(lying), hash)
        except sqlite3.Error as error:
            raise self._damaged(f"after event {read}", error) from error

    def newest(self) -> int:
        """The number of the last row on disk now, also where somebody else writes."""
        found: int | None = self._connection.execute("SELECT max(seq) FROM entries").fetchone()[0]
        stub = self.removed if found is None else None
        return found if found is not None else stub.last if stub is not None else 0

    def meta(self, key: str) -> str | None:
        found = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return found[0] if found else None

    @property
    def removed(self) -> Stub | None:
        """What was removed from the beginning after it had been exported."""
        text = self.meta("removed")
        if not text:
            return None
        try:
            stub = Stub.decode(text)
        except ValueError as error:
            raise self._broken(1, f"and later were removed, and their stub cannot be read ({error})") from error
        if (gone := stub.without_export()) is not None:
            raise self._broken(gone[0], f"to {gone[1]} are gone, and no export is named that holds them")
        return stub

    def _nothing_beside(self) -> None:
        """Nothing lies in the file but the rows, and what stands for them."""
        stub = self.removed
        check_places(self._connection, self.path, stub.last + 1 if stub is not None else 1, self.last_seq)

    def _name(self) -> str:
        """Which journal this is, as its heads name it; an older one is named with its next row."""
        return f"tablectl/{slug(self.meta('table') or '')}/{self.meta('id') or 'old'}"

    def head(self) -> Head:
        """The head of all that is written; only who writes it may ask."""
        return Head(self.origin, self.last_seq, self._tree.root())

    def tree_at(self, size: int) -> Tree:
        """The tree over the first rows, from subtrees that are stored and the few rows after them."""
        stub, tree = self.removed, Tree()
        for height in () if self._treeless else STORED:
            first, last = tree.size >> height, (size >> height) - 1
            found = self._stored(height, first, last)
            if len(found) != max(0, last - first + 1):
                raise self._broken(size, "or an earlier one is not in the tree")
            for hash in found:
                tree.add(hash, height)
        if stub is not None and tree.size < stub.last:
            if size < stub.last:
                raise JournalTrouble(
                    f"{self.path}: events up to {stub.last} were removed after they had been exported; give a head "
                    "that is newer than these, or check their exports"
                )
            tree = stub.tree()
        for row in self.rows(tree.size + 1, size):
            if row.seq != tree.size + 1:
                break
            if not row.readable():
                raise self._broken(row.seq, "was altered")
            tree.add(leaf(row.seq, row.at, row.body))
        if tree.size != size:
            raise self._broken(tree.size + 1, "is missing")
        return tree

    def prove(self, head: Head) -> None:
        """Hold the journal against a head that was kept elsewhere; JournalTrouble when it is not the same journal."""
        if head.origin != self.origin:
            raise JournalTrouble(
                f"{self.path}: this is {self.origin}, and the head is of {head.origin}; give the head of this journal, "
                "or keep both as evidence: one was put in the other's place"
            )
        if head.size > self.last_seq:
            raise self._broken(self.last_seq + 1, f"and later are missing: a head kept elsewhere has {head.size}")
        try:
            root = self.tree_at(head.size).root()
        except sqlite3.Error as error:
            raise self._damaged("in its tree", error) from error
        if root != head.root:
            raise self._broken(head.size, "or an earlier one is not what it was when a head was kept elsewhere")

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

    def last_before(self, at: int) -> int:
        """The row after which this moment came, also where the clock was wrong for a while; 0 before the first.

        It is where the fewest rows are on the wrong side, so that a later moment is never before an earlier one.
        """
        found = self._connection.execute(
            "SELECT seq, late FROM (SELECT seq, sum(CASE WHEN at >= ? THEN 1 ELSE -1 END) OVER (ORDER BY seq) AS late "
            "FROM entries) ORDER BY late, seq LIMIT 1",
            (at,),
        ).fetchone()
        stub = self.removed
        return found[0] if found and found[1] < 0 else stub.last if stub is not None else 0

    def oldest_snapshot(self) -> int | None:
        """The row of the oldest snapshot kept; a restart may need everything from there on."""
        oldest: int | None = self._connection.execute("SELECT min(seq) FROM snapshots").fetchone()[0]
        return oldest

    def remove_before(self, stub: Stub) -> None:
        """Remove all rows up to the stub's last one and leave the stub in their place.

        A little at a time, each part in one transaction with the stub that stands for it: a table that plays meanwhile
        waits for none of them long, and after a power cut the rest can be removed.
        """
        if self._schema != SCHEMA:
            self._lift()
        begin = self.removed.last if self.removed is not None else 0
        for last in (*range(begin + REMOVED_AT_ONCE, stub.last, REMOVED_AT_ONCE), stub.last):
            part = stub._replace(last=last, hash=self.hash_at(last), peaks=tuple(self.tree_at(last).peaks))
            with self._transaction():
                self._connection.execute("DELETE FROM entries WHERE seq <= ?", (last,))
                self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('removed', ?)", (part.encode(),))
        if self._lock is not None:
            self._connection.execute("VACUUM")  # else the room would stay inside the file, for the rows to come
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def newest_sound_snapshot(self) -> Snapshot | None:
        """The newest snapshot that its row and the chain stand for; a damaged one is passed over for the one before."""
        self.resumed = None
        try:
            for seq, lying, seal in self._connection.execute("SELECT seq, body, seal FROM snapshots ORDER BY seq DESC"):
                body, row = unpack(lying), next(self.rows(seq, seq), None)
                if (
                    row
                    and isinstance(body, bytes)
                    and sealed(row.hash, seq, body) == seal
                    and stands_for(row.body, body)
                ):
                    self.resumed = Snapshot(seq, body)
                    break
        except sqlite3.Error as error:
            raise self._damaged("among its snapshots", error) from error
        return self.resumed

    def verify(self, first: int = 1, last: int | None = None) -> int:
        """Follow chain and tree from `first` to `last` or the end; how many rows, or JournalTrouble at a break."""
        try:
            with self._one_moment():
                check_tables(self._connection, self.path)
                if last is None:
                    self._nothing_beside()
                return self._follow(first, last)
        except sqlite3.Error as error:
            raise self._damaged("in its index", error) from error

    @contextlib.contextmanager
    def _one_moment(self) -> Iterator[None]:
        """All that is read here is of one moment, though old rows are removed meanwhile."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _follow(self, first: int, last: int | None) -> int:
        stub = self.removed
        expected = first = max(first, stub.last + 1 if stub is not None else 1)
        previous = self.hash_at(first - 1)
        tile = stub.tree() if stub is not None and first == stub.last + 1 else None
        for row in self.rows(first, last):
            seq, at, body, found = row
            if seq != expected:
                raise self._broken(expected, "is missing")
            previous = chained(previous, seq, at, body) if row.readable() else GENESIS
            if previous != found:
                raise self._broken(seq, "was altered, or a row before it was removed or reordered")
            if seq % TILE == 1:
                tile = Tree(seq - 1)
            if tile is not None:
                self._in_tree(each for each in tile.add(leaf(seq, at, body)) if each.height == STORED[-1])
            expected += 1
        count = expected - first
        if last is not None and first <= last and expected <= last:
            raise self._broken(expected, "is missing")
        return count

    def _in_tree(self, whole: Iterable[Subtree]) -> None:
        """Hold a subtree against the stored one, and where it is the last of a greater one, that one, too."""
        if self._treeless:
            return
        for height, place, hash in whole:
            found = self._stored(height, place, place)
            if found != [hash]:
                raise self._broken((place + 1) << height, "or one shortly before it is not the one in the tree")
            if (place + 1) % TILE == 0 and height < STORED[0]:
                upper = Tree()
                for below in self._stored(height, place + 1 - TILE, place):
                    upper.add(below)
                self._in_tree([Subtree(height + STORED[-1], place // TILE, upper.root())])

    def _stored(self, height: int, first: int, last: int) -> list[bytes]:
        found = self._connection.execute(
            "SELECT hash FROM tree WHERE height = ? AND place BETWEEN ? AND ? ORDER BY place", (height, first, last)
        )
        return [hash for (hash,) in found]

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
