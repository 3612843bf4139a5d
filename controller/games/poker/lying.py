"""What lies where, beside what the hand says should lie there."""

from __future__ import annotations

from controller.cards.events import is_foreign
from controller.games.poker.betting import Player
from controller.games.poker.flop_chase import Colour
from controller.games.poker.round import ROUND_OF
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
    return own(game, seat) - wagered


def own(game: PokerTable, seat: int) -> int:
    """What lies on a line beside what lay about there: chips of the pot, or of a neighbour, make nobody's wager."""
    taken, lying = game.in_play.taken, game.state.felt.chips.get(seat, {})
    others = sum(cents for tag, cents in lying.items() if tag in taken and taken[tag].area == seat)
    return total(game, seat) - game.in_play.base.get(seat, 0) - others


def held(hand: Hand, seat: int) -> int:
    """Chips of an action before its turn."""
    return sum(held.amount for held in hand.held if held.seat == seat)


def has_acted(hand: Hand, seat: int) -> bool:
    """Whether a seat has nothing left to do in this betting round as it stands."""
    return any(player.seat == seat and not player.owes for player in hand.betting.players)


def place_of(game: PokerTable, tag: int, other_than: int = 0) -> int | None:
    """The area where a chip is seen."""
    for area, chips in game.state.felt.chips.items():
        if tag in chips and area != other_than:
            return area
    return None


def of_the_hand(game: PokerTable, area: int) -> int:
    """What lies on an area that did not lie about before the hand began."""
    before = game.in_play.before
    chips = game.state.felt.chips.get(area, {})
    return sum(cents for tag, cents in chips.items() if tag not in before)


def on_line(game: PokerTable, player: Player) -> tuple[int, int]:
    """What should lie on a seat's line of all that it has wagered, and what lies there."""
    off = min(player.in_hand, game.in_play.off.get(player.seat, 0))
    return player.in_hand - off, of_the_hand(game, player.seat)


def line_differs(game: PokerTable, hand: Hand, seat: int) -> bool:
    """Whether a line does not hold what its seat has wagered and was not swept, between two betting rounds."""
    gone = sum(one.off for one in game.in_play.gone.values() if one.area == seat)
    for player in hand.betting.players:
        if player.seat == seat:
            due, lies = on_line(game, player)
            return due + gone != lies
    return total(game, seat) > 0


def _pot_differs(game: PokerTable, hand: Hand) -> int:
    """What lies in the pot and on the slide over what must have gone there; below nothing when chips are missing."""
    there = of_the_hand(game, game.layout.pot) + of_the_hand(game, game.layout.drop)
    for player in hand.betting.players:
        due, lies = on_line(game, player)
        there -= player.in_hand - min(due, lies)
    return there


def pot_short(game: PokerTable, hand: Hand, since: int) -> int:
    """What is missing of the pot: as much as chips were gone by then, beyond the change that came out of it."""
    played, betting = game.in_play, hand.phase in ROUND_OF
    short = -_pot_differs(game, hand)
    for player in hand.betting.players:
        due, lies = on_line(game, player)
        short -= min(played.change.get(player.seat, 0), max(0, lies - due))
        if betting:
            short -= max(0, due - lies)
    gone = sum(taken.cents for taken in played.taken.values())
    for one in played.gone.values():
        if betting and game.layout.is_line(one.area):
            short -= one.off  # what a line owes is told of the line
        elif one.at <= since:
            gone += one.cents
    return max(0, min(short, gone))


def pot_over(game: PokerTable, hand: Hand) -> int:
    """What lies in the pot that nobody wagered, beyond fees and what is still to go back out of it."""
    over = _pot_differs(game, hand) - hand.fees - game.state.time_charge
    return max(0, over - sum(_back_from_pot(game, player) for player in hand.betting.players))


def commission_laid(game: PokerTable, hand: Hand) -> int:
    """As much of the commission as lies on the slide; in other chips it may come there before it leaves the pot."""
    return min(hand.rake + hand.fees, total(game, game.layout.drop))


def may_be_lifted(game: PokerTable, hand: Hand) -> int:
    """What lies on lines where some of it goes back: a hand may have it all already, and other chips be in the pot."""
    lines = [on_line(game, player) for player in hand.betting.players]
    return sum(lies for due, lies in lines if lies > due)


def _back_from_pot(game: PokerTable, player: Player) -> int:
    """What goes back to a seat out of the pot, since it does not lie on its line."""
    played = game.in_play
    return max(0, min(played.back.get(player.seat, 0), played.off.get(player.seat, 0) - player.in_hand))


def side_missing(game: PokerTable, hand: Hand, seat: int, colour: Colour) -> int:
    """What is off its spot of a side wager that is not decided yet."""
    if hand.side_results:
        return 0
    wagered = sum(wager.amount for wager in hand.side if (wager.seat, wager.colour) == (seat, colour))
    return max(0, wagered - total(game, game.layout.side(seat, colour)))


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
    return [name for name in _dealt_at(game, antenna) if not known(game, hand, name)]


def _dealt_at(game: PokerTable, antenna: int) -> list[str]:
    """Cards here of the deck that is dealt."""
    strangers = game.state.deal.strangers
    lying = [name for name, place in game.state.felt.cards.items() if place == antenna and not is_foreign(name)]
    return [name for name in lying if name not in strangers]


def new_on_board(game: PokerTable, hand: Hand) -> list[str]:
    """Cards on the board that were not turned up yet."""
    faces = game.state.deal.faces
    return [name for name in _dealt_at(game, BOARD) if name not in hand.seen and faces.get(name) not in hand.board]
