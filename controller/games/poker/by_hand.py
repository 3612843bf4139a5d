"""What is keyed at a poker table while its card antennas, its chip mat or its shuffler is dead for the night."""

from __future__ import annotations

import msgspec

from controller.cards.events import CardsCounted, CardsMoved
from controller.core import keys
from controller.core.by_hand import MAT, Part
from controller.core.desk import Ask, Refusal
from controller.core.events import Chip
from controller.core.keys import Keys
from controller.core.table_keys import without
from controller.games.poker import cards_seen, chips_seen, deck, pot_seen, prizes
from controller.games.poker.asks import SEAT
from controller.games.poker.cards import entered, face_in_words
from controller.games.poker.flop_chase import Colour
from controller.games.poker.hand_end import MAY_LIE_OPEN
from controller.games.poker.inputs import (
    Board,
    Burn,
    CardTo,
    Discard,
    Input,
    LiftSideWager,
    PlaceSideWager,
    Post,
    Table,
)
from controller.games.poker.keys import BOARD_MAY_COME
from controller.games.poker.lying import blind_due
from controller.games.poker.round import BOARD_TARGET
from controller.games.poker.seating import check_seat
from controller.games.poker.table import PokerTable
from controller.people import Person

ANTENNAS, SHUFFLER = "cards", "shuffler"
KEYS: Keys[PokerTable] = Keys(about=keys.CARDS)
CHIP_TIMERS = (chips_seen.LINE, chips_seen.PUSH, chips_seen.SIDE, pot_seen.TIMER)
CARD_TIMERS = (cards_seen.TIMER, cards_seen.AWAY)


def _no_antennas(game: PokerTable) -> bool:
    return without(game.table, ANTENNAS) and game.state.hand is not None and game.state.hand.ruling is None


def _no_mat(game: PokerTable) -> bool:
    return without(game.table, MAT) and game.state.hand is not None and game.state.hand.ruling is None


def _give(game: PokerTable, given: Input) -> None:
    game.give(given, by_key=True)


def _faces(game: PokerTable, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Cards as the rules of the game write them; none lies open twice."""
    faces = entered(cards)
    lying = [*game.hand.board, *(card for player in game.hand.betting.players for card in player.shown)]
    for face in faces:
        if faces.count(face) > 1 or face in lying:
            raise Refusal(
                "bad_card", f"{face_in_words(face)} lies open already; each card of a deck is there once.", ("3.1",)
            )
    return faces


# -- cards -------------------------------------------------------------------------------------------------------------


@KEYS.key("cards_dealt", "Cards dealt", power="told_by_hand", like="open_table", rank=1, fires="deal_done",
          when=_no_antennas)  # fmt: skip
def cards_dealt(game: PokerTable, by: Person) -> None:
    """Everybody has the cards that the game deals, face down."""
    game.desk.note("dealt_by_hand", ("8.4",), by=by.id)
    hand = game.hand
    while hand.phase == "dealing" and hand.ruling is None:
        players = hand.betting.players
        game.give(CardTo(players[hand.dealt % len(players)].seat, cards_seen.unread(game)))


CARDS = Ask("cards", "cards", "Cards, rank and suit as in KS, 9H")
NOT_BURNED = Ask("unburned", "flag", "No card was burned before", optional=True, aside=True)


@KEYS.key("board_cards", "Board turned up", power="told_by_hand", like="open_table", rank=1, asks=(CARDS, NOT_BURNED),
          during=BOARD_MAY_COME, when=_no_antennas)  # fmt: skip
def board_cards(game: PokerTable, by: Person, *, cards: tuple[str, ...], unburned: bool = False) -> None:
    """What lies open on the board now and did not before, after its burn."""
    faces, hand = _faces(game, cards), game.hand
    for card in cards:
        game.desk.note("card_by_hand", ("8.18.1",), card=card, to="board", by=by.id)
    if hand.phase in BOARD_TARGET and not hand.burn_ready and not unburned:
        game.give(Burn(cards_seen.unread(game)))
    game.give(Board(faces))


@KEYS.key("hand_shown", "Hand tabled", power="told_by_hand", like="open_table", rank=1, asks=(SEAT, CARDS),
          during=MAY_LIE_OPEN, when=_no_antennas)  # fmt: skip
def hand_shown(game: PokerTable, by: Person, *, seat: int, cards: tuple[str, ...]) -> None:
    """A hand lies open; all of its cards are told."""
    player = next((one for one in game.hand.betting.players if one.seat == check_seat(game, seat)), None)
    if player is None or not player.live or player.shown:
        raise Refusal("no_hand", f"Seat {seat} has no hand left to show.", ("8.7",))
    if len(cards) != len(player.cards):
        text = f"Seat {seat} holds {len(player.cards)} cards: all of them must lie open."
        raise Refusal("wrong_count", text, ("8.7",))
    faces = _faces(game, cards)
    for card in cards:
        game.desk.note("card_by_hand", ("8.7",), card=card, to=f"seat {seat}", by=by.id)
    game.state.deal.faces.update(zip(player.cards, faces, strict=True))
    game.give(Table(seat, faces))
    prizes.look(game, game.hand)


@KEYS.key("card_given_up", "Card given up", power="told_by_hand", like="open_table", rank=1, asks=(SEAT,),
          during=("discard1", "discard2"), when=_no_antennas)  # fmt: skip
def card_given_up(game: PokerTable, by: Person, *, seat: int) -> None:
    """One of the hole cards goes to the muck, face down."""
    player = next((one for one in game.hand.betting.players if one.seat == check_seat(game, seat)), None)
    _give(game, Discard(seat, player.cards[-1] if player is not None and player.cards else ""))


# -- chips -------------------------------------------------------------------------------------------------------------


@KEYS.key("blinds_posted", "Blinds posted", power="told_by_hand", like="open_table", rank=1, fires="blinds_up",
          when=lambda game: _no_mat(game) and bool(game.hand.dues))  # fmt: skip
def blinds_posted(game: PokerTable, by: Person) -> None:
    """Everybody has put up what is due before the deal; who does not is told by “Blind not posted”."""
    for seat in [due.seat for due in game.hand.dues]:
        amount = blind_due(game.hand, seat)
        assert amount is not None  # it is among them
        game.give(Post(seat, amount))


AMOUNT = Ask("amount", "money", "How much")
COLOUR = Ask("colour", "choice", "Colour", choices=(("red", "Red"), ("black", "Black")))


@KEYS.key("straddled", "Straddle put up", power="told_by_hand", like="open_table", rank=1, asks=(SEAT, AMOUNT),
          during=("posting", "shuffling", "dealing"),
          when=lambda game: _no_mat(game) and game.hand.terms.straddle and not game.hand.dealt)  # fmt: skip
def straddled(game: PokerTable, by: Person, *, seat: int, amount: int) -> None:
    _give(game, Post(check_seat(game, seat), amount, "straddle"))


@KEYS.key("side_wager", "Side wager laid", power="told_by_hand", like="open_table", rank=1, asks=(SEAT, COLOUR, AMOUNT),
          during=("posting", "shuffling", "dealing"),
          when=lambda game: _no_mat(game) and game.hand.terms.side_wagers and not game.hand.dealt)  # fmt: skip
def side_wager(game: PokerTable, by: Person, *, seat: int, colour: str, amount: int) -> None:
    _give(game, PlaceSideWager(check_seat(game, seat), _colour(colour), amount))


@KEYS.key("side_lifted", "Side wager taken back", power="told_by_hand", like="open_table", rank=1,
          asks=(SEAT, COLOUR, AMOUNT), during=("posting", "shuffling", "dealing"),
          when=lambda game: _no_mat(game) and bool(game.hand.side) and not game.hand.dealt)  # fmt: skip
def side_lifted(game: PokerTable, by: Person, *, seat: int, colour: str, amount: int) -> None:
    _give(game, LiftSideWager(check_seat(game, seat), _colour(colour), amount))


def _colour(colour: str) -> Colour:
    return "red" if colour == "red" else "black"


class PokerByHand(Part[PokerTable]):
    """Actions come by the keys they always had; blinds, side wagers and open cards by keys of their own."""

    keys = KEYS

    def begins(self, game: PokerTable, kind: str) -> None:
        if kind == MAT:
            self._no_chips_seen(game)
        elif kind == ANTENNAS:
            game.state.felt.cards = {}
            game.state.deal.waiting, game.state.deal.between, game.state.deal.doubled = [], [], []
            _timers_off(game, CARD_TIMERS)
        elif game.state.deck.status != "bad":
            game.state.deck.status = ""
            game.desk.timer_off(deck.CHECK)

    def _no_chips_seen(self, game: PokerTable) -> None:
        """What lies about is known by the ledger alone from here on."""
        game.state.felt.chips, game.money.state.laid = {}, {}
        _timers_off(game, CHIP_TIMERS)
        if (played := game.state.in_play) is not None:
            played.base, played.fresh, played.differing, played.pot_seen = {}, {}, [], False
            played.off, played.gone, played.taken, played.change, played.back = {}, {}, {}, {}, {}

    def lying(self, game: PokerTable) -> dict[int, list[Chip]]:
        chips = game.state.felt.chips.items()
        return {area: [Chip(tag, "cash", cents) for tag, cents in here.items()] for area, here in chips}

    def meanwhile(self, game: PokerTable, event: msgspec.Struct) -> None:
        """Where cards really lie, for when the antennas are used again."""
        if isinstance(event, CardsCounted):
            game.state.felt.cards = {card.card: card.antenna for card in event.cards}
        elif isinstance(event, CardsMoved):
            cards = game.state.felt.cards
            for antenna, name in event.removed:
                if cards.get(name) == antenna:
                    del cards[name]
            cards |= {card.card: card.antenna for card in event.added}


def _timers_off(game: PokerTable, beginnings: tuple[str, ...]) -> None:
    for timer in [timer for timer in game.desk.state.timers if timer.startswith(beginnings)]:
        game.desk.timer_off(timer)
