"""Poker cases that are whole hands, through simulated devices, frames, drivers, sealer, journal and table."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.scenarios.file import Case, ScenarioError, read_cases
from lab.scenarios.play import play_case
from lab.scenarios.poker.shapes import shape_of

CASES = read_cases(Path(__file__).parent / "poker.json")
HANDS = [case for case in CASES if {"hands", "board"} <= set(case.body["inputs"])]
NEVER_DEALT = "CP-104"
"""A card that was never dealt cannot be shown to a table."""
ASKED = [case for case in CASES if case not in HANDS and shape_of(case) is not None and case.id != NEVER_DEALT]
QUESTIONS = [case for case in CASES if case not in HANDS and case not in ASKED]


def _parameters(cases: list[Case]) -> list[object]:
    return [
        pytest.param(case, id=case.id, marks=pytest.mark.clause(case.rulebook, *case.body["clauses"])) for case in cases
    ]


@pytest.mark.parametrize("case", _parameters(HANDS))
def test_the_hand_is_dealt_and_played_and_ends_as_the_rulebook_says(case: Case) -> None:
    outcome = play_case(case)
    assert outcome.errors == []


@pytest.mark.parametrize("case", _parameters(ASKED))
def test_the_question_is_put_to_a_table_that_answers_as_the_rulebook_says(case: Case) -> None:
    outcome = play_case(case)
    assert outcome.errors == []
    assert "dealing" in outcome.states


@pytest.mark.parametrize("case", _parameters(ASKED[::6]))
def test_a_question_with_another_answer_expected_fails(case: Case) -> None:
    for name, value in case.body["expected"].items():
        other = Case(case.where, {**case.body, "expected": {name: [value, "and more"]}})
        assert not play_case(other).ok


def test_what_no_hand_can_show_is_no_hand() -> None:
    assert (len(HANDS), len(ASKED), len(QUESTIONS)) == (22, 57, 16)
    for case in QUESTIONS[:5]:
        with pytest.raises(ScenarioError, match="single question"):
            play_case(case)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"pct": 5, "cap": 15, "pott": 200}, "did you mean 'pot'?"),
        ({"structure": "fixed", "level": 10, "wager": [10, 20]}, "did you mean 'wagers'?"),
        ({"structure": "wild", "wagers": [10, 20]}, "no structure 'wild'"),
        ({"structure": "fixed", "wagers": [10, 20]}, "cannot be put to a table"),
    ],
)
def test_a_question_in_wrong_words_is_told_the_nearest(inputs: dict[str, object], message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        play_case(Case("file: x", {"id": "x", "rulebook": "melbourne-poker", "inputs": inputs}))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "action",
    [
        {"seat": 3, "do": "Raises to", "to": 40},
        {"seat": 3, "action": "raise", "amount": 40},
        {"seat": 3, "do": "raise-to", "to": 40, "note": "said aloud"},
    ],
)
def test_the_same_thing_in_other_words_is_the_same_thing(action: dict[str, object]) -> None:
    folds = [{"seat": 1, "do": "folds"}, {"seat": 2, "do": "Fold"}]
    body = {
        "id": "x",
        "rulebook": "melbourne-poker",
        "seats": {"1": 1000, "2": 1000, "3": 1000},
        "actions": [action, *folds],
        "expected": {"stacks": {"1": 995, "2": 990, "3": 1015}},
    }
    assert play_case(Case("file: x", body)).errors == []


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
        ({"actions": [{"do": "chek"}]}, "did you mean 'check'?"),
        ({"actions": [{"do": "bet", "seatt": 1, "to": 10}]}, "did you mean 'seat'?"),
        ({"actions": [{"do": "raise"}]}, "needs 'to'"),
        ({"actions": [{"do": "until", "street": "fourth"}]}, "needs 'street'"),
        ({"expected": {"awrads": {}}}, "unknown key 'awrads'"),
    ],
)
def test_a_wrong_case_is_told_with_its_place(change: dict[str, object], message: str) -> None:
    body = {"id": "x", "rulebook": "melbourne-poker", "seats": {"1": 100, "2": 100}, "button": 2, **change}
    with pytest.raises(ScenarioError) as refused:
        play_case(Case("file: x", body))
    assert message in str(refused.value)
