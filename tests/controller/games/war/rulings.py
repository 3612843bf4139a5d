"""What the tests of Casino War's rulings look at: questions, rulings, where cards lie, and the record of a round."""

from __future__ import annotations

from typing import Any

from controller.core.effects import Reversed, Settled
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, noted, opened

Answers = list[tuple[str, int, str]]
HOUSES = [MELBOURNE, PERTH, STAR]
BACK, WON, LOST = ("void", 0, 0, 1000), ("win", 1000, 0, 1000), ("lose", 0, 1000, 0)
HALVED = ("surrender", 0, 500, 500)
"""How a stake of $10 ends: result, paid, taken, returned."""


def staked(house: str, *players: str, amount: int = 1000, **config: Any) -> Play:
    """These players on the boxes from 1 on, a main stake each, and the bets closed."""
    play = opened(house, **config)
    for box, player in enumerate(players, 1):
        play.lay(f"m{player}", player, box, "main", amount)
    play.press("no_more_bets")
    return play


def next_round(house: str, *players: str, **config: Any) -> Play:
    """The same in the middle of a shoe, so that the first card of the round is number one; Dot lost the one before."""
    play = staked(house, "Dot", **config)
    play.cards("2D", "3D")
    play.press("settled")
    play.press("place_bets")
    for box, player in enumerate(players, 1):
        play.lay(f"m{player}", player, box, "main", 1000)
    play.press("no_more_bets")
    return play


def gone_home(play: Play) -> Play:
    """Everybody leaves and the table is closed."""
    for player in play.game.players_here():
        play.press("player_left", player=player)
    play.press("close")
    assert play.table.life.state == "closed"
    return play


def question(play: Play, subject: str) -> tuple[str, str, Answers, tuple[str, ...]]:
    """An open question: subject, proposal, who may give which answer by which clause, and why it is asked."""
    asked = play.game.asked(subject)
    assert asked is not None, play.questions()
    answers = [(option.answer, option.rank, option.clause) for option in asked.options]
    return asked.subject, asked.proposal, answers, asked.clauses


def withdrawn(play: Play) -> list[str]:
    return [facts["subject"] for facts in noted(play, "question_withdrawn")]


def ruled(play: Play, subject: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.answer, one.by, one.clauses) for one in play.rulings() if one.subject == subject and not one.prompt]


def lying(play: Play) -> list[str]:
    """Where the cards lie since the shoe's own burn, in drawn order."""
    places = [str(card["to"]) for card in play.game.view()["cards"]]
    return [place for place in places if place not in ("shoe-burn", "shoe-start-up")]


def record(play: Play) -> dict[str, Any]:
    return noted(play, "round")[-1]


def money(play: Play) -> dict[str, tuple[str, int, int, int]]:
    """How every wager stands now: result, paid, taken, returned."""
    return {wager: (one.result, one.pays, one.stake_taken, one.stake_returned) for wager, one in play.results().items()}


def told(play: Play, kind: type[Settled | Reversed]) -> list[list[str]]:
    """The wagers of each settlement or reversal, one list for each."""
    return [[one.wager for one in effect.results] for effect in play.effects if isinstance(effect, kind)]
