"""Between hands: who sits where with how much, who is dealt in, and where the button and the blinds go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from controller.core.desk import Refusal, told
from controller.games.poker.actions import stake_change_fault
from controller.games.poker.floor import Seat
from controller.games.poker.positions import (
    Place,
    Positions,
    SeatFlags,
    blind_made_good,
    blind_missed,
    clockwise_from,
    dealt_in,
    first_positions,
    live_seats_gained,
    move_is_free,
    next_positions,
    positions_at,
)
from controller.games.poker.rules import Terms
from controller.money.amounts import dollars
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.poker.game import PokerGame


def seat_number(game: PokerGame, args: dict[str, Any], name: str = "seat") -> int:
    """A seat of this table, as told with a key."""
    seat: int = told(args, name, int)
    if not 1 <= seat <= game.layout.seats:
        raise Refusal("no_such_seat", f"There is no seat {seat}; the table has {game.layout.seats}.", ("2.1",))
    return seat


def taken(game: PokerGame, args: dict[str, Any]) -> tuple[int, Seat]:
    """A seat where somebody sits."""
    number = seat_number(game, args)
    seat = game.state.seats.get(number)
    if seat is None:
        raise Refusal("seat_empty", f"Nobody sits at seat {number}.", ("2.1",))
    return number, seat


def in_hand(game: PokerGame, seat: int) -> bool:
    """Whether a seat holds cards, or a claim, in the hand under way."""
    hand = game.state.hand
    return hand is not None and any(player.seat == seat and player.live for player in hand.betting.players)


def dealt(game: PokerGame, seat: int) -> bool:
    """Whether a seat takes part in the hand under way, folded or not."""
    hand = game.state.hand
    return hand is not None and any(player.seat == seat for player in hand.betting.players)


def _amount(game: PokerGame, args: dict[str, Any], least: int = 0) -> int:
    amount: int = told(args, "amount", int)
    chip = game.state.terms.structure.chip
    if amount <= 0 or amount % chip:
        raise Refusal("bad_amount", f"{dollars(amount)} cannot be made of {dollars(chip)} chips.", ("6.2",))
    if amount < least:
        raise Refusal("under_buy_in", f"The smallest buy-in is {dollars(least)}, not {dollars(amount)}.", ("6.3",))
    return amount


def sit(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """A player takes a free seat with a buy-in (6.3)."""
    number, player = seat_number(game, args), told(args, "player")
    state = game.state
    if number in state.seats:
        raise Refusal("seat_taken", f"{state.seats[number].player} sits at seat {number}.", ("8.1.1",))
    if any(seat.player == player for seat in state.seats.values()):
        raise Refusal("seated", f"{player} has a seat already; move to another.", ("8.1",))
    most = state.terms.game.seats
    if len(state.seats) >= most:
        clause = state.terms.game.seats_clause
        raise Refusal("table_full", f"{state.terms.game.name} is for {most} players at most.", (clause,))
    amount = _amount(game, args, state.terms.minimum_buy_in)
    new = state.positions is not None
    state.seats[number] = Seat(player, amount, SeatFlags(new=new))
    game.desk.note("sat_down", ("6.3",), seat=number, player=player, amount=amount, by=by.id)


def leave(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """A player leaves; during a hand the seat is freed once it is over (8.3)."""
    number, seat = taken(game, args)
    if dealt(game, number):
        seat.leaving = True
        game.desk.note("leaves_after_hand", ("8.3",), seat=number, player=seat.player)
    else:
        _free(game, number)


def _free(game: PokerGame, number: int) -> None:
    seat = game.state.seats.pop(number)
    game.desk.note("left", ("8.3",), seat=number, player=seat.player, amount=seat.stack)
    if game.state.seats:
        text = f"Offer seat {number} to the seated players before the waiting list."
        game.desk.announce("dealer", "seat_free", text, ("8.1.2",))


def move(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """A seated player takes a free seat; one that puts the big blind off must post or wait (8.9.5)."""
    number, seat = taken(game, args)
    to = seat_number(game, args, "to")
    state = game.state
    if to in state.seats:
        raise Refusal("seat_taken", f"{state.seats[to].player} sits at seat {to}.", ("8.1.1",))
    if dealt(game, number):
        raise Refusal("in_hand", f"Seat {number} is in the hand; seats are changed between hands.", ("8.9.5",))
    free = True
    if state.positions is not None:
        live = [one for one, other in state.seats.items() if other.stack > 0]
        gained = live_seats_gained(number, to, live, state.positions.blinds[-1])
        rules = game.rules.seats
        paid = bool(args.get("paid_lap"))
        free = move_is_free(
            gained, rules.free_move_live_seats, paid_lap=paid, to_button=to == state.positions.blinds[0]
        )
    del state.seats[number]
    state.seats[to] = seat
    if not free:
        seat.flags.wait_for_blind = True
    game.desk.note("moved_seat", ("8.9.5",), seat=number, to=to, player=seat.player, free=free)
    if not free:
        game.desk.announce("dealer", "wait_or_post", f"Seat {to} waits for the big blind, or posts it.", ("8.9.5",))


def add_chips(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """A player buys more chips: at once while out of the hand, else after it (6.11)."""
    number, seat = taken(game, args)
    amount = _amount(game, args)
    if stake_change_fault(in_hand(game, number), amount):
        raise Refusal("in_hand", f"Seat {number} holds cards; chips may be added after the hand.", ("6.11",))
    if dealt(game, number):
        seat.coming += amount
    else:
        seat.stack += amount
    seat.flags.lammer = max(0, seat.flags.lammer - amount)
    game.desk.note("chips_added", ("6.11",), seat=number, amount=amount, by=by.id)


def lammer(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """Cash or chips are on their way to a seat; the lammer lies there until they have come (1.1 'Lammer')."""
    number, seat = taken(game, args)
    amount: int = told(args, "amount", int)
    if amount < 0:
        raise Refusal("bad_amount", "A lammer stands for an amount, or for nothing any more.", ("1.1 'Lammer'",))
    seat.flags.lammer = amount
    game.desk.note("lammer", ("1.1 'Lammer'",), seat=number, amount=amount, by=by.id)


def walk(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    number, seat = taken(game, args)
    seat.flags.walking = not seat.flags.missed_blind
    seat.flags.absent = seat.flags.missed_blind
    seat.away_since = game.desk.at
    game.desk.note("walks", ("1.1 'Player Walking Button'",), seat=number, player=seat.player)


def back(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    number, seat = taken(game, args)
    seat.flags.walking = seat.flags.absent = False
    game.desk.note("is_back", ("1.1 'Player Walking Button'",), seat=number, player=seat.player)


def deal_out(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    number, seat = taken(game, args)
    seat.flags.dealt_out = True
    game.desk.note("dealt_out", ("1.1 'Dealt-out Button'",), seat=number)


def place_button(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """The button is put where it belongs, by whoever decides what the rules leave open (13.10)."""
    seat = seat_number(game, args)
    if game.state.hand is not None:
        raise Refusal("hand_under_way", "The button is placed between hands.", ("1.1 'Dealer Button'",))
    game.state.button = seat
    game.desk.ruled("button", f"seat {seat}", by, ("13.10", "1.1 'Dealer Button'"))


def posts(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    number, seat = taken(game, args)
    seat.posts = True
    game.desk.note("posts_next_hand", ("8.9.5",), seat=number)


def newcomer(game: PokerGame, args: dict[str, Any], by: Person, waits: bool) -> None:
    """Level 2 has a newcomer wait for the blind, or post the large one (8.10)."""
    _, seat = taken(game, args)
    seat.flags.wait_for_blind, seat.flags.must_post = waits, not waits
    seat.posts = not waits
    clause = "8.10.1" if waits else "8.10.2"
    game.desk.ruled("newcomer", "waits" if waits else "posts", by, (clause,))


def pick_up(game: PokerGame, args: dict[str, Any], by: Person) -> None:
    """An absent player's chips are picked up; the time of it decides the place in the list on a return (8.11, 8.12)."""
    number, seat = taken(game, args)
    if not (seat.flags.absent or seat.flags.walking) or dealt(game, number):
        raise Refusal("not_absent", f"{seat.player} at seat {number} is not away.", ("8.11",))
    away_s = (game.desk.at - seat.away_since) // 1000
    minutes = game.rules.seats.picked_up_head_minutes
    game.desk.ruled("pick_up", seat.player, by, ("8.11",), f"away for {away_s} s, {dollars(seat.stack)} kept safe")
    game.desk.note("picked_up", ("8.11", "8.12"), seat=number, player=seat.player, amount=seat.stack,
                   head_until=game.desk.at + 60_000 * minutes)  # fmt: skip
    text = f"Back within {minutes} minutes {seat.player} heads the waiting list, later the place is its tail."
    game.desk.announce("dealer", "picked_up", text, ("8.12",))
    del game.state.seats[number]


# -- the next hand -----------------------------------------------------------------------------------------------


class Lineup(NamedTuple):
    """Who plays the next hand: button and blinds, stacks, who posts to come in, and who is left out by which clause."""

    places: Positions
    stacks: dict[int, int]
    posting: list[int]
    left_out: dict[int, str]


def lineup(game: PokerGame, terms: Terms) -> Lineup:
    """Set up the next hand; refused when nobody could play it."""
    state = game.state
    there = [number for number, seat in state.seats.items() if seat.stack > 0 and not _away(seat)]
    left_out = {number: "7.2.4(b)" for number in there if _cannot_pay(terms, state.seats[number].stack)}
    live = [number for number in there if number not in left_out]
    if len(live) < 2:
        raise Refusal("too_few", "A hand needs two players with chips; seat them first.", ("8.4",))
    blinds, heads_up = len(terms.blinds), game.rules.betting.heads_up
    if state.button:
        places = positions_at(state.button, live, blinds, heads_up)
    elif state.positions is None:
        places = first_positions(live, blinds, heads_up)
    else:
        places = next_positions(state.positions, live, heads_up)
    stacks: dict[int, int] = {}
    posting: list[int] = []
    for number in sorted(live):
        seat = state.seats[number]
        place: Place = "big_blind" if number == places.last else "button" if number == places.button else "other"
        plays, clause = dealt_in(seat.flags, place, seat.posts)
        if plays:
            stacks[number] = seat.stack
            if seat.posts:
                posting.append(number)
        else:
            left_out[number] = clause
    if len(stacks) < 2:
        raise Refusal("too_few", "Fewer than two players can be dealt in.", ("8.4", "8.9.3"))
    return Lineup(places, stacks, posting, left_out)


def _away(seat: Seat) -> bool:
    """Whether a seat gets no cards even when the large blind has come to it."""
    plays, _ = dealt_in(seat.flags, "big_blind", seat.posts)
    return not plays


def _cannot_pay(terms: Terms, stack: int) -> bool:
    """Whether the fee per person would leave a seat nothing to play with (7.2.4(b), P-A43)."""
    return terms.commission.method == "per_person" and stack <= terms.commission.fee


def started(game: PokerGame, lineup: Lineup) -> None:
    """The hand is set up: whoever the big blind has passed has missed it (8.9.3)."""
    state = game.state
    places, stacks = lineup.places, lineup.stacks
    for number, clause in lineup.left_out.items():
        game.desk.note("not_dealt", (clause,), seat=number, player=state.seats[number].player)
    if state.positions is not None and not state.button:
        order = clockwise_from(state.positions.blinds[-1], list(state.seats))
        for number in order[: order.index(places.last)]:
            blind_missed(state.seats[number].flags)
            game.desk.note("missed_blind", ("8.9.3",), seat=number)
    for number in stacks:
        state.seats[number].posts = False


def hand_over(game: PokerGame, stacks: dict[int, int], completed: bool) -> None:
    """Stacks as the hand left them, chips bought meanwhile, seats of those who leave."""
    state = game.state
    for number, stack in stacks.items():
        seat = state.seats[number]
        seat.stack = stack + seat.coming
        seat.coming = 0
        if completed:
            blind_made_good(seat.flags)
    for number in [number for number, seat in state.seats.items() if seat.leaving]:
        _free(game, number)
    for seat in state.seats.values():
        seat.flags.dealt_out = False
    if completed:
        state.positions = state.next_positions
        state.button = 0
    state.next_positions = None
