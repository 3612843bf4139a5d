"""What staff do around the hands: hourly charges, looks at hands, prizes, conduct and disputes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.core.desk import Refusal, told
from controller.games.poker import dealing, seating
from controller.games.poker.commission import time_charge
from controller.games.poker.floor import Opening
from controller.games.poker.flop_chase import bonus_due, bonus_form
from controller.money.amounts import dollars
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.poker.game import PokerGame

COLLECTION = "collection"
HOUR_MS = 3_600_000


# -- the hourly charge (7.2.2) -----------------------------------------------------------------------------------


def watch_collection(game: PokerGame) -> None:
    """An hourly charge falls due at its collection times, in advance."""
    if game.state.terms.commission.method == "time" and COLLECTION not in game.desk.state.timers:
        game.desk.timer(COLLECTION, game.desk.at + HOUR_MS)


def collection_due(game: PokerGame) -> None:
    """The hour has come round: the dealer is told, and the next one is waited for."""
    if game.state.terms.commission.method != "time":
        return
    due = time_charge(game.state.terms.commission, len(game.state.seats))
    game.desk.announce("dealer", "collect_time", f"Collect {dollars(due)} for the hour.", ("7.2.2(a)", "7.2.2(b)"))
    game.desk.timer(COLLECTION, game.desk.at + HOUR_MS)


def collect_time(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Every seated player pays for the hour, those who sit out too (7.2.2(a), P-A36)."""
    state = game.state
    if state.terms.commission.method != "time":
        raise Refusal("no_charge", "No hourly charge is taken at this table.", ("7.2.2(b)",))
    if state.hand is not None:
        raise Refusal("hand_under_way", "The charge is collected between hands.", ("7.2.2(b)",))
    fee = state.terms.commission.fee
    paid = [number for number, seat in state.seats.items() if seat.stack >= fee]
    for number in paid:
        state.seats[number].stack -= fee
    state.time_charge += fee * len(paid)
    owing = [number for number in state.seats if number not in paid]
    game.desk.note("time_charge", ("7.2.2(a)", "7.2.2(b)"), seats=paid, owing=owing, amount=fee * len(paid))
    game.desk.announce("dealer", "check_charge", "Have level 2 check the charge before it is dropped.", ("7.2.2(e)",))


def check_time_charge(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Level 2 has checked what was collected; only then is it dropped (7.2.2(e))."""
    amount = game.state.time_charge
    if not amount:
        raise Refusal("nothing_collected", "No charge waits for a check.", ("7.2.2(e)",))
    game.state.time_charge = 0
    game.desk.ruled("time_charge", dollars(amount), by, ("7.2.2(e)", "7.2.2(d)"))


# -- looks at hands ----------------------------------------------------------------------------------------------


def _uncover(game: PokerGame, args: dict[str, Any], by: Person, clause: str, subject: str) -> None:
    seat, hand = seating.seat_number(game, args), game.hand
    if hand.phase not in ("award", "drop"):
        raise Refusal("not_over", "A hand may be looked at once the play of it is over.", (clause,))
    cards = next((tuple(player.cards) for player in hand.betting.players if player.seat == seat), ())
    if not cards:
        raise Refusal("no_hand", f"Seat {seat} was dealt no cards.", (clause,))
    game.desk.ruled(subject, f"seat {seat}", by, (clause,))
    dealing.uncover(game, Opening("look", cards, seat, by.id))


def look(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Once play is over a hand may be looked at; who looked is on record (8.21)."""
    _uncover(game, args, by, "8.21", "look")


def inspect(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """A hand that one neighbour saw is shown to all at the end of the hand, when somebody asks (9.2)."""
    _uncover(game, args, by, "9.2", "inspect")


# -- prizes, conduct, disputes -----------------------------------------------------------------------------------


def offer_bonus(game: PokerGame, seat: int, high: int) -> None:
    """A tabled hand that earns a prize calls level 2, who verifies it (11.2, 11.3)."""
    prize = bonus_due(game.setup.bonus, high, folded=False)
    if prize is not None:
        text = f"Seat {seat} may have earned {prize.name}: call level 2 to verify it."
        game.desk.announce("dealer", "bonus", text, ("11.2", "11.3"))


def bonus(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Level 2 has verified a prize; it is paid or owed by its kind (11.3)."""
    number, seat = seating.taken(game, args)
    name = told(args, "prize")
    prize = next((prize for prize in game.setup.bonus if prize.name == name), None)
    if prize is None:
        raise Refusal("no_such_prize", f"The sign shows no prize {name!r}.", ("11.2",))
    form, clause = bonus_form(prize)
    game.desk.ruled("bonus", f"{name}: {form}", by, ("11.3", clause))
    game.desk.note("bonus", ("11.3", clause), seat=number, player=seat.player, prize=name, amount=prize.amount)


def exclude(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Level 4 bars a player: the seat is free once the hand allows it (13.2.2)."""
    player, reason = told(args, "player"), told(args, "reason")
    number = next((number for number, seat in game.state.seats.items() if seat.player == player), 0)
    if not number:
        raise Refusal("not_here", f"{player} has no seat at this table.", ("13.2.2",))
    game.desk.ruled("exclude", player, by, ("13.2.2",), reason)
    seating.leave(game, {"seat": number}, by)


def device_seen(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """A player uses a device: staff decide what follows (13.1, 13.2)."""
    player = told(args, "player")
    game.desk.note("device_seen", ("13.1",), player=player, by=by.id)
    game.desk.announce("dealer", "device", f"Call level 4 to decide about {player}.", ("13.1", "13.2.1"))


def dispute(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Level 3 decides what players cannot agree on, or the rules do not cover (13.10)."""
    text, decision = told(args, "text"), told(args, "decision")
    game.desk.ruled("dispute", decision, by, ("13.10",), text)
    game.desk.announce("dealer", "inspector", "Tell the player that an inspector may be asked.", ("13.9",))
