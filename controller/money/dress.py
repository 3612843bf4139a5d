"""Where an antenna's number becomes a chip with a kind and a value, as the register knows it."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import msgspec

from controller.core.events import Chip, ChipPlaced, ChipsCounted, ChipsMoved, ChipsSwept, ChipUnclear
from controller.money.register import Entry, RegisterFile
from drivers.chips import AreaChange, ChipInventory, ChipOffEdge, ChipOnEdge, ChipsSeen
from drivers.events import DeviceEvent

REMEMBERED = 65_536
"""Chips kept at hand; many more than lie on a table."""


class ChipRegister:
    """What is known of tags at one table; a tag it does not know is no chip of this casino.

    `source` is a register on disk, or cash values by tag where chips are made up as play goes on. Where
    promotional chips are staked as they are, they are tokens.
    """

    def __init__(
        self, source: Mapping[int, int] | RegisterFile, table: str = "", set_mark: str = "", promotional: bool = False
    ) -> None:
        self._source = source
        self._table = table
        self._set_mark = set_mark
        self._kinds = {"promotional": "token"} if promotional else {}
        self._registered = functools.lru_cache(REMEMBERED)(self._look_up)

    def chip(self, tag: int) -> Chip:
        """The chip this tag belongs to."""
        if isinstance(self._source, RegisterFile):
            return self._registered(self._source, tag)
        cents = self._source.get(tag)
        return Chip(tag, "unknown", 0) if cents is None else Chip(tag, "cash", cents)

    def _look_up(self, register: RegisterFile, tag: int) -> Chip:
        entry = register.entry(tag)
        return Chip(tag, "unknown", 0) if entry is None else self.at_this_table(entry)

    def at_this_table(self, entry: Entry) -> Chip:
        """What a registered chip is here: its own kind, or that of a chip which is no good here."""
        chip = entry.chip
        mark = f"{chip.set_mark}/{chip.colour}" if chip.kind == "colour" else chip.set_mark
        if entry.state != "live":
            return Chip(entry.tag, entry.state, 0, mark or entry.state)
        foreign = chip.set_mark != self._set_mark if chip.kind == "colour" else chip.table not in ("", self._table)
        if foreign:
            return Chip(entry.tag, "other_table", 0, mark or chip.table)
        return Chip(entry.tag, self._kinds.get(chip.kind, chip.kind), chip.cents, mark)

    def dress(self, event: DeviceEvent) -> list[msgspec.Struct]:
        """A device's event as the table takes it: tags become chips, everything else stays."""
        match event:
            case ChipsSeen():
                moves = tuple(self._moved(event.device, change) for change in event.changes)
                return list(moves) if len(moves) == 1 else [ChipsSwept(event.device, moves)]
            case ChipOnEdge():
                return [ChipUnclear(event.device, self.chip(event.tag), event.areas)]
            case ChipOffEdge():
                return [ChipPlaced(event.device, event.tag)]
            case ChipInventory():
                areas = {area.area: tuple(self.chip(tag) for tag in area.tags) for area in event.areas}
                return [ChipsCounted(event.device, areas)]
            case _:
                return [event]

    def _moved(self, device: str, change: AreaChange) -> ChipsMoved:
        added = tuple(self.chip(tag) for tag in change.added)
        return ChipsMoved(device, change.area, added, change.removed, change.partial, change.ago, change.unread)
