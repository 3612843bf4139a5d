"""The life of the cards: opening, cut, burns, suspicion, wrong decks, and what floors have paid dearly for."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Alarmed, Announced, Noted, Ruled
from controller.games.war.cards import FACES
from controller.games.war.config import WarConfig
from controller.games.war.events import CardsRead, SourceEmpty, SourceMode
from drivers.cards import CardDrawn, CardPushedBack, CardUnread, TwoDrawn
from drivers.shuffler import DeckChecked, ShufflerSwapped
from tests.controller.games.war.play import Play

ALL = {"melbourne-war": ("2C",), "perth-war": ("AC", "2C"), "star-war": ("2C",)}


def table(rulebook: str, **config: Any) -> Play:
    return Play(rulebook, WarConfig(**{"decks": 6, **config}))


def open_table(rulebook: str, **config: Any) -> Play:
    play = table(rulebook, **config)
    play.new_shoe(*ALL[rulebook] if config.get("source") != "csm" or rulebook != "melbourne-war" else ())
    for player in ("P1", "P2", "P3"):
        play.press("player_card", player=player)
    assert play.phase == "betting"
    return play


def round_of(play: Play, *cards: str) -> None:
    play.lay("a", "P1", 1, "main", 5000)
    play.cards(*cards)
    play.press("settled")
    assert play.phase == "over"


def alarms(play: Play) -> list[str]:
    return [effect.code for effect in play.effects if isinstance(effect, Alarmed)]


@pytest.mark.clause("melbourne-war", "3.2", "4.1.1(a)")
@pytest.mark.clause("star-war", "3.3", "4.1.1")
@pytest.mark.parametrize("rulebook", sorted(ALL))
def test_no_card_is_dealt_before_check_shuffle_and_cut(rulebook: str) -> None:
    play = table(rulebook)
    for phase, step in (("unchecked", "check_cards"), ("unshuffled", "shuffled")):
        assert play.phase == phase
        play.card("KS")
        assert play.game.state.round.drawn == []
        play.press(step)
    assert play.phase == "uncut"
    play.answer("cut", "cut")
    assert play.phase == "burning"


@pytest.mark.clause("melbourne-war", "4.2.1(a)", "4.2.2")
@pytest.mark.clause("perth-war", "4.3(a)", "4.4")
@pytest.mark.clause("star-war", "4.3.1", "4.4")
@pytest.mark.parametrize("rulebook", sorted(ALL))
def test_a_refused_cut_goes_clockwise_and_ends_with_a_supervisor(rulebook: str) -> None:
    play = table(rulebook)
    for player in ("P2", "P1", "P3"):
        play.press("player_card", player=player)
    play.lay("b", "P2", 2, "main", 5000)
    play.lay("a", "P1", 1, "main", 5000)
    play.lay("c", "P3", 3, "main", 5000)
    play.press("check_cards", how="by hand")
    play.press("shuffled")
    asked = []
    for _ in range(3):
        question = play.game.asked("cut")
        assert question is not None
        asked.append(question.evidence["player"])
        play.answer("cut", "refused", rank=1)
    assert asked == ["P2", "P3", "P1"]
    play.answer("cut", "cut", rank=1)
    assert play.refusals()[-1].code == "rank_too_low"
    play.answer("cut", "cut", rank=2)
    assert play.phase == "burning"


@pytest.mark.clause("perth-war", "4.6(a)", "4.6(b)")
def test_betting_opens_only_after_as_many_burns_as_the_turned_card_says() -> None:
    play = table("perth-war")
    play.new_shoe("4H", "2C", "3C", "4C")
    assert play.phase == "burning"
    play.card("5C")
    assert play.phase == "betting"


@pytest.mark.clause("perth-war", "4.6(b)")
def test_an_inspector_may_end_the_burns() -> None:
    play = table("perth-war")
    play.new_shoe("4H", "2C")
    play.press("skip_burn", rank=1)
    assert play.phase == "burning"
    play.press("skip_burn", rank=2)
    assert play.phase == "betting"


@pytest.mark.clause("star-war", "4.9")
def test_the_burned_card_is_never_shown() -> None:
    play = table("star-war")
    play.new_shoe("AC")
    assert play.game.view()["cards"] == [{"face": "", "to": "shoe-burn"}]


@pytest.mark.clause("melbourne-war", "9.9")
@pytest.mark.clause("star-war", "11.11")
@pytest.mark.parametrize("rulebook", ["melbourne-war", "star-war"])
def test_a_forgotten_shuffle_is_made_up_after_the_round(rulebook: str) -> None:
    play = open_table(rulebook)
    play.lay("a", "P1", 1, "main", 5000)
    play.cards("KS", "CUT", "9H")
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "unshuffled"
    play.lay("b", "P1", 1, "main", 5000)
    play.cards("KD", "9D")
    assert any(ruling.subject == "shuffle_missed" for ruling in play.rulings())
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "unshuffled"
    assert play.results()["b"].result == "win"


@pytest.mark.parametrize("rulebook", ["perth-war", "star-war"])
def test_a_shuffle_forgotten_after_the_cutting_card_came_first_is_made_up_after_the_round(rulebook: str) -> None:
    play = open_table(rulebook)
    play.lay("a", "P1", 1, "main", 5000)
    play.cards("CUT")
    assert play.phase == "unshuffled"
    play.cards("KD", "9D")
    assert any(ruling.subject == "shuffle_missed" for ruling in play.rulings())
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "unshuffled"


def test_new_cards_dealt_in_the_order_of_manufacture_are_put_to_the_manager() -> None:
    play = open_table("melbourne-war")
    play.lay("a", "P1", 1, "main", 5000)
    play.lay("b", "P2", 2, "main", 5000)
    play.lay("c", "P3", 3, "main", 5000)
    play.cards("AS", "2S", "3S", "4S")
    play.press("settled")
    play.press("place_bets")
    play.lay("d", "P1", 1, "main", 5000)
    play.cards("5S", "6S")
    assert "sequence" in alarms(play)
    play.answer("sequence", "shuffle", rank=2)
    assert play.refusals()[-1].code == "rank_too_low"
    play.answer("sequence", "shuffle", rank=3)
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "unshuffled"


@pytest.mark.clause("melbourne-war", "9.12.2", "9.12.3")
def test_a_card_too_many_of_one_face_stops_the_round_and_blocks_the_shoe() -> None:
    play = open_table("melbourne-war", decks=4)
    for number in range(4):
        play.game.state.shoe.cards.draw("QS")
        assert number < 4
    play.lay("a", "P1", 1, "main", 5000)
    play.card("QS")
    assert play.phase == "ruling"
    play.answer("wrong_deck", "void", rank=2)
    assert play.refusals()[-1].code == "rank_too_low"
    play.answer("wrong_deck", "void", rank=3)
    assert play.results()["a"].result == "void"
    play.press("place_bets")
    assert play.phase == "blocked"
    play.press("replace_cards", why="wrong deck")
    assert play.phase == "unchecked"
    assert play.game.state.shoe.cut_place == "replaced"


def test_an_impossible_card_may_turn_out_a_misread_and_both_faces_are_kept() -> None:
    play = open_table("melbourne-war", decks=4)
    for _ in range(4):
        play.game.state.shoe.cards.draw("QS")
    play.lay("a", "P1", 1, "main", 5000)
    play.card("QS")
    play.answer("wrong_deck", "misread", face="QC")
    play.card("9H")
    play.press("settled")
    (facts,) = [e.facts for e in play.effects if isinstance(e, Noted) and e.what == "round"]
    assert facts["cards"][-2:] == ["QC", "9H"]
    assert facts["read"][-2:] == ["QS", "9H"]
    assert play.results()["a"].result == "win"


@pytest.mark.clause("star-war", "11.17.3", "11.17.4")
def test_star_plays_on_only_after_check_and_both_notifications() -> None:
    play = open_table("star-war")
    play.lay("a", "P1", 1, "main", 5000)
    play.card("JOKER")
    play.answer("wrong_deck", "void")
    play.press("place_bets")
    play.press("deck_checked", outcome="right")
    assert play.phase == "blocked"
    play.press("notified", whom="surveillance")
    assert play.phase == "blocked"
    play.press("notified", whom="inspector")
    assert play.phase == "unshuffled"


def test_a_missing_card_is_found_by_name_though_the_machine_counted_right_twice() -> None:
    play = open_table("melbourne-war", source="csm")
    for _ in range(2):
        play.take(SourceMode("shuffle", 312))
    assert play.table.state.life == "open"
    faces = [face for face in FACES for _ in range(6)]
    faces[faces.index("QS")] = "2C"
    play.take(CardsRead(tuple(faces)))
    question = play.game.asked("wrong_deck")
    assert question is not None
    assert "missing: Q♠; too many: 2♣" in question.text


def test_a_check_of_the_shuffler_goes_by_names_as_well() -> None:
    play = open_table("star-war", source="csm")
    play.take(DeckChecked("shuffler", 1, 6, True, False, 312, ("QS",), ("2C",)))
    question = play.game.asked("wrong_deck")
    assert question is not None
    assert "Q♠" in question.text


def test_an_empty_shoe_names_the_cards_that_never_came() -> None:
    play = open_table("melbourne-war", decks=4)
    for face in FACES:
        for _ in range(4):
            if play.game.state.shoe.cards.left(face) and face != "QS":
                play.game.state.shoe.cards.draw(face)
    play.take(SourceEmpty())
    question = play.game.asked("wrong_deck")
    assert question is not None
    assert "4 cards never came: QS, QS, QS, QS" in question.text


def test_a_shuffler_left_in_sort_mode_stops_the_table() -> None:
    play = open_table("melbourne-war", source="csm")
    play.take(SourceMode("sort", 312))
    assert play.table.state.life == "suspended"
    play.take(SourceMode("shuffle", 312))
    assert play.table.state.life == "open"
    assert play.game.state.shoe.shuffle_due


def test_cards_left_inside_a_swapped_shuffler_stop_the_table() -> None:
    play = open_table("melbourne-war", source="csm")
    play.take(ShufflerSwapped("shuffler", "S-1", "S-2", 17))
    assert "cards_left_inside" in play.table.state.faults
    assert "17 cards still inside" in play.table.state.faults["cards_left_inside"].text


@pytest.mark.clause("melbourne-war", "4.4.2")
def test_a_damaged_card_that_was_never_replaced_keeps_the_cards_from_being_shuffled() -> None:
    play = open_table("melbourne-war")
    play.press("set_aside", rank=3, face="QS")
    round_of(play, "KS", "9H")
    play.press("order_shuffle", rank=3, reason="damaged card")
    play.press("place_bets")
    play.press("shuffled")
    assert play.refusals()[-1].code == "card_not_replaced"
    play.press("replace_card", rank=3, face="QS")
    play.press("shuffled")
    assert play.phase == "uncut"


def test_a_card_switched_after_it_left_the_shoe_is_found_at_the_pick_up() -> None:
    play = open_table("perth-war")
    play.lay("a", "P1", 1, "main", 5000)
    play.cards("3S", "9H")
    play.take(CardsRead(("AC", "2C", "AS", "9H"), "layout"))
    question = play.game.asked("wrong_deck")
    assert question is not None
    assert "missing: 3♠; too many: A♠" in question.text


@pytest.mark.clause("melbourne-war", "3.1.1")
@pytest.mark.clause("star-war", "4.7")
@pytest.mark.parametrize("rulebook", ["melbourne-war", "star-war"])
def test_a_cutting_card_from_a_shuffler_suspends_the_table_with_the_reason(rulebook: str) -> None:
    play = open_table(rulebook, source="csm")
    play.card("CUT")
    assert play.table.state.life == "suspended"
    assert "cutting card" in play.table.state.faults["cutting_card_in_shuffler"].text


def test_a_doubtful_card_is_put_to_the_dealer_and_never_guessed() -> None:
    play = open_table("melbourne-war")
    play.lay("a", "P1", 1, "main", 5000)
    play.take(CardUnread("shoe", 2, "doubtful", (("KS", 61), ("QS", 55))))
    question = play.game.asked("unknown:")
    assert question is not None
    assert question.evidence["seen"] == [["KS", 61], ["QS", 55]]
    play.take(CardDrawn("shoe", 3, "9H", 99))
    assert play.phase == "ruling"
    play.answer("unknown:", "enter", face="1S")
    assert play.refusals()[-1].code == "bad_card"
    play.answer("unknown:", "enter", face="QS")
    assert play.phase == "interim"
    assert play.results()["a"].result == "win"


def test_a_card_pushed_back_after_it_was_told_was_never_drawn() -> None:
    play = open_table("melbourne-war")
    play.lay("a", "P1", 1, "main", 5000)
    play.take(CardDrawn("shoe", 2, "KS", 99))
    play.take(CardPushedBack("shoe", 2, "KS", True))
    play.take(CardDrawn("shoe", 3, "KS", 99))
    play.take(CardDrawn("shoe", 4, "9H", 99))
    assert [card.face for card in play.game.state.round.drawn] == ["2C", "KS", "9H"]
    assert play.game.state.shoe.cards.out["KS"] == 1


@pytest.mark.clause("melbourne-war", "9.11", "9.11.1")
def test_two_cards_at_once_in_unknown_order_wait_for_a_ruling() -> None:
    play = open_table("melbourne-war", source="csm")
    play.lay("a", "P1", 1, "main", 5000)
    play.take(TwoDrawn("shuffler", (1, 2), ("KS", "9H"), False))
    assert play.phase == "ruling"
    play.answer("double", "order", faces=["9H", "2H"])
    assert play.refusals()[-1].code == "bad_argument"
    play.answer("double", "order", faces=["9H", "KS"])
    assert play.results()["a"].result == "lose"


@pytest.mark.clause("star-war", "11.4")
def test_a_parked_card_opens_the_next_round_and_is_counted_once() -> None:
    play = open_table("star-war")
    play.lay("a", "P1", 1, "main", 5000)
    play.cards("TC", "6H", "KD")
    play.answer("surplus:", "unseen", rank=1)
    play.press("settled")
    drawn = play.game.state.shoe.cards.drawn
    play.press("place_bets")
    assert play.phase == "betting"
    play.lay("b", "P1", 1, "main", 5000)
    play.press("no_more_bets")
    play.card("QD")
    assert play.game.state.shoe.cards.drawn == drawn + 1
    assert play.results()["b"].result == "win"


@pytest.mark.clause("star-war", "7.2", "11.14")
def test_star_feeds_the_discards_after_each_first_deal() -> None:
    play = open_table("star-war", source="csm")
    round_of(play, "KS", "9H")
    play.press("place_bets")
    play.lay("b", "P1", 1, "main", 5000)
    play.cards("KD", "9D")
    assert play.game.state.shoe.feed_due
    play.press("fed")
    assert sorted(play.game.state.shoe.cards.out) == ["9D", "KD"]


@pytest.mark.clause("star-war", "5.1", "13.1")
def test_star_takes_no_stake_without_a_player_card() -> None:
    play = open_table("star-war")
    play.lay("x", "stranger", 4, "main", 5000)
    assert play.refusals()[-1].code == "no_player_card"
    assert play.refusals()[-1].clauses == ("5.1", "13.1")
    assert play.results()["x"].stake_returned == 5000


@pytest.mark.clause("melbourne-war", "1.2", "11.3", "11.4")
def test_fraud_needs_a_higher_rank_than_a_riot() -> None:
    play = open_table("melbourne-war")
    play.lay("a", "P1", 1, "main", 5000)
    play.cards("KS", "9H")
    play.press("cancel", rank=2, reason="fraud")
    assert play.phase == "ruling"
    play.answer("cancel", "rule", rank=3)
    assert play.refusals()[-1].code == "rank_too_low"
    play.answer("cancel", "rule", rank=4)
    assert play.phase == "over"
    ruled = [e for e in play.effects if isinstance(e, Ruled) and e.subject == "cancel"]
    assert ruled[-1].clauses == ("11.3", "11.5")


@pytest.mark.clause("perth-war", "6.2")
def test_three_rounds_without_a_stake_free_a_seat_at_perth_even_if_others_are_free() -> None:
    play = open_table("perth-war")
    play.lay("p", "P2", 2, "main", 5000)
    round_of(play, "KS", "KD", "9H")
    for _ in range(3):
        play.press("place_bets")
        round_of(play, "KS", "9H")
    told = [e for e in play.effects if isinstance(e, Announced) and e.code == "idle_seat"]
    assert [effect.text.split()[0] for effect in told] == ["P2"]
