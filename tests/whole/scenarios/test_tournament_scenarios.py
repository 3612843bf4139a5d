"""Tournaments as scenarios: tables, a floor and a hall under one clock."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from lab.scenarios.file import Case, ScenarioError, case_of, read_cases
from lab.scenarios.play import play_case

CASES = read_cases(Path(__file__).parent / "tournament.json")


def _parameters() -> list[ParameterSet]:
    marks = [[pytest.mark.clause(case.rulebook, *case.body["clauses"])] if "clauses" in case.body else []
             for case in CASES]  # fmt: skip
    return [pytest.param(case, id=case.id, marks=found) for case, found in zip(CASES, marks, strict=True)]


@pytest.mark.parametrize("case", _parameters())
def test_the_event_goes_as_the_case_says(case: Case) -> None:
    assert play_case(case).errors == []


def changed(name: str, **changes: object) -> Case:
    body = copy.deepcopy(next(case.body for case in CASES if case.id == name))
    return case_of("here", 0, {**body, **changes})


def test_what_comes_otherwise_than_expected_fails_the_case() -> None:
    case = changed("tw-02", expected={"entered": 2, "event": "running"})
    assert play_case(case).errors == ["entered: 1, expected 2", "event: entering, expected running"]


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("tw-07", {"steps": [{"do": "bgin"}]}, "'bgin' is no word of steps; did you mean 'begin'"),
        ("tw-07", {"steps": [{"do": "round", "stake": {}}]}, "'stake' means nothing here; did you mean 'stakes'"),
        ("tw-07", {"terms": {"sessions.9.rounds": 3}}, "no place 'sessions.9.rounds' in the terms of war"),
        ("tw-07", {"expected": {"bank": {}}}, "'bank' means nothing here; did you mean 'banks'"),
        ("tw-02", {"steps": [{"do": "press", "key": "brifed"}]}, "no key 'brifed'; did you mean 'briefed'"),
        (
            "tw-08",
            {"steps": [{"do": "begin"}, {"do": "round", "stakes": {"7": {"main": 500}}}]},
            "7 does not play here",
        ),
        ("tw-08", {"steps": [{"do": "begin"}, {"do": "round", "cards": ["1S"]}]}, "'1S' is in no deck"),
        ("tw-08", {"steps": [{"do": "move_start", "to": "25:99", "told": " "}]}, "told: nothing is said"),
        ("tw-08", {"steps": [{"do": "enter", "entrant": "<b>"}]}, "entrant: '<b>' is no name"),
        ("tw-23", {"steps": [{"do": "cut"}]}, "say which table"),
        ("tw-23", {"steps": [{"do": "cut", "table": "CW-3"}]}, "no table 'CW-3'"),
    ],
)
def test_a_case_that_is_wrong_itself_is_refused_with_the_place_and_the_nearest(name, changes, message) -> None:
    with pytest.raises(ScenarioError, match="here: ") as wrong:
        play_case(changed(name, **changes))
    assert message in str(wrong.value)
