"""What several keys of poker ask for alike."""

from __future__ import annotations

from collections.abc import Iterator

from controller.core.desk import ACCEPT, Ask
from controller.games.poker.table import PokerTable


def taken_seats(game: PokerTable) -> Iterator[tuple[str, str]]:
    """Where somebody sits."""
    return ((str(number), f"Seat {number} · {seat.player}") for number, seat in sorted(game.state.seats.items()))


def free_seats(game: PokerTable) -> Iterator[tuple[str, str]]:
    """Where nobody sits."""
    return ((str(seat), f"Seat {seat}") for seat in range(1, game.layout.seats + 1) if seat not in game.state.seats)


SEAT = Ask("seat", "choice", "Seat", number=True, offered=taken_seats)
AMOUNT = Ask("amount", "money", "Amount")
PLAYER = Ask("player", "player", "Player")
REASON = Ask("reason", "text", "Reason")
CONFIRMED = ACCEPT[0]
