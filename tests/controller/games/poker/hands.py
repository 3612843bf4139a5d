"""Hands brought to a state for tests, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.poker.betting import Betting, Player, open_first_round, open_round
from controller.games.poker.state import Hand, Refusal
from controller.games.poker.structures import Structure
from tests.controller.games.poker.dealer import terms

FIXED = Structure("fixed", 0, 100, levels=(200, 200, 400, 400))
NO_LIMIT = Structure("no_limit", 200, 100)
POT = Structure("pot", 200, 100)


def player(seat: int, in_hand: int, stack: int = 1000, *, in_round: int | None = None, **more: Any) -> Player:
    return Player(seat, stack, in_hand=in_hand, in_round=in_hand if in_round is None else in_round, **more)


def hand(*players: Player, phase: str = "award", **more: Any) -> Hand:
    of = terms(**more.pop("of", {}))
    betting = Betting(of.structure, list(players), round=more.pop("round", 2), kept=more.pop("kept", 0))
    return Hand(of, betting, 1, phase, **more)


def refused(action: Any, *args: Any) -> str:
    with pytest.raises(Refusal) as told:
        action(*args, [])
    return told.value.clause


def at_table(structure: Structure, *stacks: int, round_: int = 1) -> Betting:
    """The money of a hand with blinds of 1 and 2 posted, at the beginning of a round."""
    players = [Player(seat, stack) for seat, stack in enumerate(stacks, 1)]
    for one, blind in zip(players, (100, 200), strict=False):
        one.stack -= blind
        one.in_round = one.in_hand = blind
    betting = Betting(structure, players)
    open_first_round(betting, 200, 1)
    if round_ > 1:
        for one in players:
            one.in_round = 0
        betting.kept = 300
        open_round(betting, round_)
    return betting
