"""Whatever people press at a tournament's table, in any order: nothing breaks, and banks are what their rows say."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from controller.build import build_table
from tests.controller.tournament import cup, poker_night, wheel_night
from tests.controller.tournament.walker import step

STEPS = 120


def war_round(rng: Random, play: Any) -> None:
    play.begin_round()
    for one in play.table.session.state.playing():
        play.lay(one.seat, rng.choice((300, 500, 1000)))
    cards = [f"{rng.choice('23456789TJQKA')}{rng.choice('SHDC')}" for _ in range(12)]
    play.ok("no_more_bets")
    for card in cards:
        if play.game.machine.state in ("closed", "dealing", "war_burning", "war_dealing"):
            play.draw(card)
    play.settle()


def wheel_round(rng: Random, play: Any) -> None:
    drawn = [one.number for one in play.table.session.state.playing() if one.number in ("P1", "P2", "P3", "P4")]
    stakes = {number: (rng.choice("ABCD"), 10) for number in drawn}
    play.play(stakes, rng.choice("ABCDE"))


def poker_round(rng: Random, play: Any) -> None:
    play.fold_all()


GAMES: dict[str, tuple[Callable[[], Any], Callable[[Random, Any], None]]] = {
    "war": (lambda: cup.begun(4), war_round),
    "wheel": (lambda: wheel_night.begun(4), wheel_round),
    "poker": (lambda: poker_night.begun(10000, 10000, 10000, 10000), poker_round),
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", sorted(GAMES))
def test_nothing_that_people_press_breaks_an_event_and_every_bank_is_the_sum_of_its_rows(game: str, seed: int) -> None:
    begin, play_round = GAMES[game]
    rng, play = Random(seed), begin()
    for number in range(STEPS):
        if number % 12 == 0:
            with suppress(AssertionError, StopIteration, IndexError):  # no round, or no card, may be left to be played
                play_round(rng, play)
        else:
            step(rng, play)
        assert not any(code.startswith("error") for code in play.table.state.faults), play.table.state.faults
        ledger = play.table.session.state.ledger
        rows: dict[str, int] = {}
        for row in ledger.rows:
            rows[row.entrant] = rows.get(row.entrant, 0) + row.units
        assert rows == ledger.banks
    again = build_table(play.config)
    again.restore(play.table.save())
    assert again.save() == play.table.save()
