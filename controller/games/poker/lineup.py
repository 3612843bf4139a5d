"""The next hand: who is dealt in, where the button and the blinds go, and what a hand leaves to the seats."""

from __future__ import annotations

from typing import NamedTuple

from controller.core.desk import Refusal
from controller.games.poker.positions import (
    Place,
    Positions,
    SeatFlags,
    blind_made_good,
    blind_missed,
    clockwise_from,
    dealt_in,
    first_positions,
    next_positions,
    positions_at,
)
from controller.games.poker.rules import Terms
from controller.games.poker.seating import free
from controller.games.poker.state import Seat
from controller.games.poker.table import PokerTable


class Lineup(NamedTuple):
    """Who plays the next hand: button and blinds, stacks, who posts to come in, and who is left out by which clause."""

    places: Positions
    stacks: dict[int, int]
    posting: list[int]
    left_out: dict[int, str]


def lineup(game: PokerTable, terms: Terms) -> Lineup:
    """Set up the next hand; refused when nobody could play it."""
    state = game.state
    there = [number for number, seat in state.seats.items() if seat.stack > 0 and not _away(seat)]
    left_out = {number: "7.2.4(b)" for number in there if _cannot_pay(terms, state.seats[number].stack)}
    left_out |= {number: "8.9.3" for number in there if _has_refused(state.seats[number])}
    live = [number for number in there if number not in left_out]
    if len(live) < 2:
        owed = ("8.9.3",) if "8.9.3" in left_out.values() else ()
        text = "A hand needs two players with chips who post their blinds; seat them first."
        raise Refusal("too_few", text + _waited_for(state.seats), ("8.4", *owed))
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


def _waited_for(seats: dict[int, Seat]) -> str:
    """Who could come back and be dealt in, and the key for it."""
    away = [number for number, seat in sorted(seats.items()) if _not_here(seat.flags)]
    named = f"Seat {away[0]} is" if len(away) == 1 else f"Seats {', '.join(map(str, away))} are"
    return f" {named} not dealt in; press “Player is back” for whoever plays." if away else ""


def _not_here(flags: SeatFlags) -> bool:
    return flags.walking or flags.absent or flags.dealt_out


def _has_refused(seat: Seat) -> bool:
    """Whether a seat would not post when the blind was due, and has not made it good (8.9.3)."""
    return seat.refused and not seat.posts


def _cannot_pay(terms: Terms, stack: int) -> bool:
    """Whether the fee per person would leave a seat nothing to play with (7.2.4(b), P-A43)."""
    return terms.commission.method == "per_person" and stack <= terms.commission.fee


def started(game: PokerTable, lineup: Lineup) -> None:
    """The hand is set up: whoever the big blind has passed has missed it (8.9.3)."""
    state = game.state
    places, stacks = lineup.places, lineup.stacks
    for number, clause in lineup.left_out.items():
        game.desk.note("not_dealt", (clause,), seat=number, player=state.seats[number].player)
    if state.positions is not None and not state.button:
        order = clockwise_from(state.positions.blinds[-1], list(state.seats))
        for number in order[: order.index(places.last)]:
            _missed(game, number)
        for number in places.blinds[:-1]:
            if number in state.seats and number not in stacks:
                _missed(game, number)
    for number in stacks:
        state.seats[number].posts = False


def _missed(game: PokerTable, number: int) -> None:
    """A blind was due from a seat that did not post it, be it the large one or another (8.9.3)."""
    flags = game.state.seats[number].flags
    if not (flags.missed_blind or flags.new or flags.wait_for_blind or flags.must_post):
        blind_missed(flags)
        game.desk.note("missed_blind", ("8.9.3",), seat=number)


def hand_over(game: PokerTable, completed: Positions | None, stacks: dict[int, int]) -> None:
    """Stacks as the hand left them, chips bought meanwhile, seats of those who leave; its positions if it counts."""
    state = game.state
    for number, stack in stacks.items():
        seat = state.seats[number]
        seat.stack = stack + seat.coming
        seat.coming = 0
        if completed is not None:
            blind_made_good(seat.flags)
    for number in [number for number, seat in state.seats.items() if seat.leaving]:
        free(game, number)
    for seat in state.seats.values():
        seat.flags.dealt_out = False
        if completed is not None:
            seat.refused = False  # it is asked again when a blind comes round to it
    if completed is not None:
        state.positions = completed
        state.button = 0
