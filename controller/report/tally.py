"""Figures of a day by whom and when: players who showed a card, dealers, shifts, hours."""

from __future__ import annotations

import re

import msgspec

from controller.core.effects import WagerResult

CARDED = re.compile(r"P-[0-9a-f]{6,}")
"""A player's name where it is the pseudonym of a card."""
DECIDED = frozenset({"win", "lose", "standoff", "surrender"})


class Tally(msgspec.Struct):
    """What was played, in cents; `won` is the house's, `theoretical` what it should have won in the long run."""

    rounds: int = 0
    wagers: int = 0
    staked: int = 0
    won: int = 0
    theoretical: float = 0.0
    first: int = 0
    last: int = 0

    def add(self, at: int, result: WagerResult, expectation: float, sign: int = 1) -> None:
        if result.result in DECIDED:
            staked = result.stake_taken + result.stake_returned
            self.wagers += sign
            self.staked += sign * staked
            self.theoretical -= sign * staked * expectation
        self.won += sign * (result.stake_taken - result.pays)
        self.first, self.last = self.first or at, at

    @property
    def average_bet(self) -> int:
        """Staked a wager."""
        return round(self.staked / self.wagers) if self.wagers else 0


class Shift(msgspec.Struct):
    """One shift of a day."""

    start: int
    end: int
    played: Tally = msgspec.field(default_factory=Tally)
    drop: int = 0
    fills: int = 0
    credits: int = 0
