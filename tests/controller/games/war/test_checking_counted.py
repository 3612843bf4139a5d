"""Cards counted after gaming and cards read one by one by people: what is recorded, and what a wrong finding stops."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.war.cards import FACES
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, clause, codes, noted, opened
from tests.controller.games.war.rulings import HOUSES, WON, gone_home, money, next_round, staked

SET = [*FACES] * 6
COUNTED = {MELBOURNE: ("3.2",), PERTH: ("2.2",), STAR: ("3.8",)}


def finding(play: Play) -> str:
    asked = play.game.asked("wrong_deck")
    return str(asked.evidence["finding"]) if asked else ""


# -- the count after gaming -------------------------------------------------------------------------------------------


@clause(MELBOURNE, "3.2", "9.12.3")
@pytest.mark.parametrize(
    ("answer", "told", "counted"),
    [
        ("complete", {}, 312),
        ("complete", {"count": 312}, 312),
        ("complete", {"count": 311}, 311),
        ("wrong", {}, 0),
        ("wrong", {"count": 313}, 313),
        ("wrong", {"count": 312}, 312),
    ],
)
def test_the_count_after_gaming_is_recorded_and_only_a_right_one_leaves_the_cards_in_use(
    answer: str, told: dict[str, int], counted: int
) -> None:
    play = gone_home(opened(MELBOURNE))
    play.answer("count", answer, rank=1, **told)
    assert noted(play, "card_count") == [{"expected": 312, "counted": counted, "by": "rank1"}]
    text = f"{counted} cards were counted after gaming, there should be 312."
    right = (answer, counted) == ("complete", 312)
    assert play.phase == ("unchecked" if right else "blocked")
    assert play.game.view()["blocked"] == (None if right else {"why": text, "needs": ["new cards"]})
    alarms = play.table.state.desk.alarms
    assert [(one.text, one.clauses) for one in alarms.values()] == (
        [] if right else [(text, ("9.12.2", "9.12.1", "9.12.3"))]
    )


@clause(MELBOURNE, "3.2", "9.12.3")
def test_cards_that_were_blocked_before_are_blocked_for_their_count_as_well() -> None:
    play = staked(MELBOURNE, "Ann")
    play.card("JOKER")
    play.answer("wrong_deck", "void")
    play.press("place_bets")
    assert play.phase == "blocked"
    gone_home(play)
    play.answer("count", "wrong", count=300)
    assert play.phase == "blocked"
    assert play.game.view()["blocked"]["why"] == "300 cards were counted after gaming, there should be 312."


# -- read one by one --------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "3.2")
@clause(PERTH, "2.2")
@clause(STAR, "3.8")
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({}, "bad_argument"),
        ({"faces": []}, "bad_argument"),
        ({"faces": " , "}, "bad_argument"),
        ({"faces": ["ac"]}, "bad_card"),
        ({"faces": ["AC"], "where": "shelf"}, "not_there"),
    ],
)
def test_a_reading_that_names_no_cards_or_no_place_is_refused(house: str, told: dict[str, Any], code: str) -> None:
    play = opened(house)
    play.press("read_cards", rank=3, **told)
    clauses = COUNTED[house] if code == "bad_argument" else (play.game.keys["read_cards"].clause,)
    assert [(one.code, one.clauses) for one in play.refusals()] == [(code, clauses)]
    assert noted(play, "cards_read") == []


@clause(MELBOURNE, "3.2", "9.12.2")
@clause(PERTH, "2.2")
@clause(STAR, "3.8", "11.17.2")
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(
    ("faces", "words"),
    [
        (SET, "complete"),
        ([face for face in SET if face != "AC"], "missing: A♣, A♣, A♣, A♣, A♣, A♣"),
        ([*SET, "KD", "KD"], "too many: K♦, K♦"),
        ([*SET[1:], "JOKER"], "missing: 2♠; foreign: JOKER"),
    ],
)
def test_a_set_read_by_people_is_held_against_the_decks_card_by_card(house: str, faces: list[str], words: str) -> None:
    play = opened(house)
    play.press("read_cards", rank=3, faces=faces)
    assert noted(play, "cards_read") == [{"cards": len(faces), "finding": words}]
    assert finding(play) == ("" if words == "complete" else f"The set is not 6 decks: {words}.")


@clause(MELBOURNE, "3.2", "9.12.2")
@clause(PERTH, "2.2")
@clause(STAR, "3.8", "11.17.2")
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(
    ("faces", "words"),
    [
        (["5S", "KH"], "complete"),
        (["5S", "KH", "KH"], "too many: K♥"),
        (["5S"], "missing: K♥"),
        (["5S", "AH", "JOKER", "JOKER"], "missing: K♥; too many: A♥; foreign: JOKER, JOKER"),
    ],
)
def test_cards_picked_up_are_those_that_were_dealt_and_the_cutting_card_is_none(
    house: str, faces: list[str], words: str
) -> None:
    play = next_round(house, "Ann")
    play.cards("KH", "CUT", "5S")
    play.press("settled")
    play.press("read_cards", rank=3, faces=faces, where="layout")
    assert noted(play, "cards_read") == [{"cards": len(faces), "finding": words}]
    dealt = f"The cards picked up are not those that were dealt: {words}."
    assert finding(play) == ("" if words == "complete" else dealt)
    assert (play.phase, money(play)["mAnn"]) == ("over", WON)


@clause(MELBOURNE, "3.2")
@clause(STAR, "3.8")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_an_ordered_check_is_done_when_the_whole_set_was_read_and_not_before(house: str) -> None:
    play = next_round(house, "Ann")
    play.card("KH")
    play.press("order_check", rank=3)
    play.card("5S")
    play.press("settled")
    play.press("read_cards", rank=3, faces=["KH", "5S"], where="layout")
    play.press("place_bets")
    assert (codes(play), play.phase) == (["check_due"], "over")
    play.press("read_cards", rank=3, faces=SET)
    play.press("place_bets")
    assert (codes(play), play.phase) == (["check_due"], "betting")
