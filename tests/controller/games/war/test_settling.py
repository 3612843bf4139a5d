"""War or surrender, house chips beside a war stake, and what is owed on the felt."""

from __future__ import annotations

import pytest

from controller.core.effects import Asked
from tests.controller.games.war.felt import Felt, at_war, owed
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, announced, clause, codes, noted, tied

# -- choices and the second deal --------------------------------------------------------------------------------------


@clause(MELBOURNE, "5.6", "7.4.2(c)", "7.4.3(a)", "7.4.4(a)(i)")
@clause(STAR, "8.2.4", "8.2.4.1", "8.3", "5.8", "9.1")
@clause(PERTH, "4.10", "4.10(a)", "3.7")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_each_tied_player_chooses_alone_and_the_war_waits_for_the_last(house: str) -> None:
    play = tied(house)
    offered = [effect.subject for effect in play.effects if isinstance(effect, Asked) if "choice" in effect.subject]
    assert offered == (["choice:1:Ann", "choice:2:Bob"] if house == STAR else ["choice:2:Bob", "choice:1:Ann"])
    play.answer("choice:2:Bob", "surrender")
    assert play.results()["mBob"].result == "surrender"
    assert play.results()["mBob"].stake_taken == 500
    assert (play.phase, play.questions()) == ("choosing", ["choice:1:Ann"])
    play.lay("w0", "Ann", 1, "war", 1001)
    assert (codes(play)[-1], play.phase) == ("war_stake_differs", "choosing")
    play.lay("w1", "Ann", 1, "war", 1000)
    assert play.questions() == []
    play.lay("w2", "Ann", 1, "war", 1000)
    assert codes(play)[-1] in ("war_stake_lies", "no_main_stake", "late")
    play.lay("w3", "Bob", 2, "war", 1000)
    assert not play.game.state.round.stake("w3").live
    burns = ("3C", "4C", "5C") if house == PERTH else ()
    play.cards(*burns, "9H", "8D")
    play.press("settled")
    results = play.results()
    assert (results["mAnn"].result, results["w1"].result, results["w1"].pays) == ("standoff", "win", 1000)
    assert play.phase == "over"


@clause(MELBOURNE, "7.4.4(a)(ii)")
def test_by_method_b_house_chips_are_asked_for_beside_each_war_stake() -> None:
    play = tied(MELBOURNE, war_method="B")
    play.answer("choice:2:Bob", "surrender")
    play.answer("choice:1:Ann", "war")
    assert announced(play, "war_stake")[-1][0] == "Ann lays $10 beside the main stake on box 1."
    assert announced(play, "house_chips") == []
    play.lay("w", "Ann", 1, "war", 1000)
    assert announced(play, "house_chips") == [("Lay $10 of house chips on box 1.", ("7.4.4(a)(ii)",))]
    assert play.game.state.round.house_asked == {"1": 1000}
    plain = tied(MELBOURNE)
    plain.answer("choice:2:Bob", "surrender")
    plain.lay("w", "Ann", 1, "war", 1000)
    assert announced(plain, "house_chips") == []


@clause(STAR, "5.2.1.3", "11.8")
@clause(MELBOURNE, "5.6", "11.10")
def test_a_player_who_makes_no_choice_surrenders_or_is_ruled_on_as_the_document_says() -> None:
    star = tied(STAR)
    star.answer("choice:1:Ann", "decline")
    assert star.results()["mAnn"].result == "surrender"
    assert star.results()["mAnn"].clauses[0] == "5.2.1.3"
    melbourne = tied(MELBOURNE)
    melbourne.answer("choice:1:Ann", "decline")
    asked = melbourne.game.asked("silent:1:Ann")
    assert asked is not None
    assert (asked.proposal, asked.clauses) == ("surrender", ("11.10",))
    melbourne.answer("silent:1:Ann", "wait")
    assert sorted(melbourne.questions()) == ["choice:1:Ann", "choice:2:Bob"]
    melbourne.answer("choice:1:Ann", "decline")
    melbourne.answer("silent:1:Ann", "surrender", rank=3)
    assert melbourne.results()["mAnn"].result == "surrender"


@clause(MELBOURNE, "9.8.1")
def test_what_was_settled_wrongly_and_found_too_late_stands_as_it_was_paid() -> None:
    for how, pays, taken in (("win", 1000, 0), ("lose", 0, 1000), ("standoff", 0, 0)):
        play = tied(MELBOURNE)
        told = play.press("settled_as", wager="mAnn", result=how)
        assert not play.refusals(), told
        result = play.results()["mAnn"]
        assert (result.result, result.pays, result.stake_taken) == (how, pays, taken)
        assert result.clauses[0] == "9.8.1"
        assert play.rulings()[-1].answer == f"mAnn: {how}"
        assert "choice:1:Ann" not in play.questions()
    play.press("settled_as", wager="mBob", result="nothing")
    assert codes(play)[-1] in ("not_there", "not_now")


@clause(MELBOURNE, "7.4.4(a)(ii)")
@clause(STAR, "9.1")
def test_house_chips_are_entered_only_under_method_b_and_add_up() -> None:
    play = tied(MELBOURNE, war_method="B")
    play.lay("w", "Ann", 1, "war", 1000)
    play.press("house_chips", box=1, amount=400)
    play.press("house_chips", box=1, amount=600)
    assert play.game.state.round.house_chips == {"1": 1000}
    assert noted(play, "house_chips")[-1] == {"box": 1, "amount": 600}
    plain = tied(MELBOURNE)
    plain.lay("w", "Ann", 1, "war", 1000)
    plain.press("house_chips", box=1, amount=400)
    assert codes(plain)[-1] in ("no_house_chips", "not_now")
    assert plain.game.state.round.house_chips == {}


# -- chips that are seen ----------------------------------------------------------------------------------------------


@clause(MELBOURNE, "7.4.3(a)", "5.6", "7.4.2(c)")
def test_half_of_a_surrendered_stake_is_owed_at_once() -> None:
    assert owed(at_war("A")) == [("main 2", "not_collected", 500)]


@clause(MELBOURNE, "7.4.4(a)(ii)")
def test_house_chips_are_owed_to_their_place_and_back_again_after_the_war() -> None:
    felt = at_war("B")
    assert owed(felt) == [("house 1", "underpaid", 1000), ("main 2", "not_collected", 500)]
    felt.put(1, "house", 1000)
    assert owed(felt) == [("main 2", "not_collected", 500)]
    felt.draw("9S")
    felt.draw("8S")
    assert felt.phase == "final"
    assert ("house 1", "not_collected", 1000) in owed(felt)


@clause(MELBOURNE, "7.4.1(a)", "7.4.2(a)", "7.4.2(b)", "5.15.2")
def test_what_interim_decides_is_owed_on_the_felt() -> None:
    felt = Felt(MELBOURNE)
    for box, player in ((1, "Ann"), (2, "Bob")):
        felt.press("sit", 1, box=box, player=player)
        felt.put(box, "main", 1000)
    felt.press("no_more_bets", 1)
    for card in ("KS", "3H", "9D"):
        felt.draw(card)
    assert owed(felt) == [("main 1", "underpaid", 1000), ("main 2", "not_collected", 1000)]
