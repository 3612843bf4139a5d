"""What screens and the sign see of a Casino War table."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.games.war import betting, dealing, shoe
from controller.games.war.play import War
from controller.games.war.stakes import count, unpayable
from controller.games.war.state import BEFORE_ROUND, Stake
from controller.money.amounts import dollars


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
        "burns": dealing.burns_to_come(game),
        "cards": [{"face": face, "to": place} for face, place in state.round.shown()],
        "stakes": [_stake(game, stake) for stake in state.round.stakes],
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


def _stake(game: War, stake: Stake) -> dict[str, Any]:
    """A stake, whether its chips still lie there, and what is wrong with it while it can be put right."""
    area = game.layout.area(stake.box, stake.zone)
    lies = not game.sees_chips or any(spot.area == area for spot in game.money.state.laid.values())
    return {**msgspec.to_builtins(stake), "lies": lies, "off": _off(game, stake)}


def _off(game: War, stake: Stake) -> str:
    """Too much, too little or the wrong unit, in the words of the sign."""
    if not stake.live:
        return {"late": "too late: give back", "refused": "no wager: give back", "void": "void"}.get(stake.status, "")
    if game.machine.state not in BEFORE_ROUND:
        return ""
    limits = betting.limits_of(game, stake)
    if stake.amount > limits.most:
        return f"{dollars(stake.amount - limits.most)} too much"
    if stake.amount < limits.least:
        return f"under {dollars(limits.least)}"
    if count(game.rules, stake, limits).clauses:
        return f"not in units of {dollars(limits.unit)}"
    return "cannot be paid exactly" if unpayable(game.rules, stake, limits) else ""
