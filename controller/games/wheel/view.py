"""What screens and the limit sign show of a Big Wheel round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from controller.games.wheel.landings import shown
from controller.games.wheel.questions import evidence

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame


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
        "wagers": msgspec.to_builtins(game.wagers()),
        "spin": msgspec.to_builtins(round_.spin),
        "verdict": evidence(round_.verdict) if round_.verdict else None,
        "winner": round_.winner,
        "named_by": round_.named_by,
        "results": msgspec.to_builtins(round_.results),
        "late": len(round_.late),
        "seats": game.state.seats,
        "turning": game.state.turning,
    }


def landings(game: WheelGame) -> dict[str, Any]:
    """Where the wheel came to rest since the table opened; judged anew only when a spin was added."""
    landed = game.state.landed
    if game.judged_landings.spins != landed.spins:
        game.judged_landings = landed.judged()
    return shown(game.judged_landings, game.setup.ring)
