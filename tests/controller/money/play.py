"""A Big Wheel table with chips in its float tray: a dealer who takes and pays, rightly or wrongly."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.config.kept import plain
from controller.config.types import BooksSection
from controller.core.effects import Alarmed
from controller.core.events import Chip, ChipsCounted, ChipsMoved, SignShown, Started
from controller.core.table import Table
from drivers.events import DeviceUp
from lab.sim.config import default_config
from tests.controller.games.wheel.play import Play

STOCK = {10_000: 40, 2_500: 40, 500: 40, 100: 40}


class MoneyPlay(Play):
    """A table whose tray is watched; tags of the house begin at 10,000."""

    def __init__(self, stock: dict[int, int] | None = None, books: dict[str, Any] | None = None, **chips: Any) -> None:
        config = default_config("wheel")
        config = msgspec.structs.replace(config, books=BooksSection(**(books or {})))
        super().__init__(config=msgspec.structs.replace(config, chips=msgspec.structs.replace(config.chips, **chips)))
        values = [value for value, count in (stock or STOCK).items() for _ in range(count)]
        self.tray = dict(enumerate(values, start=10_000))
        self.worth = dict(self.tray)

    def opened(self, slip: dict[int, int] | None = None) -> MoneyPlay:
        self.event(Started("test", plain(self.config)))
        for place in ("wheel", "chips"):
            self.event(DeviceUp(place, place, f"{place}-1", "1.0"))
        self.count()
        self.event(SignShown(99))
        given: dict[str, Any] = {"float": slip} if slip is not None else {}
        self.press("open", **given)
        self.event(SignShown(999))
        assert self.life == "open"
        self.press("place_bets")
        return self

    def count(self) -> None:
        """Everything is read anew; the layout as it is known."""
        self.event(ChipsCounted("chips", {0: tuple(Chip(tag, "cash", cents) for tag, cents in self.tray.items())}))

    def bet(self, player: str, symbol: str, dollars: float, kind: str = "cash") -> int:
        tag = super().bet(player, symbol, dollars, kind)
        self.worth[tag] = round(dollars * 100)
        return tag

    # -- the dealer's hands ------------------------------------------------------------------------------------

    def out(self, *cents: int) -> list[int]:
        """Lift chips of these values out of the tray."""
        tags = []
        for value in cents:
            tag = next(tag for tag, worth in self.tray.items() if worth == value)
            del self.tray[tag]
            tags.append(tag)
        self.event(ChipsMoved("chips", 0, removed=tuple(tags)))
        return tags

    def into(self, *tags: int) -> None:
        """Lay chips into the tray."""
        self.tray.update({tag: self.worth[tag] for tag in tags})
        self.event(ChipsMoved("chips", 0, tuple(Chip(tag, "cash", self.worth[tag]) for tag in tags)))

    def lifted(self, *tags: int) -> None:
        """Lift these chips out of the tray."""
        for tag in tags:
            del self.tray[tag]
        self.event(ChipsMoved("chips", 0, removed=tags))

    def on(self, symbol: str, *tags: int) -> None:
        """Lay chips on an area."""
        chips = tuple(Chip(tag, "cash", self.worth[tag]) for tag in tags)
        self.event(ChipsMoved("chips", self.area(symbol), chips))

    def off(self, symbol: str, *tags: int) -> None:
        """Lift chips off an area."""
        self.event(ChipsMoved("chips", self.area(symbol), removed=tags))

    def collect(self, symbol: str, *tags: int) -> None:
        self.off(symbol, *tags)
        self.into(*tags)

    def pay(self, symbol: str, *cents: int) -> list[int]:
        tags = self.out(*cents)
        self.on(symbol, *tags)
        return tags

    # -- what is seen ------------------------------------------------------------------------------------------

    @property
    def alarms(self) -> dict[str, Alarmed]:
        return self.table.state.desk.alarms

    @property
    def found(self) -> list[tuple[str, str, int]]:
        money = self.table.money
        return [(money.layout.name(one.area), one.kind, one.cents) for one in money.findings()]

    def again(self) -> Table:
        """The table after a restart, from its snapshot."""
        saved = self.table.save()
        self.table.restore(saved)
        assert self.table.save() == saved
        return self.table
