"""What screens and the sign see of a Casino War table."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.games.war import dealing, shoe
from controller.games.war.play import War


def sign(game: War) -> dict[str, Any]:
    """What the limit sign shows of the game."""
    odds, state = {"tie": game.rules.odds.tie}, game.state
    if game.column is not None:
        odds |= {"perfect": game.column.perfect, "coloured": game.column.coloured, "mixed": game.column.mixed}
    shown: dict[str, Any] = {"game": "Casino War", "decks": state.shoe.cards.decks, "odds": odds}
    if state.house.decks_coming is not None:
        shown["coming_decks"] = msgspec.to_builtins(state.house.decks_coming)
    if state.players.kept_minimum:
        shown["kept_minimums"] = state.players.kept_minimum
    return shown


def view(game: War) -> dict[str, Any]:
    """What the screens show of the round; burned faces stay hidden."""
    state = game.state
    return {
        "state": game.machine.state,
        "next": dealing.expected(game),
        "cards": [{"face": face, "to": place} for face, place in state.round.shown()],
        "stakes": msgspec.to_builtins(state.round.stakes),
        "choices": msgspec.to_builtins(state.round.choices),
        "results": [
            {**msgspec.to_builtins(booked.result), "done": booked.done} for booked in state.round.booked.values()
        ],
        "players": list(state.players.arrivals),
        "at_box": {str(box): player for box, player in state.players.at_box.items()},
        "blocked": msgspec.to_builtins(state.supply.blocked),
        "cutter": shoe.cutter(game)[0] if state.shoe.cut_place else "",
        "shuffle_due": bool(state.shoe.shuffle_due),
        "left": state.shoe.cards.total - state.shoe.cards.drawn,
    }
