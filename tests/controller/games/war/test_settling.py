"""War or surrender, house chips beside a war stake, and what is owed on the felt."""

from __future__ import annotations

import pytest

from controller.core.effects import Asked
from controller.core.events import TimerDue
from tests.controller.games.war.felt import Felt, at_war, owed
from tests.controller.games.war.paid import Paid
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


def tied_alone(felt: Felt, *cents: int) -> list[int]:
    """Ann alone ties on box 1, and is asked."""
    felt.press("sit", 1, box=1, player="Ann")
    tags = felt.put(1, "main", *cents)
    felt.press("no_more_bets", 1)
    felt.draw("KS")
    felt.draw("KD")
    felt.press("settled", 1)
    assert (felt.phase, felt.questions()) == ("choosing", ["choice:1:Ann"])
    return tags


@clause(MELBOURNE, "7.4.3(a)", "7.4.2(c)")
def test_a_round_in_which_all_surrendered_is_over_once_the_half_is_taken() -> None:
    felt = Felt(MELBOURNE)
    tags = tied_alone(felt, 500, 500)
    assert "settled" not in [key.name for key in felt.table.available()]
    felt.press("settled", 1)
    assert codes(felt)[-1] == "not_now"
    felt.answer("choice:1:Ann", "surrender")
    assert (felt.phase, owed(felt)) == ("choosing", [("main 1", "not_collected", 500)])
    felt.press("settled", 1)
    assert (codes(felt)[-1], felt.phase) == ("not_seen", "choosing")
    felt.lift(1, "main", tags[0])
    assert (felt.phase, owed(felt)) == ("over", [])


@clause(MELBOURNE, "7.4.3(a)")
def test_whoever_may_let_a_wrong_payment_pass_ends_a_round_whose_half_was_not_taken() -> None:
    felt = Paid(MELBOURNE)
    tied_alone(felt, 500, 500)
    felt.answer("choice:1:Ann", "surrender")
    felt.settle()
    assert (codes(felt)[-1], felt.phase) == ("mispaid", "choosing")
    felt.settle(4, confirmed=True, reason="the player has left with it")
    assert felt.phase == "over"


@clause(MELBOURNE, "9.8", "9.2")
def test_a_surrender_acted_on_that_was_none_is_a_war_while_the_half_lies_there() -> None:
    felt = Felt(MELBOURNE)
    tied_alone(felt, 500, 500)
    felt.answer("choice:1:Ann", "surrender")
    felt.press("choice_missed", 1, box=1, player="Ann")
    assert (felt.questions(), owed(felt)) == (["choice:1:Ann"], [])
    felt.answer("choice:1:Ann", "war")
    felt.put(1, "war", 1000)
    assert (felt.phase, felt.stakes()[("Ann", "war", 1)]) == ("war_dealing", 1000)


@clause(MELBOURNE, "5.6", "7.4.4(a)(i)")
@pytest.mark.parametrize("named", [False, True])
def test_a_war_stake_laid_in_two_parts_is_one_stake_however_each_was_called(named: bool) -> None:
    felt = Felt(MELBOURNE)
    tied_alone(felt, 1000)
    for name in ("first", "second"):
        if named:
            felt.press("assign", 1, box=1, zone="war", player="Ann", wager=name)
        felt.put(1, "war", 500)
        for timer in [timer for timer in felt.table.state.desk.timers if timer.startswith("stack")]:
            felt.take(TimerDue(timer))
    assert (felt.phase, felt.stakes()[("Ann", "war", 1)]) == ("war_dealing", 1000)


@clause(MELBOURNE, "5.6", "7.4.4(a)(i)")
@pytest.mark.parametrize("lifted", [False, True])
def test_a_war_stake_laid_while_the_round_stands_still_is_taken_when_it_goes_on(lifted: bool) -> None:
    felt = Felt(MELBOURNE)
    tied_alone(felt, 1000)
    felt.press("misplaced", 1)
    assert felt.phase == "ruling"
    tags = felt.put(1, "war", 1000)
    assert not felt.refusals()
    if lifted:
        felt.lift(1, "war", *tags)
    felt.answer("misplaced", "stand")
    assert felt.phase == ("choosing" if lifted else "war_dealing")
    assert felt.stakes().get(("Ann", "war", 1), 0) == (0 if lifted else 1000)
