"""Hands at the felt: whether chips lay there before betting closed, and stacks that are still being laid down.

What counts is when chips came to lie or were lifted, by the mat's own clock, not when it was told.
"""

from __future__ import annotations

from controller.games.war.play import War
from controller.games.war.state import Stack

STACK_MS = 700
"""A hand that lays a stack down puts chip upon chip within this time."""
STACK = "stack:"


def in_time(game: War, player: str = "") -> bool:
    """Whether the chips that are told of lay there, or were lifted, before betting closed, or the dealer lays them."""
    return 0 < game.state.felt.since <= game.state.round.closed_at or game.table.laid_for(player)


def still_coming(game: War, wager: str, stack: Stack, cents: int) -> bool:
    """Whether a war stake is less than it must be and a hand may be laying the rest down; it is looked at again."""
    main = game.state.round.tied_main(stack.box, stack.player)
    if main is None or not game.state.felt.since or cents >= min(main.amount, main.counted):
        game.desk.timer_off(f"{STACK}{wager}")
        return False
    game.desk.timer(f"{STACK}{wager}", game.desk.at + STACK_MS)
    return True
