"""What lies where, beside what the hand says should lie there."""

from __future__ import annotations

from controller.cards.events import is_foreign
from controller.games.poker.betting import Player
from controller.games.poker.state import Hand
from controller.games.poker.table import PokerTable
from drivers.card_antennas import BOARD

# -- chips -------------------------------------------------------------------------------------------------------


def total(game: PokerTable, area: int) -> int:
    """What lies on an area, in cents."""
    return sum(game.state.felt.chips.get(area, {}).values())


def beyond(game: PokerTable, hand: Hand, seat: int) -> int:
    """What lies on a seat's line over what the ledger says it has wagered; below nothing when chips are missing."""
    wagered = next((player.in_round for player in hand.betting.players if player.seat == seat), 0)
    return total(game, seat) - game.in_play.base.get(seat, 0) - wagered


def held(hand: Hand, seat: int) -> int:
    """Chips of an action before its turn."""
    return sum(held.amount for held in hand.held if held.seat == seat)


def has_acted(hand: Hand, seat: int) -> bool:
    """Whether a seat has nothing left to do in this betting round as it stands."""
    return any(player.seat == seat and not player.owes for player in hand.betting.players)


def to_push(game: PokerTable, hand: Hand) -> int:
    """What lies in the pot and on the lines."""
    return total(game, game.layout.pot) + sum(total(game, player.seat) for player in hand.betting.players)


def blind_due(hand: Hand, seat: int) -> int | None:
    """What this seat must post before the deal, as far as its stack goes; none where nothing is due."""
    due = next((due for due in hand.dues if due.seat == seat), None)
    if due is None:
        return None
    return min(due.amount, next(player.stack for player in hand.betting.players if player.seat == seat))


# -- cards -------------------------------------------------------------------------------------------------------


def known(game: PokerTable, hand: Hand, name: str) -> bool:
    """Whether this card has left the deck before, under its name or its face."""
    return name in hand.seen or game.state.deal.faces.get(name, "") in hand.seen


def owner(hand: Hand, name: str) -> Player | None:
    """The player who was dealt this card."""
    for player in hand.betting.players:
        if name in player.cards:
            return player
    return None


def new_at(game: PokerTable, hand: Hand, antenna: int) -> list[str]:
    """Cards here that the hand knows nothing of."""
    lying = [name for name, place in game.state.felt.cards.items() if place == antenna and not is_foreign(name)]
    return [name for name in lying if not known(game, hand, name)]


def new_on_board(game: PokerTable, hand: Hand) -> list[str]:
    """Cards on the board that were not turned up yet."""
    cards, faces = game.state.felt.cards, game.state.deal.faces
    lying = [name for name, antenna in cards.items() if antenna == BOARD and not is_foreign(name)]
    return [name for name in lying if name not in hand.seen and faces.get(name) not in hand.board]
