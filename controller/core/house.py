"""What a table needs of its rulebook whatever the game: who may do what, and how much notice people get."""

from __future__ import annotations

from typing import NamedTuple

from controller.rules.rulebook import Rulebook


class Power(NamedTuple):
    """The least rank, as a step on the ladder, and the clause."""

    rank: int
    clause: str


class Notice(NamedTuple):
    """So many rounds, or so many minutes, and the clause that asks for it."""

    clause: str
    rounds: int = 0
    minutes: int = 0


class House(NamedTuple):
    """One rulebook as the table uses it."""

    rulebook: Rulebook
    closing: Notice
    raising: Notice
    round_word: str
    every_change: bool = False
    """Whether notice is due for lower limits too, unless nobody plays or everybody agrees (Perth 6.4)."""

    def power(self, name: str) -> Power:
        """Who may do this; KeyError when the rulebook knows no such power."""
        power = self.rulebook.powers[name]
        return Power(self.rulebook.level(power.rank), power.clause)

    def own(self, name: str, like: str) -> Power:
        """Who may do what the rulebook may not speak of: the rank of a like power then, and no clause."""
        return self.power(name) if name in self.rulebook.powers else Power(self.power(like).rank, "")
