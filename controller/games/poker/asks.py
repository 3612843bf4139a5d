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


def players(game: PokerTable) -> list[str]:
    """Who sits at the table."""
    return [seat.player for _, seat in sorted(game.state.seats.items())]


def known_players(game: PokerTable) -> Iterator[tuple[str, str]]:
    """The same, to choose from."""
    return ((player, player) for player in players(game))


SEAT = Ask("seat", "choice", "Seat", number=True, offered=taken_seats, suggested=True)
AMOUNT = Ask("amount", "money", "Amount", least=None)
PLAYER = Ask("player", "player", "Player", offered=known_players)
NEWCOMER = Ask("player", "player", "Player", offered=known_players, suggested=True)
REASON = Ask("reason", "text", "Reason")
CONFIRMED = ACCEPT[0]
