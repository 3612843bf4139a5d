"""Who may press which key, and the clause that says so: `who_may/` lists every key as read from the documents."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from controller.build import build_table
from controller.core.effects import AnyEffect, Refused
from controller.core.events import Command
from controller.core.table import Table
from controller.people import Person
from controller.rules import clauses
from controller.rules.rulebook import load_rulebook
from lab.sim.config import default_config

LISTS = Path(__file__).parent / "who_may"
LEVELS = {"dealer": 1, "HDD": 2, "TI": 2, "GS": 2, "AM": 3, "TGM": 3, "AGM": 3, "ACM": 4, "GM": 4}
HOUSE_KEYS = {
    "answer", "fill", "credit", "buy_in", "float_explained", "seen_to", "take_back", "sign_booking", "strike_booking",
    "correct_booking", "count_float", "count_box", "by_hand", "by_hand_over",
}  # fmt: skip
"""The house's own procedure: no clause speaks of them."""


class Held(NamedTuple):
    """A key of one rulebook, the least rank that may press it, the clause, and whether that names the rank itself."""

    rulebook: str
    key: str
    rank: str
    clause: str
    says_who: bool

    @property
    def mark(self) -> pytest.MarkDecorator:
        """A rank that is only the house's reading proves nothing about the clause."""
        return pytest.mark.clause(self.rulebook, self.clause) if self.says_who else pytest.mark.guards(self.rulebook)


def held(rulebook: str) -> list[Held]:
    text = (LISTS / f"{rulebook}.txt").read_text(encoding="utf-8")
    said, _, read = text.removeprefix("# the clause says who\n").partition("# the clause asks for the work")
    lines = [(line, True) for line in said.splitlines()] + [(line, False) for line in read.splitlines()[1:]]
    found = []
    for line, says_who in lines:
        key, rank, clause = line.split(maxsplit=2)
        found.append(Held(rulebook, key, rank, clause, says_who))
    return found


def table(rulebook: str) -> Table:
    game = load_rulebook(rulebook).game
    return build_table(default_config(game, rulebook=rulebook))


def pressed(rulebook: str, key: str, rank: int) -> list[AnyEffect]:
    return table(rulebook).apply(1, 0, Command(key, Person("S", rank)))


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(one, id=f"{one.rulebook}-{one.key}", marks=one.mark)
        for rulebook in clauses.rulebooks()
        for one in held(rulebook)
    ],
)
def test_a_key_is_refused_below_its_rank_with_its_clause_and_taken_from_it_on(one: Held) -> None:
    level = LEVELS[one.rank]
    (refused,) = (effect for effect in pressed(one.rulebook, one.key, level - 1) if isinstance(effect, Refused))
    assert (refused.code, refused.clauses) == ("rank_too_low", (one.clause,))
    titles = ["of no rank here", *(rank.name for rank in load_rulebook(one.rulebook).ranks)]
    assert f"needs {titles[level]} or above; S is {titles[level - 1]}." in refused.text
    told = pressed(one.rulebook, one.key, level)
    assert not [effect for effect in told if isinstance(effect, Refused) and effect.code == "rank_too_low"]


@pytest.mark.parametrize("rulebook", clauses.rulebooks())
def test_every_key_of_a_table_is_listed(rulebook: str) -> None:
    there = table(rulebook)
    assert {one.key for one in held(rulebook)} == {*there.keys, *there.game.keys} - HOUSE_KEYS


@pytest.mark.clause("star-war", "1.1 [Gaming Supervisor]", "1.1 [Gaming Manager]")
def test_a_rank_that_the_rulebook_does_not_know_may_press_nothing() -> None:
    assert [load_rulebook("star-war").level(rank) for rank in ("HDD", "dealer", "GS", "GM")] == [0, 1, 2, 4]
