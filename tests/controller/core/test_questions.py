"""A question and what is done with its answers fit together, or the program does not start."""

from __future__ import annotations

from typing import Any

import pytest

from controller import games
from controller.core.desk import Ask, Refusal
from controller.core.effects import Asked
from controller.core.questions import Answer, Question, Questions
from controller.core.rows import BadDeclaration
from controller.games.wheel.questions import QUESTIONS
from controller.people import Person
from controller.rules.rulebook import load_rulebook

DEALER = Person("D", 1)
HOUSE = games.find("wheel").house(load_rulebook("melbourne-wheel"))
CENTS = Ask("cents", "money", "Amount")


class Spun(Question[Any]):
    """For the tests of questions."""

    subject, proposal = "spun", "yes"
    answers = (Answer("yes", "Yes", "dispute"), Answer("no", "No", "dispute", (CENTS,)))

    def yes(self, game: list[int], asked: Asked, by: Person) -> None:
        game.append(0)

    def no(self, game: list[int], asked: Asked, by: Person, *, cents: int) -> None:
        game.append(cents)


ASKED = Asked("p1", "spun", "?", {}, "yes", (), ())


def test_an_answer_is_given_what_it_asks_for_and_nothing_else() -> None:
    questions: Questions[list[int]] = Questions(Spun)
    told: list[int] = []
    questions.answered(told, ASKED, "yes", {"cents": 7}, DEALER)
    questions.answered(told, ASKED, "no", {"cents": 500}, DEALER)
    assert told == [0, 500]
    assert questions.asks(told, ASKED, "no") == (CENTS,)
    with pytest.raises(Refusal, match="a whole number; got 'much'"):
        questions.check(told, ASKED, "no", {"cents": "much"})


def test_a_question_and_what_is_done_with_its_answers_fit_together_or_the_program_does_not_start() -> None:
    with pytest.raises(BadDeclaration, match=r"test_questions\.py:\d+: question Deaf: answer 'no' asks for something"):

        class Deaf(Question[Any]):
            subject, proposal = "deaf", "no"
            answers = (Answer("no", "No", "dispute", (CENTS,)),)

    with pytest.raises(BadDeclaration, match="answer 'no' reads cents, which it does not ask for"):

        class Curious(Question[Any]):
            subject, proposal = "curious", "no"
            answers = (Answer("no", "No", "dispute"),)

            def no(self, game: object, asked: Asked, by: Person, *, cents: int) -> None: ...

    with pytest.raises(BadDeclaration, match="there are two questions about 'spun'"):
        Questions(Spun, Spun)


def test_every_answer_of_the_wheels_questions_is_a_power_of_the_rulebook_and_is_done() -> None:
    for question in QUESTIONS:
        for answer in question.answers:
            assert answer.power in HOUSE.rulebook.powers, (question.subject, answer.answer)
            assert callable(getattr(question, answer.answer)), (question.subject, answer.answer)
