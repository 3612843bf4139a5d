"""Tables, a floor and its hall under one clock: rows from journals, orders signed by the floor, and lines to cut."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import event

from controller.games.poker.config import RakeSection
from controller.journal.cosignature import Witness, WitnessKey
from controller.journal.head import TableKey, slug
from controller.tournament.terms import Terms
from controller.uplink.messages import encode
from firmware_specs.clock import Clock
from floor.hall.link import said_in
from floor.hall.service import HallService
from floor.intake import Heard, Intake
from floor.known import Known
from floor.orders import heard, waiting
from floor.store.database import opened
from lab.hall.table import EventTable

CARRY_S = 0.5
"""How often a line is looked at, as a floor does."""
ANYWAY = 20
"""Every so many looks the hall looks too where nothing has come, as it would for orders that nobody has answered."""


def secret(words: str) -> bytes:
    """Keys of a simulated house are nobody's secret, so that a seed repeats."""
    return hashlib.sha256(f"a simulated event: {words}".encode()).digest()


def _in_no_hurry(connection: Any, record: Any) -> None:
    """Nobody pulls this machine's plug: the disk is not waited for."""
    connection.execute("PRAGMA synchronous=OFF")


class EventHouse:
    """What a broker and two machines do in a real house: every message as it travels there, without the wire."""

    def __init__(self, folder: Path, terms: Terms, clock: Clock, seed: int, rake: RakeSection | None = None) -> None:
        self.folder, self._clock = folder, clock
        names = dict.fromkeys(name for session in terms.sessions for name in session.tables)
        keys = {name: TableKey(secret(name)) for name in names}
        self.tables = {
            name: EventTable(
                name, terms, folder / f"{slug(name)}.sqlite", clock, seed * 1000 + number, keys[name], rake=rake
            )
            for number, name in enumerate(names, 1)
        }
        self._key = WitnessKey("tablectl-floor/simulated", secret("the floor"))
        for table in self.tables.values():
            table.know(self._key.public)
        self._engine = opened(f"sqlite:///{folder / 'floor.db'}")
        event.listen(self._engine, "connect", _in_no_hurry)
        self._engine.dispose()
        known = Known({slug(name): (keys[name].public(self.tables[name].origin).octets,) for name in names})
        self._intake = Intake(self._engine, known, self._key, lambda: clock.wall() / 1000)
        self._intake.begin("simulated")
        self.messages = self.orders = 0
        self._turns, self._carried = 0, (0, 0)
        self.service = self._open_hall()

    @property
    def witness(self) -> Witness:
        """The floor's public key, by which its orders are believed."""
        return self._key.public

    def _open_hall(self) -> HallService:
        return HallService(self.folder / "hall.journal", self._engine, self._key, self._clock.wall, durable=False)

    def start(self) -> None:
        for table in self.tables.values():
            table.start()
        self._carry()

    def kill_hall(self) -> None:
        """The hall's process ends and another opens its journal."""
        self.service.close()
        self.open_hall()

    def open_hall(self) -> None:
        """A hall on whatever journal lies there."""
        self.service = self._open_hall()

    # -- lines ---------------------------------------------------------------------------------------------------------

    def _carry(self) -> None:
        self.carry()
        self._clock.call_later(CARRY_S, self._carry)

    def carry(self) -> None:
        """Bring rows to the floor, the hall what is new, and every order that waits to its table."""
        for table in self.tables.values():
            if table.connected:
                self._rows_of(table)
        self._turns += 1
        stands = (self.messages, self.service.work.journal.last_seq)
        if stands != self._carried or self._turns % ANYWAY == 0:
            self.service.pull()
            self._give_orders()
            self._carried = (self.messages, self.service.work.journal.last_seq)

    def _rows_of(self, table: EventTable) -> None:
        if table.runtime.journal.last_seq == table.stands.row:
            return
        while (rows := table.outbox.after(table.stands)) is not None:
            self.messages += 1
            told = Heard(self.messages, table.outbox.address.rows, encode(rows), self._clock.wall())
            self._intake.take([told])
            table.stands = table.outbox.sent(rows, self.messages)

    def _give_orders(self) -> None:
        by_origin = {table.origin: table for table in self.tables.values() if table.connected}
        for one in waiting(self._engine, self._clock.wall()):
            if (table := by_origin.get(one.origin)) is not None:
                table.gate.take(one.message)
                self.orders += 1
                heard(self._engine, one.id, self._clock.wall())

    # -- what must hold ------------------------------------------------------------------------------------------------

    def heard(self, table: EventTable) -> list[str]:
        """What the hall's journal has of a table, in its order."""
        rows = (msgspec.json.decode(row.body)["event"] for row in self.service.work.journal.rows())
        return [f"{one['seq']}.{one['part']} {one['what']}" for one in rows if one.get("table") == table.name]

    def about_the_event(self, table: EventTable) -> list[str]:
        """What the table's own journal says of the event, in its order."""
        said = (said_in(table.name, table.origin, row) for row in table.runtime.journal.rows())
        return [f"{one.seq}.{one.part} {one.what}" for row in said for one in row]

    def close(self) -> None:
        for table in self.tables.values():
            table.stop()
        self.service.close()
        self._engine.dispose()
