"""What is looked for in the store is found, and nothing beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from floor.store.schema import ROUNDS
from floor.web.lookup import Wanted, rounds
from tests.floor.tables import floor_at, heard, played

CLAUSES = ("|7.1|", "|7.10|", "|2.2|7.1(a)|", "|17.1|", "|7.1.3|", "|7.1 [Table 2]|")


@pytest.mark.parametrize(
    ("clause", "found"),
    [
        ("7.1", {"|7.1|", "|2.2|7.1(a)|", "|7.1.3|", "|7.1 [Table 2]|"}),
        ("7.10", {"|7.10|"}),
        ("7.1(a)", {"|2.2|7.1(a)|"}),
        ("7", set(CLAUSES) - {"|17.1|"}),
        ("7_1", set()),
        ("%", set()),
    ],
)
def test_a_clause_finds_its_own_parts_and_no_other_of_a_longer_number(
    tmp_path: Path, clause: str, found: set[str]
) -> None:  # fmt: skip
    path, _ = played("war", 12)
    intake = floor_at(tmp_path, path)
    intake.take(list(heard(path)))
    with intake.engine.begin() as store:
        for one, clauses in zip(rounds(store, Wanted()), CLAUSES, strict=False):
            store.execute(update(ROUNDS).where(ROUNDS.c.first == one["first"]).values(clauses=clauses))
        store.execute(update(ROUNDS).where(ROUNDS.c.clauses.not_in(CLAUSES)).values(clauses=""))
        shown = {"|" + "|".join(one["clauses"]) + "|" for one in rounds(store, Wanted(clause=clause))}
    intake.engine.dispose()
    assert shown == found


def test_a_round_is_found_by_its_number_and_names_in_small_letters_as_in_large_ones(tmp_path: Path) -> None:
    path, _ = played("war", 4)
    intake = floor_at(tmp_path, path)
    intake.take(list(heard(path)))
    with intake.engine.begin() as store:
        store.execute(update(ROUNDS).values(dealer="WAR-07"))
        every = rounds(store, Wanted())
        one = every[-1]
        name, player = one["name"], one["wagers"][0]["player"]

        def numbers(**wanted: Any) -> list[int]:
            return [found["round"] for found in rounds(store, Wanted(**wanted))]

        assert numbers(round=one["round"]) == [one["round"]]
        assert numbers(round=10_000) == []
        for said in (name, name.lower(), name.upper(), one["slug"]):
            assert numbers(table=said, round=one["round"]) == [one["round"]]
        assert numbers(dealer="war-07") == numbers(dealer=" WAR-07 ") == [found["round"] for found in every]
        assert numbers(dealer="war-7") == []
        assert numbers(player=player.swapcase()) == numbers(player=player) != []
        assert numbers(outcome=one["outcome"].upper(), round=one["round"]) == [one["round"]]
    intake.engine.dispose()
