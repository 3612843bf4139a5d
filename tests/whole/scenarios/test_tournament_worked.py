"""Worked cases of tournaments, played by whole tables, a floor and a hall; and what a case of one's own may say."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from lab.scenarios.file import Case, ScenarioError, case_of, read_cases
from lab.scenarios.play import play_case
from lab.scenarios.tournament.worked.before import NoWay, blinds, hands_before, in_rounds, stakes

CASES = read_cases(Path(__file__).parent / "tournament-worked.json")


def _parameters() -> list[Any]:
    return [
        pytest.param(
            case,
            id=case.id,
            marks=[pytest.mark.clause(case.rulebook, *case.body["clauses"])] if case.body["clauses"] else [],
        )
        for case in CASES
    ]


@pytest.mark.parametrize("case", _parameters())
def test_what_is_worked_out_by_hand_comes_about_at_whole_tables(case: Case) -> None:
    assert play_case(case).errors == []


def changed(name: str, **changes: object) -> Case:
    case = next(case for case in CASES if case.id == name)
    return case_of("here", 0, {**copy.deepcopy(case.body), **changes}, case.meta)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("tw-07", {"expected": {"bank": {"P1": 11100}}}, "bank: {'P1': 11000}, expected {'P1': 11100}"),
        ("tw-14", {"expected": {"answers": ["ok"] * 4}}, "answer 2: refused"),
        ("tw-16", {"expected": {"through": ["P2"]}}, "through: ['P1'], expected ['P2']"),
        (
            "tw-15",
            {"events": [{"do": "void_wager", "player": "P2", "by": "TD"}], "expected": {"bank": {"P2": 9000}}},
            "",
        ),
        ("tw-08", {"given": {"bank": {"P1": 7350}}}, "the smallest chip of the event is 100"),
        ("tw-22", {"expected": {"refused": {"what": "tie_odds", "clauses": ["8.1"]}}}, "the terms are refused with"),
    ],
)
def test_what_comes_otherwise_fails_the_case_and_says_what_came(name, changes, message) -> None:
    outcome = play_case(changed(name, **changes))
    assert outcome.ok is not bool(message)
    assert any(message in error for error in outcome.errors) or not message


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("tw-07", {"events": [{"do": "pas", "box": 1}]}, "'pas' is no word of worked events; did you mean 'pass'"),
        ("tw-07", {"events": [{"do": "pass", "bx": 1}]}, "'bx' means nothing here; did you mean 'box'"),
        ("tw-07", {"given": {"banks": {}}}, "'banks' means nothing here; did you mean 'bank'"),
        ("tw-07", {"terms": {"compulsry": 5}}, "did you mean 'compulsory'"),
        ("tw-01", {"terms": {"remove": ["plce"]}}, "did you mean 'place'"),
        ("tw-07", {"expected": {"scord": 1}}, "'scord' means nothing here; did you mean 'scored'"),
        ("tw-07", {"events": [{"do": "penalty", "what": "warning", "by": "dragon"}]}, "'dragon' is nobody"),
        ("tw-02", {"events": [{"do": "enter", "player": "P1", "at": "25:99"}]}, "'25:99' is no time of a day"),
        ("tp-02", {"events": [{"do": "bring_forward", "n": 3, "to": "25:99"}]}, "'25:99' is no time of a day"),
        ("tw-26", {"terms": {"withdraw": {"free_until": "25:99"}}}, "terms: withdraw: free_until: "),
        ("tw-07", {"terms": {"limits": 5}}, "terms: limits: an object, not 5"),
        ("tb-01", {"spin": {"rest_symbol": "Q"}}, "round: no 'Q' here; there is "),
        ("tp-09", {"events": [{"do": "counted", "PK-9": 1}]}, "a count of each of PK-1, PK-2, PK-3, and nothing else"),
    ],
)
def test_a_case_that_is_wrong_itself_is_refused_with_the_nearest(name, changes, message) -> None:
    with pytest.raises(ScenarioError) as wrong:
        play_case(changed(name, **changes))
    assert message in str(wrong.value)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("tw-14", {"events": [{"do": "all_in_marker", "box": 9}]}, "it did not go on: nobody sits at box 9"),
        ("tw-26", {"expected": {"state": {"P99": "playing"}}}, "state: There is no entrant P99.; expected"),
        ("tw-26", {"expected": {"bank": {"P99": 1}}}, "bank: P99 is at no table; expected"),
        ("tw-17", {"events": []}, "first: an early end was asked for 0 times; expected"),
    ],
)
def test_who_is_not_there_fails_the_case_in_words(name, changes, message) -> None:
    assert any(message in error for error in play_case(changed(name, **changes)).errors)


def test_prose_that_is_held_against_nothing_is_said_to_be() -> None:
    outcome = play_case(changed("tn-01", expected={"records": ["as said"], "refused": {"what": "all", "clauses": []}}))
    assert outcome.ok
    assert outcome.remarks == ["not held against anything: records: ['as said']"]


@pytest.mark.parametrize(
    ("change", "rounds"), [(0, 2), (0, 3), (300, 2), (-9700, 3), (10_000, 2), (-2700, 1), (100, 7)]
)
def test_any_bank_is_reached_by_lawful_stakes_with_losses_last(change, rounds) -> None:
    found = stakes(change, rounds, 500, 5000)
    assert (sum(found), len(found)) == (change, rounds)
    assert all(500 <= abs(one) <= 5000 for one in found)
    assert found == sorted(found, reverse=True)


def test_what_no_stakes_reach_is_said() -> None:
    with pytest.raises(NoWay, match="cannot change a bank by 300"):
        stakes(300, 1, 500, 5000)
    assert in_rounds({"P1": 300, "P2": 0}, None, 500, 5000) == [{"P1": 800, "P2": 500}, {"P1": -500, "P2": -500}]


def test_stacks_are_brought_in_an_order_in_which_no_blind_changes_them() -> None:
    empty, order = hands_before([1, 3, 4, 8, 9], 4, {"P2": 9, "P5": 4}, 1)
    hands = [set(blinds([1, 3, 4, 8, 9], 4, empty + number)) for number in (1, 2, 3)]
    seat = {"P2": 9, "P5": 4}
    assert not {seat[order[0]]} & hands[1]
    assert not {9, 4} & hands[2]
