"""Hands at the felt: whether chips lay there before betting closed, and stacks that are still being laid down.

What counts is when chips came to lie or were lifted, by the mat's own clock, not when it was told.
"""

from __future__ import annotations

from controller.core.events import ChipsMoved
from controller.games.war.play import War
from controller.games.war.state import Stack

STACK_MS = 700
"""A hand that lays a stack down puts chip upon chip within this time."""
STACK = "stack:"


def begin(game: War, event: ChipsMoved) -> None:
    """These chips came or went; whatever follows from them was so then."""
    game.state.felt.since = game.desk.at - event.ago


def end(game: War) -> None:
    game.state.felt.since = 0


def closed(game: War) -> None:
    """Betting closes with the call, or else with the first card."""
    round_ = game.state.round
    round_.closed_at = round_.closed_at or game.desk.at


def opened(game: War) -> None:
    game.state.round.closed_at = 0


def in_time(game: War) -> bool:
    """Whether the chips that are told of lay there, or were lifted, before betting closed."""
    return 0 < game.state.felt.since <= game.state.round.closed_at


def still_coming(game: War, wager: str, stack: Stack, cents: int) -> bool:
    """Whether a war stake is less than it must be and a hand may be laying the rest down; it is looked at again."""
    main = game.state.round.tied_main(stack.box, stack.player) if stack.zone == "war" else None
    if main is None or not game.state.felt.since or cents >= min(main.amount, main.counted):
        game.desk.timer_off(f"{STACK}{wager}")
        return False
    game.desk.timer(f"{STACK}{wager}", game.desk.at + STACK_MS)
    return True
