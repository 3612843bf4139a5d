"""Stakes that go back: refused, too late, or more than their player may hold."""

from __future__ import annotations

from controller.core.effects import Refused
from controller.games.war import booking
from controller.games.war.play import War
from controller.games.war.stakes import No
from controller.games.war.state import Stake
from controller.money.amounts import dollars


def hand_back(game: War, stake: Stake, status: str, no: No) -> None:
    """Not in play: recorded, and to be given back."""
    game.state.round.stakes.append(stake)
    give_back(game, stake, status, no)


def give_back(game: War, stake: Stake, status: str, no: No) -> None:
    stake.status = status
    stake.clauses = list(no.clauses)
    game.desk.emit(Refused(f"stake {stake.id}", no.code, no.text, no.clauses))
    booking.void_stakes(game, lambda other: other is stake, ())
    game.desk.announce("dealer", "hand_back", f"Give {dollars(stake.amount)} back to {stake.player}.", no.clauses)


def hand_back_all(game: War, player: str, clauses: tuple[str, ...]) -> None:
    """A player's stakes go back before the deal and are no part of the round (Star 11.22.1)."""
    for stake in [stake for stake in game.state.round.stakes if stake.player == player and stake.live]:
        give_back(game, stake, "refused", No("invalid", f"{player} has no valid card of their own here.", clauses))
