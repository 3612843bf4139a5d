"""A question and what is done with its answers fit together, or the program does not start."""

from __future__ import annotations

from typing import Any

import pytest

from controller import games
from controller.core.desk import Ask, Refusal
from controller.core.effects import Asked
from controller.core.questions import Answer, Question, Questions
from controller.core.rows import BadDeclaration
from controller.games.war.questions import QUESTIONS as WAR
from controller.games.wheel.questions import QUESTIONS as WHEEL
from controller.people import Person
from controller.rules.rulebook import load_rulebook
from tests.controller.core.reading import names_read

DEALER = Person("D", 1)
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
    with pytest.raises(Refusal, match="“yes” knows no 'cents' here"):
        questions.check(told, ASKED, "yes", {"cents": 7})
    questions.answered(told, ASKED, "yes", {"prompt": "p1", "answer": "yes", "reason": ""}, DEALER)
    questions.answered(told, ASKED, "no", {"cents": 500}, DEALER)
    assert told == [0, 500]
    assert questions.asks(told, ASKED, "no") == (CENTS,)
    with pytest.raises(Refusal, match="not 'much'; it needs an amount in dollars"):
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


def test_an_answer_called_like_a_method_of_every_question_is_done_like_one_without_a_method() -> None:
    class Timed(Question[list[str]]):
        subject, proposal = "timed", "check"
        answers = (Answer("check", "Check", "dispute"),)

        def otherwise(self, game: list[str], asked: Asked, answer: str, by: Person) -> None:
            game.append(answer)

    done: list[str] = []
    Questions(Timed).answered(done, Asked("p1", "timed", "?", {}, "check", (), ()), "check", {}, DEALER)
    assert done == ["check"]


QUESTIONS_OF: dict[str, Questions[Any]] = {"wheel": WHEEL, "war": WAR}


@pytest.mark.parametrize("game", QUESTIONS_OF)
def test_every_answer_is_a_power_of_a_rulebook_and_is_done(game: str) -> None:
    """Where the rulebook's remedy names the power, the question fills it in when it is put."""
    books = [book for book in games.rulebooks() if book.endswith(f"-{game}")]
    known = {power for book in books for power in load_rulebook(book).powers}
    for question in QUESTIONS_OF[game]:
        by_remedy = type(question).offered is not Question.offered
        by_itself = type(question).otherwise is not Question.otherwise
        for answer in question.answers:
            assert answer.power in known or (by_remedy and not answer.power), (question.subject, answer.answer)
            assert by_itself or callable(getattr(question, answer.answer)), (question.subject, answer.answer)


@pytest.mark.parametrize("game", QUESTIONS_OF)
def test_every_argument_of_an_answer_is_used_by_its_method(game: str) -> None:
    asked = 0
    for question in QUESTIONS_OF[game]:
        for answer in question.answers:
            if answer.asks:
                asked += 1
                used = names_read(getattr(question, answer.answer))
                assert {ask.name for ask in answer.asks} <= used, (question.subject, answer.answer)
    assert asked


HOUSE = games.find("wheel").house(load_rulebook("melbourne-wheel"))


class Lamp(Question[Any]):
    """A question as it should be."""

    subject, proposal = "lamp", "on"
    answers = (Answer("on", "On", "dispute"),)

    def text(self, game: Any, about: Any) -> str:
        return "Is it on?"

    def otherwise(self, game: Any, asked: Asked, answer: str, by: Person) -> None: ...


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"text": Question.text}, "it has no text"),
        ({"proposal": "of"}, "proposes 'of', which is none of its answers"),
        ({"otherwise": Question.otherwise}, "answer 'on' is done by nothing"),
        ({"answers": (Answer("on", "On", "disputes"),)}, "power 'disputes', which melbourne-wheel does not know"),
        ({"answers": (Answer("on", "On", ""),)}, "answer 'on' is nobody's power"),
        ({"answers": (Answer("on", "", "dispute"),)}, "answer 'on' has no words"),
        ({"answers": (Answer("on", "On", "dispute"), Answer("on", "Out", "dispute"))}, "two answers of one name"),
    ],
)
def test_a_question_that_could_not_be_put_or_answered_keeps_the_table_from_starting(
    change: dict[str, Any], why: str
) -> None:
    Questions(Lamp).check_house(HOUSE)
    with pytest.raises(BadDeclaration, match=r"test_questions\.py:\d+: question Lamp: .*" + why):
        Questions(type("Lamp", (Lamp,), {**change, "__module__": __name__})).check_house(HOUSE)
