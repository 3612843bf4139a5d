"""Every case of tests/whole/scenarios/poker.json: whole hands through the hand, single questions through the rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests import SCENARIOS
from tests.controller.games.poker import answers_remedies as poker_answers_remedies
from tests.controller.games.poker import answers_table as poker_answers_table
from tests.controller.games.poker import answers_wagers as poker_answers_wagers

Case = dict[str, Any]
CASES: list[Case] = json.loads((SCENARIOS / "poker.json").read_text(encoding="utf-8"))
ANSWERS: dict[str, Callable[[Case, Case], Case]] = {
    name: answer
    for module in (poker_answers_wagers, poker_answers_table, poker_answers_remedies)
    for name, answer in vars(module).items()
    if name.startswith("cp_")
}


def _name(case: Case) -> str:
    name: str = case["id"].lower().replace("-", "_")
    return name


def _parameters() -> list[Any]:
    return [
        pytest.param(case, id=case["id"], marks=pytest.mark.clause(case["rulebook"], *case["clauses"]))
        for case in CASES
    ]


@pytest.mark.parametrize("case", _parameters())
def test_the_case_comes_out_as_written(case: Case) -> None:
    wanted = {key: value for key, value in case["expected"].items() if key != "note"}
    assert ANSWERS[_name(case)](case["inputs"], case) == wanted


def test_every_case_is_answered_and_every_answer_has_its_case() -> None:
    assert set(ANSWERS) == {_name(case) for case in CASES}
