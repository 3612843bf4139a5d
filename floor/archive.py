"""Archived days: each table's rows of a day, once it is over and countersigned, as one Parquet file that proves itself.

The rows of a file hang together by their chain, and by the tree with the countersigned head in it; from these files,
and from the stream for what came after them, a store is made again as it was. Days are the house's gaming days.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import Connection, Engine, func, select

from controller.journal.chain import GENESIS, Row, chained
from controller.journal.head import read_note
from controller.journal.tree import Tree, leaf
from controller.report.days import HouseDays
from controller.uplink.messages import FORM, Address, Rows
from floor.journals import kept_rows
from floor.store.database import StoreTrouble
from floor.store.schema import HEADS, JOURNALS, ROWS

AT_ONCE = 1_000
"""Rows of one group in a file, and of one message when it is read again."""
SAYS = b"tablectl-day"
SCHEMA = pa.schema([("seq", pa.int64()), ("at", pa.int64()), ("hash", pa.binary(32)), ("body", pa.binary())])


class ArchiveTrouble(StoreTrouble):
    """An archived day cannot be written or believed: which file, what is wrong, and what to do."""


class Day(msgspec.Struct, frozen=True):
    """What a file says of itself; `peaks` are of the tree after its last row, `note` is a countersigned head in it."""

    origin: str
    day: str
    first: int
    last: int
    before: str
    hash: str
    peaks: list[tuple[int, str]]
    note: str


def due(connection: Connection, folder: Path, now: int, days: HouseDays) -> Iterator[tuple[int, str, int, int]]:
    """Days that are over, countersigned to their end and in no file yet: journal, origin, first and last row."""
    wanted = select(JOURNALS.c.id, JOURNALS.c.origin, JOURNALS.c.witnessed).where(JOURNALS.c.removed == 0)
    for journal, origin, witnessed in connection.execute(wanted.order_by(JOURNALS.c.id)).all():
        first = (kept[-1][0].last if (kept := list(_days(folder, origin))) else 0) + 1
        while (last := _end_of_day(connection, journal, first, now, days)) and last <= witnessed:
            yield journal, origin, first, last
            first = last + 1


def _end_of_day(connection: Connection, journal: int, first: int, now: int, days: HouseDays) -> int:
    """The last row of the day that this row begins; 0 while the day goes on, or where there is no such row."""
    began = connection.execute(select(ROWS.c.at).where(ROWS.c.journal == journal, ROWS.c.seq == first)).scalar()
    if began is None or (ends := days.end(began)) > now:
        return 0
    later = select(func.min(ROWS.c.seq)).where(ROWS.c.journal == journal, ROWS.c.seq > first, ROWS.c.at >= ends)
    if (after := connection.execute(later).scalar()) is not None:
        return int(after) - 1
    return int(connection.execute(select(func.max(ROWS.c.seq)).where(ROWS.c.journal == journal)).scalar() or 0)


def archive(engine: Engine, folder: Path, now: int, days: HouseDays) -> list[Day]:
    """Write every day that is due; each is read again and followed before it counts."""
    written = []
    with engine.connect() as connection:
        for journal, origin, first, last in due(connection, folder, now, days):
            written.append(_write(connection, folder, journal, origin, (first, last), days))
    return written


def _write(
    connection: Connection, folder: Path, journal: int, origin: str, span: tuple[int, int], days: HouseDays
) -> Day:
    first, last = span
    before, tree = _so_far(folder, origin)
    rows = islice(kept_rows(connection, journal, first - 1), last - first + 1)
    heads = _heads(connection, journal, first, last)
    target = folder / origin.replace("tablectl/", "", 1)
    target.mkdir(parents=True, exist_ok=True)
    part = target / ".part"
    at, hash, note = 0, before, ""
    with pq.ParquetWriter(part, SCHEMA, compression="zstd") as writer:
        while some := list(islice(rows, AT_ONCE)):
            for row in some:
                hash = _followed(part, hash, row)
                tree.add(leaf(row.seq, row.at, row.body))
                if (head := heads.get(row.seq, "")) and read_note(head).head.root != tree.root():
                    raise ArchiveTrouble(
                        f"{origin}: event {row.seq} is not what was countersigned: tablectl floor check"
                    )
                note, at = head or note, at or row.at
            writer.write_batch(pa.RecordBatch.from_pylist([row._asdict() for row in some], SCHEMA))
        day = Day(
            origin, days.day(at).isoformat(), first, last, before.hex(), hash.hex(),
            [(height, base64.b64encode(peak).decode()) for height, peak in tree.peaks], note,
        )  # fmt: skip
        writer.add_key_value_metadata({SAYS: msgspec.json.encode(day)})
    with part.open("rb") as file:
        os.fsync(file.fileno())
    read(part)
    part.replace(target / f"{first:012}-{day.day}.parquet")
    return day


def _followed(where: object, before: bytes, row: Row) -> bytes:
    if chained(before, row.seq, row.at, row.body) != row.hash:
        raise ArchiveTrouble(f"{where}: event {row.seq} was altered; look at the store: tablectl floor check")
    return row.hash


def _heads(connection: Connection, journal: int, first: int, last: int) -> dict[int, str]:
    wanted = select(HEADS.c.size, HEADS.c.note).where(HEADS.c.journal == journal, HEADS.c.size.between(first, last))
    return {one.size: one.note for one in connection.execute(wanted)}


def _so_far(folder: Path, origin: str) -> tuple[bytes, Tree]:
    """The hash of the last archived row of a journal, and the tree over all of them."""
    days = list(_days(folder, origin))
    if not days:
        return GENESIS, Tree()
    newest = days[-1][0]
    return bytes.fromhex(newest.hash), Tree(newest.last, _peaks(newest))


def _peaks(day: Day) -> tuple[tuple[int, bytes], ...]:
    return tuple((height, base64.b64decode(peak)) for height, peak in day.peaks)


def _days(folder: Path, origin: str) -> Iterator[tuple[Day, Path]]:
    """The archived days of a journal in their order."""
    for path in sorted((folder / origin.replace("tablectl/", "", 1)).glob("[0-9]*.parquet")):
        yield says(path), path


# -- reading -------------------------------------------------------------------------------------------------------


def says(path: Path) -> Day:
    """What a file says of itself."""
    try:
        said = (pq.read_metadata(path).metadata or {}).get(SAYS)
        if said is None:
            raise ArchiveTrouble(f"{path}: is no archived day")
        return msgspec.json.decode(said, type=Day)
    except (OSError, pa.ArrowInvalid, msgspec.MsgspecError) as error:
        raise ArchiveTrouble(f"{path}: cannot be read ({error}); take it from where archives are kept twice") from error


def rows(path: Path) -> Iterator[Row]:
    """The rows of a file, each held against the one before."""
    day = says(path)
    hash, last = bytes.fromhex(day.before), day.first - 1
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(AT_ONCE):
            for one in batch.to_pylist():
                row = Row(one["seq"], one["at"], one["body"], one["hash"])
                if row.seq != last + 1:
                    raise ArchiveTrouble(f"{path}: event {last + 1} is missing")
                hash, last = _followed(path, hash, row), row.seq
                yield row
    if (last, hash.hex()) != (day.last, day.hash):
        raise ArchiveTrouble(f"{path}: ends with event {last}, and says that it ends with {day.last}")


def read(path: Path) -> Day:
    """Follow a file to its end; ArchiveTrouble where it is not what it says."""
    for _ in rows(path):
        pass
    return says(path)


def messages(folder: Path) -> Iterator[tuple[Address, Rows]]:
    """Every archived row in messages as its table sent them, journal by journal from its beginning."""
    for origin in sorted({f"tablectl/{path.parent.relative_to(folder)}" for path in folder.rglob("[0-9]*.parquet")}):
        last = 0
        for day, path in _days(folder, origin):
            if day.first != last + 1:
                raise ArchiveTrouble(f"{path}: event {last + 1} and later lie in no file before it; bring that file")
            yield from _messages(day, path)
            last = day.last


def _messages(day: Day, path: Path) -> Iterator[tuple[Address, Rows]]:
    signed = read_note(day.note).head.size if day.note else 0
    before, found = bytes.fromhex(day.before), rows(path)
    while some := list(islice(found, AT_ONCE)):
        note = day.note if some[0].seq <= signed <= some[-1].seq else ""
        said = tuple((row.at, row.body) for row in some)
        yield Address.of(day.origin), Rows(FORM, some[0].seq, before, said, some[-1].hash, note)
        before = some[-1].hash
