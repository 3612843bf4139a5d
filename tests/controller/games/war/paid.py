"""A Casino War felt with a watched float tray, and the hands that pay out of it and collect into it."""

from __future__ import annotations

from typing import Any

from controller.core.effects import AnyEffect
from controller.core.events import Chip, ChipsMoved, ChipsSwept
from tests.controller.games.war.felt import Felt
from tests.controller.games.war.play import STAR, noted

TRAY = (100_000, 100_000, 100_000, 2500, 2500, 2500, 500, 500, 500, 500, 250, 250, 100)


class Paid(Felt):
    """A felt with a tray; the dealer's hands take chips out of it and lay them on a zone."""

    tray = TRAY

    def __init__(self, house: str = STAR, **config: Any) -> None:
        super().__init__(house, **config)
        self.left = dict(enumerate(self.tray, start=10_000))

    def pay(self, box: int, zone: str, *cents: int) -> list[int]:
        tags = []
        for value in cents:
            tag = next(tag for tag, worth in self.left.items() if worth == value)
            del self.left[tag]
            tags.append(tag)
        self.take(ChipsMoved("chips", 0, removed=tuple(tags)))
        chips = tuple(Chip(tag, "cash", value) for tag, value in zip(tags, cents, strict=True))
        self.take(ChipsMoved("chips", self.area(box, zone), chips))
        return tags

    def back(self, box: int, zone: str, *tags: int, cents: int = 2500) -> None:
        """Chips go from a zone into the tray, in one sweep; a player's are worth so much."""
        worth = dict(enumerate(self.tray, start=10_000))
        chips = tuple(Chip(tag, "cash", worth.get(tag, cents)) for tag in tags)
        left = ChipsMoved("chips", self.area(box, zone), removed=tags)
        self.take(ChipsSwept("chips", (left, ChipsMoved("chips", 0, chips))))

    def take_out(self, *tags: int) -> None:
        """Chips leave the tray."""
        self.take(ChipsMoved("chips", 0, removed=tags))

    def lay_down(self, box: int, zone: str, *tags: int) -> None:
        """Chips that players brought, and the dealer has, are laid on a zone."""
        self.take(ChipsMoved("chips", self.area(box, zone), tuple(Chip(tag, "cash", 2500) for tag in tags)))

    def again(self, box: int, zone: str, *tags: int) -> None:
        """Chips of the tray that were lifted are laid down, here or elsewhere."""
        worth = dict(enumerate(self.tray, start=10_000))
        self.take(ChipsMoved("chips", self.area(box, zone), tuple(Chip(tag, "cash", worth[tag]) for tag in tags)))

    def settle(self, rank: int = 1, **more: Any) -> list[AnyEffect]:
        return self.press("settled", rank, **more)

    def record(self) -> list[dict[str, Any]]:
        """Wrong payments as they were noted, one after the other."""
        return noted(self, "mispayment")

    def open_items(self) -> list[str]:
        return list(self.table.state.money.mispayments)
