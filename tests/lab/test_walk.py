"""A tied round of Casino War as a reader follows it, and how often one comes back to a file already left."""

from __future__ import annotations

from collections.abc import Callable

from lab.walk import Walk, walk
from tests.controller.games.war.felt import Felt

WAR = "controller/games/war"
RETURNS, BACK_UP = 82, 0
"""What a tied round may cost at most. Before its parts stood in an order it was 248, and 72 upwards."""


def tied_round() -> dict[str, Walk]:
    """From the first chip to the next call for bets: two boxes, one tied and gone to war."""
    felt = Felt("melbourne-war")
    felt.press("sit", 1, box=1, player="Ann")
    felt.press("sit", 1, box=2, player="Bob")
    settled: dict[str, object] = {"confirmed": True, "reason": "counted by hand"}
    events: dict[str, Callable[[], object]] = {
        "Ann's chips": lambda: felt.put(1, "main", 2500),
        "Bob's chips": lambda: felt.put(2, "main", 1000),
        "the call": lambda: felt.press("no_more_bets", 1),
        "Ann's card": lambda: felt.draw("KS"),
        "Bob's card": lambda: felt.draw("5S"),
        "the dealer's card": lambda: felt.draw("KD"),
        "losers cleared": lambda: felt.press("settled", 3, **settled),
        "Ann's war stake": lambda: felt.put(1, "war", 2500),
        "Ann's second card": lambda: felt.draw("9S"),
        "the dealer's second card": lambda: felt.draw("8S"),
        "winners paid": lambda: felt.press("settled", 3, **settled),
        "the next call": lambda: felt.press("place_bets", 3, **settled),
    }
    walks = {name: walk(event).within(WAR) for name, event in events.items()}
    assert (felt.phase, felt.game.machine.interrupted_from) == ("betting", "")
    return walks


def test_a_tied_round_comes_back_to_few_files_that_were_left() -> None:
    walks = tied_round()
    assert sum(one.returns for one in walks.values()) <= RETURNS, {name: one.returns for name, one in walks.items()}


def test_a_part_is_hardly_ever_asked_by_one_that_it_asked_itself() -> None:
    walks = tied_round()
    assert sum(one.back_up for one in walks.values()) <= BACK_UP, {name: one.back_up for name, one in walks.items()}


def test_the_recorder_counts_changes_returns_and_questions_upwards() -> None:
    told = walk(lambda: Felt("melbourne-war"))
    assert told.functions[0].file.startswith("controller/")
    assert told.changes == told.returns + len(told.files) - 1
    assert Walk(()).changes == Walk(()).returns == Walk(()).back_up == 0
