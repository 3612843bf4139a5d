"""Every written case of Casino War, by the rules alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests import SCENARIOS
from tests.controller.games.war.play import Played

CASES = [case for name in ("war.json", "war-more.json") for case in json.loads((SCENARIOS / name).read_text())["cases"]]


def parameters() -> list[Any]:
    found = []
    for case in CASES:
        marks = [pytest.mark.clause(case["rulebook"], *case["clauses"])] if case.get("clauses") else []
        found.append(pytest.param(case, id=case["id"], marks=marks))
    return found


@pytest.mark.parametrize("case", parameters())
def test_the_case_ends_as_the_house_says(case: dict[str, Any]) -> None:
    assert Played(case).differences() == []


def test_a_case_that_expects_something_else_is_told_so() -> None:
    case = json.loads(json.dumps(CASES[0]))
    case["expected"][0]["pays"] = 51
    case["to"][1] = "discard"
    assert Played(case).differences() == [
        "a: pays 50.0, not 51",
        "cards lie at ['box1', 'dealer'], expected ['box1', 'discard']",
    ]
