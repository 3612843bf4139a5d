"""The bank of every entrant as rows that are never changed: what they began with, won, lost, and what was booked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from controller.core.effects import WagerResult
from controller.money.amounts import UNIT

Kind = Literal[
    "start", "rebuy", "add_on", "result", "reversal", "penalty", "late", "absent", "removed", "carried", "moved_in",
    "moved_out", "agreed",
]  # fmt: skip
REMEMBERED = 2
"""Rounds whose results may still be taken back, so that a second word on a wager changes the bank by the difference."""


class LedgerRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """One booking; `round` is the table's own number, 0 outside a round."""

    entrant: str
    kind: Kind
    units: int
    at: int
    round: int = 0
    by: str = ""
    note: str = ""


class Ledger(msgspec.Struct):
    """All rows of a session at one table, and what each wager of the last rounds has come to."""

    rows: list[LedgerRow] = []
    banks: dict[str, int] = {}
    wagers: dict[int, dict[str, int]] = {}

    def book(self, row: LedgerRow) -> None:
        """Add a row: the bank is the sum of them."""
        self.rows.append(row)
        self.banks[row.entrant] = self.banks.get(row.entrant, 0) + row.units

    def bank(self, entrant: str) -> int:
        return self.banks.get(entrant, 0)

    def settled(self, round_: int, results: Iterable[WagerResult], at: int, again: bool = False) -> list[LedgerRow]:
        """The rows that a settlement makes, or its being taken back: what each wager comes to now, less what it did."""
        known = self.wagers.setdefault(round_, {})
        self.wagers = {number: self.wagers[number] for number in sorted(self.wagers)[-REMEMBERED:]}
        changes: dict[str, int] = {}
        for result in results:
            came_to = in_units(0 if result.withheld else result.pays) - in_units(result.stake_taken)
            change, known[result.wager] = came_to - known.get(result.wager, 0), came_to
            if change:
                changes[result.player] = changes.get(result.player, 0) + change
        kind: Kind = "reversal" if again else "result"
        made = [LedgerRow(player, kind, units, at, round_) for player, units in changes.items() if units]
        for row in made:
            self.book(row)
        return made


def in_units(cents: int) -> int:
    """Whole units; chips of a tournament come in no parts of one."""
    units, rest = divmod(cents, UNIT)
    if rest:
        raise ValueError(f"{cents} is no whole number of units")
    return units
