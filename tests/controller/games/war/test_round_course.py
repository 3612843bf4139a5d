"""The course of a round of Casino War: which deal follows, who is dealt to, in which order, and what waits for whom."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Announced, Asked, Moved, Noted, Refused, Settled
from controller.core.events import TimerDue
from controller.games.war.config import WarConfig
from controller.games.war.events import CardsCameTogether
from tests.controller.games.war.cards import alarmed
from tests.controller.games.war.felt import Felt, forgot
from tests.controller.games.war.play import BURN, MELBOURNE, PERTH, STAR, Play, clause, codes, noted, opened
from tests.controller.games.war.rulings import (
    HALVED,
    HOUSES,
    LOST,
    WON,
    lying,
    money,
    next_round,
    question,
    record,
    staked,
)

TOGETHER = {MELBOURNE: ("9.11", "9.11.1"), PERTH: ("5.4", "5.6"), STAR: ("11.6", "11.6.1")}


def tied(house: str, *players: str, **config: Any) -> Play:
    """Everybody's king ties with the dealer's and the choice is open."""
    play = staked(house, *players, **config)
    play.cards(*["KH"] * len(players), "KS")
    play.press("settled")
    assert play.phase == "choosing"
    return play


# -- before the first round -------------------------------------------------------------------------------------------


@clause(STAR, "11.22.1", "13.1")
def test_a_stake_refused_before_goes_back_once_when_the_player_has_no_valid_card() -> None:
    play = opened(STAR)
    play.lay("m", "Ann", 1, "main", 1000)
    play.lay("t", "Ann", 1, "tie", 1000)
    play.press("refuse_stake", wager="t")
    effects = play.press("invalid_card", player="Ann")
    assert [one.what for one in effects if isinstance(one, Refused)] == ["stake m"]


@clause(PERTH, "2.3(b)")
def test_a_notice_of_other_decks_that_runs_out_after_they_came_in_asks_for_nothing() -> None:
    play = Play(PERTH, WarConfig(6))
    play.new_shoe(*BURN[PERTH])
    play.press("change_decks", decks=8)
    play.at += 30 * 60_000
    play.press("replace_cards")
    assert play.game.state.shoe.cards.decks == 8
    assert [one for one in play.take(TimerDue("decks")) if isinstance(one, Announced)] == []


# -- cards that come together, or wait ---------------------------------------------------------------------------------


@clause(MELBOURNE, "9.11", "9.2")
@clause(PERTH, "5.6", "5.2")
@clause(STAR, "11.6", "11.2")
@pytest.mark.parametrize("house", HOUSES)
def test_two_cards_at_once_after_the_round_are_two_too_many_and_their_order_decides_nothing(house: str) -> None:
    play = next_round(house, "Ann")
    play.cards("KH", "5S")
    play.press("settled")
    effects = play.take(CardsCameTogether(("4D", "6D"), False))
    assert noted(play, "cards_together") == [{"faces": ["4D", "6D"]}]
    assert [one.clauses for one in effects if isinstance(one, Noted) and one.what == "cards_together"] == [
        TOGETHER[house]
    ]
    assert (play.phase, play.questions()) == ("over", ["surplus:2", "surplus:3"])


@clause(MELBOURNE, "9.11", "4.1.1(a)")
@clause(PERTH, "5.6", "4.1")
@clause(STAR, "11.6", "4.1.1")
@pytest.mark.parametrize("house", HOUSES)
def test_two_cards_at_once_before_the_shuffle_are_put_back(house: str) -> None:
    play = Play(house, WarConfig(6))
    play.press("check_cards", how="by hand")
    effects = play.take(CardsCameTogether(("4D", "6D"), False))
    assert [code for code, _ in alarmed(effects)] == ["card_out_of_turn"]
    assert (play.phase, play.questions(), lying(play)) == ("unshuffled", [], [])


@clause(MELBOURNE, "9.2")
@clause(PERTH, "5.2")
@clause(STAR, "11.4")
@pytest.mark.parametrize("house", HOUSES)
def test_two_cards_that_waited_are_the_next_round_as_soon_as_it_is_called(house: str) -> None:
    play = next_round(house, "Ann")
    play.cards("KH", "5S")
    play.press("settled")
    play.cards("4D", "6D")
    for card in (2, 3):
        play.answer(f"surplus:{card}", "unseen")
    play.press("place_bets")
    play.lay("m", "Bob", 1, "main", 1000)
    play.press("no_more_bets")
    assert (play.phase, lying(play), money(play)["m"]) == ("interim", ["box1", "dealer"], LOST)


# -- the second deal ---------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "7.5.1(a)")
@clause(PERTH, "4.12(a)")
@clause(STAR, "9.2.1")
@pytest.mark.parametrize("house", HOUSES)
def test_only_at_perth_do_burns_come_between_the_choice_and_the_second_cards(house: str) -> None:
    play = tied(house, "Ann")
    play.answer("choice:1:Ann", "war")
    effects = play.lay("w", "Ann", 1, "war", 1000)
    assert [one.dest for one in effects if isinstance(one, Moved)] == [
        "war_burning" if house == PERTH else "war_dealing"
    ]
    quiet = tied(house, "Ann")
    effects = quiet.answer("choice:1:Ann", "surrender")
    assert [one.dest for one in effects if isinstance(one, Moved)] == ["over"]


@clause(MELBOURNE, "7.5.1(a)", "1.1 [Go to War wager]", "7.4.2(c)")
@clause(PERTH, "4.10", "3.7")
@clause(STAR, "9.1", "1.1 [War Wager]", "8.2.4")
@pytest.mark.parametrize("house", HOUSES)
def test_a_war_stake_that_was_refused_is_none_and_its_player_may_still_choose(house: str) -> None:
    play = tied(house, "Ann", "Bob")
    play.answer("choice:1:Ann", "war")
    play.answer("choice:2:Bob", "war")
    play.lay("w1", "Ann", 1, "war", 500)
    play.lay("w2", "Bob", 2, "war", 1000)
    assert (play.phase, codes(play)) == ("choosing", ["war_stake_differs"])
    play.press("choice", box=1, player="Ann", choice="surrender")
    assert (play.phase, codes(play)) == ("war_burning" if house == PERTH else "war_dealing", ["war_stake_differs"])
    play.cards(*["2D"] * (3 if house == PERTH else 0), "9H", "5C")
    assert (play.phase, lying(play)[-2:]) == ("final", ["box2", "dealer"])
    assert (money(play)["mAnn"], money(play)["w2"]) == (HALVED, WON)


@clause(MELBOURNE, "9.8.1", "7.4.2(c)", "7.5.1(a)")
def test_who_was_paid_for_the_war_already_gets_no_second_card() -> None:
    play = tied(MELBOURNE, "Ann", "Bob")
    play.lay("wAnn", "Ann", 1, "war", 1000)
    play.press("settled_as", rank=3, wager="wAnn", result="win")
    play.press("settled_as", rank=3, wager="mAnn", result="standoff")
    play.lay("wBob", "Bob", 2, "war", 1000)
    play.cards("9H", "5C")
    assert (play.phase, lying(play)[-2:]) == ("final", ["box2", "dealer"])
    play.press("settled")
    assert (play.phase, record(play)["valid"], money(play)["wAnn"], money(play)["wBob"]) == ("over", True, WON, WON)


@clause(MELBOURNE, "7.4.2(c)", "5.4")
@clause(PERTH, "4.10", "3.2")
@clause(STAR, "8.2.4", "5.5")
@pytest.mark.parametrize("house", HOUSES)
def test_chips_laid_while_others_choose_have_nothing_to_choose(house: str) -> None:
    play = tied(house, "Ann")
    play.lay("late", "Bob", 2, "main", 1000)
    assert play.questions() == ["choice:1:Ann"]
    play.press("absent", player="Bob")
    play.answer("choice:1:Ann", "surrender")
    assert (play.phase, money(play)["late"][0], record(play)["choices"]) == ("over", "void", [[1, "Ann", "surrender"]])


# -- in which order ----------------------------------------------------------------------------------------------------


@clause(PERTH, "4.9", "4.10")
@pytest.mark.parametrize(("side", "steps"), [("right", ["m3", "m1", "m4", "m2"]), ("left", ["m1", "m3", "m2", "m4"])])
def test_losers_before_winners_from_the_side_that_the_house_reads(side: str, steps: list[str]) -> None:
    play = opened(PERTH, readings={"order.interim_from": side})
    for box, player in enumerate(("Ann", "Bob", "Cyd", "Dot"), 1):
        play.lay(f"m{box}", player, box, "main", 1000)
    play.press("no_more_bets")
    play.cards("3H", "9H", "4H", "TH", "5S")
    assert [wager for _, wager, _ in noted(play, "settle_interim")[0]["steps"]] == steps


@clause(MELBOURNE, "7.4.2(c)")
@clause(PERTH, "4.10")
@clause(STAR, "8.2.4")
@pytest.mark.parametrize("house", HOUSES)
def test_choices_are_offered_box_by_box_from_the_side_of_the_document(house: str) -> None:
    play = tied(house, "Ann", "Bob", "Cyd")
    offered = [int(subject.split(":")[1]) for subject in play.questions()]
    assert offered == ([1, 2, 3] if house == STAR else [3, 2, 1])


# -- a source that forgot ----------------------------------------------------------------------------------------------


@clause(MELBOURNE, "2.3")
@clause(STAR, "3.6")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_shoe_that_lost_its_memory_is_asked_about_once_and_only_while_cards_may_leave_it(house: str) -> None:
    felt = Felt(house)
    felt.press("player_card", 1, box=1, player="Ann")
    felt.put(1, "main", 2500)
    felt.press("no_more_bets", 1)
    felt.draw("KS")
    forgot(felt)
    forgot(felt)
    why = ("2.3", "7.1") if house == MELBOURNE else ("3.6",)
    clause_of = felt.table.house.power("enter_card").clause
    assert felt.questions() == ["unseen"]
    assert question(felt, "unseen") == ("unseen", "none", [("none", 1, clause_of), ("enter", 1, clause_of)], why)
    felt.answer("unseen", "none", 1)
    assert (felt.phase, lying(felt)) == ("dealing", ["box1"])
    forgot(felt)
    felt.answer("unseen", "enter", 1, face="9H")
    assert (felt.phase, lying(felt), felt.game.state.supply.draws) == ("interim", ["box1", "dealer"], 3)
    forgot(felt)
    assert felt.questions() == []


@clause(STAR, "8.2.3")
def test_at_interim_decided_hands_are_done_and_equal_hands_stay_with_their_card() -> None:
    play = opened(STAR)
    for number, player in enumerate(("Ann", "Bob", "Cyd"), 1):
        play.lay(f"w{number}", player, number, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH", "5D", "2C", "5S")
    (settled,) = [effect for effect in play.effects if isinstance(effect, Settled)]
    assert {result.wager: result.result for result in settled.results} == {"w1": "win", "w3": "lose"}
    play.press("settled")
    assert play.phase == "choosing"
    assert [effect.subject for effect in play.effects if isinstance(effect, Asked)][-1] == "choice:2:Bob"
    assert play.game.state.round.stake("w2").live
    assert "w2" not in play.results()
    assert play.game.state.round.laid("first")["box2"].face == "5D"
