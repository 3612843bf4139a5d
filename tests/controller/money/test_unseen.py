"""The float while nobody reads its chips: what differs afterwards was not seen, and accuses nobody."""

from __future__ import annotations

import pytest

from controller.core.effects import Noted
from controller.money.unseen import should_hold
from tests.controller.money.play import STOCK, MoneyPlay

pytestmark = pytest.mark.guards("melbourne-wheel")
HELD = sum(value * count for value, count in STOCK.items())


def paid_by_hand(lost: int = 0, won: int = 0) -> MoneyPlay:
    """A round settled without the mat, in which the house took and paid this much; both by key."""
    play = MoneyPlay().opened()
    play.down("chips")
    play.press("by_hand", 2, device="chips", reason="dead")
    for symbol, cents in (("B", lost), ("A", won)):
        if cents:
            play.press("chips_laid", area=play.area(symbol), player="Ann", cents=cents)
    play.launch()
    play.press("no_more_bets")
    play.turn(3)
    play.rest("A")
    play.press("acknowledge")
    play.press("taken_and_paid")
    if play.state == "pay":
        play.press("paid")
    assert play.state == "idle"
    return play


def read_again(play: MoneyPlay) -> None:
    play.up("chips")
    play.count()
    play.press("by_hand_over", 2, device="chips")


def into_tray(play: MoneyPlay, tag: int, cents: int) -> None:
    """Chips that a hand laid into the tray while nobody read it."""
    play.tray[tag] = play.worth[tag] = cents


def test_what_was_keyed_as_taken_and_paid_is_what_the_tray_gained_and_lost() -> None:
    play = paid_by_hand(lost=1000, won=500)
    into_tray(play, 50_000, 1000)
    del play.tray[next(tag for tag, cents in play.tray.items() if cents == 500)]
    read_again(play)
    tray = play.table.money.state.tray
    assert (tray.value, tray.collected, tray.paid) == (HELD + 500, 1000, 500)
    assert (tray.gap, tray.unseen, should_hold(tray)) == (0, 0, HELD + 500)
    assert play.alarms == {}
    assert play.table.money.state.watched


def test_a_difference_is_told_as_not_seen_until_it_is_explained_and_then_booked() -> None:
    play = paid_by_hand(won=500)
    read_again(play)
    (alarm,) = play.alarms.values()
    assert (alarm.code, "$5 more" in alarm.text, "not seen" in alarm.text) == ("float_not_seen", True, True)
    play.time(5)
    assert list(play.alarms) == ["float_not_seen"], "nothing is called missing"
    play.press("float_explained", 2, reason="the player took chips of the next table")
    assert play.alarms == {}
    tray = play.table.money.state.tray
    assert (tray.gap, tray.booked) == (0, {"explained": 500})
    assert should_hold(tray) == tray.value


def test_a_fill_that_came_meanwhile_is_no_difference() -> None:
    play = paid_by_hand(lost=1000)
    play.press("fill", 2, cents=2500)
    into_tray(play, 50_000, 1000)
    into_tray(play, 50_001, 2500)
    read_again(play)
    assert play.alarms == {}
    assert play.table.money.state.tray.open_booked == 0


def test_chips_that_were_missing_before_stay_missing() -> None:
    play = MoneyPlay().opened()
    play.out(2_500)
    play.time(1)
    assert list(play.alarms) == ["float"]
    play.press("no_more_bets")
    play.down("chips")
    play.press("by_hand", 2, device="chips", reason="dead")
    assert "float" in play.alarms
    play.press("cancel_disruption", 4, reason="fire")
    read_again(play)
    assert "float" in play.alarms
    assert "float_not_seen" not in play.alarms
    assert play.table.money.state.tray.gap == -2_500


def test_a_float_closed_unread_closes_with_what_was_counted_or_what_it_should_hold() -> None:
    for slip, cents, gap in ((None, HELD + 1000, 0), ({**STOCK}, HELD, -1000)):
        play = paid_by_hand(lost=1000)
        given = {"float": slip} if slip is not None else {}
        play.press("close", 2, **given)
        assert play.life == "closed", play.refused
        closed = [
            effect.facts for effect in play.effects if isinstance(effect, Noted) and effect.what == "float_closed"
        ]
        assert [(one["cents"], one["won"], one["gap"], one["seen"]) for one in closed] == [(cents, 1000, gap, False)]
