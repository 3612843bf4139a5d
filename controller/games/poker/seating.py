"""Who sits where with how much: players come, go, change seats, buy chips and walk."""

from __future__ import annotations

from collections.abc import Iterator

from controller.core.desk import Ask, Refusal
from controller.core.keys import PLAYERS, Keys
from controller.games.poker.actions import stake_change_fault
from controller.games.poker.asks import AMOUNT, NEWCOMER, SEAT, free_seats, known_players
from controller.games.poker.cards import entered
from controller.games.poker.positions import (
    SeatFlags,
    live_seats_gained,
    move_is_free,
    seat_draw,
    waiting_list_place,
)
from controller.games.poker.round import BETWEEN
from controller.games.poker.state import PickedUp, RunnerBank, Seat
from controller.games.poker.table import PokerTable
from controller.money.amounts import dollars
from controller.people import Person

KEYS: Keys[PokerTable] = Keys(about=PLAYERS)
RUNNER = "chip_runner"
"""Seats, sells and changes like any rank, out of a bank of their own (1.1 'Chip Runner', 'Mobile Bank', 'Cage')."""
RUNNERS = ("1.1 'Chip Runner'", "1.1 'Mobile Bank'")


def _places(game: PokerTable) -> Iterator[tuple[str, str]]:
    return ((str(seat), f"Seat {seat}") for seat in range(1, game.layout.seats + 1))


FREE = Ask("seat", "choice", "Seat", number=True, offered=free_seats, suggested=True)
TO = Ask("to", "choice", "To", number=True, offered=free_seats, suggested=True)
BUTTON = Ask("seat", "choice", "Seat", number=True, offered=_places, suggested=True)
PAID_LAP = Ask("paid_lap", "flag", "Has paid the blinds of this lap", optional=True)


JOINS = Ask(
    "joins", "choice", "Joins from, if it matters on the button", optional=True, aside=True, clauses=("8.10",),
    choices=(("closed_game", "A game that has closed"), ("moved", "Moved here by level 2")),
)  # fmt: skip


def check_seat(game: PokerTable, seat: int) -> int:
    """A seat of this table."""
    if not 1 <= seat <= game.layout.seats:
        raise Refusal("no_such_seat", f"There is no seat {seat}; the table has {game.layout.seats}.", ("2.1",))
    return seat


def taken(game: PokerTable, number: int) -> Seat:
    """A seat where somebody sits."""
    seat = game.state.seats.get(check_seat(game, number))
    if seat is None:
        raise Refusal("seat_empty", f"Nobody sits at seat {number}.", ("2.1",))
    return seat


def in_hand(game: PokerTable, seat: int) -> bool:
    """Whether a seat holds cards, or a claim, in the hand under way."""
    hand = game.state.hand
    return hand is not None and any(player.seat == seat and player.live for player in hand.betting.players)


def dealt(game: PokerTable, seat: int) -> bool:
    """Whether a seat takes part in the hand under way, folded or not."""
    hand = game.state.hand
    return hand is not None and any(player.seat == seat for player in hand.betting.players)


def _check_amount(game: PokerTable, amount: int, least: int = 0) -> None:
    chip = game.state.terms.structure.chip
    if amount <= 0 or amount % chip:
        raise Refusal("bad_amount", f"{dollars(amount)} cannot be made of {dollars(chip)} chips.", ("6.2",))
    if amount < least:
        raise Refusal("under_buy_in", f"The smallest buy-in is {dollars(least)}, not {dollars(amount)}.", ("6.3",))


# -- the chip runner's own bank ------------------------------------------------------------------------------------


CHIPS = Ask("chips", "money", "Chips carried", least=0)
CASH = Ask("cash", "money", "Cash carried", optional=True, least=0)


@KEYS.key(
    "runner_bank", "Chip runner: bank carried", power="seat_player", asks=(CHIPS, CASH), role=RUNNER, undo="never"
)
def runner_bank(game: PokerTable, by: Person, *, chips: int, cash: int = 0) -> None:
    """A chip runner says what the mobile bank gave them; what they sell here is booked against it."""
    if not by.has(RUNNER):
        raise Refusal("no_runner", f"{by.id} is no chip runner; 'tablectl staff give' names one.", RUNNERS)
    game.state.runners[by.id] = RunnerBank(chips, cash)
    game.desk.note("runner_bank", RUNNERS, runner=by.id, chips=chips, cash=cash)


def _can_sell(game: PokerTable, by: Person, amount: int) -> None:
    """Refuse what a chip runner does not carry; whoever has a rank brings chips from the cage."""
    if not by.has(RUNNER):
        return
    bank = game.state.runners.get(by.id, RunnerBank())
    if bank.chips < amount:
        text = f"{by.id} carries {dollars(bank.chips)} in chips, not {dollars(amount)}; say what is carried first."
        raise Refusal("bank_short", text, RUNNERS)


def _sold(game: PokerTable, by: Person, player: str, amount: int) -> None:
    """Chips for cash out of the runner's own bank."""
    if by.has(RUNNER):
        bank = game.state.runners[by.id]
        bank.chips, bank.cash = bank.chips - amount, bank.cash + amount
        game.desk.note("runner_sold", RUNNERS, runner=by.id, player=player, amount=amount, chips=bank.chips,
                       cash=bank.cash)  # fmt: skip


@KEYS.key("change", "Change made", power="seat_player", asks=(SEAT, AMOUNT), role=RUNNER, while_suspended=True)
def change(game: PokerTable, by: Person, *, seat: int, amount: int) -> None:
    """Chips changed for smaller or larger ones: nobody has more or less by it."""
    place = taken(game, seat)
    if amount <= 0:
        raise Refusal("bad_amount", "Change is made for an amount above nothing.", RUNNERS)
    game.desk.note("change_made", RUNNERS, seat=seat, player=place.player, amount=amount, by=by.id)


# -- seats -----------------------------------------------------------------------------------------------------------


@KEYS.key("sit", "Player sits down", power="seat_player", asks=(FREE, NEWCOMER, AMOUNT, JOINS), role=RUNNER)
def sit(game: PokerTable, by: Person, *, seat: int, player: str, amount: int, joins: str = "") -> None:
    """A player takes a free seat with a buy-in (6.3)."""
    seats, terms = game.state.seats, game.state.terms
    if check_seat(game, seat) in seats:
        raise Refusal("seat_taken", f"{seats[seat].player} sits at seat {seat}.", ("8.1.1",))
    if any(other.player == player for other in seats.values()):
        raise Refusal("seated", f"{player} has a seat already; move to another.", ("8.1",))
    most = terms.game.seats
    if len(seats) >= most:
        raise Refusal("table_full", f"{terms.game.name} is for {most} players at most.", (terms.game.seats_clause,))
    _check_amount(game, amount, terms.minimum_buy_in)
    if joins == "moved" and by.rank < (least := game.keys["newcomer_waits"].rank):
        raise Refusal("rank_too_low", f"Whoever moves a player here is of level {least} or above.", ("8.10",))
    _can_sell(game, by, amount)
    game.state.picked_up.pop(player, None)
    seats[seat] = Seat(player, amount, SeatFlags(new=game.state.positions is not None, excused=bool(joins)))
    game.desk.note("sat_down", ("6.3",), seat=seat, player=player, amount=amount, by=by.id)
    _sold(game, by, player, amount)
    if joins:
        game.desk.note("excused_newcomer", ("8.10",), seat=seat, joins=joins, by=by.id)
    game.seated()


@KEYS.key("leave", "Player leaves", power="seat_player", asks=(SEAT,), while_suspended=True)
def leave(game: PokerTable, by: Person, *, seat: int) -> None:
    """A player leaves; during a hand the seat is freed once it is over (8.3)."""
    place = taken(game, seat)
    if dealt(game, seat):
        place.leaving = True
        game.desk.note("leaves_after_hand", ("8.3",), seat=seat, player=place.player)
    else:
        free(game, seat)


def free(game: PokerTable, seat: int) -> None:
    """Nobody sits here any more."""
    place = game.state.seats.pop(seat)
    game.desk.note("left", ("8.3",), seat=seat, player=place.player, amount=place.stack)
    if game.state.seats:
        text = f"Offer seat {seat} to the seated players before the waiting list."
        game.desk.announce("dealer", "seat_free", text, ("8.1.2",))


@KEYS.key("move", "Player changes seats", power="move_player", asks=(SEAT, TO, PAID_LAP))
def move(game: PokerTable, by: Person, *, seat: int, to: int, paid_lap: bool = False) -> None:
    """A seated player takes a free seat; one that puts the big blind off must post or wait (8.9.5)."""
    place, seats = taken(game, seat), game.state.seats
    if check_seat(game, to) in seats:
        raise Refusal("seat_taken", f"{seats[to].player} sits at seat {to}.", ("8.1.1",))
    if dealt(game, seat):
        raise Refusal("in_hand", f"Seat {seat} is in the hand; seats are changed between hands.", ("8.9.5",))
    at_once = _moves_free(game, seat, to, paid_lap)
    del seats[seat]
    seats[to] = place
    if not at_once:
        place.flags.wait_for_blind = True
    game.desk.note("moved_seat", ("8.9.5",), seat=seat, to=to, player=place.player, free=at_once)
    if not at_once:
        game.desk.announce("dealer", "wait_or_post", f"Seat {to} waits for the big blind, or posts it.", ("8.9.5",))


def _moves_free(game: PokerTable, seat: int, to: int, paid_lap: bool) -> bool:
    """Whether a player who moves is dealt in without waiting or posting."""
    positions = game.state.positions
    if positions is None:
        return True
    live = [number for number, other in game.state.seats.items() if other.stack > 0]
    gained = live_seats_gained(seat, to, live, positions.blinds[-1])
    allowed = game.rules.seats.free_move_live_seats
    return move_is_free(gained, allowed, paid_lap=paid_lap, to_button=to == positions.blinds[0])


@KEYS.key("add_chips", "Player buys more chips", power="seat_player", asks=(SEAT, AMOUNT), role=RUNNER)
def add_chips(game: PokerTable, by: Person, *, seat: int, amount: int) -> None:
    """A player buys more chips: at once while out of the hand, else after it (6.11)."""
    place = taken(game, seat)
    _check_amount(game, amount)
    if stake_change_fault(in_hand(game, seat), amount):
        raise Refusal("in_hand", f"Seat {seat} holds cards; chips may be added after the hand.", ("6.11",))
    _can_sell(game, by, amount)
    if dealt(game, seat):
        place.coming += amount
    else:
        place.stack += amount
    place.flags.lammer = max(0, place.flags.lammer - amount)
    game.desk.note("chips_added", ("6.11",), seat=seat, amount=amount, by=by.id)
    _sold(game, by, place.player, amount)


@KEYS.key(
    "lammer", "Lammer: chips are coming", power="seat_player", asks=(SEAT, AMOUNT), while_suspended=True, role=RUNNER
)
def lammer(game: PokerTable, by: Person, *, seat: int, amount: int) -> None:
    """Cash or chips are on their way to a seat; the lammer lies there until they have come (1.1 'Lammer')."""
    place = taken(game, seat)
    if amount < 0:
        raise Refusal("bad_amount", "A lammer stands for an amount, or for nothing any more.", ("1.1 'Lammer'",))
    place.flags.lammer = amount
    game.desk.note("lammer", ("1.1 'Lammer'",), seat=seat, amount=amount, by=by.id)


@KEYS.key("walk", "Player walks", power="player_walks", asks=(SEAT,), while_suspended=True)
def walk(game: PokerTable, by: Person, *, seat: int) -> None:
    place = taken(game, seat)
    place.flags.walking = not place.flags.missed_blind
    place.flags.absent = place.flags.missed_blind
    place.away_since = game.desk.at
    game.desk.note("walks", ("1.1 'Player Walking Button'",), seat=seat, player=place.player)


@KEYS.key("back", "Player is back", power="player_walks", asks=(SEAT,), while_suspended=True)
def back(game: PokerTable, by: Person, *, seat: int) -> None:
    """A player is dealt in again, whichever button said otherwise."""
    place = taken(game, seat)
    place.flags.walking = place.flags.absent = place.flags.dealt_out = False
    game.desk.note("is_back", ("1.1 'Player Walking Button'",), seat=seat, player=place.player)


@KEYS.key("place_button", "Place the button", power="dispute", asks=(BUTTON,), during=(BETWEEN,))
def place_button(game: PokerTable, by: Person, *, seat: int) -> None:
    """The button is put where it belongs, by whoever decides what the rules leave open (13.10)."""
    check_seat(game, seat)
    if game.state.hand is not None:
        raise Refusal("hand_under_way", "The button is placed between hands.", ("1.1 'Dealer Button'",))
    game.state.button = seat
    game.desk.ruled("button", f"seat {seat}", by, ("13.10", "1.1 'Dealer Button'"))


@KEYS.key("deal_out", "Not dealt this hand", power="deal_out", asks=(SEAT,))
def deal_out(game: PokerTable, by: Person, *, seat: int) -> None:
    taken(game, seat).flags.dealt_out = True
    game.desk.note("dealt_out", ("1.1 'Dealt-out Button'",), seat=seat)


@KEYS.key("posts", "Posts to be dealt in", power="post_blinds", asks=(SEAT,))
def posts(game: PokerTable, by: Person, *, seat: int) -> None:
    taken(game, seat).posts = True
    game.desk.note("posts_next_hand", ("8.9.5",), seat=seat)


@KEYS.key("newcomer_waits", "Newcomer waits for the blind", power="newcomer_waits", asks=(SEAT,))
def newcomer_waits(game: PokerTable, by: Person, *, seat: int) -> None:
    """Level 2 has a newcomer wait for the blind (8.10.1)."""
    place = taken(game, seat)
    place.flags.wait_for_blind, place.flags.must_post, place.posts = True, False, False
    game.desk.ruled("newcomer", "waits", by, ("8.10.1",))


@KEYS.key("newcomer_posts", "Newcomer posts the large blind", power="newcomer_posts", asks=(SEAT,))
def newcomer_posts(game: PokerTable, by: Person, *, seat: int) -> None:
    """Level 2 has a newcomer post the large blind (8.10.2)."""
    place = taken(game, seat)
    place.flags.wait_for_blind, place.flags.must_post, place.posts = False, True, True
    game.desk.ruled("newcomer", "posts", by, ("8.10.2",))


def _away(game: PokerTable) -> Iterator[tuple[str, str]]:
    """Where somebody sits who is away now."""
    for number, seat in sorted(game.state.seats.items()):
        if (seat.flags.absent or seat.flags.walking) and not dealt(game, number):
            yield str(number), f"Seat {number} · {seat.player}"


AWAY = Ask("seat", "choice", "Seat of somebody who is away", number=True, offered=_away, suggested=True)


@KEYS.key("pick_up", "Pick up an absent player", power="pick_up_player", asks=(AWAY,), while_suspended=True)
def pick_up(game: PokerTable, by: Person, *, seat: int) -> None:
    """An absent player's chips are picked up; the time of it decides the place in the list on a return (8.11, 8.12)."""
    place = taken(game, seat)
    if not (place.flags.absent or place.flags.walking) or dealt(game, seat):
        raise Refusal("not_absent", f"{place.player} at seat {seat} is not away.", ("8.11",))
    away_s = (game.desk.at - place.away_since) // 1000
    minutes = game.rules.seats.picked_up_head_minutes
    game.desk.ruled("pick_up", place.player, by, ("8.11",), f"away for {away_s} s, {dollars(place.stack)} kept safe")
    game.desk.note("picked_up", ("8.11", "8.12"), seat=seat, player=place.player, amount=place.stack,
                   head_until=game.desk.at + 60_000 * minutes)  # fmt: skip
    text = f"Back within {minutes} minutes {place.player} heads the waiting list, later the place is its tail."
    game.desk.announce("dealer", "picked_up", text, ("8.12",))
    del game.state.seats[seat]
    game.state.picked_up[place.player] = PickedUp(place.stack, game.desk.at)


# -- who may have a seat ---------------------------------------------------------------------------------------------


CLAIMANTS = Ask("claimants", "names", "Who wants it", offered=known_players, suggested=True)
DRAWN = Ask("cards", "cards", "A card each, in the same order")


@KEYS.key("draw_for_seat", "Draw a card for a seat", power="seat_player", asks=(FREE, CLAIMANTS, DRAWN),
          when=lambda game: any(free_seats(game)))  # fmt: skip
def draw_for_seat(
    game: PokerTable, by: Person, *, seat: int, claimants: tuple[str, ...], cards: tuple[str, ...]
) -> None:
    """Two or more want the same seat: each draws a card, and the highest has it (8.1.1)."""
    if (there := game.state.seats.get(check_seat(game, seat))) is not None:
        raise Refusal("seat_taken", f"{there.player} sits at seat {seat}.", ("8.1.1",))
    if len(set(claimants)) != len(claimants) or len(claimants) < 2:
        raise Refusal("bad_argument", "Name two players or more who want this seat, each once.", ("8.1.1",))
    faces = entered(cards)
    if len(faces) != len(claimants) or len(set(faces)) != len(faces):
        text = f"{len(claimants)} players draw {len(claimants)} cards, each another one."
        raise Refusal("wrong_count", text, ("8.1.1",))
    drawn = dict(zip(claimants, faces, strict=True))
    winner = seat_draw(drawn)
    told = ", ".join(f"{player} {card}" for player, card in drawn.items())
    game.desk.ruled("seat_draw", winner, by, ("8.1.1",), f"seat {seat}: {told}")
    game.desk.announce("dealer", "seat_drawn", f"Seat {seat} goes to {winner}, who drew {drawn[winner]}.", ("8.1.1",))


def _picked_up(game: PokerTable) -> Iterator[tuple[str, str]]:
    """Who was picked up and has not come back, with what is kept for them."""
    return ((player, f"{player} · {dollars(kept.amount)} kept") for player, kept in game.state.picked_up.items())


@KEYS.key("returned", "A picked-up player is back", power="player_walks", while_suspended=True,
          asks=(Ask("player", "choice", "Player", offered=_picked_up),),
          when=lambda game: bool(game.state.picked_up))  # fmt: skip
def returned(game: PokerTable, by: Person, *, player: str) -> None:
    """Back soon enough, a picked-up player heads the waiting list, else the place is its tail (8.12)."""
    kept = game.state.picked_up.pop(player)
    away_s = (game.desk.at - kept.at) // 1000
    place = waiting_list_place(away_s, game.rules.seats.picked_up_head_minutes)
    game.desk.note("returned", ("8.12",), player=player, place=place, away_s=away_s, amount=kept.amount, by=by.id)
    if place == "head":
        text = f"{player} heads the waiting list; {dollars(kept.amount)} are kept safe."
    else:
        text = f"{player} goes to the end of the waiting list; {dollars(kept.amount)} are kept safe."
    game.desk.announce("dealer", "returned", text, ("8.12",))
