"""A ruling is told with the question it answers, whoever asked it when, and a power with the key that used it."""

from __future__ import annotations

from controller.core.effects import Asked, Noted, Option, Ruled
from controller.core.events import Command, TimerDue
from controller.journal.rulings import Ruling, Rulings
from controller.people import Person

ASKED = Asked(
    "p1",
    "choice:6:Ann",
    "Box 6, Ann: war with another $50, or surrender half?",
    {},
    "",
    (Option("war", "Go to war", 1, "7.4.5"), Option("surrender", "Surrender half", 1, "7.4.5")),
    ("7.4.2(c)", "7.4.5"),
)
ANSWER = Command("answer", Person("S1", 1), {"prompt": "p1", "answer": "surrender"})
RULED = Ruled("choice:6:Ann", "surrender", "S1", 1, ("7.4.5",), "as she said", "p1")


def test_an_answer_stands_with_its_question_in_the_words_of_whoever_gave_it() -> None:
    rulings = Rulings()
    assert list(rulings.follow(1, 1000, TimerDue("x"), [ASKED])) == []
    (ruling,) = rulings.follow(2, 2000, ANSWER, [RULED])
    assert (ruling.seq, ruling.at, ruling.by, ruling.rank, ruling.key) == (2, 2000, "S1", 1, "")
    assert ruling.clauses == ("7.4.5", "7.4.2(c)")
    said = "Box 6, Ann: war with another $50, or surrender half? Surrender half (as she said)"
    assert ruling.in_words() == said


def test_a_question_that_was_open_before_is_known_where_the_table_before_it_is() -> None:
    (ruling,) = Rulings({"p1": ASKED}).follow(2, 2000, ANSWER, [RULED])
    assert ruling.question == ASKED.text


def test_without_its_question_an_answer_is_told_by_its_subject_alone() -> None:
    rulings = Rulings({"p1": ASKED})
    list(rulings.follow(1, 1000, TimerDue("x"), [Noted("question_withdrawn", {"prompt": "p1", "subject": "x"})]))
    (ruling,) = rulings.follow(2, 2000, ANSWER, [RULED])
    assert (ruling.question, ruling.about, ruling.in_words()) == ("", "Choice", "Choice: surrender (as she said)")


def test_a_power_is_told_with_the_key_that_used_it() -> None:
    pressed = Command("check_cards", Person("S1", 1), {"how": "by hand"})
    (ruling,) = Rulings().follow(3, 3000, pressed, [Ruled("check_cards", "by_hand", "S1", 1, ("3.2",))])
    assert ruling == Ruling(3, 3000, "check_cards", "by_hand", "", "by hand", "S1", 1, "", ("3.2",), "check_cards")
    assert ruling.in_words() == "Check cards: by hand"
