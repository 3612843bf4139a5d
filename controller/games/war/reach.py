"""How far one round of Casino War can move a bank, for what is certain before a session ends (T-13)."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.games.war.rules import war_rules


class WarReach(msgspec.Struct, frozen=True):
    """Odds on a Tie, paid before anybody is asked, and what both main wagers win at best together."""

    tie: int
    main: int

    def best(self, bank: int, most: int) -> int:
        """As much as may lie on the Tie, the rest on the main wager: equal cards, then equal cards again."""
        tie = min(bank, most)
        main = min(bank - tie, most)
        return bank + self.tie * tie + self.main * main

    def worst(self, bank: int, most: int) -> int:
        """Both zones lost, or main wager and war: twice the maximum either way."""
        return bank - min(bank, 2 * most)


def reach(rulebook: str, game: dict[str, Any]) -> WarReach:
    """By the odds of the rulebook; terms change none of them."""
    odds = war_rules(rulebook).odds
    return WarReach(odds.tie, max(odds.main, odds.war_equal_main + odds.war_equal_war, odds.war_higher_war))
