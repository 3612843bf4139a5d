"""What staff do around the hands: hourly charges, the deck, conduct and disputes."""

from __future__ import annotations

from controller.core.desk import Ask, Refusal
from controller.core.keys import CARDS, PLAYERS, Keys
from controller.games.poker import alarms, deck, seating
from controller.games.poker.asks import PLAYER, REASON
from controller.games.poker.commission import time_charge
from controller.games.poker.round import BETWEEN
from controller.games.poker.table import PokerTable
from controller.money.amounts import dollars
from controller.people import Person

KEYS: Keys[PokerTable] = Keys(about=PLAYERS)
COLLECTION = "collection"
HOUR_MS = 3_600_000


# -- the hourly charge (7.2.2) -----------------------------------------------------------------------------------


def first_hour(game: PokerTable) -> None:
    """An hourly charge is payable in advance: it is due before the first hand is (7.2.2(b))."""
    if _no_hour_runs(game) and len(game.state.seats) >= 2:
        _falls_due(game)


def _no_hour_runs(game: PokerTable) -> bool:
    return game.state.terms.commission.method == "time" and COLLECTION not in game.desk.state.timers


def _falls_due(game: PokerTable) -> None:
    game.state.charge_due = True
    alarms.ChargeDue(fee=dollars(game.state.terms.commission.fee)).holds(game)


def watch_collection(game: PokerTable) -> None:
    """The first hand begins the first hour, unless its charge was collected before."""
    if _no_hour_runs(game):
        collection_due(game)


def collection_due(game: PokerTable) -> None:
    """An hour begins: the dealer is told, and the next one is waited for."""
    if game.state.terms.commission.method != "time":
        return
    _falls_due(game)
    due = time_charge(game.state.terms.commission, len(game.state.seats))
    game.desk.announce("dealer", "collect_time", f"Collect {dollars(due)} for the hour.", ("7.2.2(a)", "7.2.2(b)"))
    game.desk.timer(COLLECTION, game.desk.at + HOUR_MS)


@KEYS.key(
    "collect_time",
    "Hourly charge collected",
    power="collect",
    during=(BETWEEN,),
    when=lambda game: game.state.terms.commission.method == "time" and game.state.charge_due,
)
def collect_time(game: PokerTable, by: Person) -> None:
    """Every seated player pays for the hour, those who sit out too (7.2.2(a), P-A36)."""
    state = game.state
    if state.terms.commission.method != "time":
        raise Refusal("no_charge", "No hourly charge is taken at this table.", ("7.2.2(b)",))
    if state.hand is not None:
        raise Refusal("hand_under_way", "The charge is collected between hands.", ("7.2.2(b)",))
    if not state.charge_due:
        raise Refusal("not_due", "The charge for this hour has been collected.", ("7.2.2(b)",))
    fee = state.terms.commission.fee
    paid = [number for number, seat in state.seats.items() if seat.stack >= fee]
    for number in paid:
        state.seats[number].stack -= fee
    state.time_charge += fee * len(paid)
    state.charge_due = False
    if _no_hour_runs(game):
        game.desk.timer(COLLECTION, game.desk.at + HOUR_MS)
    owing = [number for number in state.seats if number not in paid]
    game.desk.note("time_charge", ("7.2.2(a)", "7.2.2(b)"), seats=paid, owing=owing, amount=fee * len(paid))
    game.desk.announce("dealer", "check_charge", "Have level 2 check the charge before it is dropped.", ("7.2.2(e)",))


@KEYS.key(
    "check_time_charge",
    "Hourly charge checked",
    power="check_time_charge",
    when=lambda game: game.state.time_charge > 0,
)
def check_time_charge(game: PokerTable, by: Person) -> None:
    """Level 2 has checked what was collected; only then is it dropped (7.2.2(e))."""
    amount = game.state.time_charge
    if not amount:
        raise Refusal("nothing_collected", "No charge waits for a check.", ("7.2.2(e)",))
    if game.state.terms.commission.stand_alone:
        from controller.games.poker import stand_alone

        stand_alone.joins(game, amount, by)
        game.state.joined = 0
    game.state.time_charge = 0
    game.desk.ruled("time_charge", dollars(amount), by, ("7.2.2(e)", "7.2.2(d)"))


# -- the deck ----------------------------------------------------------------------------------------------------


@KEYS.key("count_cards", "Order a count of the cards", about=CARDS, power="count_cards", undo="never")
def count_cards(game: PokerTable, by: Person) -> None:
    """Level 2 orders a count: the shuffler checks every card by identity (3.4)."""
    game.desk.ruled("count_cards", "ordered", by, ("3.4",))
    deck.check(game)


def _may_change(game: PokerTable) -> bool:
    """Between two hands, and where a hand has to be shuffled anew or its deck is found defective (5.3.1, 9.1.1(h))."""
    hand = game.state.hand
    return hand is None or (not hand.shuffled and hand.misdeals > 0) or (not hand.cut and game.state.deck.defective)


@KEYS.key(
    "change_cards",
    "Change the deck",
    about=CARDS,
    power="change_cards",
    asks=(REASON,),
    during=(BETWEEN, "posting", "shuffling"),
    when=_may_change,
)
def change_cards(game: PokerTable, by: Person, *, reason: str) -> None:
    """Another deck comes into play between deals, and is checked before it is dealt (5.3)."""
    if not _may_change(game):
        raise Refusal("hand_under_way", "Cards are changed between rounds of play.", ("5.3.1",))
    game.desk.ruled("change_cards", reason, by, ("5.3.1", "5.3.2"))
    deck.change(game)


# -- conduct, disputes -----------------------------------------------------------------------------------


@KEYS.key(
    "conduct",
    "Rule on conduct",
    power="rule_conduct",
    asks=(PLAYER, Ask("ruling", "text", "Ruling")),
    while_suspended=True,
)
def conduct(game: PokerTable, by: Person, *, player: str, ruling: str) -> None:
    """Level 3 rules on conduct that harms the game (13.4)."""
    _record(game, by, "conduct", player, ruling)


@KEYS.key("device_seen", "A player uses a device", power="report_device", asks=(PLAYER,), while_suspended=True)
def device_seen(game: PokerTable, by: Person, *, player: str) -> None:
    """A player uses a device: staff decide what follows (13.1, 13.2)."""
    game.desk.note("device_seen", ("13.1",), player=player, by=by.id)
    game.desk.announce("dealer", "device", f"Call level 4 to decide about {player}.", ("13.1", "13.2.1"))


@KEYS.key("exclude", "Exclude a player", power="exclude_player", asks=(PLAYER, REASON), while_suspended=True)
def exclude(game: PokerTable, by: Person, *, player: str, reason: str) -> None:
    """Level 4 bars a player: the seat is free once the hand allows it (13.2.2)."""
    number = next((number for number, seat in game.state.seats.items() if seat.player == player), 0)
    if not number:
        raise Refusal("not_here", f"{player} has no seat at this table.", ("13.2.2",))
    game.desk.ruled("exclude", player, by, ("13.2.2",), reason)
    seating.leave(game, by, seat=number)


@KEYS.key("withhold", "Withhold winnings", power="withhold", asks=(PLAYER, REASON), while_suspended=True)
def withhold(game: PokerTable, by: Person, *, player: str, reason: str) -> None:
    """Level 4 keeps winnings until an inquiry is over (13.2.3)."""
    _record(game, by, "withhold", player, reason)


@KEYS.key("confiscate", "Confiscate a device", power="confiscate", asks=(PLAYER, REASON), while_suspended=True)
def confiscate(game: PokerTable, by: Person, *, player: str, reason: str) -> None:
    """Level 4 takes a device from a player (13.2.4)."""
    _record(game, by, "confiscate", player, reason)


def _record(game: PokerTable, by: Person, subject: str, player: str, answer: str) -> None:
    """A power whose use is put on record."""
    game.desk.ruled(subject, f"{player}: {answer}", by, (game.keys[subject].clause,))


@KEYS.key(
    "dispute",
    "Dispute: decide",
    power="dispute",
    asks=(Ask("text", "text", "What is disputed"), Ask("decision", "text", "Decision")),
    while_suspended=True,
)
def dispute(game: PokerTable, by: Person, *, text: str, decision: str) -> None:
    """Level 3 decides what players cannot agree on, or the rules do not cover (13.10)."""
    game.desk.ruled("dispute", decision, by, ("13.10",), text)
    game.desk.announce("dealer", "inspector", "Tell the player that an inspector may be asked.", ("13.9",))
