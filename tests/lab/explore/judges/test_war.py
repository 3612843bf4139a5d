"""The judge of Casino War sees what a table settles wrongly, from the cards and chips that lay."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.war import betting, settle
from lab.explore import steps
from lab.explore.campaign import played
from lab.explore.steps import AnyStep, Card, Lay, Piece, Press, Reply, Walk

BOOKS = ("melbourne-war", "perth-war", "star-war")
OPENED: tuple[AnyStep, ...] = (
    Press("open", 1),
    Press("check_cards", 1),
    Press("shuffled", 1),
    Reply("cut", "cut", 4),
    Card("2H"),
    Card("3H"),
    Card("4H"),
)
"""Until bets may be placed; a card too many is none of the round's."""


def won(rulebook: str) -> tuple[AnyStep, ...]:
    """A round that the first box wins, with a king against a three."""
    begun = OPENED if rulebook == "perth-war" else OPENED[:5]
    seated = Press("player_card", 1, {"box": 1, "player": "Ann"})
    return *begun, seated, Lay(1, (Piece(1_001, 1_000),)), Press("no_more_bets", 1), Card("KH"), Card("3C")


def shown(rulebook: str, *did: AnyStep) -> set[str]:
    walk = Walk("war", rulebook, 1, did)
    return {found.name for found in played(walk)[1].found}


@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_higher_card_that_loses_is_no_result_of_the_cards(rulebook: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(rulebook, *won(rulebook)) == set()
    compare = settle.compare
    monkeypatch.setattr(settle, "compare", lambda first, second: -compare(first, second))
    assert "a result that the cards do not give" in shown(rulebook, *won(rulebook))


@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_payment_that_the_odds_do_not_give_is_seen(rulebook: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "payable", lambda rules, due, chip: due + chip)
    assert "an amount that the stake does not give" in shown(rulebook, *won(rulebook))


def test_chips_that_a_table_does_not_take_for_a_stake_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = betting._laid_in_time

    def only_box_one(game: Any, event: Any) -> None:
        if event.box == 1:
            laid(game, event)

    monkeypatch.setattr(betting, "_laid_in_time", only_box_one)
    chips = Lay(4, (Piece(1_001, 1_000),))
    assert "chips lie there and are no stake" in shown("melbourne-war", *OPENED[:5], chips)


def test_a_war_is_judged_by_its_second_cards_under_each_document(monkeypatch: pytest.MonkeyPatch) -> None:
    at_war = (*OPENED[:5], Lay(1, (Piece(1_001, 1_000),)), Press("no_more_bets", 1), Card("9H"), Card("9C"))
    chosen = (Press("settled", 1), Lay(3, (Piece(1_002, 1_000),)))
    for mine, dealers in (("TH", "9D"), ("TH", "TC"), ("8H", "9D")):
        assert shown("melbourne-war", *at_war, *chosen, Card(mine), Card(dealers)) == set()
    monkeypatch.setattr(settle, "on_war_cards", lambda *told: settle.Outcome("win", 1, ()))
    wrong = shown("melbourne-war", *at_war, *chosen, Card("8H"), Card("9D"))
    assert "a result that the cards do not give" in wrong


def test_steps_that_cannot_be_done_are_passed_over() -> None:
    assert shown("star-war", steps.PushBack(), steps.LiftDeck(), steps.Put(("as",), 1)) == set()
