"""What people see of stakes at a Casino War table, in few words for tests."""

from __future__ import annotations

import pytest

from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play

HOUSES = pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])


def live(play: Play, *wagers: str) -> list[bool]:
    """Which of these stakes are in play."""
    return [play.game.state.round.stake(wager).live for wager in wagers]


def refusal(play: Play) -> tuple[str, tuple[str, ...]]:
    """The last refusal: why, and by which clauses."""
    last = play.refusals()[-1]
    return last.code, last.clauses
