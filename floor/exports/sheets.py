"""What the store knows, as sheets for other programs: Parquet, or CSV. One declaration a sheet; times in UTC, cents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
from sqlalchemy import BigInteger, Boolean, Connection, Integer, Select, Table, select

from floor.store.schema import (
    ALARMS,
    DEVICES,
    FINDINGS,
    FLOATS,
    HEADS,
    JOURNALS,
    ROUNDS,
    RULINGS,
    STAFF,
    TAKEN,
    WAGERS,
)

FORMS = ("parquet", "csv")
AT_ONCE = 10_000
"""Lines of one group; never are more than these in memory."""
TIMES = frozenset({"at", "ended", "over", "taken_at", "heard", "last_at"})
CENTS = frozenset({"staked", "taken", "paid", "pays", "returned", "cents", "handle", "win", "min", "max"})
WHOSE = (JOURNALS.c.slug, JOURNALS.c.name.label("table"), JOURNALS.c.game, JOURNALS.c.rulebook, JOURNALS.c.origin)


class Sheet(NamedTuple):
    """One sheet: what it is made of, and the moment by which it is cut into days."""

    of: Table
    moment: str
    says: str


SHEETS = {
    "rounds": Sheet(ROUNDS, "ended", "every round: outcome, staked, taken and paid, dealer, cards, clauses"),
    "wagers": Sheet(WAGERS, "", "every wager of those rounds: player, bet, result"),
    "rulings": Sheet(RULINGS, "at", "what people decided, with rank, reason and clauses"),
    "alarms": Sheet(ALARMS, "at", "alarms of tables, and when each was over"),
    "taken": Sheet(TAKEN, "at", "who took which alarm upon themselves"),
    "findings": Sheet(FINDINGS, "at", "what the floor found about tables"),
    "floats": Sheet(FLOATS, "at", "floats opened and closed, fills, credits, cash and corrections"),
    "devices": Sheet(DEVICES, "at", "every device as it was heard last"),
    "staff": Sheet(STAFF, "at", "who is signed in where"),
    "heads": Sheet(HEADS, "at", "heads that were countersigned"),
    "tables": Sheet(JOURNALS, "heard", "every journal, what its table said of itself, how far it is proved"),
}
KEPT_BACK = frozenset({"hash", "peaks", "id", "journal"})
"""What only this store can use."""


class Part(NamedTuple):
    """Which part: one table or all, from and until a moment in milliseconds; 0 is no bound."""

    table: str = ""
    since: int = 0
    until: int = 0


def lines(connection: Connection, name: str, wanted: Part) -> Iterator[list[Mapping[str, Any]]]:
    """The lines of a sheet, a group at a time."""
    sheet = SHEETS[name]
    found = connection.execution_options(yield_per=AT_ONCE).execute(_asked(sheet, wanted))
    for part in found.mappings().partitions():
        yield [dict(one) for one in part]


def _asked(sheet: Sheet, wanted: Part) -> Select[Any]:
    columns = [column for column in sheet.of.c if column.name not in KEPT_BACK]
    if sheet.of is FINDINGS:
        asked, slug = select(*columns), FINDINGS.c.slug
    elif sheet.of is JOURNALS:
        asked, slug = select(*columns), JOURNALS.c.slug
    else:
        asked, slug = select(*WHOSE, *columns).join(JOURNALS, JOURNALS.c.id == sheet.of.c.journal), JOURNALS.c.slug
    moment = sheet.of.c[sheet.moment] if sheet.moment else ROUNDS.c.ended
    if sheet.of is WAGERS:
        same = (ROUNDS.c.journal == WAGERS.c.journal) & (ROUNDS.c.first == WAGERS.c.first)
        asked = asked.add_columns(ROUNDS.c.ended, ROUNDS.c.round, ROUNDS.c.dealer).join(ROUNDS, same)
    if wanted.table:
        asked = asked.where(slug == wanted.table)
    if wanted.since:
        asked = asked.where(moment >= wanted.since)
    if wanted.until:
        asked = asked.where(moment < wanted.until)
    return asked.order_by(*sheet.of.primary_key.columns)


def schema(name: str) -> pa.Schema:
    """The columns of a sheet with their types."""
    return pa.schema([_field(column) for column in _asked(SHEETS[name], Part()).selected_columns])


def _field(column: Any) -> pa.Field:
    if column.name in TIMES:
        return pa.field(column.name, pa.timestamp("ms", tz="UTC"))
    if column.name in CENTS:
        return pa.field(_named(column.name), pa.int64())
    if column.name == "clauses":
        return pa.field("clauses", pa.list_(pa.string()))
    return pa.field(column.name, _TYPES.get(type(column.type), pa.string()))


_TYPES = {BigInteger: pa.int64(), Integer: pa.int64(), Boolean: pa.bool_()}


def _named(column: str) -> str:
    return column if column == "cents" or column not in CENTS else f"{column}_cents"


def _batch(name: str, found: Iterable[Mapping[str, Any]]) -> pa.RecordBatch:
    rows = [{_named(key): _value(key, value) for key, value in one.items()} for one in found]
    return pa.RecordBatch.from_pylist(rows, schema(name))


def _value(name: str, value: Any) -> Any:
    if name in TIMES:
        return value or None
    if name == "clauses":
        return [one for one in value.split("|") if one]
    return value


def write(connection: Connection, name: str, wanted: Part, form: str, to: IO[bytes] | Path) -> int:
    """One sheet in this form; how many lines it has."""
    count = 0
    with _writer(name, form, to) as writer:
        for part in lines(connection, name, wanted):
            batch = _batch(name, part)
            writer.write_batch(_flat(batch) if form == "csv" else batch)
            count += len(part)
    return count


def _writer(name: str, form: str, to: IO[bytes] | Path) -> Any:
    if form == "csv":
        return pacsv.CSVWriter(to, _flat(_batch(name, ())).schema)
    return pq.ParquetWriter(to, schema(name), compression="zstd")


def _flat(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A list has no place in CSV: its words are joined by bars."""
    if "clauses" not in batch.schema.names:
        return batch
    place = batch.schema.get_field_index("clauses")
    joined = pa.array(["|".join(one.as_py()) for one in batch.column(place)], pa.string())
    return batch.set_column(place, "clauses", joined)
