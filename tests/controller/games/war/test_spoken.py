"""Bets that are called out: in play only as chips that lie there before the call (Melbourne 5.3)."""

from __future__ import annotations

from tests.controller.games.war.play import MELBOURNE, Play, announced, clause, opened
from tests.controller.games.war.seen import refusal


def spoken(play: Play) -> list[str]:
    """Every spoken bet that was put on record as refused."""
    ruled = [one for one in play.rulings() if one.subject == "spoken_bet"]
    assert {one.clauses for one in ruled} <= {("5.3",)}
    return [one.answer for one in ruled]


@clause(MELBOURNE, "5.3")
def test_money_that_comes_with_the_word_is_turned_into_chips_before_the_call() -> None:
    play = opened(MELBOURNE)
    play.press("spoken", rank=1, player="Ann", box=1, zone="tie", amount=2550, money=True)
    text = "Turn Ann's money into $25.50 of chips on the tie of box 1 before the call."
    assert announced(play, "spoken_bet") == [(text, ("5.3",))]
    assert spoken(play) == []


@clause(MELBOURNE, "5.3", "2.2.1", "5.5.1", "5.5.2")
def test_a_bet_on_a_zone_the_table_does_not_have_is_no_bet_at_all() -> None:
    play = opened(MELBOURNE)
    for box, zone in ((1, "a_bomb"), (8, "main")):
        play.press("spoken", rank=1, player="Ann", box=box, zone=zone, amount=1000, money=True)
        assert refusal(play) == ("no_such_zone", ("2.2.1", "5.5.1", "5.5.2"))
    assert (play.game.state.round.spoken, spoken(play)) == ([], [])


@clause(MELBOURNE, "5.3")
def test_chips_that_went_back_before_the_call_are_no_chips_of_a_spoken_bet() -> None:
    play = opened(MELBOURNE)
    play.lay("b", "Bob", 2, "main", 1000)
    play.press("spoken", rank=1, player="Ann", box=1, amount=1000, money=True)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("refuse_stake", rank=1, wager="a")
    play.press("no_more_bets")
    assert spoken(play) == ["Ann's $10 on the main of box 1 refused: no chips lay there before the call"]


@clause(MELBOURNE, "5.3")
def test_every_spoken_bet_is_refused_once_and_each_for_its_own_reason() -> None:
    play = opened(MELBOURNE)
    play.lay("b", "Bob", 2, "main", 1000)
    play.press("spoken", rank=1, player="Ann", box=1, amount=1000)
    play.press("spoken", rank=1, player="Cyd", box=3, amount=1000, money=True)
    play.press("spoken", rank=1, player="Bob", box=2, amount=1000, money=True)
    play.press("no_more_bets")
    play.card("KH")
    assert spoken(play) == [
        "Ann's $10 on the main of box 1 refused: no money came with it",
        "Cyd's $10 on the main of box 3 refused: no chips lay there before the call",
    ]


@clause(MELBOURNE, "5.3")
def test_a_spoken_bet_is_in_play_only_with_chips_on_the_zone_before_the_call() -> None:
    play = opened(MELBOURNE)
    play.lay("in time", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.lay("spoken", "Bob", 2, "main", 1000)
    (asked,) = [subject for subject in play.questions() if "spoken" in subject]
    play.answer(asked, "return")
    assert not play.game.state.round.stake("spoken").live
    assert play.rulings()[-1].clauses[0] == "5.4"
    play.cards("KH", "5D")
    assert play.results()["in time"].result == "win"
    assert play.results()["spoken"].stake_returned == 1000
    assert play.results()["spoken"].pays == 0
