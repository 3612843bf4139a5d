"""Who sits where, and the seat that may be asked for after three rounds without a wager (9.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from controller.core.desk import Refusal

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame


def players(game: WheelGame) -> list[str]:
    """Who is at the table, as far as anybody has said: by seat, by chips, or by what was decided about them."""
    state = game.state
    laid = (*state.picture.values(), *(state.round.frozen or {}).values())
    played = (*state.round.outside, *(state.past.wagers if state.past is not None else ()))
    names = (
        *state.seats.values(),
        *(chip.owner for chip in laid),
        *(wager.owner for wager in played),
        *(line.owner for line in state.ledger.holdings),
        *sorted(state.voided | state.excluded | state.withheld),
    )
    return [name for name in dict.fromkeys(names) if name]


def known_players(game: WheelGame) -> Iterator[tuple[str, str]]:
    """The same, to choose from."""
    return ((player, player) for player in players(game))


def sit(game: WheelGame, seat: int, player: str) -> None:
    """A player takes a seat."""
    if not 1 <= seat <= game.setup.seats:
        raise Refusal("no_such_seat", f"This table has seats 1 to {game.setup.seats}.")
    if game.state.seats.get(seat, player) != player:
        raise Refusal("seat_taken", f"Seat {seat} is taken.")
    game.state.seats[seat] = player
    game.state.idle_rounds[seat] = 0


def leave(game: WheelGame, seat: int) -> None:
    """A player leaves; what was said to them about the minimum ends with that (W-A12)."""
    player = game.state.seats.pop(seat, None)
    if player is None:
        raise Refusal("seat_empty", f"Nobody sits on seat {seat}.")
    game.state.idle_rounds.pop(seat, None)
    if player not in game.state.seats.values():
        game.state.advised.discard(player)


def count_idle(game: WheelGame, owners: set[str]) -> None:
    """After a valid spin: count who did not wager, and say which seat may be asked for."""
    state = game.state
    full = len(state.seats) == game.setup.seats
    for seat, player in state.seats.items():
        idle = 0 if player in owners else state.idle_rounds.get(seat, 0) + 1
        state.idle_rounds[seat] = idle
        if idle >= game.setup.rules.idle_seats.rounds and full and game.table.announces_idle_seats():
            game.desk.announce(
                "dealer",
                "seat_idle",
                f"Seat {seat} has not wagered for {idle} spins and all others are in use; it may be asked for.",
                ("9.9",),
            )
