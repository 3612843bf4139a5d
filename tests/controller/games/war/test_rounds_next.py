"""Between two rounds of Casino War: what must be done before bets are placed, what is carried over, and the gate."""

from __future__ import annotations

import pytest

from controller.games.war.events import SourceMode
from drivers.cards import CardUnread
from tests.controller.games.war.cards import announced, betting, closed_shoe, refused, stake
from tests.controller.games.war.felt import Felt, drawn, felt_with, forgot
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause, codes, noted, opened
from tests.controller.games.war.rulings import HOUSES

WRONG = {MELBOURNE: ("9.12.2", "9.12.1", "9.12.3"), STAR: ("11.17.2", "11.17.1", "11.17.3", "11.17.4")}
OPEN = {MELBOURNE: ("4.3.2(a)",), PERTH: ("3.2",), STAR: ("5.4",)}


# -- the call ---------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "4.3.2(a)", "4.1.1(b)")
@clause(PERTH, "4.14", "3.2")
@clause(STAR, "4.1.3", "5.4")
@pytest.mark.parametrize("house", HOUSES)
def test_bets_are_called_for_after_every_round_unless_the_cards_are_to_be_shuffled(house: str) -> None:
    play = betting(house)
    for card, phase in (("5S", "betting"), ("CUT", "unshuffled")):
        calls = len(announced(play, "place_bets"))
        stake(play, "Ann")
        play.cards("KH", *(("CUT", "6S") if card == "CUT" else ("5S",)))
        play.press("settled")
        play.press("place_bets")
        assert play.phase == phase
        assert announced(play, "place_bets")[calls:] == (
            [("all", "Place your bets.", OPEN[house])] if phase == "betting" else []
        )
    assert len(announced(play, "shuffle")) == 1


@clause(MELBOURNE, "4.3.2(a)", "4.3.2(b)")
def test_a_call_that_found_nothing_staked_is_taken_back_and_one_that_found_a_stake_is_not() -> None:
    play = opened(MELBOURNE)
    play.press("no_more_bets")
    calls = len(announced(play, "place_bets"))
    play.press("place_bets")
    assert (play.phase, len(announced(play, "place_bets")) - calls, codes(play)) == ("betting", 1, [])
    play.lay("m", "Ann", 1, "main", 1000)
    play.lay("n", "Bob", 2, "main", 1000)
    play.press("refuse_stake", wager="n")
    play.press("no_more_bets")
    play.press("place_bets")
    assert (play.phase, refused(play)) == ("closed", ("bets_lie", ("4.3.2(b)", "7.3.1(a)")))
    play.cards("KH", "5S")
    assert play.phase == "interim"


@clause(MELBOURNE, "5.3", "5.4")
def test_after_the_call_more_chips_for_a_spoken_bet_are_put_to_the_dealer_unless_the_bet_was_refused() -> None:
    play = opened(MELBOURNE)
    for box, player in ((1, "Ann"), (2, "Bob")):
        play.press("spoken", rank=1, player=player, box=box, zone="main", amount=1000, money=True)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.lay("b", "Bob", 2, "main", 1000)
    assert (codes(play), play.questions()) == (["late"], [])
    play.lay("more", "Ann", 1, "main", 1000)
    assert (codes(play), play.questions()) == (["late"], ["late:more"])


@clause(MELBOURNE, "4.4.2", "9.12.2")
@clause(STAR, "3.5.1", "11.17.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_from_a_shuffler_no_round_begins_while_a_card_that_was_set_aside_is_not_replaced(house: str) -> None:
    play = betting(house, source="csm")
    stake(play, "Ann")
    play.cards("KH", "5S")
    play.press("settled")
    play.press("set_aside", face="4D")
    play.press("place_bets")
    assert (play.phase, refused(play)) == ("over", ("card_not_replaced", WRONG[house]))
    play.press("replace_card", face="4D")
    play.press("place_bets")
    assert play.phase == "betting"


@clause(MELBOURNE, "9.12.2", "5.15.2", "4.3.2(a)")
def test_money_that_is_to_be_moved_is_moved_before_the_next_round_and_chips_left_lying_are_staked_on_it() -> None:
    felt = felt_with("Ann", "Bob")
    drawn(felt, "KS", "3H", "9D")
    felt.press("settled_as", 3, wager="main 1 Ann", result="lose")
    felt.press("place_bets", 1)
    assert felt.phase == "over"
    felt.lift(1, "main", 1)
    felt.lift(2, "main", 2)
    felt.put(3, "main", 1000)
    felt.press("place_bets", 1)
    assert (felt.phase, [(box, cents) for (_, _, box), cents in felt.stakes().items()]) == ("betting", [(3, 1000)])


# -- a shuffler --------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "4.1.1(e)")
@clause(STAR, "10.4", "11.14")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_of_the_cards_of_a_round_only_those_with_a_name_go_back_by_name_and_each_once(house: str) -> None:
    play = betting(house, source="csm")
    for _ in range(2):
        stake(play, "Ann")
        play.cards("KH", "??")
        play.press("misread", card=len(play.game.state.round.drawn) - 1, face="5S")
        play.card("??")
        play.press("settled")
        play.answer("surplus:", "seen")
        play.press("place_bets")
    rack = play.game.state.shoe.rack
    assert rack.count("??") == 0
    assert sorted(face for face in rack if face in ("KH", "5S")) == (["5S", "5S", "KH", "KH"] if house == STAR else [])


@clause(MELBOURNE, "4.1.1(a)")
@clause(PERTH, "4.1")
@clause(STAR, "4.1.1")
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(("inside", "wrong"), [(0, False), (1, True), (-1, False), (312, True)])
def test_before_its_cards_are_checked_a_shuffler_is_empty(house: str, inside: int, wrong: bool) -> None:
    play = closed_shoe(house, source="csm")
    play.take(SourceMode("shuffle", inside))
    assert ("shuffler_content" in play.table.state.faults) is wrong
    assert noted(play, "shuffler_content") == ([{"inside": inside, "expected": 0}] if wrong else [])


@clause(MELBOURNE, "4.1.1(a)")
@clause(STAR, "4.1.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_shuffler_that_holds_no_card_or_one_in_play_does_not_hold_its_decks(house: str) -> None:
    for inside in (0, 1):
        play = betting(house, source="csm")
        play.take(SourceMode("shuffle", inside))
        assert "shuffler_content" in play.table.state.faults


# -- other decks, and the gate -----------------------------------------------------------------------------------------


@clause(PERTH, "2.3(b)", "2.3(c)")
def test_the_sign_shows_the_new_decks_as_soon_as_they_are_in() -> None:
    play = betting(PERTH)
    play.press("change_decks", decks=8)
    play.at += 30 * 60_000
    before = play.table.state.sign
    play.press("replace_cards")
    assert (play.table.state.sign - before, play.game.sign()["decks"]) == (1, 8)


@clause(STAR, "3.8", "7.1")
@clause(MELBOURNE, "7.3.1(a)", "4.3.2(b)")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_the_gate_opens_for_the_deal_alone_and_waits_for_a_check_only_between_rounds(house: str) -> None:
    felt = Felt(house)
    felt.press("player_card", 1, box=1, player="Ann")
    felt.put(1, "main", 1000)
    felt.press("no_more_bets", 1)
    assert not felt.gate()
    felt.draw("KS")
    felt.press("order_check", 4)
    assert not felt.gate(), "a round that was begun is finished first"
    forgot(felt)
    assert (felt.questions(), felt.gate()) == (["unseen"], True)
    felt.answer("unseen", "none", 1)
    assert not felt.gate()
    felt.draw("5S")
    assert (felt.phase, felt.gate()) == ("interim", True)


@clause(PERTH, "4.6(a)", "4.6(b)")
def test_the_gate_stays_locked_until_it_is_known_how_many_cards_a_turned_one_burns() -> None:
    felt = Felt(PERTH)
    felt.press("order_shuffle", reason="cards fell")
    felt.press("shuffled")
    felt.answer("cut", "cut")
    assert not felt.gate()
    felt.take(CardUnread("shoe", 3, "unreadable"))
    assert (felt.phase, felt.questions(), felt.gate()) == ("burning", ["unknown:2"], True)
    felt.answer("unknown:", "enter", face="3D")
    assert (felt.phase, felt.gate()) == ("burning", False)
