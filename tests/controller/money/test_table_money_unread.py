"""Winnings and losing stakes that no antenna has read yet: they are told as unread, and as no wrong payment."""

from __future__ import annotations

import pytest

from controller.core.events import Chip, ChipsMoved, SignShown
from tests.controller.money.play import MoneyPlay


@pytest.fixture
def play() -> MoneyPlay:
    return MoneyPlay().opened()


def test_winnings_that_no_antenna_has_read_yet_are_not_read_yet_and_nothing_is_recorded_of_them(
    play: MoneyPlay,
) -> None:
    play.bet("p1", "A", 25)
    play.result("A")
    tags = play.out(2500)
    play.press("paid")
    assert (play.refused, play.state) == ("not_read_yet", "pay")
    assert "take_and_pay" not in play.alarms
    play.on("A", *tags)
    play.press("paid")
    assert (play.state, play.table.money.state.mispayments) == ("idle", {})


def test_winnings_unread_in_the_tray_may_be_in_a_hand(play: MoneyPlay) -> None:
    play.bet("p1", "A", 25)
    play.result("A")
    paying = next(tag for tag, cents in play.tray.items() if cents == 2500)
    play.event(ChipsMoved("chips", 0, unread=(paying,)))
    play.press("paid")
    assert play.refused == "not_read_yet"


def test_winnings_that_left_the_tray_two_seconds_ago_and_lie_nowhere_are_underpaid(play: MoneyPlay) -> None:
    play.bet("p1", "A", 25)
    play.result("A")
    play.out(2500)
    play.event(SignShown(9999), after_ms=2_000)
    play.press("paid")
    assert (play.refused, play.found) == ("mispaid", [("A", "underpaid", 2500)])
    assert "$25 underpaid" in play.alarms["take_and_pay"].text


def test_no_more_is_taken_for_being_under_way_than_has_left_the_tray(play: MoneyPlay) -> None:
    play.bet("p1", "A", 25)
    play.result("A")
    play.out(500)
    play.press("paid")
    assert play.refused == "mispaid"


def test_winnings_in_a_stack_that_is_read_in_part_are_unread_for_as_long_as_it_is(play: MoneyPlay) -> None:
    play.bet("p1", "A", 25)
    play.result("A")
    tags = play.out(500, 500, 500, 500, 500)
    seen = tuple(Chip(tag, "cash", 500) for tag in tags[:3])
    play.event(ChipsMoved("chips", play.area("A"), seen, partial=True))
    play.event(SignShown(9999), after_ms=5_000)
    play.press("paid")
    assert (play.refused, play.table.money.state.mispayments) == ("not_read_yet", {})
    play.on("A", *tags[3:])
    play.press("paid")
    assert (play.state, play.table.money.state.mispayments) == ("idle", {})


def test_a_payment_that_stays_unread_is_confirmed_by_a_supervisor(play: MoneyPlay) -> None:
    play.bet("p1", "A", 25)
    play.result("A")
    play.out(2500)
    play.press("paid")
    assert play.refused == "not_read_yet"
    play.press("paid", 2, confirmed=True, reason="it lies there")
    assert play.state == "idle"
