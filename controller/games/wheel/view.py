"""What screens and the limit sign show of a Big Wheel round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from controller.games.wheel.alarms import DECIDED, outside_limits
from controller.games.wheel.landings import shown
from controller.games.wheel.layout import COUNTS
from controller.games.wheel.questions import evidence
from controller.money.amounts import dollars

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame
    from controller.games.wheel.settle import Wager


def sign(game: WheelGame) -> dict[str, Any]:
    """The game and its odds."""
    option = game.setup.option
    return {
        "game": f"Big Wheel, option {option.number}",
        "odds": {symbol.symbol: symbol.odds for symbol in option.symbols},
    }


def view(game: WheelGame) -> dict[str, Any]:
    """The round as it stands."""
    round_ = game.state.round
    areas: dict[str, int] = {}
    for laid in game.state.picture.values():
        symbol = game.symbol(laid.area)
        areas[symbol] = areas.get(symbol, 0) + laid.chip.cents
    return {
        "state": game.machine.state,
        "areas": areas,
        "wagers": [_wager(game, wager) for wager in game.wagers()],
        "off": off_stakes(game),
        "spin": msgspec.to_builtins(round_.spin),
        "verdict": evidence(round_.verdict) if round_.verdict else None,
        "winner": round_.winner,
        "named_by": round_.named_by,
        "results": msgspec.to_builtins(round_.results),
        "late": len(round_.late),
        "seats": game.state.seats,
        "turning": game.state.turning,
    }


def _wager(game: WheelGame, wager: Wager) -> dict[str, Any]:
    """A wager, and whether somebody has ruled on whoever laid it."""
    state = game.state
    ruled = "void" if wager.owner in state.voided else "excluded" if wager.owner in state.excluded else ""
    return {**msgspec.to_builtins(wager), "ruled": ruled}


def off_stakes(game: WheelGame) -> dict[str, list[str]]:
    """What is wrong with the stakes on each symbol while it can be put right: too much, too little, wrong unit."""
    found: dict[str, list[str]] = {}
    if game.machine.state in DECIDED:
        return found
    for wager in game.wagers():
        limits = game.limits_of(wager.owner, wager.symbol)
        if (how := outside_limits(game, wager)) == "over":
            found.setdefault(wager.symbol, []).append(f"{dollars(wager.cents - limits.most)} too much")
        elif how == "under":
            found.setdefault(wager.symbol, []).append(f"under {dollars(limits.least)}")
        elif limits.unit and wager.cents % limits.unit:
            found.setdefault(wager.symbol, []).append(f"not in units of {dollars(limits.unit)}")
    for laid in game.state.picture.values():
        words = [] if laid.chip.kind in COUNTS and laid.chip.cents else ["wrong chip"]
        here = found.setdefault(game.symbol(laid.area), []) if words else []
        here += [word for word in words if word not in here]
    return found


def landings(game: WheelGame) -> dict[str, Any]:
    """Where the wheel came to rest since the table opened; judged anew only when a spin was added."""
    landed = game.state.landed
    if game.judged_landings.spins != landed.spins:
        game.judged_landings = landed.judged()
    return shown(game.judged_landings, game.setup.ring)
