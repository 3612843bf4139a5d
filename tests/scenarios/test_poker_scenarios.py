"""Poker cases that are whole hands, through simulated devices, frames, drivers, sealer, journal and table."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.scenario.file import Case, ScenarioError, read_cases
from controller.scenario.play import play_case

CASES = read_cases(Path(__file__).parent / "poker.json")
HANDS = [case for case in CASES if {"hands", "board"} <= set(case.body["inputs"])]
QUESTIONS = [case for case in CASES if case not in HANDS]


def _parameters() -> list[object]:
    return [
        pytest.param(case, id=case.id, marks=pytest.mark.clause(case.rulebook, *case.body["clauses"])) for case in HANDS
    ]


@pytest.mark.parametrize("case", _parameters())
def test_the_hand_is_dealt_and_played_and_ends_as_the_rulebook_says(case: Case) -> None:
    outcome = play_case(case)
    assert outcome.errors == []


def test_a_single_question_about_the_rules_is_no_hand() -> None:
    assert len(HANDS) == 22
    for case in QUESTIONS[:5]:
        with pytest.raises(ScenarioError, match="single question"):
            play_case(case)


def test_an_expectation_that_is_not_met_fails_the_hand() -> None:
    case = next(case for case in HANDS if case.id == "CP-028")
    wrong = Case(case.where, {**case.body, "expected": {**case.body["expected"], "award": {"1": 401}}})
    outcome = play_case(wrong)
    assert not outcome.ok
    (error,) = outcome.errors
    assert error.startswith("award is")
    assert error.endswith("expected {'1': 401}")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"config": {"game": "Stud"}}, "no game 'Stud'"),
        ({"config": {"structure": "wild"}}, "no structure 'wild'"),
        ({"config": {"blinds": [10, 5], "min": 10}}, "6.4"),
        ({"config": {"rake": {"percent": 11, "cap": 5}}}, "7.2.1"),
        ({"config": {"bilnds": [5, 10]}}, "unknown key 'bilnds'"),
        ({"seats": {"1": 100}}, "two seats or more"),
        ({"seats": {"1": 100, "2": "x"}}, "amount in dollars"),
        ({"deck": ["As", "Zz"]}, "'Zz' is no card"),
        ({"deck": ["As", "As"]}, "stands twice"),
        ({"actions": [{"do": "dance"}]}, "'do' is one of"),
        ({"expected": {"awrads": {}}}, "unknown key 'awrads'"),
    ],
)
def test_a_wrong_case_is_told_with_its_place(change: dict[str, object], message: str) -> None:
    body = {"id": "x", "rulebook": "melbourne-poker", "seats": {"1": 100, "2": 100}, "button": 2, **change}
    with pytest.raises(ScenarioError) as refused:
        play_case(Case("file: x", body))
    assert message in str(refused.value)
