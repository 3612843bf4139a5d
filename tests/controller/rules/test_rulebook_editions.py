"""What names an edition names its very text; clauses of an amendment are found under its name alone."""

from __future__ import annotations

import pytest

from controller import rules
from controller.config.tomlread import ConfigError
from controller.games.war.rules import war_rules
from controller.rules import clauses
from controller.rules.rulebook import load_rulebook
from tests.controller.rules.amendments import BOOK, amended_text


def test_an_amended_edition_stands_beside_the_carried_one() -> None:
    name = rules.hold(BOOK, amended_text())
    assert rules.carried(name) == BOOK
    assert war_rules(name).odds.main == 2
    assert war_rules(BOOK).odds.main == 1
    assert load_rulebook(name).id == BOOK, "ranks of staff are of the rulebook, whatever its edition"


def test_two_texts_never_share_a_name() -> None:
    assert rules.hold(BOOK, amended_text(version="5.1")) != rules.hold(BOOK, amended_text(version="5.2"))


def test_clauses_of_an_amendment_are_its_own() -> None:
    name = rules.hold(BOOK, amended_text())
    assert clauses.find(name, "8.1 [Table 1: Casino War Wager]").does == "A higher card wins two to one."
    assert clauses.find(name, "8.1A").does == "A clause that the amendment adds."
    assert not clauses.exists(BOOK, "8.1A")
    assert clauses.find(BOOK, "8.1 [Table 1: Casino War Wager]").does != "A higher card wins two to one."


def test_an_edition_nobody_has_is_unknown() -> None:
    with pytest.raises(ConfigError, match="no rulebook"):
        load_rulebook(f"{BOOK}@0123456789abcdef")


def test_an_edition_without_its_act_is_refused() -> None:
    name = rules.hold(BOOK, amended_text().partition("[amendment]")[0])
    with pytest.raises(ConfigError, match="by what act"):
        load_rulebook(name)


@pytest.mark.parametrize(
    ("said", "instead", "told"),
    [
        ('reference = "GOV 2027/14"', 'reference = ""', "reference"),
        ("effective = 2027-02-01T06:00:00+11:00", "effective = 2027-02-01T06:00:00", "effective"),
        ("effective = 2027-02-01T06:00:00+11:00", 'effective = "soon"', "effective"),
        ("approved = 2018-12-01\n", "approved = 2028-12-01\n", "before it was approved"),
        ("approved = 2018-12-01\n", "", "'approved' is missing"),
        ('id = "melbourne-war"', 'id = "star-war"', "not the file's own name"),
    ],
)
def test_what_an_amendment_must_say_is_asked_for(said: str, instead: str, told: str) -> None:
    text = amended_text()
    assert said in text
    with pytest.raises(ConfigError, match=told):
        load_rulebook(rules.hold(BOOK, text.replace(said, instead, 1)))
