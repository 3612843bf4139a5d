"""Every case of tests/scenarios/poker.json: whole hands through the hand, single questions through the rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import poker_answers_remedies
import poker_answers_table
import poker_answers_wagers
import pytest

Case = dict[str, Any]
CASES: list[Case] = json.loads((Path(__file__).parents[1] / "scenarios" / "poker.json").read_text(encoding="utf-8"))
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
