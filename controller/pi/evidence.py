"""Gaming days taken out of a journal with their chain, and removed from it only once they are safe outside.

An exported day can be checked by anybody with the few lines in docs/pi.md; this program is not needed for it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from controller import kept_file
from controller.journal.anew import sync, sync_folder
from controller.journal.file import GENESIS, JournalFile, JournalTrouble, Stub, chained
from controller.journal.head import slug
from controller.journal.tree import Tree, leaf

FORM = 1
SUFFIX = ".jsonl.gz"
LINE_MOST = 4 << 20
"""Bytes of one event; the longest that a table writes, a whole spin's trace, has a hundredth of it."""
DAY_MOST = 1 << 30
"""Bytes of a whole day unpacked; the busiest table writes a tenth of it."""


class EvidenceTrouble(Exception):
    """Evidence cannot be taken, trusted or removed: what, where, and what to do."""


class Day(msgspec.Struct, frozen=True):
    """One exported gaming day: which rows it holds and how they hang in the chain."""

    file: str
    table: str
    day: str
    first: int
    last: int
    before: str  # hash of the row before the first; zeros at the journal's beginning
    head: str  # hash of the last
    until: int  # end of the day, milliseconds since 1970
    sha256: str = ""  # of the file

    @property
    def rows(self) -> int:
        return self.last - self.first + 1


LONGEST_OFF = timedelta(days=400)
"""Days further back are exported by name."""


class GamingDay(msgspec.Struct, frozen=True):
    """A day at the tables, which seldom ends at midnight."""

    day: date
    starts: time
    zone: tzinfo | None = None  # None: this machine's

    @property
    def begin(self) -> int:
        return _milliseconds(datetime.combine(self.day, self.starts, self.zone))

    @property
    def end(self) -> int:
        return _milliseconds(datetime.combine(self.day + timedelta(days=1), self.starts, self.zone))


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


# --- taking a day out ------------------------------------------------------------------------


def export_day(journal: JournalFile, gaming: GamingDay, folder: Path, now: int) -> Day:
    """Write the rows of a gaming day that is over to a file of their own; the chain is followed on the way."""
    table = journal.meta("table") or ""
    if now < gaming.end:
        ends = datetime.fromtimestamp(gaming.end / 1000, gaming.zone)
        raise EvidenceTrouble(f"the gaming day {gaming.day} is not over; it ends {ends:%Y-%m-%d %H:%M}: export it then")
    first, last = _rows_of(journal, gaming, folder)
    if last < first:
        raise EvidenceTrouble(f"{journal.path}: nothing happened on the gaming day {gaming.day}; nothing to export")
    path = _file_of(journal, gaming, folder)
    if path.exists():
        raise EvidenceTrouble(f"{path}: is there already; check it with `tablectl evidence verify`, or remove it")
    must_be_there(folder)
    before = journal.hash_at(first - 1)
    head = {
        "gaming_day": FORM,
        "table": table,
        "day": str(gaming.day),
        "begin": gaming.begin,
        "end": gaming.end,
        "first": first,
        "last": last,
        "before": before.hex(),
    }
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)
        with open(kept_file.create(part), "wb") as raw:
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as out:
                out.write(_line(head))
                for row in _followed(journal, first, last, before):
                    out.write(_line(row))
            raw.flush()
            os.fsync(raw.fileno())
        day = verify_export(part)
        os.replace(part, path)
        _keep_name(path)
    except OSError as error:
        raise EvidenceTrouble(
            f"{path}: cannot be written ({error.strerror}); free space or choose another folder"
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return msgspec.structs.replace(day, file=str(path))


def _file_of(journal: JournalFile, gaming: GamingDay, folder: Path) -> Path:
    return folder / f"{slug(journal.meta('table') or '')}-{gaming.day}{SUFFIX}"


def export_missing(journal: JournalFile, starts: time, folder: Path, now: int, zone: tzinfo | None = None) -> list[Day]:
    """Every gaming day that is over and has no export yet, the oldest first: a machine may have been off for some."""
    must_be_there(folder)
    began = next((row.at for row in journal.rows()), now)
    first = max(began, now - LONGEST_OFF.days * 86_400_000)  # what a clock in 1970 dated is in the day after it
    gaming, done = GamingDay(datetime.fromtimestamp(first / 1000, zone).date() - timedelta(days=1), starts, zone), []
    while gaming.end <= now:
        begin, last = _rows_of(journal, gaming, folder)
        if begin <= last and not _file_of(journal, gaming, folder).exists():
            done.append(export_day(journal, gaming, folder, now))
        gaming = msgspec.structs.replace(gaming, day=gaming.day + timedelta(days=1))
    return done


def _rows_of(journal: JournalFile, gaming: GamingDay, folder: Path) -> tuple[int, int]:
    """First and last row of a gaming day, every row in one day only, whatever became of the clock meanwhile.

    Rows written since may have moved the end of the day before: where its export lies here, the day begins after it.
    """
    table, last = journal.meta("table") or "", journal.last_before(gaming.end)
    for path in sorted(folder.glob(f"{slug(table)}-*{SUFFIX}")):
        head = _head_of(path)
        if head is not None and (head.table, head.end) == (table, gaming.begin):
            return head.last + 1, last
    return journal.last_before(gaming.begin) + 1, last


def _head_of(path: Path) -> _Head | None:
    """What an export says of itself; nothing where it cannot be read, for nothing rests on it here."""
    try:
        with gzip.open(path, "rb") as lines:
            return msgspec.json.decode(lines.readline(LINE_MOST), type=_Head)
    except (OSError, EOFError, zlib.error, ValueError, msgspec.MsgspecError):
        return None


def _keep_name(path: Path) -> None:
    """Put a file's new name on disk, or take it away again: a later look would take it for kept."""
    try:
        sync_folder(path.parent)
    except OSError:
        path.unlink()
        raise


def must_be_there(folder: Path) -> None:
    """A folder made here in place of a stick or share that is not mounted would fill the table's own card instead."""
    if not folder.is_dir():
        raise EvidenceTrouble(f"{folder}: is not there; plug in and mount what it is on, or make it: mkdir -p {folder}")


def _followed(journal: JournalFile, first: int, last: int, before: bytes) -> Iterator[dict[str, Any]]:
    expected, previous = first, before
    for row in journal.rows(first, last):
        readable = isinstance(row.at, int) and isinstance(row.body, bytes)
        previous = chained(previous, row.seq, row.at, row.body) if readable else GENESIS
        if row.seq != expected or previous != row.hash:
            raise EvidenceTrouble(
                f"{journal.path}: the chain is broken at event {expected}; keep it and run `tablectl journal verify`"
            )
        yield {"seq": row.seq, "at": row.at, "body": row.body.decode(), "hash": row.hash.hex()}
        expected += 1
    if expected != last + 1:
        raise EvidenceTrouble(f"{journal.path}: event {expected} is missing; run `tablectl journal verify`")


def _line(facts: dict[str, Any]) -> bytes:
    return json.dumps(facts, ensure_ascii=False).encode() + b"\n"


# --- checking it, anywhere -------------------------------------------------------------------


class _Form(msgspec.Struct):
    """The one thing that every form of export says."""

    gaming_day: int


class _Head(msgspec.Struct):
    """The first line of an exported day."""

    table: str
    day: str
    end: int
    first: int
    last: int
    before: str


class _Line(msgspec.Struct):
    """One event of it."""

    seq: int
    at: int
    body: str
    hash: str


def verify_export(path: Path, took: Callable[[_Line], object] = lambda row: None) -> Day:
    """Follow the chain inside an exported day; what it holds, or EvidenceTrouble at the first break.

    `took` is given each event as it is followed.
    """
    seq = -1
    if path.exists() and not path.is_file():
        raise EvidenceTrouble(f"{path}: no file but a folder, pipe or device; do not trust who laid it there")
    try:
        with gzip.open(path, "rb") as unpacked:
            lines = _lines(unpacked, path)
            first = next(lines, b"")
            if msgspec.json.decode(first, type=_Form).gaming_day != FORM:
                raise EvidenceTrouble(f"{path}: not a gaming day in form {FORM}")
            seq = 0
            head = msgspec.json.decode(first, type=_Head)
            seq, previous = head.first - 1, bytes.fromhex(head.before)
            if not 1 <= head.first <= head.last or len(previous) != len(GENESIS):
                raise EvidenceTrouble(f"{path}: says that it holds what no gaming day can hold; do not trust this file")
            for line in lines:
                row = msgspec.json.decode(line, type=_Line)
                seq += 1
                previous = chained(previous, seq, row.at, row.body.encode())
                if row.seq != seq or previous.hex() != row.hash or seq > head.last:
                    raise EvidenceTrouble(
                        f"{path}: event {seq} was altered, removed or reordered; do not trust this file"
                    )
                took(row)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError, msgspec.MsgspecError) as error:
        if seq < 0:
            raise EvidenceTrouble(
                f"{path}: no exported gaming day ({error}); give files that `tablectl evidence export` wrote"
            ) from error
        raise EvidenceTrouble(f"{path}: damaged after event {seq} ({error}); export the day again") from error
    if seq != head.last:
        raise EvidenceTrouble(f"{path}: ends with event {seq} instead of {head.last}; export the day again")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Day(
        str(path),
        head.table,
        head.day,
        head.first,
        seq,
        head.before,
        previous.hex(),
        head.end,
        digest,
    )


def _lines(unpacked: gzip.GzipFile, path: Path) -> Iterator[bytes]:
    """The lines of an archive, of which no more is unpacked than a day can have."""
    left = DAY_MOST
    while line := unpacked.readline(LINE_MOST):
        left -= len(line)
        if left < 0 or (len(line) == LINE_MOST and not line.endswith(b"\n")):
            raise EvidenceTrouble(f"{path}: unpacks to far more than a gaming day has; do not trust this file")
        yield line


def verify_exports(paths: list[Path], journal: JournalFile | None = None) -> list[Day]:
    """Each day by itself, each following the one before it, and all of them in this journal."""
    days = sorted((verify_export(path) for path in paths), key=lambda day: day.first)
    for earlier, later in pairwise(days):
        if (later.table, later.first, later.before) != (earlier.table, earlier.last + 1, earlier.head):
            raise EvidenceTrouble(
                f"{later.file}: does not follow {earlier.file}: a day is missing, or one is of another table"
            )
    if journal is not None:
        for day in days:
            _belongs(journal, day)
    return days


def _belongs(journal: JournalFile, day: Day) -> None:
    stub = journal.removed
    if stub is not None and day.last <= stub.last:
        _is_the_one_removed(journal, stub, day)
        return
    known = journal.hash_at(day.last) if day.last <= journal.last_seq else b""
    if known.hex() != day.head:
        raise EvidenceTrouble(f"{day.file}: event {day.last} is not the one in {journal.path}; one of them is false")


def _is_the_one_removed(journal: JournalFile, stub: Stub, day: Day) -> None:
    """Of what was removed the journal has the digest of the file: that very file, or it is another story."""
    for name, digest, first, last in stub.exports:
        if (first, last) == (day.first, day.last) and digest == day.sha256:
            return
        if first <= day.last and day.first <= last:
            raise EvidenceTrouble(
                f"{day.file}: not the file for which {journal.path} let go of events {first} to {last}; that was "
                f"{name} with sha256 {digest}: find it, and keep both as evidence"
            )
    raise EvidenceTrouble(f"{day.file}: {journal.path} never held these events; one of them is false")


def prove_removed(journal: JournalFile, folder: Path) -> None:
    """Show that the exports in a folder are what was removed from a journal, or EvidenceTrouble.

    Names and digests in the journal are the word of whoever owns the machine; the tree over the removed events is not,
    for a head that was kept outside stands for it, too.
    """
    stub = journal.removed
    if stub is None:
        return
    tree, hashes = Tree(), [GENESIS]

    def take(row: _Line) -> None:
        if tree.size + 1 == row.seq <= stub.last:
            tree.add(leaf(row.seq, row.at, row.body.encode()))
            hashes[0] = bytes.fromhex(row.hash)

    for name, _, first, last in sorted(stub.exports, key=lambda export: export[2]):
        path = folder / Path(name).name
        if not path.exists():
            raise EvidenceTrouble(
                f"{path}: not there, and events {first} to {last} were removed for it; give the folder that holds it"
            )
        _is_the_one_removed(journal, stub, verify_export(path, take))
    by_chain = stub.stands_by_chain() and hashes[0] == stub.hash
    if tree.size != stub.last or not (by_chain or tree.peaks == list(stub.peaks)):
        raise EvidenceTrouble(
            f"{folder}: its exports are not the events 1 to {stub.last} that were removed from {journal.path}; one of "
            "them is false: keep both as evidence"
        )


# --- removing what is safe -------------------------------------------------------------------


class Kept(msgspec.Struct, frozen=True):
    """What was removed, and why nothing more was."""

    removed: int
    days: tuple[str, ...]
    first: int
    why: str


def retain(
    journal: JournalFile, folder: Path, older_than: int, dry_run: bool = False, countersigned: int | None = None
) -> Kept:
    """Remove days that ended before this moment and whose exports, checked now, lie in the folder; nothing else.

    Of a table that sends its rows to a floor, nothing goes that was not `countersigned` there.
    """
    stub = journal.removed
    expected, before = (stub.last + 1, stub.hash) if stub is not None else (1, GENESIS)
    days: list[Day] = []
    why = "all that is old enough is removed"
    found = {day.first: day for day in (verify_export(path) for path in sorted(folder.glob(f"*{SUFFIX}")))}
    limit = journal.oldest_snapshot()
    begun = next((day for day in found.values() if day.first < expected <= day.last), None)
    if begun is not None and stub is not None:
        _is_the_one_removed(journal, stub, begun)  # a power cut came while it was removed
        found[expected] = msgspec.structs.replace(begun, first=expected, before=before.hex())
    while True:
        day = found.get(expected)
        if day is None:
            why = f"event {expected} and later are in no export in {folder}"
            break
        if day.before != before.hex():
            why = f"{day.file} does not follow what was removed or exported before it"
            break
        _belongs(journal, day)
        if day.until > older_than:
            break
        if limit is None or day.last >= limit:
            why = f"{day.day} holds events that a restart still needs"
            break
        if countersigned is not None and day.last > countersigned:
            why = f"the floor has countersigned {countersigned} events, and {day.day} ends with event {day.last}"
            break
        days.append(day)
        expected, before = day.last + 1, bytes.fromhex(day.head)
    if days and not dry_run:
        _on_disk(folder, days)
        known = stub.exports if stub is not None else ()
        gone = {digest for _, digest, _, _ in known}
        new = ((Path(day.file).name, day.sha256, day.first, day.last) for day in days if day.sha256 not in gone)
        journal.remove_before(Stub(days[-1].last, before, (*known, *new)))
    return Kept(sum(day.rows for day in days), tuple(day.day for day in days), expected, why)


def _on_disk(folder: Path, days: list[Day]) -> None:
    """Exports may have been copied here a moment ago; nothing is removed for them before they are on disk."""
    try:
        for day in days:
            sync(Path(day.file))
        sync_folder(folder)
    except OSError as error:
        raise EvidenceTrouble(
            f"{folder}: the exports cannot be put on disk ({error.strerror}); nothing was removed: copy them to a "
            "sound medium and try again"
        ) from error


def open_for_removal(path: Path, table: str, shrink: bool) -> JournalFile:
    """The journal of a table that may be playing; to `shrink` its file, it must not be."""
    if not path.exists():
        raise JournalTrouble(f"{path}: no such journal; give the configuration of an existing table")
    return JournalFile.open(path, table) if shrink else JournalFile.beside(path)
