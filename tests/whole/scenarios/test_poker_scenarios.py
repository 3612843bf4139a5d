"""Poker cases that are whole hands, through simulated devices, frames, drivers, sealer, journal and table."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from lab.scenarios.file import Case, ScenarioError, read_cases
from lab.scenarios.play import play_case
from lab.scenarios.poker.shapes import shape_of
from lab.scenarios.poker.words import words
from lab.scenarios.words import as_text

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
        ({"structure": "wild", "wagers": [10, 20]}, "'wild' is none of its words"),
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
        {"seat": 3, "do": "raises_to", "to": 40},
        {"seat": 3, "action": "raise", "amount": 40},
        {"seat": 3, "do": "raise_to", "to": 40, "note": "said aloud"},
    ],
)
def test_a_word_that_is_declared_the_same_as_another_means_the_other(action: dict[str, object]) -> None:
    folds = [{"seat": 1, "do": "folds"}, {"seat": 2, "do": "fold"}]
    body = {
        "id": "x",
        "rulebook": "melbourne-poker",
        "seats": {"1": 1000, "2": 1000, "3": 1000},
        "actions": [action, *folds],
        "expected": {"stacks": {"1": 995, "2": 990, "3": 1015}},
    }
    assert play_case(Case("file: x", body)).errors == []


@pytest.mark.parametrize(
    ("word", "near"), [("Raises to", "raises_to"), ("raise-to", "raise_to"), ("Fold", "fold"), ("chek", "check")]
)
def test_nothing_is_understood_by_resemblance(word: str, near: str) -> None:
    with pytest.raises(ScenarioError, match=f"{word!r} is no word of actions; did you mean '{near}'"):
        play_case(hand(actions=[{"seat": 3, "do": word, "to": 40}]))


def hand(**body: object) -> Case:
    seats = {"1": 1000, "2": 1000, "3": 1000}
    return Case("file: x", {"id": "x", "rulebook": "melbourne-poker", "seats": seats, "button": 3, **body})


def test_pots_with_cents_are_compared_as_money() -> None:
    config = {"chip": Decimal("0.05"), "blinds": [Decimal("0.05"), Decimal("1.05")], "min": Decimal("1.05")}
    raised = {"config": config, "actions": [{"seat": 3, "do": "raise", "to": Decimal("4.45")}]}
    for pots in ([Decimal("13.35")], [{"amount": Decimal("13.35"), "eligible": [1, 2, 3]}]):
        assert play_case(hand(**raised, expected={"pots": pots})).errors == []
    (error,) = play_case(hand(**raised, expected={"pots": [Decimal("13.40")]})).errors
    assert error == "pots is [13.35], expected [13.4]"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"actions": [{"do": "answer", "subject": "no_burn", "answer": "redeal"}]},
         "actions 1 (answer) never came about: the hand was over before"),
        ({"actions": [{"seat": 3, "do": "call"}, {"do": "straddle", "seat": 2, "amount": 20}]},
         "actions 2 (straddle) never came about: the hand was over before"),
        ({"actions": [{"seat": 1, "do": "show"}, {"seat": 2, "do": "fold"}]},
         "actions 2 (fold) never came about: the hand was over before"),
        ({"actions": [{"do": "discard", "seat": 1, "card": "As"}]},
         "actions 1 (discard) never came about: the hand was over before"),
        ({"config": {"game": "Pineapple Holdem"}, "actions": [{"do": "discard", "seat": 1, "card": "As"}]},
         "and not As"),
        ({"actions": [{"seat": 5, "do": "fold"}]}, "actions 1 (fold) never came about: seat 5 holds no cards"),
        ({"shuffled": ["As", "Ks"]}, "the stub was never shuffled"),
    ],
)  # fmt: skip
def test_what_never_comes_about_fails_the_hand(body: dict[str, object], why: str) -> None:
    outcome = play_case(hand(**body))
    assert not outcome.ok
    assert any(why in error for error in outcome.errors), outcome.errors


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"seat": 3, "do": "raise", "to": 12}, "not_legal"),
        ({"do": "exclude", "player": "P1", "reason": "cheating"}, "rank_too_low"),
        ({"do": "cancel_fraud", "reason": "marked cards"}, "rank_too_low"),
    ],
)
def test_what_the_table_refuses_fails_the_hand_unless_the_case_tells_its_refusals(
    action: dict[str, object], code: str
) -> None:
    (error,) = [one for one in play_case(hand(actions=[action])).errors if "refused (" in one]
    assert error.startswith("file: x: actions 1: refused (" + code)
    told = play_case(hand(actions=[action], expected={"refused": []})).errors
    assert [one for one in told if one.startswith("refused is [")]


def test_an_answer_that_the_question_does_not_have_is_refused_with_the_nearest() -> None:
    calls = [{"seat": 3, "do": "call"}, {"seat": 1, "do": "call"}, {"seat": 2, "do": "check"}]
    answer = {"do": "answer", "subject": "no_burn", "answer": "redeel"}
    with pytest.raises(ScenarioError, match="actions 5: 'redeel' is no answer to 'no_burn'; did you mean 'redeal'"):
        play_case(hand(actions=[*calls, {"do": "turn_up", "burn": False}, answer]))


def test_the_card_that_is_told_is_the_one_thrown_away() -> None:
    """Not merely the last one of the hand: with the ace thrown away the kings win."""
    case = next(case for case in read_cases(Path(__file__).parent / "poker-hands.json") if case.id == "PH-019")
    assert case.body["expected"] == {"awards": {"2": 20}}
    thrown = [{"do": "discard", "seat": 1, "card": "Ad"}, {"do": "discard", "seat": 2, "card": "Kc"}]
    other = Case(case.where, {**case.body, "actions": thrown, "expected": {}})
    assert play_case(other).errors == []
    assert play_case(Case(case.where, {**other.body, "expected": {"awards": {"2": 20}}})).errors != []


def test_rulings_beyond_those_expected_fail_the_hand() -> None:
    burns = [{"seat": 3, "do": "call"}, {"seat": 1, "do": "call"}, {"seat": 2, "do": "check"}]
    case = hand(actions=[*burns, {"do": "turn_up", "burn": False}])
    right = [{"subject": "no_burn", "answer": "redeal"}]
    for rulings, fits in ((right, True), (["no_burn: redeal"], True), ([], False)):
        assert play_case(Case("x", {**case.body, "expected": {"rulings": rulings}})).ok is fits


def test_every_word_is_printed_with_its_meaning_and_unit() -> None:
    text = as_text(words())
    assert "raise: A raise is said, and the chips follow." in text
    assert "folds: The same as `fold`." in text
    assert "blinds (a list, each an amount in dollars): The blinds; 5 and 10 unless told." in text
    assert "cap, pct, pot: So much in one pot: what the house takes, and what is left." in text
    for section in words().sections:
        for word in section.words:
            assert word.meaning or word.same_as or not section.tag, f"{section.name}: {word.name} has no meaning"
            assert all(field.meaning or field.same_as for field in word.fields), f"{section.name}: {word.name}"


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
        ({"config": {"game": "Stud"}}, "'Stud' is none of its words"),
        ({"config": {"structure": "wild"}}, "'wild' is none of its words"),
        ({"config": {"blinds": [10, 5], "min": 10}}, "6.4"),
        ({"config": {"rake": {"percent": 11, "cap": 5}}}, "7.2.1"),
        ({"config": {"bilnds": [5, 10]}}, "did you mean 'blinds'?"),
        ({"seats": {"1": 100}}, "two seats or more"),
        ({"seats": {"1": 100, "2": "x"}}, "amount in dollars"),
        ({"deck": ["As", "Zz"]}, "'Zz' is no card"),
        ({"deck": ["As", "As"]}, "stands twice"),
        ({"actions": [{"do": "dance"}]}, "'dance' is no word of actions"),
        ({"actions": [{"do": "chek"}]}, "did you mean 'check'?"),
        ({"actions": [{"do": "bet", "seatt": 1, "to": 10}]}, "did you mean 'seat'?"),
        ({"actions": [{"do": "raise"}]}, "(raise): 'to' is missing"),
        ({"actions": [{"do": "until", "street": "fourth"}]}, "'fourth' is none of its words"),
        ({"actions": [{"do": "report", "wat": "x"}]}, "did you mean 'what'?"),
        ({"actions": [{"seat": 1, "chips": 5, "said": "rise"}]}, "did you mean 'raise'?"),
        ({"actions": [{"seat": 1, "chips": 5, "do": "raise", "to": 5}]}, "'chips' means nothing here"),
        ({"button": "x"}, "a whole number"),
        ({"seated_then": [["x"]]}, "a whole number"),
        ({"config": {"rake": {"methd": "time"}}}, "did you mean 'method'?"),
        ({"expected": {"awrads": {}}}, "did you mean 'awards'?"),
    ],
)
def test_a_wrong_case_is_told_with_its_place(change: dict[str, object], message: str) -> None:
    body = {"id": "x", "rulebook": "melbourne-poker", "seats": {"1": 100, "2": 100}, "button": 2, **change}
    with pytest.raises(ScenarioError) as refused:
        play_case(Case("file: x", body))
    assert message in str(refused.value)
