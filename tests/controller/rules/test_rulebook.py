"""Every value of every rulebook file stands a second time in `rulebook_values/`, as it stood when last looked over.

A slip of the hand in a rulebook file is then told here, whatever else notices it. Whoever changes a value on purpose
changes both (running this file writes them anew); that a value does what its clause says is proved elsewhere.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from controller import games
from controller.rules import rulebook
from controller.rules.clauses import rulebooks
from controller.rules.rulebook import load_rulebook, rulebook_ids

HERE = Path(__file__).parent / "rulebook_values"
WORDS = {"title", "document", "version", "does", "question", "choice"}


def lines(value: Any, path: str = "") -> list[str]:
    """One line for each value, with the way to it; words for people are left out."""
    if isinstance(value, dict):
        inner = [(f"{path}.{key}" if path else key, one) for key, one in value.items() if key not in WORDS]
    elif isinstance(value, list):
        inner = [(f"{path}[{number}]", one) for number, one in enumerate(value)]
        if not inner:
            return [f"{path} = nothing"]
    else:
        return [f"{path} = {str(value).lower() if isinstance(value, bool) else value}"]
    return [line for way, one in inner for line in lines(one, way)]


@pytest.mark.parametrize("book", [pytest.param(book, marks=pytest.mark.guards(book)) for book in rulebooks()])
def test_the_rulebook_says_what_was_written_down_beside_it(book: str) -> None:
    written = (HERE / f"{book}.txt").read_text(encoding="utf-8").splitlines()
    now = lines(rulebook._document(book).values)
    changed = sorted(set(now) ^ set(written))
    assert now == written, f"{book}: {changed}; if that is meant, run 'python tests/controller/rules/test_rulebook.py'"


def test_the_second_writing_is_compared_with_the_file_itself() -> None:
    text = games.rulebooks()["star-war"].read_text(encoding="utf-8")
    values = tomllib.loads(text)
    assert "odds.war_equal_war = 2" in lines(values)
    values["odds"]["war_equal_war"] = 1
    assert lines(values) != (HERE / "star-war.txt").read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    for name in rulebooks():
        text = "\n".join(lines(rulebook._document(name).values)) + "\n"
        (HERE / f"{name}.txt").write_text(text, encoding="utf-8")


@pytest.mark.clause("melbourne-wheel", "1.2", "1.1 'Dealer'", "1.1 'TG Higher Duties Dealer'")
@pytest.mark.clause("melbourne-wheel", "1.1 'TG Area Manager'", "1.1 'TG Assistant Casino Manager'")
def test_each_power_needs_its_rank_and_every_higher_rank_has_it_too() -> None:
    book = load_rulebook("melbourne-wheel")
    assert book.ladder == ("dealer", "HDD", "AM", "ACM")
    needed = {"place_bets": 1, "idle_spin": 2, "close": 2, "invalidate_disruption": 2, "dispute": 3}
    needed |= {"personal_limit": 3, "invalidate_fraud": 4, "void_wager": 4}
    for power, level in needed.items():
        allowed = [book.may(rank, power) for rank in book.ladder]
        assert allowed == [step >= level for step in (1, 2, 3, 4)], power
    assert not book.may("stranger", "place_bets")


def test_ranks_belong_to_the_rulebook_for_poker_closes_and_cancels_differently() -> None:
    poker = load_rulebook("melbourne-poker")
    assert not poker.may("HDD", "close")
    assert poker.may("HDD", "invalidate_fraud")


def test_every_reading_of_the_wheel_names_a_clause_and_the_option_it_is_set_with() -> None:
    book = load_rulebook("melbourne-wheel")
    assert list(book.readings) == [f"W-A{number}" for number in range(1, 26)]


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_rulebook_file_loads_with_clauses_that_exist(rulebook: str) -> None:
    book = load_rulebook(rulebook)
    assert book.rulebook.version
    assert book.powers
