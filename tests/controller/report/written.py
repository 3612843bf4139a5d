"""A Big Wheel table whose every event is kept as a row of a journal."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.effects import AnyEffect
from controller.journal import row as record
from controller.journal.file import Row
from tests.controller.money.play import MoneyPlay

DAY = 24 * 3_600_000


class Written(MoneyPlay):
    """Plays from six in the morning of the first day on."""

    def __init__(self, **setup: Any) -> None:
        super().__init__(**setup)
        self.rows: list[Row] = []
        self.at = DAY // 4

    def event(self, event: msgspec.Struct, after_ms: int = 1000) -> list[AnyEffect]:
        told = super().event(event, after_ms)
        self.rows.append(Row(self.seq, self.at, record.encode(record.Record(event, told)), b""))
        return told

    def fetch(self, *tags: int, cents: int = 2500) -> None:
        """Chips come from the cage into the tray."""
        self.worth.update(dict.fromkeys(tags, cents))
        self.into(*tags)
