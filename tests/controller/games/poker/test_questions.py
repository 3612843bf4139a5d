"""What people are asked about a hand: every question a remedy can put is declared, with every answer it leaves open."""

from __future__ import annotations

from itertools import product

import pytest

from controller.core.desk import Refusal
from controller.core.effects import Asked
from controller.games.poker.questions import QUESTIONS, Ruling
from controller.games.poker.remedies import _REMEDIES, Facts, Irregularity, remedy
from controller.games.poker.state import choices
from tests.controller.games.poker.play import PokerPlay

WITHOUT_A_REMEDY = {"settled_side_wagers", "time_to_act_is_over", "string_bet", "late_announcement"}
"""Asked by the hand itself, with all their answers."""
SHOWN = ("2c", "3c", "4c", "5c")
KNOWN = [
    Facts(street, SHOWN[:shown], ("6c",) if extra else (), burned, actors, substantial, 1, acted, correctable)
    for street in ("flop", "turn", "river")
    for shown in (1, 2, 4)
    for actors in (0, 1, 2)
    for extra, burned, substantial, acted, correctable in product((False, True), repeat=5)
]


def declared(subject: str) -> set[str]:
    [question] = [one for one in QUESTIONS if one.subject == subject]
    return {answer.answer for answer in question.answers}


@pytest.mark.parametrize("what", _REMEDIES)
def test_what_the_rules_leave_open_about_an_irregularity_is_what_its_question_declares(what: Irregularity) -> None:
    left_open = {choice for facts in KNOWN for choice in choices(remedy(what, facts))}
    assert left_open == declared(what)


def test_there_is_a_question_for_each_irregularity_and_for_what_the_hand_asks_itself() -> None:
    assert {one.subject for one in QUESTIONS} == {*_REMEDIES, *WITHOUT_A_REMEDY}


def test_every_answer_has_words_and_is_handed_to_the_hand() -> None:
    for question in QUESTIONS:
        assert isinstance(question, Ruling)
        assert all(answer.label and not answer.asks for answer in question.answers), question.subject


@pytest.mark.clause("melbourne-poker", "9.1.1")
def test_an_answer_that_the_hand_has_overtaken_is_refused() -> None:
    play = PokerPlay()
    asked = Asked("p1", "time_to_act_is_over", "?", {}, "check", (), ("6.15",))
    with pytest.raises(Refusal, match="This question has been overtaken"):
        play.game.check_answer(asked, "check", {})
