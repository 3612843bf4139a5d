"""Cards of Casino War that were read wrongly, not at all, twice or too many: what they are in the end, and who says."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Reversed, Settled
from controller.games.war.cards import FACES
from controller.games.war.config import WarConfig
from controller.games.war.events import CardsCameTogether, SourceEmpty
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, clause, codes, tied
from tests.controller.games.war.rulings import (
    BACK,
    HALVED,
    HOUSES,
    LOST,
    WON,
    lying,
    money,
    next_round,
    question,
    record,
    ruled,
    staked,
    told,
    withdrawn,
)

WRONG_DECK = {MELBOURNE: (3, "9.12.2"), PERTH: (3, "6.11"), STAR: (2, "11.17.2")}
WRONG_DECK_WHY = {
    MELBOURNE: ("9.12.2", "9.12.1", "9.12.3"),
    PERTH: ("6.11", "2.2", "2.7"),
    STAR: ("11.17.2", "11.17.1", "11.17.3", "11.17.4"),
}
FACE = {MELBOURNE: "7.1", PERTH: "4.8(a)", STAR: "7.1"}
NOT_REBUILT = {MELBOURNE: (3, "11.10"), PERTH: (3, "5.4"), STAR: (2, "11.6")}


def out(play: Play, face: str) -> int:
    return play.game.state.shoe.cards.out.get(face, 0)


# -- a card that cannot be --------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.12.1", "9.12.2", "9.12.3", "7.1")
@clause(PERTH, "2.2", "2.7", "4.8(a)")
@clause(STAR, "11.17.1", "11.17.2", "11.17.3", "11.17.4", "7.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_taken_for_a_foreign_one_is_dealt_as_what_it_is(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    before = play.game.state.shoe.cards.drawn
    play.card("JOKER")
    options = [("void", *WRONG_DECK[house]), ("misread", 2, FACE[house])]
    assert question(play, "wrong_deck") == ("wrong_deck", "void", options, WRONG_DECK_WHY[house])
    assert play.table.state.desk.alarms["wrong_deck"].clauses == WRONG_DECK_WHY[house]
    assert (play.phase, lying(play)) == ("ruling", ["void"])
    play.answer("wrong_deck", "misread", rank=2, face="JOKER")
    assert (codes(play), play.questions()) == (["bad_card"], ["wrong_deck"])
    play.answer("wrong_deck", "misread", rank=2, face="KH")
    assert (play.phase, lying(play), play.questions()) == ("dealing", ["box1"], [])
    assert play.table.state.desk.alarms == {}
    assert ruled(play, "card_named") == [("card 1 is KH, read as JOKER", "table", (FACE[house],))]
    assert (out(play, "KH"), play.game.state.shoe.cards.drawn - before) == (1, 1)
    play.cards("3H", "5S")
    assert (money(play)["mAnn"], money(play)["mBob"]) == (WON, LOST)


@clause(MELBOURNE, "9.12.2", "7.1")
@clause(PERTH, "2.2", "4.8(a)")
@clause(STAR, "11.17.2", "7.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_that_came_once_too_often_is_put_right_unless_its_new_name_cannot_be_either(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    for face in ("KH", "QH"):
        for _ in range(6):
            play.game.state.shoe.cards.draw(face)
    before = play.game.state.shoe.cards.drawn
    play.card("KH")
    assert play.questions() == ["wrong_deck"]
    play.answer("wrong_deck", "misread", face="QH")
    assert (play.phase, play.questions()) == ("ruling", ["wrong_deck"])
    asked = play.game.asked("wrong_deck")
    assert asked is not None
    assert (asked.evidence["card"], "Q♥ came 7 times" in asked.text) == (0, True)
    play.answer("wrong_deck", "misread", face="JH")
    assert (play.phase, play.questions(), play.table.state.desk.alarms) == ("dealing", [], {})
    assert [out(play, face) for face in ("KH", "QH", "JH")] == [6, 6, 1]
    assert play.game.state.shoe.cards.drawn == before + 1


@clause(MELBOURNE, "9.12.1", "9.12.2", "9.12.3")
@clause(PERTH, "2.2", "2.7")
@clause(STAR, "11.17.1", "11.17.2", "11.17.3", "11.17.4")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_reported_missing_at_war_gives_all_money_of_the_round_back_and_blocks_the_cards(house: str) -> None:
    play = tied(house)
    play.press("wrong_deck", rank=1, what="A queen lies under the table.")
    answers = [("void", *WRONG_DECK[house]), ("sound", *WRONG_DECK[house])]
    assert question(play, "wrong_deck")[2:] == (answers, WRONG_DECK_WHY[house])
    rank = WRONG_DECK[house][0]
    play.answer("wrong_deck", "void", rank=rank - 1)
    assert (codes(play), play.phase) == (["rank_too_low"], "ruling")
    play.answer("wrong_deck", "void", rank=rank)
    assert ruled(play, "wrong_deck") == [("void", f"rank{rank}", WRONG_DECK_WHY[house])]
    assert (play.phase, play.questions(), play.table.state.desk.alarms) == ("over", [], {})
    assert money(play) == dict.fromkeys(("mAnn", "mBob", "mCyd"), BACK)
    assert told(play, Reversed) == [["mCyd"]]  # what interim took
    blocked = play.game.state.supply.blocked
    assert blocked is not None
    needs = ["check", "surveillance", "inspector"] if house == STAR else ["new cards"]
    assert (blocked.why, blocked.needs) == ("A queen lies under the table.", needs)


@clause(MELBOURNE, "9.12.1", "9.12.2")
@clause(STAR, "11.17.1", "11.17.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_card_found_missing_after_the_round_leaves_its_result_and_is_ruled_by_rank_at_once(house: str) -> None:
    play = staked(house, "Ann")
    play.cards("KH", "5D")
    play.press("settled")
    play.press("wrong_deck", rank=1)
    play.press("wrong_deck", rank=4)
    assert (play.phase, play.questions()) == ("over", [])
    assert money(play) == {"mAnn": WON}
    assert ruled(play, "wrong_deck") == [("void", "rank4", WRONG_DECK_WHY[house])]
    play.press("place_bets")
    assert play.phase == "blocked"
    play.press("wrong_deck", rank=4)
    assert (play.phase, play.questions()) == ("blocked", [])


# -- a card that could not be read ------------------------------------------------------------------------------------


@clause(MELBOURNE, "7.1")
@clause(PERTH, "4.8(a)")
@clause(STAR, "7.1")
@pytest.mark.parametrize("house", HOUSES)
def test_an_unread_card_is_asked_for_at_once_and_holds_the_round_when_it_is_needed(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    before = play.game.state.shoe.cards.drawn
    play.card("??")
    options = [("enter", 1, FACE[house]), ("void", *NOT_REBUILT[house])]
    assert question(play, "unknown:") == ("unknown:0", "enter", options, (FACE[house],))
    assert play.phase == "dealing"
    play.cards("3H", "5S")
    assert (play.phase, play.questions(), money(play).keys()) == ("ruling", ["unknown:0"], {"mDot"})
    play.answer("unknown:", "enter", rank=1, face="KH")
    assert ruled(play, "card_named") == [("card 1 is KH, read as ??", "table", (FACE[house],))]
    assert (play.phase, play.questions()) == ("interim", [])
    cards = play.game.state.shoe.cards
    assert (cards.drawn, cards.unknown, out(play, "KH")) == (before + 3, 0, 1)
    assert money(play)["mAnn"] == WON


@clause(MELBOURNE, "7.1")
@clause(STAR, "7.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_card_named_by_another_key_is_asked_for_no_more(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    play.cards("??", "3H", "5S")
    play.press("misread", rank=2, card=0, face="KH")
    assert (play.phase, play.questions(), withdrawn(play)) == ("interim", [], ["unknown:0"])
    foreign = next_round(house, "Ann", "Bob")
    foreign.card("JOKER")
    foreign.press("misread", rank=2, card=0, face="KH")
    assert (foreign.phase, foreign.questions(), foreign.table.state.desk.alarms) == ("dealing", [], {})


@clause(MELBOURNE, "7.1", "11.10")
@clause(STAR, "11.6", "11.6.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_where_the_round_stands_or_falls_as_one_a_face_that_cannot_be_told_voids_it(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    play.cards("??", "3H", "5S")
    play.answer("unknown:", "void")
    assert (play.phase, lying(play)) == ("over", ["void"] * 3)
    assert (money(play)["mAnn"], money(play)["mBob"]) == (BACK, BACK)


@clause(PERTH, "5.4", "4.8(a)")
def test_where_hands_stand_alone_a_face_that_cannot_be_told_voids_its_hand() -> None:
    play = next_round(PERTH, "Ann", "Bob")
    play.lay("x", "Cyd", 1, "main", 1000)
    play.cards("3H", "??", "5S")
    play.answer("unknown:", "void", rank=3)
    assert ruled(play, "void_hand") == [("box 2", "rank3", ("5.4",))]
    assert (play.phase, lying(play)) == ("interim", ["box1", "void", "dealer"])
    assert money(play)["mBob"] == BACK
    assert (money(play)["mAnn"], money(play)["x"]) == (LOST, LOST)


@clause(PERTH, "5.4", "4.6(b)")
def test_a_face_that_cannot_be_told_voids_the_hand_at_which_its_card_lies_now() -> None:
    play = staked(PERTH, "Ann", "Bob")
    play.cards("KH", "??")
    assert play.questions() == ["unknown:3"]  # Bob's
    play.press("burn_missed", rank=1)  # the two cards burned are the first of the round
    assert (play.phase, lying(play)) == ("interim", ["box1", "box2", "dealer", "next-round"])
    play.answer("unknown:3", "void", rank=3)  # it decides nothing any more
    assert (play.phase, play.questions(), ruled(play, "void")) == ("interim", [], [])
    early = staked(PERTH, "Ann", "Bob", "Cyd")
    early.cards("??")
    early.press("burn_missed", rank=1)
    early.card("9S")
    assert (early.phase, lying(early)) == ("ruling", ["box1", "box2", "box3", "dealer"])
    early.answer("unknown:2", "void", rank=3)
    assert (early.phase, lying(early)) == ("interim", ["box1", "box2", "void", "dealer"])
    assert {wager: one[0] for wager, one in money(early).items()} == {"mCyd": "void", "mAnn": "win", "mBob": "lose"}


@clause(PERTH, "5.4", "4.8(a)")
def test_where_hands_stand_alone_a_dealers_card_that_cannot_be_told_voids_them_all() -> None:
    play = next_round(PERTH, "Ann", "Bob")
    play.cards("3H", "KH", "??")
    play.answer("unknown:", "void", rank=3)
    assert ruled(play, "void") == [("round, first cards", "rank3", ("5.4",))]
    assert (money(play)["mAnn"], money(play)["mBob"], play.phase) == (BACK, BACK, "over")


@clause(PERTH, "4.6(b)", "4.8(a)")
def test_a_turned_card_that_could_not_be_read_burns_what_it_is_said_to_be_or_nothing() -> None:
    told: dict[str, Any] = {"face": "3D"}
    for answer, args, burned, phase in (("enter", told, 3, "burning"), ("void", {}, 0, "betting")):
        play = Play(PERTH, WarConfig(decks=6))
        play.press("check_cards", how="by hand")
        play.press("shuffled")
        play.answer("cut", "cut")
        play.card("??")
        assert (play.phase, play.questions()) == ("burning", ["unknown:0"])
        play.answer("unknown:", answer, **args)
        slots = [slot.place for slot in play.game.state.round.slots]
        assert (play.phase, slots.count("shoe-burn"), play.questions()) == (phase, burned, [])
        assert play.game.state.shoe.skip_burn is (answer == "void")


@clause(MELBOURNE, "7.1", "9.12.2")
@clause(STAR, "7.1", "11.17.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_naming_one_card_says_nothing_of_another(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    play.cards("9C^", "3H", "JOKER")
    play.press("misread", rank=2, card=0, face="9D")
    play.press("misread", rank=2, card=1, face="QH")
    assert (play.phase, play.questions()) == ("ruling", ["wrong_deck"])
    assert "wrong_deck" in play.table.state.desk.alarms
    assert lying(play) == ["discard", "box1", "void"]


# -- a card told wrongly, or never drawn ------------------------------------------------------------------------------


@clause(MELBOURNE, "7.1")
@clause(PERTH, "4.8(a)")
@clause(STAR, "7.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_misread_card_put_right_before_chips_move_settles_anew(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    before = play.game.state.shoe.cards.drawn
    play.cards("KH", "3H", "5S")
    play.press("misread", rank=2, card=0, face="2S")
    assert play.phase == "interim"
    assert told(play, Reversed) == [["mAnn", "mBob"]]
    assert (money(play)["mAnn"], money(play)["mBob"]) == (LOST, LOST)
    assert (out(play, "KH"), out(play, "2S"), play.game.state.shoe.cards.drawn) == (0, 1, before + 3)
    play.press("settled")
    play.press("misread", rank=2, card=0, face="AS")
    assert (codes(play)[-1], money(play)["mAnn"]) == ("not_now", LOST)


@clause(MELBOURNE, "7.1", "9.4")
@clause(STAR, "7.1", "11.6")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_misread_card_put_right_while_something_else_is_ruled_on_settles_anew_after_it(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    play.cards("KH", "3H", "5S")
    play.press("void_player", rank=1, player="Bob")
    play.press("misread", rank=2, card=0, face="2S")
    assert (play.phase, play.questions()) == ("ruling", ["void_player:Bob"])
    play.answer("void_player", "stand")
    assert play.phase == "interim"
    assert money(play)["mAnn"] == LOST
    play.press("settled")
    assert (play.phase, play.questions()) == ("over", [])


@clause(MELBOURNE, "7.1")
@clause(STAR, "7.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_misread_war_card_is_put_right_until_its_chips_have_moved(house: str) -> None:
    play = tied(house)
    play.answer("choice:2:Bob", "surrender")
    play.lay("w", "Ann", 1, "war", 1000)
    dispute = ("11.10", "11.11") if house == MELBOURNE else ("13.12", "13.13")
    for card in (1, 4):
        play.press("misread", rank=2, card=card, face="QH")
        assert (codes(play)[-1], play.refusals()[-1].clauses) == ("settled", dispute)
    play.cards("3H", "5S")
    assert money(play)["w"] == LOST
    play.press("void_player", rank=1, player="Bob")
    play.press("misread", rank=2, card=5, face="AH")
    play.answer("void_player", "stand")
    assert (play.phase, money(play)["w"]) == ("final", WON)
    assert told(play, Reversed) == [["mAnn", "w"]]


@clause(MELBOURNE, "2.3", "7.1")
@clause(STAR, "3.6", "7.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
@pytest.mark.parametrize("card", ["KH", "??"])
def test_a_card_that_never_left_is_owed_to_nobody_and_the_next_one_is_asked_for_in_its_place(
    house: str, card: str
) -> None:
    play = next_round(house, "Ann", "Bob")
    before = play.game.state.shoe.cards.drawn
    play.cards(card, "??")
    play.press("not_drawn", rank=2, card=0)
    source = ("2.3", "7.1") if house == MELBOURNE else ("3.6",)
    assert ruled(play, "not_drawn") == [(f"card 1 ({card})", "rank2", source)]
    assert (play.questions(), lying(play)) == (["unknown:0"], ["box1"])
    assert play.game.state.shoe.cards.drawn == before + 1
    play.press("misread", rank=2, card=0, face="3H")
    play.press("not_drawn", rank=2, card=0)
    assert (play.game.state.shoe.cards.drawn, out(play, "3H"), play.game.state.shoe.cards.unknown) == (before, 0, 0)
    play.cards("KD", "3D", "5S")
    assert (play.phase, play.questions()) == ("interim", [])


@clause(STAR, "11.17.2")
@clause(MELBOURNE, "9.12.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_an_impossible_burn_card_that_was_told_twice_is_no_wrong_deck(house: str) -> None:
    play = Play(house, WarConfig(decks=6))
    play.press("check_cards", how="by hand")
    play.press("shuffled")
    play.answer("cut", "cut")
    for _ in range(6):
        play.game.state.shoe.cards.draw("2C")
    play.card("2C")
    assert play.questions() == ["wrong_deck"]
    play.press("not_drawn", rank=2)
    assert (play.questions(), play.table.state.desk.alarms) == ([], {})
    play.card("9D")
    assert play.phase == "betting"


# -- cards that came together -----------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.11", "9.11.1")
@clause(PERTH, "5.6")
@clause(STAR, "11.6.1")
@pytest.mark.parametrize(
    ("house", "void", "why"),
    [
        (MELBOURNE, (2, "9.11"), ("9.11", "9.11.1")),
        (PERTH, (3, "5.6"), ("5.4", "5.6")),
        (STAR, (2, "11.6"), ("11.6", "11.6.1")),
    ],
)
def test_the_order_of_two_cards_at_once_may_be_told_after_all(
    house: str, void: tuple[int, str], why: tuple[str, ...]
) -> None:
    play = next_round(house, "Ann", "Bob")
    for _ in range(5):
        play.game.state.shoe.cards.draw("KH")
    play.take(CardsCameTogether(("3H", "KH"), False))
    options = [("void", *void), ("order", 2, FACE[house])]
    assert question(play, "double") == ("double", "void", options, why)
    asked = play.game.asked("double")
    assert asked is not None
    assert asked.evidence == {"card": 0, "faces": ["3H", "KH"], "places": ["box1", "box2"]}
    assert (play.phase, "for box 1 and box 2." in asked.text) == ("ruling", True)
    play.answer("double", "order", faces=["KH", "5H"])
    assert (codes(play)[-1], play.questions()) == ("bad_argument", ["double"])
    play.answer("double", "order", faces=["KH", "3H"])
    named = [(f"card {at} is {face}", "table", (FACE[house],)) for at, face in ((1, "KH"), (2, "3H"))]
    assert ruled(play, "card_named") == named
    assert (play.phase, play.questions(), out(play, "KH"), out(play, "3H")) == ("dealing", [], 6, 1)
    play.card("5S")
    assert (money(play)["mAnn"], money(play)["mBob"]) == (WON, LOST)


@clause(MELBOURNE, "9.11", "7.1")
@clause(STAR, "11.6.1", "7.1")
@pytest.mark.parametrize("second", ["KH", "??", "JOKER"])
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_two_cards_at_once_that_are_named_one_by_one_need_no_order(house: str, second: str) -> None:
    play = next_round(house, "Ann", "Bob")
    before = play.game.state.shoe.cards.drawn
    play.take(CardsCameTogether(("3H", second), False))
    play.press("misread", rank=2, card=0, face="QD")
    assert (play.phase, play.questions()) == ("ruling", ["double"])
    play.press("misread", rank=2, card=1, face="2D")
    assert (play.phase, play.questions(), withdrawn(play)) == ("dealing", [], ["double"])
    play.card("5S")
    assert (money(play)["mAnn"], money(play)["mBob"]) == (WON, LOST)
    cards = play.game.state.shoe.cards
    assert (cards.drawn, cards.unknown, out(play, "3H"), out(play, "KH")) == (before + 3, 0, 0, 0)
    assert (out(play, "QD"), out(play, "2D")) == (1, 2)  # one deuce came in the round before


@clause(MELBOURNE, "9.11", "7.1")
def test_of_two_cards_at_once_an_unread_one_is_still_asked_for_when_their_order_is_known() -> None:
    play = next_round(MELBOURNE, "Ann", "Bob")
    before = play.game.state.shoe.cards.drawn
    play.take(CardsCameTogether(("3H", "??"), False))
    play.answer("double", "order", faces=["??", "3H"])
    play.card("5S")
    assert (play.phase, play.questions()) == ("ruling", ["unknown:0"])
    play.answer("unknown:0", "enter", face="KH")
    assert (play.phase, play.game.state.shoe.cards.unknown, play.game.state.shoe.cards.drawn) == (
        "interim",
        0,
        before + 3,
    )
    assert (out(play, "3H"), out(play, "KH"), money(play)["mAnn"]) == (1, 1, WON)


@clause(MELBOURNE, "9.11", "9.11.1")
@clause(STAR, "11.6.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_when_the_order_of_two_cards_cannot_be_told_the_round_is_void_and_interim_stands(house: str) -> None:
    play = tied(house)
    play.answer("choice:2:Bob", "surrender")
    play.lay("w", "Ann", 1, "war", 1000)
    play.take(CardsCameTogether(("3H", "KD"), False))
    play.answer("double", "void", rank=2)
    assert (play.phase, lying(play)[-2:]) == ("over", ["void", "void"])
    assert money(play) == {
        "mAnn": BACK, "w": BACK, "mBob": HALVED, "mCyd": LOST
    }  # fmt: skip


# -- what is known of the cards after a shuffle inside the round ------------------------------------------------------


@clause(MELBOURNE, "9.10")
@clause(STAR, "11.7")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_after_a_shuffle_inside_the_round_the_decks_miss_the_cards_on_the_layout_and_no_others(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    play.cards("9C^", "??", "KH")
    play.press("shoe_empty")
    assert play.phase == "reshuffling"
    play.press("shuffled")
    cards = play.game.state.shoe.cards
    assert (cards.out, cards.unknown, cards.drawn) == ({"KH": 1}, 1, 2)


@clause(MELBOURNE, "9.10")
@clause(PERTH, "5.5")
@clause(STAR, "11.7")
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("cut", [False, True])
def test_a_round_voided_during_its_shuffle_is_followed_by_a_whole_one(house: str, cut: bool) -> None:
    play = next_round(house, "Ann", "Bob")
    play.card("KH")
    play.press("shoe_empty")
    if cut:
        play.press("shuffled")
        assert (play.phase, play.questions()) == ("recutting", ["cut"])
    play.press("misdeal")
    assert (play.phase, play.questions()) == ("over", [])
    assert record(play)["valid"] is False
    assert told(play, Settled)[-1] == ["mAnn", "mBob"]
    play.press("place_bets")
    assert play.phase == "unshuffled"
    play.press("shuffled")
    assert (play.phase, play.questions()) == ("uncut", ["cut"])


@clause(MELBOURNE, "9.5", "9.10")
def test_when_a_card_is_dealt_anew_from_an_empty_shoe_the_discards_are_shuffled_first() -> None:
    play = staked(MELBOURNE, "Ann")
    play.cards("KH", "KS")
    play.press("settled")
    play.lay("w", "Ann", 1, "war", 1000)
    play.cards("3H", "5S")
    for face in FACES:
        while play.game.state.shoe.cards.left(face):
            play.game.state.shoe.cards.draw(face)  # in rounds before
    play.take(SourceEmpty())
    assert play.phase == "final"
    play.press("astray", card=3)
    assert play.phase == "reshuffling"
