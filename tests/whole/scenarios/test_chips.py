"""Cases told by chips: each is played as it stands, and fails when anything that it expects is changed."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from lab.scenarios.file import Case, ScenarioError, read_cases
from lab.scenarios.play import play_case
from tests import SCENARIOS

FILES = (
    "wheel-chips.json", "poker-chips.json", "war-felt.json",
    "wheel-by-hand.json", "poker-by-hand.json", "war-by-hand.json",
)  # fmt: skip
CASES = [case for name in FILES for case in read_cases(SCENARIOS / name)]
OTHER = {"surrender": "win", "win": "lose", "lose": "win", "returned": "void", "void": "win", "standoff": "win"}


def _parameters() -> list[Any]:
    found = []
    for case in CASES:
        proves = case.body.get("clauses", [])
        marks = [pytest.mark.clause(case.rulebook, *proves)] if proves else []
        found.append(pytest.param(case, id=case.id, marks=marks))
    return found


@pytest.mark.parametrize("case", _parameters())
def test_the_case_ends_as_the_rulebook_says(case: Case) -> None:
    assert play_case(case).errors == []


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_the_case_fails_when_what_it_expects_at_the_end_is_changed(case: Case) -> None:
    changes = list(_changed(case.body["expected"]))
    assert changes
    for changed in changes:
        assert not _plays(case, {**case.body, "expected": changed}), changed


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_the_case_fails_when_what_it_expects_on_the_way_is_changed(case: Case) -> None:
    """All at once, since every one of them is told: as many errors as there are things expected."""
    steps, count = [], 0
    for step in case.body["steps"]:
        if step["do"] == "expect":
            wrong = {key: _other(value) for key, value in step.items() if key not in ("do", "no_alarms")}
            count += len(wrong)
            step = {"do": "expect", **wrong}
        steps.append(step)
    try:
        errors = play_case(Case(case.where, {**case.body, "steps": steps})).errors
    except ScenarioError as refused:  # what nobody can ever see is told before anything is played
        errors, count = [str(refused)], 1
    assert sum("(expect)" in error for error in errors) == count


def _other(value: Any) -> Any:
    if isinstance(value, int):
        return value + 1
    return ["nothing of the kind"] if isinstance(value, list) else "elsewhere"


def _changed(value: Any) -> Iterator[Any]:
    """The same with one thing in it changed, for each thing there is."""
    if isinstance(value, dict):
        for key, inner in value.items():
            for changed in [_other_word(key, inner)] if _is_leaf(inner) else _changed(inner):
                yield {**value, key: changed}
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            rest = copy.copy(value)
            del rest[at]
            yield rest
            for changed in [inner + 1] if not isinstance(inner, dict | str) else _changed(inner):
                yield [*value[:at], changed, *value[at + 1 :]]


def _is_leaf(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _other_word(key: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value + 1
    return {"outcome": "A" if value != "A" else "B", "result": OTHER.get(value)}.get(key, f"other {value}")


def _plays(case: Case, body: dict[str, Any]) -> bool:
    try:
        return play_case(Case(case.where, body)).ok
    except ScenarioError:
        return False


def test_a_step_that_never_comes_about_fails_the_case() -> None:
    opened = [{"do": "press", "key": "place_bets"}]
    for steps, why in (
        ([*opened, {"do": "brake"}], "steps 2 (brake): never came about: the wheel stands still"),
        ([*opened, {"do": "spin"}, {"do": "turned", "revolutions": 9}], "the wheel came to rest before"),
        ([*opened, {"do": "answer", "subject": "near", "answer": "clear"}], "nobody asks about near"),
    ):
        outcome = play_case(Case("x", {"id": "x", "rulebook": "melbourne-wheel", "steps": steps}))
        assert not outcome.ok
        assert why in outcome.errors[0]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"do": "spinn"}, "did you mean 'spin'?"),
        ({"do": "spin", "sped": 1}, "did you mean 'speed'?"),
        ({"do": "spin", "speed": 1, "rest_symbol": "A"}, "give one or the other"),
        ({"do": "lay", "area": "Z", "amount": 5}, "there is no area 'Z'"),
        ({"do": "lay", "area": "A"}, "one of 'amount', 'chips' and 'tags'"),
        ({"do": "lift", "wager": "b"}, "laid as 'b'"),
        ({"do": "collect", "area": "A"}, "no chips lie there"),
        ({"do": "press", "key": "no_mor_bets"}, "did you mean 'no_more_bets'?"),
        ({"do": "press", "key": "void", "args": {"plyer": "p"}}, "did you mean 'player'?"),
        ({"do": "press", "key": "void", "rank": "boss"}, "knows no rank 'boss'"),
        ({"do": "answer", "subject": "neer", "answer": "clear"}, "did you mean 'near'?"),
        ({"do": "unplug", "device": "weel"}, "did you mean 'wheel'?"),
    ],
)
def test_a_wrong_step_is_refused_with_its_place(step: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        play_case(Case("file: x", {"id": "x", "rulebook": "melbourne-wheel", "steps": [step]}))
    assert str(refused.value).startswith("file: x: steps 1")
    assert message in str(refused.value)


def _hand(*steps: dict[str, Any]) -> Case:
    seats = {"1": 1000, "2": 1000, "3": 1000}
    return Case("file: x", {"id": "x", "rulebook": "melbourne-poker", "seats": seats, "steps": list(steps)})


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"do": "deel"}, "did you mean 'deal'?"),
        ({"do": "until", "street": "fourth"}, "'fourth' is none of its words"),
        ({"do": "draw", "to": "seat 40"}, "no card lies at 'seat 40'"),
        ({"do": "draw", "to": "board", "card": "1x"}, "'1x' is no card"),
        ({"do": "lay", "area": "seat 1", "player": "P2", "chips": [5]}, "at seat 1 sits P1, and not P2"),
        ({"do": "press", "key": "raise", "args": {"amont": 5}}, "did you mean 'amount'?"),
    ],
)
def test_a_wrong_step_of_a_hand_is_refused(step: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        play_case(_hand({"do": "deal"}, step))
    assert message in str(refused.value)


def test_money_of_a_form_is_in_dollars() -> None:
    raised = {"do": "press", "key": "raise", "args": {"amount": 40}}
    case = _hand({"do": "deal"}, raised, {"do": "expect", "turn": 1, "to_call": 35})
    assert play_case(case).errors == []


def test_a_hand_that_is_over_before_a_street_fails_the_case() -> None:
    folds = [{"do": "muck", "seat": 3}, {"do": "wait", "seconds": 1}, {"do": "muck", "seat": 1}]
    outcome = play_case(_hand({"do": "deal"}, *folds, {"do": "until", "street": "flop"}))
    assert any("(until): never came about: the hand was over before" in error for error in outcome.errors)
    again = play_case(_hand({"do": "deal"}, *folds, {"do": "muck", "seat": 1}))
    assert any("(muck): never came about: seat 1 holds no cards" in error for error in again.errors)


@pytest.mark.parametrize(
    ("draw", "alarm"),
    [
        ({"to": "seat 1"}, "stray"),
        ({"to": "board", "how": "foreign"}, "foreign_card"),
        ({"to": "burn", "how": "two"}, "burn"),
    ],
)
def test_a_card_that_does_not_belong_where_it_is_drawn_to_is_told(draw: dict[str, str], alarm: str) -> None:
    drawn: list[dict[str, Any]] = [{"do": "draw", **draw}, {"do": "wait", "seconds": 2}]
    assert play_case(_hand({"do": "deal"}, *drawn, {"do": "expect", "alarms": [alarm]})).errors == []
    assert play_case(_hand({"do": "deal"}, {"do": "expect", "no_alarms": [alarm]})).errors == []


def test_a_card_that_cannot_be_read_is_seen_a_minute_later() -> None:
    drawn: list[dict[str, Any]] = [
        {"do": "deal"},
        {"do": "draw", "to": "seat 1", "how": "unreadable"},
        {"do": "wait", "seconds": 2},
    ]
    later: list[dict[str, Any]] = [{"do": "wait", "seconds": 60}, {"do": "expect", "alarms": ["stray"]}]
    assert play_case(_hand(*drawn, {"do": "expect", "no_alarms": ["stray"]}, *later)).errors == []


def test_steps_stand_for_themselves() -> None:
    with pytest.raises(ScenarioError, match="'steps' say it all"):
        play_case(Case("x", {**_hand().body, "actions": []}))
    with pytest.raises(ScenarioError, match="'steps' say it all"):
        play_case(Case("x", {"id": "x", "rulebook": "melbourne-wheel", "steps": [], "wagers": []}))
