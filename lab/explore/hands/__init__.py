"""What hands do at each game besides chips and keys: cards that are drawn, a wheel that is pushed."""

from __future__ import annotations

import importlib
import random
from typing import Protocol

import msgspec

from lab.explore.steps import AnyStep
from lab.explore.table import ExploredTable

GAMES = ("war", "wheel")
"""The games that are explored."""


class Hands(Protocol):
    """One game's share of a walk."""

    @property
    def onward(self) -> dict[str, tuple[str, ...]]:
        """Keys that a crew presses to bring a round on, by where it stands."""

    @property
    def heeded(self) -> dict[str, str]:
        """The key that an alarm of this kind asks for."""

    @property
    def first(self) -> dict[str, str]:
        """The key that a refusal of this code asks to press first."""

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

    def any(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        """Anything hands may do to cards or wheel, early, late, twice."""

    def next(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        """What the page asks hands to do with cards or wheel now, and nothing else."""

    def before_staking(self, table: ExploredTable) -> AnyStep | None:
        """What a player does before the first stake, such as having a card read."""

    def stakes(self, table: ExploredTable) -> list[int]:
        """Areas that a player stakes on before all others."""


def hands_of(game: str) -> Hands:
    """The hands of a game, for one walk."""
    made: Hands = importlib.import_module(f"lab.explore.hands.{game}").hands()
    return made
