"""The betting structures: what a bet and a raise may measure, and how many raises a round allows."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["fixed", "spread", "half_pot", "pot", "no_limit"]

ROUNDS = 4
UNLIMITED = 1 << 60
"""Stands for 'no upper bound' before a stack cuts it down (1.1 'No limit')."""


class Structure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the sign says about the size of wagers; amounts are cents."""

    kind: Kind
    minimum: int
    """Table minimum: the least opening bet outside fixed limit (6.4, 6.8, P-A44)."""
    chip: int
    """The lowest chip in play (8.5)."""
    levels: tuple[int, ...] = ()
    """Fixed limit: the bet and the raise of each of the four rounds (1.1 'Structured limit')."""
    maximum: int = 0
    """Spread limit: the largest bet or raise (1.1 'Spread Limit')."""
    raises: int = 3
    """Raises a round in fixed and spread limit, head to head excepted (6.9)."""

    @property
    def limited(self) -> bool:
        """Whether raises are counted and short all-ins follow 6.16.2."""
        return self.kind == "fixed" or self.kind == "spread"

    def step(self, betting_round: int) -> int:
        """The bet due in a round before anybody has wagered."""
        return self.levels[betting_round - 1] if self.kind == "fixed" else self.minimum

    @property
    def first_minimum(self) -> int:
        """The table minimum of the first round, which the last blind must reach (6.4)."""
        return self.step(1)


def pot_limit_total(kind: Kind, high: int, to_call: int, pot: int, chip: int) -> int:
    """The highest total of a pot-ratio wager: the call counts as in the pot first (6.7, P-A16)."""
    room = pot + to_call
    if kind == "half_pot":
        room //= 2
    return high + room - room % chip


def structure_faults(structure: Structure, blinds: tuple[int, ...]) -> list[tuple[str, str]]:
    """What the rulebook does not allow about these limits and blinds, as (clause, sentence)."""
    faults: list[tuple[str, str]] = []
    amounts = [structure.minimum, structure.maximum, *structure.levels, *blinds]
    if structure.chip <= 0 or any(amount < 0 or amount % structure.chip for amount in amounts):
        faults.append(
            ("8.5", "every limit and blind must be payable in the lowest chip; correct the amounts or the chip")
        )
    if structure.kind == "fixed":
        if len(structure.levels) != ROUNDS or min(structure.levels) <= 0:
            faults.append(("1.1 'Structured limit'", "fixed limit needs one amount for each of the four rounds"))
            return faults
    elif structure.levels:
        faults.append(("1.1 'Fixed bet'", "amounts per round belong to fixed limit only; remove them"))
    if structure.kind == "spread" and not 0 < structure.minimum <= structure.maximum:
        faults.append(("1.1 'Spread Limit'", "spread limit needs a minimum and a maximum that is not below it"))
    if structure.kind != "fixed" and structure.minimum <= 0:
        faults.append(("6.4", "the table minimum is missing"))
    if not blinds or any(blind <= 0 for blind in blinds):
        faults.append(("8.9.1", "at least one compulsory blind is needed, each above nothing"))
    elif blinds[-1] < structure.first_minimum:
        faults.append(("6.4", "the last blind is under the first round's minimum; raise it or lower the minimum"))
    return faults
