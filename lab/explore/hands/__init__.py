"""What hands do at each game besides chips and keys: cards that are drawn, a wheel that is pushed."""

from __future__ import annotations

import importlib
import random
from typing import Any, Protocol

import msgspec

from controller.config.types import TableConfig
from controller.core.effects import AnyEffect
from lab.explore.steps import AnyStep
from lab.explore.table import ExploredTable

GAMES = ("war", "wheel", "poker")
"""The games that are explored."""


class Hands(Protocol):
    """One game's share of a walk."""

    called_wrong: bool

    def main(self, table: ExploredTable) -> tuple[str, ...]:
        """The keys that the page draws large, the first that is offered."""

    @property
    def heeded(self) -> dict[str, str]:
        """The key that the remedy of an alarm of this kind, or a refusal of this code, speaks of."""

    @property
    def remedies(self) -> tuple[str, ...]:
        """Keys that put things right; those that only report new trouble a crew leaves alone."""

    @property
    def resting(self) -> tuple[str, ...]:
        """Where players lift what lies before them, the round being over."""

    @property
    def betting(self) -> tuple[str, ...]:
        """Where players lay their stakes."""

    def tell(self, table: ExploredTable, step: AnyStep) -> list[msgspec.Struct] | None:
        """What the game's devices say of a step; None where it cannot be done now."""

    def obey(self, table: ExploredTable, effect: AnyEffect) -> list[msgspec.Struct]:
        """What devices answer to an order of the table."""

    def heard_again(self, table: ExploredTable, place: str) -> list[msgspec.Struct]:
        """What a device tells when it is heard again: everything that it sees."""

    def relieved(self) -> None:
        """Another crew takes over that knows nothing of what this one did."""

    def main_args(self, table: ExploredTable) -> dict[str, Any]:
        """What the page fills into the form of its large key."""

    def any(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        """Anything hands may do to cards or wheel, early, late, twice."""

    def next(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        """What the page asks hands to do with cards or wheel now, and nothing else."""

    def before_staking(self, table: ExploredTable) -> AnyStep | None:
        """What a player does before the first stake, such as having a card read."""

    def player_at(self, table: ExploredTable, area: int) -> str:
        """Who lays chips on an area, where nobody but people can tell; empty where nobody does."""

    def stakes(self, table: ExploredTable) -> list[int]:
        """Areas that a player stakes on before all others."""

    def chips_asked(self, table: ExploredTable) -> AnyStep | None:
        """Chips that the page asks a player for in the middle of a round, such as a stake at war."""

    def cards_astray(self, table: ExploredTable) -> str:
        """Cards that the table holds to be elsewhere than they are, in words; empty where there are none."""


class NoOrders:
    """Hands at devices that are told nothing and tell nothing of themselves."""

    called_wrong = False

    def relieved(self) -> None:
        pass

    def obey(self, table: ExploredTable, effect: AnyEffect) -> list[msgspec.Struct]:
        return []

    def heard_again(self, table: ExploredTable, place: str) -> list[msgspec.Struct]:
        return []

    def main_args(self, table: ExploredTable) -> dict[str, Any]:
        return {}


def two_signatures(usual: TableConfig) -> TableConfig:
    """The same table in a house that has bookings signed by two."""
    replace = msgspec.structs.replace
    return replace(usual, books=replace(usual.books, second_signature=("fill", "credit", "buy_in")))


def tables_of(game: str, rulebook: str) -> dict[str, TableConfig]:
    """The tables that are explored under a rulebook, by name; the first is the usual one."""
    found: dict[str, TableConfig] = importlib.import_module(f"lab.explore.hands.{game}").tables(rulebook)
    return found


def hands_of(game: str) -> Hands:
    """The hands of a game, for one walk."""
    made: Hands = importlib.import_module(f"lab.explore.hands.{game}").hands()
    return made
