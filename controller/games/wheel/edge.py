"""The exact expectation of every Big Wheel bet, through the same settlement the table uses."""

from __future__ import annotations

from fractions import Fraction

from controller.desk import Limits
from controller.games.wheel.settle import Wager, settle
from controller.rulebooks.wheel import WheelOption

_OPEN = Limits(1, 10**9, smallest_chip=1)


def expectation(option: WheelOption, symbol: str, stake: int = 100) -> Fraction:
    """What a unit on this symbol gains on average; every compartment is as likely as any other."""
    compartments = sum(other.compartments for other in option.symbols)
    total = 0
    for winner in option.symbols:
        (result,) = settle(option, winner.symbol, [Wager("P", symbol, stake)], lambda *_: _OPEN).results
        total += winner.compartments * (result.pays - result.stake_taken)
    return Fraction(total, compartments * stake)
