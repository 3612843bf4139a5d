"""Each card as it comes at Casino War: where it goes, what it brings with it, and what is put to people."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.war.events import CardsCameTogether
from drivers.cards import CardUnread
from drivers.events import DeviceDown, DeviceUp
from tests.controller.games.war.cards import (
    HOUSES,
    MELBOURNE,
    PERTH,
    STAR,
    alarmed,
    announced,
    answers,
    at_war,
    betting,
    closed_shoe,
    left,
    lying,
    paid,
    question,
    ruled,
    staked,
    uncut,
    use_up,
)

clause = pytest.mark.clause
FACE_UP = {MELBOURNE: ("9.1",), PERTH: ("5.1",), STAR: ("11.1",)}
SOURCE = {MELBOURNE: ("2.3", "7.1"), PERTH: ("1.1 [Shoe]",), STAR: ("3.6",)}
WRONG_DECK = {
    MELBOURNE: ("9.12.2", "9.12.1", "9.12.3"),
    PERTH: ("6.11", "2.2", "2.7"),
    STAR: ("11.17.2", "11.17.1", "11.17.3", "11.17.4"),
}

# -- face up ----------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.1")
@clause(PERTH, "5.1")
@clause(STAR, "11.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_found_face_up_is_discarded_and_the_next_one_takes_its_place(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    play.card("QH")
    told = play.card("AS^")
    assert ruled(told) == [("face_up", "discarded", "table", FACE_UP[house])]
    text = "A♠ lay face up: discard it, the next card takes its place."
    assert announced(play, "face_up") == [("dealer", text, FACE_UP[house])]
    play.cards("3D", "7C")
    assert lying(play)[-4:] == [("QH", "box1"), ("AS", "discard"), ("3D", "box2"), ("7C", "dealer")]
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}


@clause(PERTH, "5.1", "4.6(b)")
def test_a_reversed_card_fills_no_burn_unless_the_house_reads_it_so_and_never_a_box() -> None:
    plain = closed_shoe(PERTH)
    plain.new_shoe("2C", "5D", "6D^")
    assert plain.phase == "burning"
    assert lying(plain) == [("2C", "shoe-start-up"), ("", "shoe-burn"), ("6D", "discard")]
    read = closed_shoe(PERTH, readings={"shoe.face_up_counts_as_burn": True})
    read.new_shoe("2C", "5D^", "6D^")
    assert read.phase == "betting"
    assert ruled(read.effects)[-1][0] != "face_up"
    read.lay("m", "Ann", 1, "main", 1000)
    read.card("7D^")
    assert lying(read)[-2:] == [("", "shoe-burn"), ("7D", "discard")]
    assert read.game.view()["next"] == "box1"


# -- cards that cannot be ---------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.12.1", "9.12.2")
@clause(PERTH, "2.4", "2.7")
@clause(STAR, "11.17.1", "11.17.2")
@pytest.mark.parametrize("house", HOUSES)
def test_a_foreign_card_stops_the_round_whichever_way_it_lay_and_counts_as_none_of_the_decks(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    play.card("QH")
    before = left(play)
    told = play.card("JOKER^")
    assert (play.phase, left(play)) == ("ruling", before)
    assert ruled(told) == []
    assert alarmed(told) == [("wrong_deck", WRONG_DECK[house])]
    asked = question(play, "wrong_deck")
    finding = "A card that belongs to none of the decks came."
    at = len(play.game.state.round.drawn) - 1
    assert asked.evidence == {"finding": finding, "card": at, "by": "table"}
    assert (asked.proposal, asked.clauses) == ("void", WRONG_DECK[house])
    assert [answer for answer, _, _ in answers(asked)] == ["void", "misread"]
    assert lying(play)[-1] == ("JOKER", "void")
    play.answer("wrong_deck", "misread", face="5D")
    assert (play.phase, left(play), lying(play)[-1]) == ("dealing", before - 1, ("5D", "box2"))
    play.card("7C")
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}


@clause(MELBOURNE, "9.12.2", "3.1")
def test_a_card_that_cannot_be_there_is_named_with_its_count_and_the_round_goes_back() -> None:
    play = staked(MELBOURNE, "Ann", "Bob", decks=4)
    for _ in range(4):
        play.game.state.shoe.cards.draw("QS")
    play.card("QS")
    assert question(play, "wrong_deck").evidence == {
        "finding": "Q♠ came 5 times from a set that holds it 4 times.",
        "card": 1,
        "by": "table",
    }
    play.answer("wrong_deck", "void", rank=3)
    assert paid(play) == {"mAnn": ("void", 0, 0, 1000), "mBob": ("void", 0, 0, 1000)}


@clause(MELBOURNE, "9.12.2", "3.1")
def test_an_unread_card_beyond_the_last_of_the_set_is_one_too_many() -> None:
    play = staked(MELBOURNE, "Ann")
    use_up(play, 312)
    play.card("??")
    assert question(play, "wrong_deck").evidence["finding"] == "313 cards came from a set of 312."


# -- cards that could not be read -------------------------------------------------------------------------------------


@clause(MELBOURNE, "7.1")
@clause(PERTH, "4.8(a)")
@clause(STAR, "7.1")
@pytest.mark.parametrize("house", HOUSES)
def test_an_unread_card_is_put_to_the_dealer_at_once_and_holds_the_round_only_when_it_is_needed(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    before = left(play)
    play.card("QH")
    play.card("??")
    at = len(play.game.state.round.drawn) - 1
    assert (play.phase, left(play)) == ("dealing", before - 2)
    asked = question(play, f"unknown:{at}")
    assert asked.evidence == {"card": at, "place": "box2", "stage": "first", "read": "??", "seen": []}
    assert (asked.proposal, asked.options[0].rank) == ("enter", 1)
    play.card("7C")
    assert play.phase == "ruling"
    assert play.questions() == [f"unknown:{at}"]
    play.answer("unknown:", "enter", rank=1, face="7D")
    assert (play.phase, left(play)) == ("interim", before - 3)
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000)}
    play.press("settled")
    play.answer("choice:2:Bob", "war")
    play.lay("wBob", "Bob", 2, "war", 1000)
    play.cards(*("2D", "??", "4D") if house == PERTH else ())
    assert play.questions() == []
    play.card("??")
    at = len(play.game.state.round.drawn) - 1
    assert question(play, f"unknown:{at}").evidence["stage"] == "war"
    assert question(play, f"unknown:{at}").evidence["place"] == "box2"
    play.card("9C")
    assert play.phase == "ruling"
    play.answer("unknown:", "enter", rank=1, face="TC")
    assert play.phase == "final"
    assert paid(play)["wBob"] == ("win", 1000, 0, 1000)


@clause(MELBOURNE, "7.1")
def test_what_the_reader_thought_stands_beside_the_question() -> None:
    play = staked(MELBOURNE, "Ann")
    play.take(CardUnread("shoe", 2, "doubtful", (("KS", 61), ("QS", 55))))
    assert question(play, "unknown:1").evidence["seen"] == [["KS", 61], ["QS", 55]]


@clause(MELBOURNE, "4.3.1")
@clause(STAR, "4.9")
@clause(PERTH, "4.6(c)", "1.1 [Burn]")
@pytest.mark.parametrize("house", HOUSES)
def test_a_burned_card_needs_no_face(house: str) -> None:
    play = closed_shoe(house)
    play.new_shoe(*("AC", "??") if house == PERTH else ("??",))
    assert (play.phase, play.questions()) == ("betting", [])
    assert left(play) == (310 if house == PERTH else 311)


@clause(PERTH, "4.2", "1.1 [Burn]")
def test_an_unread_card_burned_at_the_start_of_a_round_decides_nothing() -> None:
    play = betting(PERTH, round_burn=True)
    play.lay("m", "Ann", 1, "main", 1000)
    play.cards("??", "QH", "7C")
    assert (play.phase, play.questions()) == ("interim", [])
    assert paid(play) == {"m": ("win", 1000, 0, 1000)}


# -- the turned card --------------------------------------------------------------------------------------------------

BURN_CLAUSES = ("4.6(a)", "4.6(b)", "4.6(c)", "4.7")


@clause(PERTH, "4.6(a)", "4.6(b)", "4.7")
def test_the_turned_card_tells_how_many_are_burned_and_then_bets_are_called() -> None:
    play = closed_shoe(PERTH)
    play.new_shoe("3H")
    assert announced(play, "burn")[-1] == ("all", "3♥ is turned: burn 3 cards.", BURN_CLAUSES)
    for card in ("5C", "6C"):
        play.card(card)
        assert (play.phase, play.game.view()["next"]) == ("burning", "shoe-burn")
    assert announced(play, "place_bets") == []
    play.card("7C")
    assert announced(play, "place_bets") == [("all", "Place your bets.", ("3.2",))]
    assert play.phase == "betting"
    assert [text for _, text, _ in announced(play, "burn")][1:] == ["3♥ is turned: burn 3 cards."]


@clause(PERTH, "4.6(a)", "4.6(b)")
def test_a_turned_card_that_cannot_be_read_is_asked_for_before_anything_is_burned() -> None:
    play = closed_shoe(PERTH)
    play.new_shoe("??")
    asked = question(play, "unknown:0")
    assert asked.evidence == {"card": 0, "place": "shoe-start-up", "stage": "start", "read": "??", "seen": []}
    assert (play.phase, play.game.view()["next"]) == ("burning", "")
    play.answer("unknown:0", "enter", rank=1, face="2S")
    assert announced(play, "burn")[-1] == ("all", "2♠ is turned: burn 2 cards.", BURN_CLAUSES)
    play.cards("5C", "6C")
    assert (play.phase, play.questions()) == ("betting", [])


@clause(PERTH, "4.6(b)")
def test_where_the_turned_card_can_never_be_told_play_goes_on_without_burns() -> None:
    play = closed_shoe(PERTH)
    play.new_shoe("??")
    play.answer("unknown:0", "void", rank=3)
    assert (play.phase, play.questions()) == ("betting", [])
    play.lay("m", "Ann", 1, "main", 1000)
    play.cards("KS", "QS")
    assert (play.phase, lying(play)[-2:]) == ("interim", [("KS", "box1"), ("QS", "dealer")])


@clause(PERTH, "4.6(b)")
def test_burns_that_an_inspector_ended_do_not_come_back_with_the_next_card() -> None:
    play = closed_shoe(PERTH)
    play.new_shoe("4H")
    play.press("skip_burn", rank=2)
    assert play.phase == "betting"
    play.lay("m", "Ann", 1, "main", 1000)
    play.card("KS")
    assert lying(play) == [("4H", "shoe-start-up"), ("KS", "box1")]


@clause(PERTH, "4.6(a)")
def test_a_turned_card_of_a_round_that_is_void_is_asked_for_no_more() -> None:
    play = closed_shoe(PERTH)
    play.new_shoe("??")
    play.press("wrong_deck", rank=3, what="a card is missing")
    assert (play.phase, play.questions()) == ("over", [])
    play.take(DeviceDown("screen", "silent", "look"))
    play.take(DeviceUp("screen", "screen", "S-1", "1.0"))
    assert (play.table.state.life, play.questions()) == ("open", [])


@clause(PERTH, "5.5", "4.6(a)", "4.6(b)")
def test_after_a_shuffle_within_the_round_a_card_is_turned_again_before_the_next_box() -> None:
    play = staked(PERTH, "Ann", "Bob")
    play.card("KH")
    play.press("shoe_empty")
    play.press("shuffled")
    play.answer("cut", "cut")
    assert (play.phase, play.game.view()["next"]) == ("dealing", "shoe-start-up")
    play.card("2H")
    assert play.game.view()["next"] == "shoe-burn"
    play.cards("5C", "6C")
    assert play.game.view()["next"] == "box2"
    play.cards("3D", "7C")
    assert lying(play)[2:] == [
        ("KH", "box1"),
        ("2H", "shoe-start-up"),
        ("", "shoe-burn"),
        ("", "shoe-burn"),
        ("3D", "box2"),
        ("7C", "dealer"),
    ]
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}


# -- the second deal --------------------------------------------------------------------------------------------------


@clause(PERTH, "4.12(a)", "4.12(b)")
def test_three_cards_are_burned_before_a_war_and_not_one_fewer() -> None:
    play = at_war(PERTH, "Ann")
    for card in ("2D", "3D"):
        play.card(card)
        assert (play.phase, play.game.view()["next"]) == ("war_burning", "war-burn")
    play.card("4D")
    assert (play.phase, play.game.view()["next"]) == ("war_dealing", "box1")
    play.cards("9C", "8C")
    assert paid(play)["wAnn"] == ("win", 1000, 0, 1000)


@clause(PERTH, "4.12(a)", "4.12(b)")
def test_cards_that_came_while_a_burn_was_ruled_on_are_all_taken_once_it_is() -> None:
    play = at_war(PERTH, "Ann", decks=4)
    for _ in range(4):
        play.game.state.shoe.cards.draw("2D")
    play.cards("2D", "3D", "4D", "9C", "8C")
    assert play.phase == "ruling"
    play.answer("wrong_deck", "misread", face="5D")
    assert play.phase == "final"
    assert paid(play)["wAnn"] == ("win", 1000, 0, 1000)


# -- out of turn ------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "2.3", "4.1.1(a)")
@clause(STAR, "3.6", "4.1.1")
@clause(PERTH, "4.1", "1.1 [Shoe]")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_that_comes_before_shuffle_and_cut_is_put_back_and_counted_only_when_it_is_dealt(house: str) -> None:
    play = uncut(house, decks=6)
    told = play.card("9S")
    assert alarmed(told) == [("card_out_of_turn", SOURCE[house])]
    assert (lying(play), left(play)) == ([], 312)
    play.answer("cut", "cut")
    for _ in range(5):
        play.game.state.shoe.cards.draw("9S")
    play.cards(*("AC", "2C") if house == PERTH else ("2C",))
    play.press("player_card", player="Ann")
    play.lay("m", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.cards("9S", "8S")
    assert (play.phase, play.questions()) == ("interim", [])


@clause(MELBOURNE, "4.3.2(b)", "7.3.1(a)")
@clause(PERTH, "3.2")
@clause(STAR, "7.1")
@pytest.mark.parametrize("house", HOUSES)
def test_only_where_the_call_closes_betting_is_a_deal_without_it_remarked(house: str) -> None:
    play = betting(house)
    play.lay("m", "Ann", 1, "main", 1000)
    play.card("KH")
    told = [("dealer", "Dealt without the call.", ("4.3.2(b)", "7.3.1(a)"))]
    assert announced(play, "no_call") == (told if house == MELBOURNE else [])
    called = staked(house, "Ann")
    called.card("KH")
    assert announced(called, "no_call") == []


@clause(MELBOURNE, "7.3.1(b)", "5.5.2")
def test_the_screen_says_where_the_next_card_goes_and_nothing_when_none_is_due() -> None:
    play = betting(MELBOURNE)

    def due() -> Any:
        return play.game.view()["next"]

    assert due() == ""
    play.lay("x", "Ann", 3, "a_bomb", 1000)
    assert due() == ""
    play.lay("m", "Bob", 2, "main", 1000)
    assert due() == "box2"
    play.press("no_more_bets")
    play.card("KH")
    assert due() == "dealer"
    play.card("3H")
    assert (play.phase, due()) == ("interim", "")


# -- together ---------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.11")
@clause(PERTH, "5.6")
def test_two_cards_at_once_are_simply_dealt_where_their_order_is_known_or_decides_nothing() -> None:
    known = staked(MELBOURNE, "Ann", source="csm")
    known.take(CardsCameTogether(("KH", "3D"), True))
    assert paid(known) == {"mAnn": ("win", 1000, 0, 1000)}
    burns = at_war(PERTH, "Ann", source="csm")
    burns.take(CardsCameTogether(("2D", "3D"), False))
    assert (burns.phase, burns.questions()) == ("war_burning", [])
    burns.take(CardsCameTogether(("4D", "9C"), False))
    assert (burns.phase, burns.questions()) == ("ruling", ["double"])
