"""Button and blinds move on, who is dealt in, and missed blinds."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.poker.positions import (
    Positions,
    SeatFlags,
    blind_made_good,
    blind_missed,
    clockwise_from,
    dealt_in,
    first_positions,
    live_seats_gained,
    next_positions,
    positions_at,
    seat_draw,
    waiting_list_place,
)
from tests.controller.games.poker.seen import clause

# -- positions --------------------------------------------------------------------------------------------------------


@clause("1.1 'Dealer Button'", "1.1 'Dead button'", "8.9.6")
def test_button_and_blinds_move_on_so_that_each_pays_in_turn() -> None:
    first = first_positions([2, 5, 7, 9], 2)
    assert first == Positions(9, (2, 5), (2, 5))
    assert next_positions(first, [2, 5, 7, 9]) == Positions(2, (5, 7), (5, 7))
    gone = next_positions(first, [2, 7, 9])
    assert gone == Positions(2, (5, 7), (0, 7))
    assert next_positions(gone, [2, 7, 9]) == Positions(5, (7, 9), (7, 9), dead_button=True)
    assert next_positions(Positions(1, (2, 3), (2, 3)), [2, 3]) == Positions(2, (3, 2), (3, 2))
    assert next_positions(Positions(1, (2, 3, 4), (2, 3, 4)), [3, 4]) == Positions(2, (3, 4, 3), (0, 4, 3), True)
    assert first_positions([3, 8], 2) == Positions(8, (3, 8), (3, 8))
    assert first_positions([3, 8], 2, "usual") == Positions(8, (8, 3), (8, 3))
    assert first_positions([3, 8], 1, "usual") == Positions(8, (3,), (3,))
    assert first_positions([3, 5, 8], 2, "usual") == Positions(8, (3, 5), (3, 5))
    usual = first_positions([3, 8], 2, "usual")
    assert next_positions(usual, [3, 8], "usual") == Positions(3, (3, 8), (3, 8))
    assert next_positions(usual, [3, 5, 8], "usual") == Positions(8, (3, 5), (3, 5))
    assert next_positions(Positions(8, (3,), (3,)), [3, 8], "usual") == Positions(3, (8,), (8,))
    assert next_positions(Positions(1, (3, 4, 3, 4), (3, 4, 0, 0)), [3, 4]).posts == (0, 0, 4, 3)
    assert positions_at(9, [3, 8], 2, "usual") == Positions(9, (3, 8), (3, 8), dead_button=True)
    assert clockwise_from(5, [7, 2, 5]) == [7, 2, 5]
    assert clockwise_from(5, [2, 9, 5, 7]) == [7, 9, 2, 5]


@clause(
    "1.1 'Absent Button'", "1.1 'Dealt-out Button'", "1.1 'Player Walking Button'", "8.3", "8.9.2(b)", "8.10", "8.10.1",
    "8.9.3", "8.9.5", "8.10.2",
)  # fmt: skip
@pytest.mark.parametrize(
    ("flags", "place", "posted", "expected"),
    [
        ({}, "other", False, (True, "8.4")),
        ({"reserved": True}, "big_blind", True, (False, "8.3")),
        ({"dealt_out": True}, "big_blind", True, (False, "1.1 'Dealt-out Button'")),
        ({"absent": True}, "big_blind", True, (False, "1.1 'Absent Button'")),
        ({"walking": True}, "big_blind", True, (False, "1.1 'Player Walking Button'")),
        ({"missed_blind": True, "new": True, "wait_for_blind": True}, "big_blind", False, (True, "8.9.2(b)")),
        ({"missed_blind": True}, "other", False, (False, "8.9.3")),
        ({"missed_blind": True}, "other", True, (True, "8.4")),
        ({"new": True}, "button", True, (False, "8.10")),
        ({"new": True}, "other", False, (True, "8.4")),
        ({"new": True, "wait_for_blind": True}, "other", True, (False, "8.10.1")),
        ({"new": True, "must_post": True}, "other", False, (False, "8.10.2")),
        ({"new": True, "must_post": True}, "other", True, (True, "8.4")),
        ({"must_post": True}, "other", False, (False, "8.9.5")),
        ({"wait_for_blind": True}, "other", False, (False, "8.9.5")),
        ({"must_post": True, "wait_for_blind": True}, "other", True, (True, "8.4")),
        ({}, "button", False, (True, "8.4")),
    ],
)
def test_who_is_dealt_in_and_by_which_clause(
    flags: dict[str, bool], place: Any, posted: bool, expected: tuple[bool, str]
) -> None:
    assert dealt_in(SeatFlags(**flags), place, posted) == expected
    if flags == {"new": True} and place == "button":
        assert dealt_in(SeatFlags(new=True, excused=True), "button", False) == (True, "8.4")


@clause("1.1 'Missed Blind Button'", "8.9.3", "1.1 'Button'")
def test_a_missed_blind_is_marked_and_made_good() -> None:
    seated, walking = SeatFlags(), SeatFlags(walking=True)
    blind_missed(seated)
    blind_missed(walking)
    assert (seated.missed_blind, seated.absent, seated.walking) == (True, False, False)
    assert (walking.missed_blind, walking.absent, walking.walking) == (True, True, False)
    owing = SeatFlags(missed_blind=True, must_post=True, wait_for_blind=True, new=True)
    blind_made_good(owing)
    assert owing == SeatFlags()


@clause("8.9.5", "8.12", "8.1.1")
def test_moves_returns_and_draws_for_a_seat_at_their_edges() -> None:
    assert live_seats_gained(3, 8, [1, 3, 5, 7], last_big_blind=1) == 2
    assert live_seats_gained(8, 3, [1, 5, 7, 8], last_big_blind=1) == -2
    assert live_seats_gained(3, 4, [1, 3, 5], last_big_blind=1) == 0
    assert [waiting_list_place(away, 20) for away in (1200, 1201)] == ["head", "tail"]
    assert seat_draw({"P4": "Kh", "P5": "Ks", "P6": "Qs"}) == "P5"
