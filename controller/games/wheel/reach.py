"""How far one spin can move a bank, for what is certain before a session ends (T-13)."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.games.wheel.rules import wheel_rules


class WheelReach(msgspec.Struct, frozen=True):
    """The highest odds of the wheel, and how many symbols may be wagered on."""

    odds: int
    symbols: int

    def best(self, bank: int, most: int) -> int:
        return bank + self.odds * min(bank, most)

    def worst(self, bank: int, most: int) -> int:
        return bank - min(bank, self.symbols * most)


def reach(rulebook: str, game: dict[str, Any]) -> WheelReach:
    """By the wheel that the terms name."""
    number = int(game.get("option", 1))
    option = next(one for one in wheel_rules(rulebook).options if one.number == number)
    return WheelReach(max(symbol.odds for symbol in option.symbols), len(option.symbols))
