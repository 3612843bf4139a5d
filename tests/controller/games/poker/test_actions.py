"""What chips without words mean, what an early action becomes, and time bought, at every edge."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.games.poker.actions import (
    ChipReading,
    Held,
    Resolved,
    extension_fault,
    out_of_time,
    over_blind_fault,
    read_chips,
    resolve_held,
    stake_change_fault,
)
from controller.games.poker.betting import wager
from controller.games.poker.inputs import BuyTime
from controller.games.poker.outputs import Output, Recorded
from controller.games.poker.play import buy_time
from controller.games.poker.state import Hand
from controller.games.poker.structures import Structure
from tests.controller.games.poker.hands import FIXED, NO_LIMIT, POT, at_table, hand, player, refused

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


@clause("6.15.1", "6.15.2")
def test_time_is_bought_in_turn_as_often_as_the_sign_says_by_a_seat_that_stays_in() -> None:
    def timed(stack: int = 501, phase: str = "bet2", turn: int = 0) -> Hand:
        one = hand(player(1, 0, stack), player(2, 0), phase=phase)
        one.terms = msgspec.structs.replace(one.terms, extensions=1, extension_fee=500)
        one.betting.turn = turn
        return one

    one = timed()
    out: list[Output] = []
    buy_time(one, BuyTime(1), out)
    assert (one.betting.players[0].stack, one.fees, one.betting.players[0].time_bought) == (1, 500, 1)
    assert out == [Recorded("time to act bought", "6.15.1", 1, 500)]
    assert refused(buy_time, one, BuyTime(1)) == "6.15.2"
    assert refused(buy_time, timed(500), BuyTime(1)) == "6.15.2"
    assert refused(buy_time, timed(turn=1), BuyTime(1)) == "6.15.1"
    assert refused(buy_time, timed(phase="flop"), BuyTime(1)) == "6.15.1"


# -- chips without words ----------------------------------------------------------------------------------------------

CHIPS = ("1.1 'Oversize chip'", "6.12", "6.13", "6.14.1(a)", "6.14.1(b)", "6.14.2", "6.4", "6.17", "8.2.1", "8.2.4")


@clause(*CHIPS)
@pytest.mark.parametrize(
    ("put", "how", "expected"),
    [
        (0, {}, ChipReading("complete_or_fold", 200, 0, 200, "6.17")),
        (199, {}, ChipReading("complete_or_fold", 200, 0, 1, "6.17")),
        (200, {}, ChipReading("call", 200, 0, 0, "8.2.1")),
        (201, {}, ChipReading("call", 200, 1, 0, "6.12")),
        (299, {}, ChipReading("call", 200, 99, 0, "6.12")),
        (300, {}, ChipReading("complete_raise", 400, 0, 100, "6.12")),
        (399, {}, ChipReading("complete_raise", 400, 0, 1, "6.12")),
        (400, {}, ChipReading("raise", 400, 0, 0, "6.12")),
        (900, {}, ChipReading("raise", 900, 0, 0, "6.12")),
        (900, {"single": True}, ChipReading("call", 200, 700, 0, "6.14.1(a)")),
        (900, {"single": True, "announced": "raise"}, ChipReading("raise", 900, 0, 0, "6.14.2")),
        (900, {"announced": "raise"}, ChipReading("raise", 900, 0, 0, "1.1 'Raise'")),
        (250, {"announced": "raise"}, ChipReading("complete_raise", 400, 0, 150, "1.1 'Raise'")),
        (900, {"announced": "call"}, ChipReading("call", 200, 700, 0, "1.1 'Call'")),
        (4999, {}, ChipReading("raise", 4999, 0, 0, "6.12")),
        (5000, {}, ChipReading("all_in_raise", 5000, 0, 0, "6.16.1")),
    ],
)
def test_chips_put_forward_before_the_flop_without_limit(put: int, how: dict[str, Any], expected: ChipReading) -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000)
    assert read_chips(betting, 2, put, **{"single": False, **how}) == expected


@clause(*CHIPS)
@pytest.mark.parametrize(
    ("structure", "put", "how", "expected"),
    [
        (NO_LIMIT, 0, {}, ChipReading("check", 0, 0, 0, "8.2.4")),
        (NO_LIMIT, 99, {}, ChipReading("check", 0, 99, 0, "6.12")),
        (NO_LIMIT, 100, {}, ChipReading("complete_bet", 200, 0, 100, "6.4")),
        (NO_LIMIT, 50, {"announced": "raise"}, ChipReading("complete_bet", 200, 0, 150, "6.4")),
        (NO_LIMIT, 199, {}, ChipReading("complete_bet", 200, 0, 1, "6.4")),
        (NO_LIMIT, 200, {}, ChipReading("bet", 200, 0, 0, "[6.6]")),
        (NO_LIMIT, 500, {"single": True}, ChipReading("bet", 500, 0, 0, "6.14.1(b)")),
        (FIXED, 500, {"single": True}, ChipReading("bet", 200, 300, 0, "6.13")),
        (FIXED, 500, {}, ChipReading("bet", 200, 300, 0, "[6.6]")),
        (POT, 500, {}, ChipReading("bet", 300, 200, 0, "[6.6]")),
        (POT, 4800, {}, ChipReading("bet", 300, 4500, 0, "1.1 'All-in'")),
    ],
)
def test_chips_put_forward_when_nobody_has_bet(
    structure: Structure, put: int, how: dict[str, Any], expected: ChipReading
) -> None:
    betting = at_table(structure, 5000, 5000, 5000, round_=2)
    assert read_chips(betting, 1, put, **{"single": False, **how}) == expected


@clause(*CHIPS, "1.1 'Raise'")
def test_an_oversize_chip_is_a_call_by_the_clause_of_the_round_and_the_structure() -> None:
    later = at_table(NO_LIMIT, 5000, 5000, 5000, round_=2)
    wager(later, 0, 300)
    assert read_chips(later, 1, 1000, single=True) == ChipReading("call", 300, 700, 0, "6.14.1(b)")
    fixed = at_table(FIXED, 5000, 5000, 5000)
    assert read_chips(fixed, 2, 1000, single=True) == ChipReading("call", 200, 800, 0, "6.13")
    told = read_chips(fixed, 2, 1000, single=True, announced="raise")
    assert told == ChipReading("raise", 400, 600, 0, "1.1 'Raise'")
    assert read_chips(fixed, 0, 100, single=False) == ChipReading("call", 200, 0, 0, "8.2.1")
    assert read_chips(fixed, 1, 0, single=False) == ChipReading("check", 200, 0, 0, "8.2.4")


@clause(*CHIPS, "6.16.1", "1.1 'All-in'")
def test_a_whole_stack_is_a_call_a_raise_or_as_much_of_one_as_is_legal() -> None:
    short = at_table(NO_LIMIT, 5000, 5000, 150, 200, 700)
    assert read_chips(short, 2, 150, single=False) == ChipReading("all_in_call", 150, 0, 0, "6.16.1")
    assert read_chips(short, 3, 200, single=False) == ChipReading("all_in_call", 200, 0, 0, "6.16.1")
    assert read_chips(short, 4, 700, single=False) == ChipReading("all_in_raise", 700, 0, 0, "6.16.1")
    pot = at_table(POT, 5000, 5000, 5000, 700)
    assert read_chips(pot, 2, 5000, single=False) == ChipReading("raise", 700, 4300, 0, "1.1 'All-in'")
    assert read_chips(pot, 3, 700, single=False) == ChipReading("all_in_raise", 700, 0, 0, "6.16.1")
    closed = at_table(NO_LIMIT, 5000, 5000, 5000)
    closed.players[2].closed = "6.18.3"
    assert read_chips(closed, 2, 5000, single=False) == ChipReading("call", 200, 4800, 0, "6.18.3")
    assert read_chips(closed, 2, 900, single=False) == ChipReading("call", 200, 700, 0, "6.18.3")
    quiet = at_table(NO_LIMIT, 5000, 5000, 5000, round_=2)
    quiet.players[2].closed = "6.17"
    assert read_chips(quiet, 2, 5000, single=False) == ChipReading("check", 0, 5000, 0, "6.17")
    assert read_chips(quiet, 2, 900, single=False) == ChipReading("check", 0, 900, 0, "6.17")


# -- out of turn ------------------------------------------------------------------------------------------------------


@clause("6.18", "6.18.1", "6.18.2", "6.18.3", "6.18.4")
def test_an_early_action_stands_falls_or_waits_for_its_player() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000, 5000)
    assert resolve_held(betting, 2, Held(3, "check")) == Resolved(False, None, "6.18.3")
    big_blind = resolve_held(betting, 1, Held(2, "check"))
    assert big_blind == Resolved(True, ChipReading("check", 200, 0, 0, "8.2.4"), "6.18.3")
    called = resolve_held(betting, 2, Held(3, "call", 500, against=200))
    assert called == Resolved(True, ChipReading("call", 200, 300, 0, "1.1 'Call'"), "6.18.1")
    raised = resolve_held(betting, 2, Held(3, "raise", 250, against=200))
    assert raised == Resolved(True, ChipReading("complete_raise", 400, 0, 150, "1.1 'Raise'"), "6.18.1")
    one_chip = resolve_held(betting, 2, Held(3, "bet", 500, single=True, against=200))
    assert one_chip == Resolved(True, ChipReading("raise", 500, 0, 0, "6.14.2"), "6.18.1")
    betting.high = 201
    assert not resolve_held(betting, 1, Held(2, "check")).stands
    betting.high = 200
    wager(betting, 2, 600)
    assert resolve_held(betting, 3, Held(4, "call", 200, against=200)) == Resolved(
        False, None, "6.18.2", take_back=True
    )
    assert resolve_held(betting, 3, Held(4, "call", 599, against=200)).take_back
    between = resolve_held(betting, 3, Held(4, "raise", 700, against=200))
    assert between == Resolved(True, ChipReading("call", 600, 100, 0, "6.12"), "6.18.1")
    exact = resolve_held(betting, 3, Held(4, "raise", 600, against=200))
    assert exact == Resolved(True, ChipReading("call", 600, 0, 0, "8.2.1"), "6.18.1")
    assert resolve_held(betting, 0, Held(1, "call", 499, against=200)).take_back
    assert not resolve_held(betting, 0, Held(1, "call", 500, against=200)).take_back


@clause("6.18.4")
def test_an_early_all_in_for_less_than_the_call_stands() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000, 300)
    wager(betting, 2, 600)
    held = resolve_held(betting, 3, Held(4, "raise", 300, against=200))
    assert held == Resolved(True, ChipReading("all_in_call", 300, 0, 0, "6.16.1"), "6.18.4")
    assert resolve_held(betting, 3, Held(4, "raise", 299, against=200)) == Resolved(
        False, None, "6.18.2", take_back=True
    )
    blind = at_table(NO_LIMIT, 400, 5000, 5000)
    wager(blind, 2, 600)
    held = resolve_held(blind, 0, Held(1, "call", 300, against=200))
    assert held.reading == ChipReading("all_in_call", 400, 0, 0, "6.16.1")
    level = at_table(NO_LIMIT, 5000, 5000, 5000, 600)
    wager(level, 2, 600)
    assert resolve_held(level, 3, Held(4, "call", 600, against=200)).clause == "6.18.1"


@clause("6.15", "6.15.2", "1.1 'Over-blind bet'", "6.5", "8.9.4", "6.11")
def test_time_over_blinds_and_stacks_at_their_edges() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000)
    assert [out_of_time(betting, index) for index in (0, 1, 2)] == ["dead_hand", "check", "dead_hand"]
    assert [extension_fault(bought, 2) for bought in (1, 2, 3)] == ["", "6.15.2", "6.15.2"]

    def over(amount: int = 400, seat: int = 3, **offered: bool) -> str:
        how = {"first": True, "straddle": True, "over_blinds": True, **offered}
        return over_blind_fault(200, amount, seat, 3, **how)[0]

    assert over() == over(first=False) == over(over_blinds=False) == over(first=False, straddle=False) == ""
    assert over(straddle=False) == "6.5"
    assert over(first=False, over_blinds=False) == "8.9.4"
    assert over(seat=4) == "6.5"
    assert over(seat=4, first=False) == "8.9.4"
    assert [over(amount) for amount in (399, 401)] == ["6.5", "6.5"]
    assert over(401, first=False) == "8.9.4"
    assert "$4" in over_blind_fault(200, 1, 3, 3, first=True, straddle=True, over_blinds=True)[1]
    assert [stake_change_fault(False, change) for change in (-1, 0, 1)] == ["6.11", "", ""]
    assert stake_change_fault(True, 0) == stake_change_fault(True, 100) == "6.11"
