"""One journal at the floor: where its chain stands, what was countersigned, and what its rows say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, select

from controller.journal.chain import Row
from controller.journal.head import Head, read_note
from controller.journal.tree import Tree, leaf
from controller.uplink.messages import Address, Rows
from floor.follow import Broken, Followed
from floor.reading import Face, Reading
from floor.store.schema import ALARMS, DEVICES, JOURNALS, MISPAID, PROJECTED, ROWS, STAFF
from floor.store.writes import Values, Writes

AT_ONCE = 5_000
_peaks = msgspec.msgpack.Decoder(tuple[tuple[int, bytes], ...]).decode


class Journal:
    """Follows one journal in memory; what changed is written with the transaction that took the rows."""

    def __init__(self, number: int, address: Address) -> None:
        self.id, self.address = number, address
        self.followed = Followed()
        self.reading = Reading(number)
        self.note = ""
        self.expected: Head | None = None
        self.key = ""
        self.broken = ""
        self.witnessed = 0
        self.removed = 0
        self.heard = 0

    def take(self, rows: Rows, connection: Connection, writes: Writes) -> str:
        """The rows of a message, checked and read; what could not be read of them, if anything."""
        new = self.followed.take(rows, lambda seq: hash_at(connection, self.id, seq))
        if self.followed.gap is not None:
            self.removed = self.followed.gap[1]
        self._as_countersigned()
        unread = ""
        for row in new:
            writes.add(ROWS, journal=self.id, seq=row.seq, at=row.at, hash=row.hash, body=row.body)
            unread = self.reading.take(row, writes) or unread
        return unread

    def _as_countersigned(self) -> None:
        """Hold what is read anew against what was countersigned before."""
        expected, followed = self.expected, self.followed
        if expected is None or expected.size > followed.size:
            return
        self.expected = None
        if expected.size >= followed.head:
            tree = Tree(followed.head, followed.peaks)
            for each in followed.since[: expected.size - followed.head]:
                tree.add(each)
            if tree.root() != expected.root:
                raise Broken("rewritten", f"the stream has other events up to {expected.size} than were countersigned")

    def put(self, writes: Writes) -> None:
        """Where it stands now."""
        followed = self.followed
        writes.put(
            JOURNALS, id=self.id, origin=self.address.origin, slug=self.address.table, size=followed.size,
            hash=followed.hash, head=followed.head, peaks=msgspec.msgpack.encode(followed.peaks), note=self.note,
            witnessed=self.witnessed, key=self.key, broken=self.broken, removed=self.removed, heard=self.heard,
            **msgspec.structs.asdict(self.reading.face),
        )  # fmt: skip


def hash_at(connection: Connection, journal: int, seq: int) -> bytes | None:
    """The hash of a row as the floor heard it."""
    found = connection.execute(select(ROWS.c.hash).where(ROWS.c.journal == journal, ROWS.c.seq == seq)).first()
    return found.hash if found is not None else None


def kept_rows(connection: Connection, journal: int, after: int) -> Iterator[Row]:
    """Rows in the store that came after this one."""
    wanted = select(ROWS).where(ROWS.c.journal == journal, ROWS.c.seq > after).order_by(ROWS.c.seq)
    return (Row(one.seq, one.at, one.body, one.hash) for one in connection.execute(wanted))


def loaded(connection: Connection) -> dict[str, Journal]:
    """Every journal as the store has it; a house of a thousand tables is asked for in a few questions."""
    stored = _Stored(connection)
    found = connection.execute(select(JOURNALS)).mappings()
    return {one["origin"]: _loaded(stored, dict(one)) for one in list(found)}


class _Stored:
    """What every journal goes on with, read for all of them together."""

    def __init__(self, connection: Connection) -> None:
        self.since = _rows(connection, ROWS.c.seq > JOURNALS.c.head)
        self.under_way = _rows(connection, JOURNALS.c.open_round > 0, ROWS.c.seq >= JOURNALS.c.open_round)
        self.started = _rows(connection, ROWS.c.seq == JOURNALS.c.started)
        self.alarms = _by_journal(connection, select(ALARMS).where(ALARMS.c.over == 0))
        self.staff, self.devices, self.mispaid = (
            _by_journal(connection, select(one)) for one in (STAFF, DEVICES, MISPAID)
        )


def _rows(connection: Connection, *which: ColumnElement[bool]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    both = select(ROWS).join(JOURNALS, JOURNALS.c.id == ROWS.c.journal)
    for one in connection.execute(both.where(*which).order_by(ROWS.c.journal, ROWS.c.seq)):
        found.setdefault(one.journal, []).append(Row(one.seq, one.at, one.body, one.hash))
    return found


def _by_journal(connection: Connection, wanted: Select[Any]) -> dict[int, list[Values]]:
    found: dict[int, list[Values]] = {}
    for one in connection.execute(wanted).mappings():
        found.setdefault(one["journal"], []).append(dict(one))
    return found


def _loaded(stored: _Stored, values: Values) -> Journal:
    number = values["id"]
    journal = Journal(number, Address.of(values["origin"]))
    for name in ("note", "key", "broken", "witnessed", "removed", "heard"):
        setattr(journal, name, values[name])
    since = [leaf(row.seq, row.at, row.body) for row in stored.since.get(number, ())]
    journal.followed = Followed(values["size"], values["hash"], values["head"], _peaks(values["peaks"]), since)
    if journal.note and values["size"] < values["witnessed"]:
        journal.expected = read_note(journal.note).head
    face = msgspec.convert({name: values[name] for name in Face.__struct_fields__}, Face)
    journal.reading = Reading(number, face)
    journal.reading.resume(
        stored.alarms.get(number, ()), stored.staff.get(number, ()), stored.devices.get(number, ()),
        stored.under_way.get(number, ()), next(iter(stored.started.get(number, ())), None),
        stored.mispaid.get(number, ()),
    )  # fmt: skip
    return journal


def kept_row(connection: Connection, journal: int, seq: int) -> Row | None:
    """One row in the store."""
    one = connection.execute(select(ROWS).where(ROWS.c.journal == journal, ROWS.c.seq == seq)).first()
    return Row(one.seq, one.at, one.body, one.hash) if one is not None else None


def read_anew(connection: Connection, journal: Journal) -> None:
    """Make all that is made from a journal's rows again from the rows in the store."""
    for table in PROJECTED:
        connection.execute(table.delete().where(table.c.journal == journal.id))
    journal.reading = Reading(journal.id)
    rows = kept_rows(connection, journal.id, 0)
    while part := list(islice(rows, AT_ONCE)):
        writes = Writes()
        for row in part:
            journal.reading.take(row, writes)
        writes.write(connection)
    writes = Writes()
    journal.put(writes)
    writes.write(connection)
