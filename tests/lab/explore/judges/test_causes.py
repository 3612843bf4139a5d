"""Payments and rounds that go on although a cause to stop them is known are seen."""

from __future__ import annotations

from controller.core.effects import Asked, Moved, Settled, WagerResult
from lab.explore.campaign import opened
from lab.explore.judges import Seen
from lab.explore.judges.causes import KnownCauses
from lab.explore.table import Row

WON = WagerResult("main 1 Ann", "Ann", "main 1", "win", 1_000, 0, 1_000, ())


def looked(asked: Asked, *effects: Settled | Moved, answered: bool = False) -> set[str]:
    table, _ = opened("war", "star-war")
    if not answered:
        table.table.state.desk.prompts[asked.prompt] = asked
    row = Row(0, asked, list(effects), b"")
    return {found.name for found in KnownCauses().look(table, Seen(row, "dealing", 0, {asked.prompt: asked}))}


def question(subject: str, player: str = "") -> Asked:
    return Asked("p1", subject, "?", {"player": player}, "", (), ())


def test_nothing_is_paid_while_the_deck_is_in_question() -> None:
    paid = Settled(1, "interim", (WON,))
    assert looked(question("wrong_deck"), paid) == {"paid while asked: wrong_deck"}
    assert looked(question("wrong_deck"), paid, answered=True) == set()
    assert looked(question("wrong_deck"), Settled(1, "void", (WON,))) == set()


def test_a_player_in_question_is_not_paid_and_others_are() -> None:
    paid = Settled(1, "interim", (WON,))
    assert looked(question("invalid:Ann", "Ann"), paid) == {"paid while asked: invalid"}
    assert looked(question("invalid:Bob", "Bob"), paid) == set()


def test_no_round_begins_while_the_deck_is_in_question() -> None:
    begun = Moved("round", "betting", "dealing", "first_card")
    assert looked(question("wrong_deck"), begun) == {"a round begins while asked: wrong_deck"}
    assert looked(question("late:1"), begun) == set()


def test_cards_that_are_due_for_a_check_begin_no_round() -> None:
    table, _ = opened("war", "star-war")
    table.table.game.state.supply.check_due = True  # type: ignore[attr-defined]
    judge = KnownCauses()
    asked: dict[str, Asked] = {}
    quiet = Row(0, WON, [], b"")
    assert list(judge.look(table, Seen(quiet, "betting", 0, asked))) == []
    begun = Row(0, WON, [Moved("round", "betting", "dealing", "first_card")], b"")
    (found,) = judge.look(table, Seen(begun, "betting", 0, asked))
    assert found.name == "a round begins while known: a check of all cards is due"
