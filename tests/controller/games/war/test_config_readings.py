"""A house's own reading of its document binds the set-up of its tables like the document itself."""

from __future__ import annotations

from typing import Any

from controller.core.desk import Limits
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause, wrong


def read(option: str, choice: Any, **config: Any) -> dict[str, Any]:
    return {"readings": {option: choice}, **config}


@clause(MELBOURNE, "2.3 [second sentence]")
def test_a_house_that_reads_that_no_shuffler_is_used_opens_no_table_with_one() -> None:
    assert wrong(MELBOURNE, **read("cards.shuffler", False, source="csm")) == [("source", "2.3 [second sentence]")]
    assert wrong(MELBOURNE, **read("cards.shuffler", False)) == []
    assert wrong(MELBOURNE, **read("cards.shuffler", True, source="csm")) == []


@clause(MELBOURNE, "4.3.1")
def test_a_house_that_reads_the_burn_as_due_opens_no_table_without_it() -> None:
    assert wrong(MELBOURNE, **read("shoe.start_burn_optional", False, start_burn=False)) == [("start_burn", "4.3.1")]
    assert wrong(MELBOURNE, **read("shoe.start_burn_optional", False)) == []


@clause(MELBOURNE, "6.2.3")
@clause(PERTH, "5.7(b)")
@clause(STAR, "6.1")
def test_where_stakes_are_cut_to_the_unit_the_minimum_is_so_many_units_and_where_they_are_not_it_need_not_be() -> None:
    odd = Limits(1200, 5000, 500, 250)
    assert wrong(MELBOURNE, odd, **read("limits.off_unit", "unit_below")) == [("min", "6.2.3")]
    assert wrong(STAR, odd, **read("limits.off_unit", "unit_below")) == [("min", "6.1")]
    assert wrong(PERTH, odd, **read("limits.off_unit", "as_placed")) == []
    assert wrong(PERTH, odd) == [("min", "5.7(b)")]


@clause(PERTH, "6.11", "2.2")
def test_beside_a_reading_that_is_not_open_everything_else_that_is_wrong_is_told_as_well() -> None:
    assert wrong(PERTH, decks=5, **read("odds.tie", 11)) == [("decks", "2.2"), ("options", "6.11")]
