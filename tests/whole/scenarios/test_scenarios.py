"""Every scenario file, through simulated devices, frames, drivers, journal and table."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from lab.scenarios.file import Case, ScenarioError, read_cases
from lab.scenarios.play import play_case

HERE = Path(__file__).parent
PLAYED = [
    "wheel.json", "wheel-felt.json", "wheel-odds.json", "war.json", "war-more.json", "war-protection.json",
    "war-notices.json",
    "war-clauses.json", "poker-hands.json", "poker-felt.json", "poker-clauses.json",
]  # fmt: skip


def _cases() -> list[Case]:
    return [case for name in PLAYED for case in read_cases(HERE / name)]


def _parameters() -> list[ParameterSet]:
    found = []
    for case in _cases():
        proves = case.body.get("clauses", [])
        marks = [pytest.mark.clause(case.rulebook, *proves)] if proves else []
        found.append(pytest.param(case, id=case.id, marks=marks))
    return found


@pytest.mark.parametrize("case", _parameters())
def test_the_case_ends_as_the_rulebook_says(case: Case) -> None:
    outcome = play_case(case)
    assert outcome.errors == []


@pytest.mark.clause("melbourne-war", "11.6")
@pytest.mark.clause("star-war", "13.7")
def test_whoever_has_the_choice_of_war_is_told_what_there_is_and_never_what_to_take() -> None:
    cases = [case for case in _cases() if case.id in ("mel-odds-lost", "star-odds-lost")]
    for case in cases:
        asked = [one for one in play_case(case).prompts if one["subject"].startswith("choice:")]
        assert [one["proposal"] for one in asked] == ["", ""]
    assert len(cases) == 2


def test_an_expectation_that_is_not_met_fails_the_case() -> None:
    case = next(case for case in _cases() if case.id == "BW-012")
    case.body["expected"]["wagers"][0]["pays"] = 11
    outcome = play_case(case)
    assert not outcome.ok
    assert outcome.errors == ["wager a: pays is 10, expected 11"]


def poker_seats(game: str, seats: str) -> str:
    """A hand of this game with these stacks by seat."""
    return f'{{"id": "x", "rulebook": "melbourne-poker", "game": "{game}", "seats": {seats}}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        (
            '{"id": "x", "rulebook": "melbourne-wheel", "spin": {}, "spin": {}}',
            "'spin' is said twice in one object, in x",
        ),
        ('{"cases": [], "meta": {}, "case": 1}', "'case' means nothing beside 'cases'; did you mean 'cases'"),
        (poker_seats("holdem", '{"1": 100, "12": 100}'), "seat: a whole number from 1 to 11, not 12"),
        (poker_seats("holdem", '{"1": 100, "-2": 100}'), "seat: a whole number from 1 to 11, not '-2'"),
        (poker_seats("holdem", '{"1": 100, "2": 0}'), "stack: an amount above nothing"),
        (poker_seats("holdem", '[{"seat": 1, "stack": 5}, {"seat": 1, "stack": 5}]'), "a seat is told twice"),
        (poker_seats("omaha", '{"1": 100, "11": 100}'), "Omaha is for 2 to 10 players, not 11"),
        (
            '{"id": "x", "rulebook": "melbourne-wheel", "wagers": [{"symbol": "A", "amount": 0}]}',
            "an amount above nothing, not 0",
        ),
        (
            '{"id": "x", "rulebook": "melbourne-wheel", "faults": [{"device": "mat", "fault": "drop", "rate": 2}]}',
            "a number of chance from 0 to 1, not 2",
        ),
        ('{"rulebook": "melbourne-wheel"}', "'id' is missing"),
        ('{"id": "x", "rulebook": "melbourne-weel"}', "melbourne-wheel"),
        (
            '{"id": "x", "rulebook": "melbourne-wheel", "wager": []}',
            "'wager' means nothing here; did you mean 'wagers'",
        ),
        ('{"id": "x", "rulebook": "melbourne-wheel", "config": {"optoin": 1}}', "'optoin' means .*'option'"),
        ('{"id": "x", "rulebook": "melbourne-wheel", "config": {"option": 9}}', "option 9"),
        ('{"id": "x", "rulebook": "melbourne-wheel", "wagers": [{"symbol": "Z", "amount": 5}]}', "no symbol 'Z'"),
        (
            '{"id": "x", "rulebook": "melbourne-wheel", "wagers": [{"symbol": "A", "amount": "5"}]}',
            "an amount in dollars",
        ),
        ('{"id": "x", "rulebook": "melbourne-wheel", "wagers": [{"symbol": "A", "amount": 0.005}]}', "whole cents"),
        ('{"id": "x", "rulebook": "melbourne-wheel", "spin": {"rest_compartment": 52}}', "0 to 51"),
        (
            '{"id": "x", "rulebook": "melbourne-wheel", "spin": {"direction": "up"}}',
            "'up' is none of its words; known here: clockwise, anti",
        ),
        ('{"id": "x", "rulebook": "melbourne-wheel", "faults": [{"device": "weel", "fault": "drop"}]}', "weel"),
        ("[1]", "must be an object"),
    ],
)
def test_a_wrong_file_is_told_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "case.json"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=message):
        _play_all(path)


def _play_all(path: Path) -> None:
    for case in read_cases(path):
        play_case(case)
