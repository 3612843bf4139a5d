"""The alarms of Crown Poker."""

from __future__ import annotations

from controller.core.alarms import Alarm, Alarms
from controller.core.desk import Clauses
from controller.games.poker import lying
from controller.games.poker.betting import Player
from controller.games.poker.round import PREMATURE, ROUND_OF
from controller.games.poker.table import PokerTable
from drivers.card_antennas import BURN, MUCK


class CardsLie(Alarm[PokerTable]):
    """A table is opened with its cards gathered."""

    code = "cards_lie"
    text = "Cards lie on the antennas."
    remedy = "Take them up and shuffle them."
    held = True


class DeckDefective(Alarm[PokerTable]):
    """The shuffler has read every card."""

    code = "deck"
    text = "The deck is defective: {faults}."
    remedy = "Change the deck and load it again."
    clauses = ("1.1 'Defective deck'", "3.1")
    faults: str

    @staticmethod
    def while_(game: PokerTable, _: str) -> bool:
        """Until a deck is read that is not."""
        return game.state.deck.defective


class ChargeDue(Alarm[PokerTable]):
    """The hourly fee is payable in advance."""

    code = "charge_due"
    text = "The charge of {fee} a player for the hour is due, and payable in advance."
    remedy = "Collect it between two hands and press “Hourly charge collected”."
    clauses = ("7.2.2(a)", "7.2.2(b)")
    fee: str

    @staticmethod
    def while_(game: PokerTable, _: str) -> bool:
        """Until it is collected, or no longer taken."""
        return game.state.charge_due and game.state.terms.commission.method == "time"


# -- chips -------------------------------------------------------------------------------------------------------


class _OnTheLine(Alarm[PokerTable]):
    """A line and the ledger differ; whatever the difference is, there is one a seat."""

    about = int

    @classmethod
    def coded(cls, about: int | str) -> str:
        return f"line:{about}"


class BlindWrong(_OnTheLine):
    code = "blind"
    text = "Seat {seat} has {laid} on its line; {due} is due."
    remedy = "Have the blind put right."
    clauses = ("8.9.2(b)",)
    seat: int
    laid: str
    due: str

    @staticmethod
    def while_(game: PokerTable, seat: int) -> bool:
        """Until the blind is right, or taken back."""
        hand = game.state.hand
        due = lying.blind_due(hand, seat) if hand is not None else None
        return due is not None and lying.total(game, seat) - game.in_play.base[seat] not in (0, due)


class _DiffersFromLedger(_OnTheLine):
    @staticmethod
    def while_(game: PokerTable, seat: int) -> bool:
        """Until the line and the ledger agree, or the hand is over."""
        hand = game.state.hand
        if hand is None or seat not in game.in_play.differing:
            return False
        if hand.phase not in ROUND_OF:
            return lying.line_differs(game, hand, seat)
        return lying.beyond(game, hand, seat) not in (0, lying.held(hand, seat))


class LineOwes(_DiffersFromLedger):
    code = "line_owes"
    text = "Seat {seat} owes {owed} to its line."
    remedy = "Have the chips put forward."
    clauses = ("1.1 'Wager'",)
    seat: int
    owed: str


class LineNoWager(_DiffersFromLedger):
    code = "line_no_wager"
    text = "{more} on the line of seat {seat} is no wager."
    remedy = "Return it to the player."
    clauses = ("1.1 'Action'",)
    seat: int
    more: str


class PotDiffers(Alarm[PokerTable]):
    """What is pushed must be what was wagered."""

    code = "pot"
    text = "{lies} lies in pot and drop; by the ledger it should be {asked}."
    remedy = "Count the pot and find the difference before it is pushed."
    clauses = ("1.1 'Pot'",)
    lies: str
    asked: str

    @staticmethod
    def while_(game: PokerTable, _: str) -> bool:
        """Until it is all there, or pushed."""
        hand = game.state.hand
        if hand is None or hand.phase != "award":
            return False
        lies = lying.to_push(game, hand) + lying.total(game, game.layout.drop)
        return lies < sum(pot.amount for pot in hand.pots) or lying.pot_short(game, hand, game.desk.at) > 0


class PotShort(Alarm[PokerTable]):
    """What was wagered stays until it is pushed."""

    code = "pot_short"
    text = "{missing} of what was wagered is gone: {chips}."
    remedy = "Stop the hand, have it put back and call Surveillance; what cannot be found, level 3 rules on."
    clauses = ("1.1 'Pot'", "13.10")
    missing: str
    chips: str

    @staticmethod
    def while_(game: PokerTable, _: str) -> bool:
        """Until it lies there again, or the pots are decided."""
        hand = game.state.hand
        watched = hand is not None and hand.phase not in ("award", "drop")
        return watched and hand is not None and lying.pot_short(game, hand, game.desk.at) > 0


class PotOver(Alarm[PokerTable]):
    """Only what was wagered is won."""

    code = "pot_over"
    text = "{more} lies in the pot that nobody has wagered."
    remedy = "Put it before the seat that it came from: what lies there is its wager, or goes back."
    clauses = ("1.1 'Pot'", "8.2.1")
    more: str

    @staticmethod
    def while_(game: PokerTable, _: str) -> bool:
        """Until it is out of the pot, or wagered."""
        return game.state.hand is not None and lying.pot_over(game, game.state.hand) > 0


class SideLifted(Alarm[PokerTable]):
    """A side wager stands from the first card until the flop has decided it."""

    code, about = "side_lifted", int
    text = "{missing} of seat {seat}'s wager on {colour} was taken off after the first card."
    remedy = "Have it put back: the wager stands."
    clauses = ("8.15.2",)
    seat: int
    colour: str
    missing: str

    @staticmethod
    def while_(game: PokerTable, area: int) -> bool:
        """Until it lies there again, or is decided."""
        hand, wager = game.state.hand, game.layout.wager_at(area)
        return hand is not None and wager is not None and lying.side_missing(game, hand, *wager) > 0


# -- cards -------------------------------------------------------------------------------------------------------


class CardBetweenPlaces(Alarm[PokerTable]):
    """A card counts where it clearly lies."""

    code = "card_between"
    text = "A card lies between {places} and counts for neither."
    remedy = "Lay it clearly where it belongs."
    clauses = ("8.4",)
    places: str

    @staticmethod
    def while_(game: PokerTable, _: str) -> bool:
        """Until every card lies clearly."""
        return bool(game.state.deal.between)


class CardTwice(Alarm[PokerTable]):
    """One card cannot be in two places."""

    code = "doubled"
    text = "One card answers from {places} at once: there are two with one tag."
    remedy = "Keep both cards, report a defective deck and call Surveillance."
    clauses = ("3.1", "9.1.1(h)")
    places: str

    @staticmethod
    def while_(game: PokerTable, card: str) -> bool:
        """Until one of the two is gone."""
        return card in game.state.deal.doubled


class ForeignCard(Alarm[PokerTable]):
    """Something that is no card of this deck."""

    code = "foreign_card"
    text = "Something that is no card of this deck lies at {place}."
    remedy = "Take it off; if it was dealt, report a defective deck."
    clauses = ("3.1", "1.1 'Defective deck'")
    place: str

    @staticmethod
    def while_(game: PokerTable, tag: str) -> bool:
        """While it lies there."""
        return f"?{tag}" in game.state.felt.cards


class OtherDeck(Alarm[PokerTable]):
    """One deck is dealt at a time."""

    code, about = "other_deck", int
    text = "A card of another deck of this table lies at {place}."
    remedy = "Take it off; if it was dealt, report a defective deck."
    clauses = ("3.1", "1.1 'Defective deck'")
    place: str

    @staticmethod
    def while_(game: PokerTable, antenna: int) -> bool:
        """While it lies there in this deal."""
        return any(game.state.felt.cards.get(card) == antenna for card in game.state.deal.strangers)


class UnknownFace(Alarm[PokerTable]):
    """A card lies open that cannot be."""

    code = "unknown_card"
    text = "A card that lies open is none of this deck."
    remedy = "Report a defective deck."
    clauses = ("3.1", "9.1.1(h)")
    for_the_round = True
    seen_to = "resume"


class BurnNotDue(Alarm[PokerTable]):
    """A card was burned that should not be."""

    code = "burn"
    text = "A card lies with the burns that is not due there."
    remedy = "Put it back on top of the deck."
    clauses = ("1.1 'Burn'",)

    @staticmethod
    def while_(game: PokerTable, _: str) -> bool:
        """Until it is taken back, or the hand is over."""
        return game.state.hand is not None and bool(lying.new_at(game, game.state.hand, BURN))


class BoardEarly(Alarm[PokerTable]):
    """A card of the board came before its time."""

    code = "board_early"
    text = "A card lies on the board while {phase}."
    remedy = "Take it back if it lies face down; press “Board turned up” if it was shown."
    phase: str

    def why(self, owner: PokerTable) -> Clauses:
        return ("9.10", "9.11", "9.12.1") if owner.hand.phase in PREMATURE else ()

    @staticmethod
    def while_(game: PokerTable, _: str) -> bool:
        """Until it is taken back or turned up, or the hand is over."""
        hand = game.state.hand
        return hand is not None and any(card not in game.state.deal.faces for card in lying.new_on_board(game, hand))


class Stray(Alarm[PokerTable]):
    """A card was dealt that should not be."""

    code, about = "stray", int
    text = "A card lies at seat {seat} that is not due there."
    remedy = "Take it back, or report what went wrong."
    clauses = ("8.4",)
    seat: int

    @staticmethod
    def while_(game: PokerTable, seat: int) -> bool:
        """Until it is taken back or dealt in its turn, or the hand is over."""
        return game.state.hand is not None and bool(lying.new_at(game, game.state.hand, seat))


def _live(game: PokerTable, seat: int) -> Player | None:
    players = game.state.hand.betting.players if game.state.hand is not None else []
    return next((player for player in players if player.seat == seat and player.live), None)


class CardsAway(Alarm[PokerTable]):
    """Cards stay on the table, in view."""

    code, about = "cards_away", int
    text = "{gone} of seat {seat}'s cards have not been on the table for a while."
    remedy = "Have the player lay them down in view."
    clauses = ("8.13",)
    gone: int
    seat: int

    @staticmethod
    def while_(game: PokerTable, seat: int) -> bool:
        """Until they lie on the table, or the player is out of the hand."""
        player = _live(game, seat)
        return player is not None and any(card not in game.state.felt.cards for card in player.cards)


class CardElsewhere(Alarm[PokerTable]):
    """A card may have been handed over."""

    code, about = "exchanged", int
    text = "A card that was dealt to seat {seat} lies at {place}."
    remedy = "Put it back; report exchanged cards if it was handed over."
    clauses = ("13.14",)
    seat: int
    place: str

    @staticmethod
    def while_(game: PokerTable, seat: int) -> bool:
        """Until it lies there no more, or the player is out of the hand."""
        player = _live(game, seat)
        places = [game.state.felt.cards.get(card, seat) for card in player.cards] if player is not None else []
        return any(place not in (seat, MUCK) for place in places)


class GivenUp(Alarm[PokerTable]):
    """A hand is given up in its turn, or not at all."""

    code, about = "mucked", int
    text = "Seat {seat} has given up its cards while {phase}."
    remedy = "Give them back, or report what went wrong."
    clauses = ("8.2.3",)
    seat: int
    phase: str

    @staticmethod
    def while_(game: PokerTable, seat: int) -> bool:
        """Until they are given back, or the player is out of the hand."""
        player = _live(game, seat)
        return player is not None and all(game.state.felt.cards.get(card) == MUCK for card in player.cards)


ALARMS: Alarms[PokerTable] = Alarms(
    CardsLie, DeckDefective, ChargeDue, BlindWrong, LineOwes, LineNoWager, PotDiffers, PotShort, PotOver, SideLifted,
    CardBetweenPlaces, CardTwice,
    ForeignCard, OtherDeck, UnknownFace, BurnNotDue, BoardEarly, Stray, CardsAway, CardElsewhere, GivenUp,
)  # fmt: skip
