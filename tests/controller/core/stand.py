"""A guarded wheel table that is open and idle, with every event it has taken."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.config.kept import plain
from controller.core.effects import AnyEffect
from controller.core.events import Command, SignShown, Started
from controller.core.guarded import GuardedTable
from controller.journal import row as record
from controller.journal.file import Row
from controller.people import Person
from drivers.events import DeviceUp
from lab.sim.config import default_config

DEALER = Person("S1", 1)


class Stand:
    """A guarded wheel table that is open and idle."""

    def __init__(self) -> None:
        self.guarded = GuardedTable(default_config())
        self.at = 0
        self.rows: list[tuple[int, msgspec.Struct, list[AnyEffect]]] = []
        self.take(Started("test", plain(self.guarded.config)))
        for place in ("wheel", "chips"):
            self.take(DeviceUp(place, place, "1", "1"))
        self.take(SignShown(99))
        self.press("open")
        self.take(SignShown(999))

    def take(self, event: msgspec.Struct) -> list[AnyEffect]:
        self.at += 1000
        effects = self.guarded.apply(self.at, event)
        self.rows.append((self.at, event, effects))
        return effects

    def press(self, key: str, by: Person = DEALER, **args: Any) -> list[AnyEffect]:
        return self.take(Command(key, by, args))

    def back(self, by: Person = DEALER, **args: Any) -> list[AnyEffect]:
        return self.press("take_back", by, **args)

    def journal(self) -> list[Row]:
        """The rows as a journal holds them."""
        taken = enumerate(self.rows, 1)
        return [Row(seq, at, record.encode(record.Record(event, effects)), b"") for seq, (at, event, effects) in taken]

    @property
    def state(self) -> str:
        return self.guarded.table.game.machine.state

    def saved(self) -> dict[str, Any]:
        """The table, but for the numbers that only ever rise."""
        saved: dict[str, Any] = msgspec.json.decode(self.guarded.table.save())
        for name in ("sign", "sign_shown", "pressed"):
            del saved["table"][name]
        del saved["table"]["desk"]["asked"]
        return saved
