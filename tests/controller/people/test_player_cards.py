"""Player cards: valid, the player's own, and what becomes of stakes laid without one (Star)."""

from __future__ import annotations

import pytest

from controller.config.tomlread import ConfigError
from controller.core.desk import Refusal
from controller.people.player_cards import (
    CardsAtTable,
    PlayerCard,
    left,
    player_name,
    present,
    read_player_list,
)
from drivers.swipe import pseudonym

clause = pytest.mark.clause
ANN, BOB, OLD, BARRED = "aaaaaa11" * 4, "bbbbbb22" * 4, "cccccc33" * 4, "dddddd44" * 4
HOUSE = {
    ANN: PlayerCard(ANN),
    BOB: PlayerCard(BOB),
    OLD: PlayerCard(OLD, until=1000),
    BARRED: PlayerCard(BARRED, "blocked"),
}.get


def code(action: object, *args: object, **more: object) -> str:
    with pytest.raises(Refusal) as refused:
        action(*args, **more)  # type: ignore[operator]
    assert refused.value.clauses
    return refused.value.code


@clause("star-war", "5.1")
@pytest.mark.parametrize(
    ("card", "at", "refused"),
    [(OLD, 1000, "card_not_valid"), (BARRED, 0, "card_not_valid"), ("ee" * 16, 0, "unknown_card")],
)
def test_a_card_that_has_run_out_is_blocked_or_unknown_is_refused(card: str, at: int, refused: str) -> None:
    table = CardsAtTable()
    assert code(present, table, 1, card, at, HOUSE) == refused
    assert table.boxes == {}


@clause("star-war", "13.1")
def test_nobody_plays_on_anothers_card_and_the_next_player_presents_their_own() -> None:
    table = CardsAtTable()
    present(table, 1, ANN, 0, HOUSE)
    assert code(present, table, 1, BOB, 1, HOUSE) == "box_taken"
    left(table, 1)
    assert table.boxes == {}
    assert present(table, 1, BOB, 3, HOUSE).player == "P-bbbbbb"
    assert code(left, table, 2) == "no_card_there"
    assert code(present, table, 2, ANN, 4, HOUSE, staff=True) == "staff_card"


def test_one_player_may_hold_several_boxes_with_one_card() -> None:
    table = CardsAtTable()
    present(table, 1, ANN, 0, HOUSE)
    present(table, 3, ANN, 0, HOUSE)
    assert table.boxes_of("P-aaaaaa") == (1, 3)
    assert table.boxes_of("P-bbbbbb") == ()


def test_two_cards_that_begin_alike_get_different_names() -> None:
    twin = "aaaaaa99" + "0" * 24
    assert player_name(twin, {"P-aaaaaa": ANN}) == "P-aaaaaa99"
    assert player_name(ANN, {"P-aaaaaa": ANN}) == "P-aaaaaa"


def named(number: str) -> str:
    return pseudonym(b"a key of the house's own", number)


def test_a_list_of_numbers_becomes_pseudonyms() -> None:
    cards = read_player_list("list.csv", "number,state,until\n60070001,,\n60070002,blocked,\n60070003,,99\n", named)
    assert cards[named("60070001")] == PlayerCard(named("60070001"))
    assert cards[named("60070002")].state == "blocked"
    assert cards[named("60070003")].until == 99
    assert "6007" not in repr(cards)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "list.csv:1: the list is empty"),
        ("number,name\n", "list.csv:1: the columns are"),
        ("number\n60070001\n60070001\n", "list.csv:3: this number stands already on line 2"),
        ("number\n6007000x\n", "list.csv:2: the number is not"),
        ("number,state\n60070001,bloked\n", "list.csv:2: there is no state 'bloked'; did you mean 'blocked'?"),
        ("number,state\n60070001\n", "list.csv:2: 1 fields, not 2"),
        ("number,state,until\n60070001,,soon\n", "list.csv:2: 'until' is a moment"),
        ('number\n"60070001\n', "list.csv:2: not CSV"),
    ],
)
def test_a_wrong_list_is_refused_with_its_line_and_without_the_number(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        read_player_list("list.csv", text, named)
    assert told in refusal.value.text
    assert "6007" not in refusal.value.text
