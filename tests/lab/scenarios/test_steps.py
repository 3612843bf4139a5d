"""Cases told step by step, on a Casino War table: what hands do is done with chips, cards, keys, cables and time."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from lab.scenarios.file import ScenarioError, case_of
from lab.scenarios.outcome import Outcome
from lab.scenarios.play import play_case

Step = dict[str, Any]
OPENING: list[Step] = [
    {"do": "press", "key": "check_cards", "args": {"how": "by hand"}},
    {"do": "load"},
    {"do": "press", "key": "shuffled"},
    {"do": "answer", "subject": "cut", "answer": "cut", "rank": "HDD"},
    {"do": "draw", "cards": ["2S"]},
    {"do": "expect", "state": "betting"},
]
MAIN = {"player": "P1", "box": 1, "zone": "main"}


def play(*steps: Step, expected: list[Step] | None = None, opening: list[Step] = OPENING, **more: Any) -> Outcome:
    case = {
        "id": "steps", "rulebook": "melbourne-war", "decks": 6,
        "config": {"min": 10, "max": 500, "smallest_chip": 2.5, "source": "shoe"},
        "steps": [*opening, *steps], **({"expected": expected} if expected is not None else {}), **more,
    }  # fmt: skip
    return play_case(case_of("file", 0, json.loads(json.dumps(case), parse_float=Decimal)))


def won(wager: str, pays: float, stake: float) -> Step:
    return {"wager": wager, "result": "win", "pays": pays, "stake_taken": 0, "stake_returned": stake}


BET: list[Step] = [{"do": "lay", **MAIN, "wager": "a", "amount": 50}, {"do": "press", "key": "no_more_bets"}]
ROUND: list[Step] = [*BET, {"do": "draw", "cards": ["KH", "9C"]}, {"do": "settle"}]


def test_a_round_of_chips_and_cards_ends_as_the_rules_say() -> None:
    outcome = play(*ROUND, expected=[won("a", 50, 50)])
    assert outcome.errors == []


def test_a_round_that_ends_otherwise_is_told() -> None:
    assert play(*ROUND, expected=[won("a", 25, 50)]).errors == ["wager a: pays is 50, expected 25"]


# -- chips -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "stake"),
    [
        ([{"do": "lift", "box": 1, "chips": [25]}], 35),
        ([{"do": "lift", "area": "box 1 main", "amount": 35}], 25),
        ([{"do": "lift", "wager": "a", "chips": [5, 5]}], 50),
        ([{"do": "swap", "box": 1, "with": [100]}], 100),
        ([{"do": "swap", "wager": "a", "with": [12.5, 12.5]}], 25),
        ([{"do": "lift", "wager": "a"}, {"do": "lay", **MAIN, "wager": "a", "chips": [10, 5]}], 15),
        ([{"do": "move", "wager": "a", "to": "box 2 main"}, {"do": "move", "box": 2, "to": "box 1 main"}], 60),
    ],
)
def test_what_hands_do_to_chips_before_the_call_is_what_lies_there(hands: list[Step], stake: float) -> None:
    laid = {"do": "lay", **MAIN, "wager": "a", "chips": [25, 25, 5, 5]}
    steps = [laid, *hands, {"do": "press", "key": "no_more_bets"}, {"do": "draw", "cards": ["KH", "9C"]}]
    outcome = play(*steps, {"do": "settle"})
    assert outcome.errors == []
    assert [(line["bet"], line["stake_returned"]) for line in outcome.settlement] == [("main 1", stake)]


def test_a_stack_is_split_between_two_areas() -> None:
    laid = {"do": "lay", **MAIN, "wager": "a", "chips": [25, 25]}
    split = {"do": "split", "wager": "a", "chips": [25], "to": "box 1 tie"}
    cards = {"do": "draw", "cards": ["KH", "9C"]}
    outcome = play(laid, split, {"do": "press", "key": "no_more_bets"}, cards, {"do": "settle"})
    assert outcome.errors == []
    assert sorted((line["bet"], line["result"]) for line in outcome.settlement) == [
        ("main 1", "win"),
        ("tie 1", "lose"),
    ]


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"do": "lay", "player": "P1", "amount": 50}, "'area' is missing; there are box 1 main"),
        ({"do": "lay", **MAIN}, "one of 'amount', 'chips' and 'tags'"),
        ({"do": "lay", **MAIN, "amount": 5, "chips": [5]}, "one of 'amount', 'chips' and 'tags'"),
        ({"do": "lay", **MAIN, "amount": "50"}, r"steps 8 \(lay\): amount: an amount in dollars"),
        ({"do": "lay", "area": "box 1 mane", "amount": 5}, "there is no area 'box 1 mane'; did you mean 'box 1 main'"),
        ({"do": "lift", "box": 2}, "no chips lie there"),
        ({"do": "lift", "box": 1, "chips": [100]}, "not so many chips of 100 dollars lie there"),
        ({"do": "lift", "box": 1, "amount": 7}, "the chips there do not make 7 dollars"),
        ({"do": "lift", "box": 1, "tags": [1]}, "no chip 1 lies there"),
        ({"do": "lift", "wager": "b"}, "no chips lie there that were laid as 'b'"),
        ({"do": "split", "box": 1, "to": "box 2 main"}, "all the chips would go"),
        ({"do": "move", "box": 1}, "'to' is missing"),
        ({"do": "swap", "box": 1}, "one of 'with' .* and 'serial'"),
        ({"do": "swap", "serial": "SIM-2"}, "this table deals from a shoe"),
        ({"do": "laay"}, "'laay' is no word of steps; did you mean 'lay'"),
        ({"do": "lay", **MAIN, "amount": 5, "colour": "red"}, "'colour' means nothing here"),
        ({"do": "draw", "cards": ["1S"]}, "'1S' is no card"),
        ({"do": "draw", "how": "sideways"}, "'sideways' is none of its words"),
        ({"do": "jam"}, "this table deals from a shoe"),
        ({"do": "press", "key": "no_more_bet"}, "there is no key 'no_more_bet'; did you mean 'no_more_bets'"),
        ({"do": "press", "key": "close", "rank": "king"}, "knows no rank 'king'"),
        (
            {"do": "press", "key": "limits", "args": {"lest": 5}},
            "args: 'lest' means nothing here; did you mean 'least'",
        ),
        ({"do": "press", "key": "limits", "args": {"least": "5"}}, "least: an amount in dollars"),
        ({"do": "unplug", "device": "sho"}, "there is no device 'sho'; did you mean 'shoe'"),
        ({"do": "plug", "device": "shoe"}, "shoe is plugged in"),
        ({"do": "wait", "minutes": 5}, "'minutes' means nothing here"),
        ({"do": "wait"}, r"how long\? Say so many seconds or hours"),
        ({"do": "wait", "seconds": 0}, r"how long\?"),
        ({"do": "expect", "no_alarms": ["cutting_card_earyl"]}, "did you mean 'cutting_card_early'"),
        ({"do": "wait", "at": 0.5, "seconds": 1}, "at: 0.5 s is over"),
        ({"do": "expect", "stat": "over"}, "'stat' means nothing here; did you mean 'state'"),
    ],
)
def test_a_step_that_cannot_be_is_refused_with_its_place(step: Step, why: str) -> None:
    with pytest.raises(ScenarioError, match=why) as wrong:
        play({"do": "lay", **MAIN, "wager": "a", "chips": [25, 25]}, step)
    assert "file: steps: steps 8" in str(wrong.value)


# -- cards -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draw", "asked"),
    [
        ({"do": "draw", "cards": ["KH"], "how": "unreadable"}, "unknown"),
        ({"do": "draw", "cards": ["JOKER"]}, "wrong_deck"),
        ({"do": "draw", "cards": ["KH", "9C"], "how": "two", "order_known": False}, "double"),
    ],
)
def test_a_card_that_is_unreadable_foreign_or_not_alone_is_asked_about(draw: Step, asked: str) -> None:
    assert play(*BET, draw, {"do": "expect", "asked": [asked]}).errors == []
    assert play(*BET, {"do": "draw", "cards": ["KH"]}, {"do": "expect", "asked": [asked]}).errors != []


def test_a_card_that_is_not_the_one_that_was_loaded_fails_the_case() -> None:
    opening = [*OPENING[:1], {"do": "load", "next": ["2S", "KH", "9C"]}, *OPENING[2:]]
    steps = [*BET, {"do": "draw", "cards": ["KH", "8C"]}]
    assert play(*steps, opening=opening).errors == ["file: steps: steps 9 (draw): 9C came where 8C should"]


@pytest.mark.parametrize("card", ["KH", "JOKER"])
def test_a_shuffler_brings_the_card_that_is_named(card: str) -> None:
    config = {"min": 10, "max": 500, "smallest_chip": 2.5, "source": "csm"}
    opening = [OPENING[1], OPENING[0], OPENING[2]]
    outcome = play(
        *BET, {"do": "draw", "cards": [card]}, {"do": "expect", "state": "dealing"}, opening=opening, config=config
    )
    assert (outcome.errors == []) == (card == "KH")
    assert not any("came where" in error for error in outcome.errors)


def test_a_card_that_was_to_come_and_did_not_fails_the_case() -> None:
    opening = [*OPENING[:1], {"do": "load", "next": ["2S", "KH", "9C", "4D"]}, *OPENING[2:]]
    assert play(*ROUND, opening=opening).errors == ["cards that never came: 4D"]


# -- keys and questions ------------------------------------------------------------------------------------------------


def test_money_of_a_form_is_told_in_dollars() -> None:
    limits = {"do": "press", "key": "limits", "rank": "AM", "args": {"least": 25, "most": 500}}
    outcome = play(limits, {"do": "wait", "seconds": 1500}, {"do": "expect", "min": 25, "max": 500})
    assert outcome.errors == []


def test_a_key_is_pressed_as_somebody_of_the_rank_that_is_named() -> None:
    limits = {"do": "press", "key": "limits", "args": {"least": 25, "most": 500}}
    refused = {"do": "expect", "refused": ["rank_too_low"]}
    assert play(limits, refused).errors == []
    assert play({**limits, "rank": "AM"}, refused).errors != []


def test_a_key_that_is_refused_fails_the_case_unless_the_refusal_is_expected() -> None:
    stray: Step = {"do": "press", "key": "settled"}
    outcome = play(stray)
    assert not outcome.ok
    (said,) = outcome.errors
    assert said.startswith("file: steps: steps 7 (press): refused (not_now): “Losers cleared, winners paid”")
    assert play(stray, {"do": "expect", "refused": ["not_now"]}).errors == []
    assert not play({"do": "expect", "state": "betting"}, stray).ok


def test_an_answer_to_what_nobody_asks_fails_the_case() -> None:
    outcome = play({"do": "answer", "subject": "cut", "answer": "cut"})
    assert outcome.errors == ["file: steps: steps 7 (answer): nobody asks about cut"]


def test_an_answer_that_there_is_not_is_refused() -> None:
    with pytest.raises(ScenarioError, match="'cutt' is no answer to 'cut'; did you mean 'cut'"):
        play(opening=[*OPENING[:3], {"do": "answer", "subject": "cut", "answer": "cutt"}])


# -- cables, restarts, time --------------------------------------------------------------------------------------------


def test_a_table_whose_shoe_is_unplugged_stands_still_until_it_is_plugged_in() -> None:
    unplugged: list[dict[str, Any]] = [
        {"do": "unplug", "device": "shoe"},
        {"do": "wait", "seconds": 5},
        {"do": "expect", "life": "suspended"},
    ]
    plugged: list[dict[str, Any]] = [
        {"do": "plug", "device": "shoe"},
        {"do": "wait", "seconds": 5},
        {"do": "expect", "life": "open"},
    ]
    assert play(*unplugged, *plugged, *ROUND, expected=[won("a", 50, 50)]).errors == []


def test_a_cable_pulled_for_some_seconds_is_back_by_itself() -> None:
    pulled: list[dict[str, Any]] = [{"do": "unplug", "device": "chips", "seconds": 4}, {"do": "wait", "seconds": 12}]
    assert play(*pulled, {"do": "expect", "life": "open"}, *ROUND, expected=[won("a", 50, 50)]).errors == []


def test_a_fault_whose_moment_never_comes_fails_the_case() -> None:
    planned = [{"device": "shoe", "fault": "drop", "at_event": number} for number in (2, 900)]
    outcome = play(*ROUND, faults=planned)
    assert outcome.errors == ["the fault {'device': 'shoe', 'fault': 'drop', 'at_event': 900} never came about"]


def test_a_restart_in_the_middle_of_a_round_changes_nothing() -> None:
    card, restart = {"do": "draw", "cards": ["KH"]}, {"do": "restart"}
    back: list[dict[str, Any]] = [{"do": "wait", "seconds": 5}, {"do": "expect", "life": "open", "state": "dealing"}]
    steps = [*BET, card, restart, *back, {"do": "draw", "cards": ["9C"]}, {"do": "settle"}]
    outcome = play(*steps, expected=[won("a", 50, 50)])
    assert outcome.errors == []
    assert outcome.states.count("dealing") == 1


def test_a_step_happens_when_it_says() -> None:
    timed = [{"do": "wait", "at": 60}, {"do": "lay", "at": 90, **MAIN, "wager": "a", "amount": 50}]
    assert play(*timed, *BET[1:], {"do": "draw", "cards": ["KH", "9C"]}, {"do": "settle"}).errors == []


def test_what_is_not_so_at_its_moment_fails_the_case() -> None:
    expect = {"do": "expect", "state": "over", "min": 20, "alarms": ["float"], "faults": [], "no_alarms": ["float"]}
    assert play(expect).errors == [
        "file: steps: steps 7 (expect): state is betting, expected over",
        "file: steps: steps 7 (expect): min is 10, expected 20",
        "file: steps: steps 7 (expect): alarms: float is not among []",
    ]
