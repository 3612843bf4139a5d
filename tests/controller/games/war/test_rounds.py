"""A round ends with everything on record."""

from __future__ import annotations

import pytest

from controller.core.effects import Settled
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause, noted, opened


@clause(MELBOURNE, "7.7.1", "7.4.1(a)", "7.4.2(a)")
@clause(STAR, "10.4", "8.2.1")
@clause(PERTH, "1.1 [Round of Play]", "4.9")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_a_round_ends_with_everything_on_record_and_the_next_number(house: str) -> None:
    play = opened(house)
    play.lay("a", "Ann", 1, "main", 1000)
    play.lay("b", "Bob", 2, "main", 2000)
    play.press("no_more_bets")
    number = play.table.state.round
    play.cards("KH", "3D", "5S")
    (settled,) = [effect for effect in play.effects if isinstance(effect, Settled)]
    assert (settled.outcome, [result.wager for result in settled.results]) == ("interim", ["a", "b"])
    (steps,) = noted(play, "settle_interim")
    assert steps["steps"] == [["take", "b", 2], ["pay", "a", 1]]
    play.press("settled")
    (record,) = noted(play, "round")
    assert (record["round"], record["valid"]) == (number, True)
    assert record["cards"][-3:] == ["KH", "3D", "5S"]
    assert record["results"] == [["a", "win", 1000, 0, 1000], ["b", "lose", 0, 2000, 0]]
    assert [row[:4] for row in record["stakes"]] == [["a", "Ann", 1, "main"], ["b", "Bob", 2, "main"]]
    assert play.table.state.round == number + 1
