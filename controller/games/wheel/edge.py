"""The exact expectation of every Big Wheel bet, through the same settlement the table uses."""

from __future__ import annotations

from fractions import Fraction

from controller.core.desk import Limits
from controller.games.edges import Edge
from controller.games.wheel.rules import WheelOption
from controller.games.wheel.settle import Wager, settle

_OPEN = Limits(1, 10**9, smallest_chip=1)
_STAKE = 100


def edges(option: WheelOption) -> list[Edge]:
    """Every symbol of an option."""
    return [
        Edge(symbol.symbol, f"option {option.number}", "spin", expectation(option, symbol.symbol), (symbol.pay_clause,))
        for symbol in option.symbols
    ]


def expectation(option: WheelOption, symbol: str) -> Fraction:
    """What a unit on this symbol gains on average; every compartment is as likely as any other."""
    compartments = sum(other.compartments for other in option.symbols)
    total = 0
    for winner in option.symbols:
        (result,) = settle(option, winner.symbol, [Wager("P", symbol, _STAKE)], lambda *_: _OPEN).results
        total += winner.compartments * (result.pays - result.stake_taken)
    return Fraction(total, compartments * _STAKE)
