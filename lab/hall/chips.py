"""Chips of a tournament at a simulated table: the event's own set in the tray, and what each entrant holds."""

from __future__ import annotations

from collections.abc import Iterable

from controller.core.events import Chip
from controller.money.amounts import UNIT
from controller.money.dress import ChipRegister
from controller.tournament.terms import Chips
from simulators.people.chips import TRAY, Bank, Mat

EACH = 120
"""Chips of every value in the tray of a table that takes part."""


class EventBank(Bank):
    """Tournament chips alone; the tray stays empty until somebody brings them, since a designated table has none."""

    def __init__(self, chips: Chips, first_tag: int = 0xC0DE_0000_0000) -> None:
        super().__init__(first_tag)
        self.chips = chips
        self.values = tuple(sorted((value * UNIT for value in chips.values or (chips.unit,)), reverse=True))
        self.colours: dict[int, str] = {}
        self.racks: dict[str, list[int]] = {}
        self.foreign: dict[int, Chip] = {}

    def stock(self, mat: Mat, smallest: int) -> None:
        """Nothing lies there yet."""

    def bring(self, mat: Mat) -> None:
        """The hall's chips are laid into the tray before the table opens."""
        self.standard = self.values
        if not any(self.tray.values()):
            self.tray = {value: [self._one(value) for _ in range(EACH)] for value in self.values}
            mat.place([tag for tags in self.tray.values() for tag in tags], TRAY)

    def hand_in(self, mat: Mat) -> None:
        """Whatever lies in the tray goes back to the hall."""
        tags = [tag for tags in (*self.tray.values(), *self.racks.values()) for tag in tags]
        self.tray, self.racks, self.standard = {}, {}, ()
        mat.remove(tags)
        self.take_back(tags)

    def of_elsewhere(self, kind: str, cents: int, mark: str = "") -> int:
        """A chip that is none of the event's, from somebody's pocket."""
        self._next += 1
        self.foreign[self._next] = Chip(self._next, kind, cents, mark)
        return self._next

    # -- chips of a colour ---------------------------------------------------------------------------------------------

    def bring_colours(self, mat: Mat, colours: Iterable[str]) -> None:
        """A rack of each colour that is played with."""
        self.standard = self.values
        new = {colour: self.of_colour(colour, EACH) for colour in colours if colour not in self.racks}
        self.racks |= new
        mat.place([tag for tags in new.values() for tag in tags], TRAY)

    def of_colour(self, colour: str, count: int) -> list[int]:
        """Chips of one entrant's colour from outside."""
        tags = []
        for _ in range(count):
            self._next += 1
            self.register[self._next], self.colours[self._next] = self.values[-1], colour
            tags.append(self._next)
        return tags

    def out_of_rack(self, colour: str, cents: int) -> list[int]:
        """Chips of a colour worth this much; none where the rack has too few, or the colour is new to the table."""
        count, rack = cents // self.values[-1], self.racks.get(colour, [])
        if count > len(rack):
            return []
        self.racks[colour] = rack[count:]
        return rack[:count]

    def lay_in(self, tags: list[int]) -> None:
        plain = [tag for tag in tags if tag not in self.colours]
        super().lay_in(plain)
        for tag in tags:
            if tag in self.colours:
                self.racks.setdefault(self.colours[tag], []).append(tag)

    def take_back(self, tags: list[int]) -> None:
        """A colour's chips are not issued a second time."""
        super().take_back([tag for tag in tags if tag not in self.colours])

    def make(self, cents: int) -> list[int]:
        tags = []
        for value in self.values:
            while cents >= value:
                cents -= value
                tags.append(self._one(value))
        assert not cents, "an amount that no chips of the event make"
        return tags

    @property
    def in_tray(self) -> int:
        """Units that lie in the tray."""
        return sum(self.worth(tags) for tags in (*self.tray.values(), *self.racks.values())) // UNIT


class EventChips(ChipRegister):
    """What the antennas' tags are: chips of the event's set, or of an entrant's colour."""

    def __init__(self, bank: EventBank, set_mark: str = "") -> None:
        super().__init__(bank.register, set_mark=set_mark)
        self._bank = bank

    def chip(self, tag: int) -> Chip:
        if tag in self._bank.foreign:
            return self._bank.foreign[tag]
        cents, own = self._bank.register.get(tag), self._bank.chips
        if cents is None:
            return Chip(tag, "unknown", 0)
        if own.kind == "colour":
            return Chip(tag, "colour", 0, f"{self._set_mark}/{self._bank.colours.get(tag, '')}")
        return Chip(tag, "tournament", cents, own.set)
