"""Where the chip antennas of a poker table are: a line before every seat, the pot, the drop, two side-wager spots."""

from __future__ import annotations

from typing import NamedTuple

from controller.games.poker.flop_chase import Colour
from controller.money.float import name_beside

COLOURS: tuple[Colour, ...] = ("red", "black")


class Layout(NamedTuple):
    """The areas of the mat by number; area 0 is the float, lines have the numbers of their seats."""

    seats: int

    @property
    def pot(self) -> int:
        return self.seats + 1

    @property
    def drop(self) -> int:
        """The drop slide, where commission lies until it is dropped."""
        return self.seats + 2

    def side(self, seat: int, colour: Colour) -> int:
        """The spot of a seat for the side wager on this colour (2.3)."""
        return self.drop + 1 + COLOURS.index(colour) * self.seats + seat - 1

    @property
    def areas(self) -> int:
        """How many areas there are, the float included."""
        return self.drop + 1 + len(COLOURS) * self.seats

    def is_line(self, area: int) -> bool:
        return 1 <= area <= self.seats

    def wager_at(self, area: int) -> tuple[int, Colour] | None:
        """Whose side wager lies on this area, and its colour."""
        number = area - self.drop - 1
        if not 0 <= number < len(COLOURS) * self.seats:
            return None
        return number % self.seats + 1, COLOURS[number // self.seats]

    def name(self, area: int) -> str:
        """An area in words."""
        if self.is_line(area):
            return f"the line of seat {area}"
        if area == self.pot:
            return "the pot"
        if area == self.drop:
            return "the drop"
        wager = self.wager_at(area)
        if wager is None:
            return name_beside(area)
        return f"{wager[1]} of seat {wager[0]}"
