"""What a poker crew sees and handles: the dealer's screen, the antennas, the shuffler and where chips lie."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec

from simulators.people.table import Screen

MUCK, BOARD, BURN = 0, 13, 14


class Wanted(msgspec.Struct, frozen=True):
    """What the screen says has to happen next."""

    what: str
    seats: tuple[int, ...] = ()
    amount: int = 0
    to_call: int = 0
    in_round: int = 0
    raise_min: int = 0
    raise_max: int = 0
    pot: int = 0
    order: tuple[int, ...] = ()
    """Seats in the order they are dealt, while cards are dealt."""
    hole: int = 0


class Step(msgspec.Struct, frozen=True):
    """What the screen tells the dealer to do to put something right; `cards` are those that lie open."""

    kind: str
    seat: int
    cards: tuple[str, ...]


class PokerScreen(Screen, Protocol):
    """The dealer's screen of a poker table."""

    def wanted(self) -> Wanted: ...

    def step(self) -> Step | None: ...

    def stacks(self) -> dict[int, int]:
        """Every player's stack between hands."""

    def refunds(self) -> bool:
        """Whether chips lie on lines that are nobody's wager any more."""

    def side_due(self) -> list[tuple[int, int]]:
        """Side wagers that are decided: the area, and what is paid there (below nothing: what is taken)."""

    def owes(self, seat: int) -> int:
        """What a seat has still to put on its line."""

    def on_line(self, seat: int) -> tuple[int, int]:
        """What should lie on a seat's line, and what lies there."""

    def rake(self) -> int: ...

    def deck_is_bad(self) -> bool:
        """Whether the deck is to be changed before anything is dealt."""


class Antennas(Protocol):
    """The felt over the card antennas."""

    def place(self, tags: Iterable[int], antenna: int, *, late_s: float = 0.0) -> None: ...

    def remove(self, tags: Iterable[int]) -> None: ...

    def put_on_edge(self, tag: int, antennas: tuple[int, ...]) -> None: ...

    def lying(self, antenna: int) -> list[int]: ...


class Shuffler(Protocol):
    """The single-deck shuffler."""

    def load(self, cards: Iterable[str]) -> None: ...

    def stack(self, cards: Iterable[str]) -> None:
        """Let these cards, which were put in, lie from the top in this order."""

    def lift_deck(self) -> list[str]: ...

    def take_out(self) -> list[str]: ...


class Areas(Protocol):
    """Where chips lie."""

    @property
    def seats(self) -> int: ...

    @property
    def pot(self) -> int: ...

    @property
    def drop(self) -> int: ...

    def side(self, seat: int, colour: str) -> int: ...
