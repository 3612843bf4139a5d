"""What lay in the float tray at any moment, from the antennas' own words in the journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from controller.core.events import Chip, ChipsCounted, ChipsMoved, ChipsSwept
from controller.journal import row as record
from controller.journal.file import Row
from controller.money.float import FLOAT, MONEY

TOLD = (b'"ChipsCounted"', b'"area":0,', b'"area":0}')
"""What stands in a row that may tell of the tray."""


class Tray:
    """Follows the tray; chips without a value of their own are left out."""

    def __init__(self) -> None:
        self.chips: dict[int, int] = {}
        self._unread: list[Row] = []

    def before(self, row: Row) -> None:
        """A row of the time that is only looked at when somebody asks; a whole count makes those before it needless."""
        if not any(word in row.body for word in TOLD):
            return
        if b'"ChipsCounted"' in row.body and b'"0":' in row.body:
            self._unread = []
        self._unread.append(row)

    def read_up(self) -> None:
        """Read what was left unread."""
        for row in self._unread:
            self.take(record.read(row).event)
        self._unread = []

    def take(self, event: msgspec.Struct) -> None:
        match event:
            case ChipsMoved():
                self._moved(event)
            case ChipsSwept(moves=moves):
                for move in moves:
                    self._moved(move)
            case ChipsCounted(areas=areas) if FLOAT in areas:
                self.chips = {}
                self._add(areas[FLOAT])

    def _moved(self, move: ChipsMoved) -> None:
        if move.area == FLOAT:
            self._add(move.added)
            for tag in move.removed:
                self.chips.pop(tag, None)

    def _add(self, chips: Iterable[Chip]) -> None:
        self.chips.update({chip.tag: chip.cents for chip in chips if chip.kind in MONEY and chip.cents})

    def counted(self) -> dict[int, int]:
        """How many chips of each value, the highest first."""
        return dict(sorted(Counter(self.chips.values()).items(), reverse=True))
