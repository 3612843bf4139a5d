"""Judges beside the explored table: each looks at every event, at what truly lies there, and shares no rule with it."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

import msgspec

from controller.core.effects import Asked
from lab.explore.found import Found

if TYPE_CHECKING:
    from lab.explore.table import ExploredTable, Row


class Seen(msgspec.Struct, frozen=True):
    """One event with what the table concluded, and how it stood before."""

    row: Row
    state: str
    rounds: int
    asked: dict[str, Asked]


class Judge(Protocol):
    """Keeps its own record of a walk and tells what cannot be right."""

    def look(self, table: ExploredTable, seen: Seen) -> Iterable[Found]:
        """What is wrong with what the table has just concluded."""


class WhileHeard:
    """A judge of what devices see, who says nothing of rounds that were played without one, nor of the next."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._until = -1

    def look(self, table: ExploredTable, seen: Seen) -> Iterable[Found]:
        found = list(self._judge.look(table, seen))
        if table.table.state.by_hand:
            self._until = table.rounds + 1
        return found if table.rounds > self._until else ()


def judges_of(game: str) -> list[Judge]:
    """Those of every game, and those of this one."""
    from lab.explore.judges.answers import AnswersAtThePage
    from lab.explore.judges.causes import KnownCauses
    from lab.explore.judges.rounds import OwnRound

    own: list[Judge] = importlib.import_module(f"lab.explore.judges.{game}").judges()
    return [KnownCauses(), OwnRound(), AnswersAtThePage(), *(WhileHeard(judge) for judge in own)]
