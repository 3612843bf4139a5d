"""A stand-alone table: its commission joins the float, and is held against the chips that come there (7.2.1(c)).

Loaded only where a table stands alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.events import ChipsMoved
from controller.money.float import FLOAT
from controller.people import TABLE, Person

if TYPE_CHECKING:
    from controller.games.poker.table import PokerTable


def came(game: PokerTable, event: ChipsMoved) -> None:
    """Chips went from the slide into the tray before a key said so: as far as commission is due, they are that."""
    state, tray = game.state, game.money.state.tray
    tags = [chip.tag for chip in event.added] if event.area == FLOAT else event.removed
    strays = [tray.came[tag] for tag in tags if tag in tray.came]
    cents = sum(stray.cents for stray in strays if stray.last_area == game.layout.drop)
    if 0 < cents <= _due(game) - state.joined:
        state.joined += cents
        game.money.book("commission", cents, TABLE)


def _due(game: PokerTable) -> int:
    hand = game.state.hand
    return game.state.time_charge + (hand.rake + hand.fees if hand is not None else 0)


def joins(game: PokerTable, due: int, by: Person) -> None:
    """So much joins the float by somebody's word; what came there before it is booked already."""
    if rest := due - game.state.joined:
        game.money.book("commission" if rest > 0 else "given_back", abs(rest), by)
    game.state.joined = due


def over(game: PokerTable, due: int) -> None:
    """The hand, or the charge, is over; of one that was invalidated, what the float has goes back."""
    joins(game, due, TABLE)
    game.state.joined = 0
