"""Wagers outside the limits, told while a player can still put them right (4.2.1, 4.2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.effects import WagerResult
from controller.games.wheel import alarms
from controller.games.wheel.settle import Wager
from controller.money.amounts import dollars

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

TIMER = "wagers"
CALM_MS = 3_000
"""A stake that grew this long ago is laid; until then more chips may follow."""


def chips_changed(game: WheelGame, *, came: bool = False) -> None:
    """The layout has changed while bets may be placed: too much is told at once, too little once hands are still."""
    standing = game.desk.state.alarms
    for wager, how in _outside(game):
        code = (alarms.OverMaximum if how == "over" else alarms.UnderMinimum).coded(wager.id)
        if code in standing or (came and how == "over"):
            _tell(game, wager, how)
        else:
            game.desk.timer(TIMER, game.desk.at + CALM_MS)


def hands_are_still(game: WheelGame) -> None:
    """Whatever lies there was meant so; also at the close, when nothing can be added any more."""
    for wager, how in _outside(game):
        _tell(game, wager, how)


def advise(game: WheelGame, results: tuple[WagerResult, ...]) -> None:
    """Whoever had a first wager under the minimum settled is told that further ones come back."""
    small = [one.player for one in results if "4.2.1" in one.clauses and one.result in ("win", "lose") and one.player]
    for player in dict.fromkeys(small):
        if player in game.state.advised:
            continue
        game.state.advised.add(player)
        game.desk.note("advised_under_minimum", ("4.2.1",), player=player)
        text = f"Tell {player} that wagers under the minimum come back from now on."
        game.desk.announce("dealer", "advise_minimum", text, ("4.2.1",))


def _outside(game: WheelGame) -> list[tuple[Wager, str]]:
    """The wagers that are over or under what their owners may stake there."""
    return [(wager, how) for wager in game.wagers() if (how := alarms.outside_limits(game, wager))]


def _tell(game: WheelGame, wager: Wager, how: str) -> None:
    limits = game.limits_of(wager.owner, wager.symbol)
    if how == "over":
        beyond = f"{dollars(wager.cents - limits.most)} above the maximum of {dollars(limits.most)}"
        alarms.OverMaximum(stake=_stake(wager), beyond=beyond).holds(game, wager.id)
    else:
        least, follows = dollars(limits.least), _follows(game, wager)
        alarms.UnderMinimum(stake=_stake(wager), least=least, follows=follows).holds(game, wager.id)


def _stake(wager: Wager) -> str:
    whose = f"{wager.owner} has" if wager.owner else "Somebody has"
    return f"{whose} {dollars(wager.cents)} on {wager.symbol}"


def _follows(game: WheelGame, wager: Wager) -> str:
    if wager.owner in game.state.advised:
        return "This player was told before: it goes back whatever the result."
    return "It is settled this once; further ones go back."
