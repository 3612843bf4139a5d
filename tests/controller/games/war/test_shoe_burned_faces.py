"""What was burned stays unseen, however the round ends (Perth 1.1 [Burn])."""

from __future__ import annotations

import pytest

from tests.controller.games.war.play import PERTH
from tests.controller.games.war.rulings import next_round


@pytest.mark.clause(PERTH, "1.1 [Burn]")
def test_faces_burned_before_a_war_stay_hidden_when_the_war_is_void() -> None:
    play = next_round(PERTH, "Ann")
    play.cards("8S", "8H")
    play.press("settled")
    play.lay("w", "Ann", 1, "war", 1000)
    play.cards("2C", "3C", "4C", "9D")
    play.press("void_round")
    assert play.phase == "over"
    shown = {card["to"]: card["face"] for card in play.game.view()["cards"]}
    assert shown == {"box1": "8S", "dealer": "8H", "war-burn": "", "void": "9D"}
