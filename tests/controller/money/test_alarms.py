"""The alarms of the table's money, each raised and ended by chips and bookings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.config.kept import plain
from controller.core.events import Chip, ChipsMoved, SignShown, Started
from controller.core.table import Table
from controller.money import alarms
from controller.money.alarms import ALARMS
from tests.controller.alarm_stories import Stories, raised_and_ended
from tests.controller.money.play import STOCK, MoneyPlay

STORIES = Stories()
pytestmark = pytest.mark.guards("melbourne-wheel")


@STORIES.of(alarms.Foreign)
def something_that_is_no_chip() -> Iterator[Table]:
    play = MoneyPlay().opened()
    tag = play.bet("", "D", 5, "unknown")
    yield play.table
    play.off("D", tag)


@STORIES.of(alarms.Cloned)
def one_tag_in_two_places() -> Iterator[Table]:
    play = MoneyPlay().opened()
    tag = play.bet("Ann", "D", 5)
    play.event(ChipsMoved("chips", play.area("A"), (Chip(tag, "cash", 500),)))
    play.time(0.1)
    yield play.table
    play.off("A", tag)


@STORIES.of(alarms.FloatEmpty)
def an_empty_tray() -> Iterator[Table]:
    play = MoneyPlay()
    stock, play.tray = play.tray, {}
    play.event(Started("test", plain(play.config)))
    for place in ("wheel", "chips"):
        play.up(place)
    play.count()
    play.event(SignShown(999))
    play.press("open")
    yield play.table
    play.tray = stock
    play.count()
    play.press("close", 2)
    play.press("open")
    play.press("close", 2)
    play.tray = {}
    play.count()
    play.press("open")
    yield play.table


@STORIES.of(alarms.FloatCount)
def a_slip_that_says_more() -> Iterator[Table]:
    play = MoneyPlay().opened({**STOCK, 2_500: 41})
    yield play.table
    play.press("seen_to", 2, alarm="float_count", reason="the slip was written wrong")
    play.press("count_float", 2, float={**STOCK, 2_500: 39})
    yield play.table


@STORIES.of(alarms.Unsigned)
def a_fill_that_one_person_signed() -> Iterator[Table]:
    play = MoneyPlay(books={"second_signature": ("fill",)}).opened()
    play.press("fill", 2, cents=500)
    yield play.table
    play.press("strike_booking", 2, booking="1")


@STORIES.of(alarms.OtherChips)
def a_fill_of_other_chips() -> Iterator[Table]:
    play = MoneyPlay().opened()
    play.press("fill", 2, cents=2500, chips="5:5")
    play.worth[900] = 2500
    play.into(900)
    yield play.table
    play.press("seen_to", 2, alarm="other_chips", reason="exchanged at the cage")
    play.press("fill", 2, cents=2500, chips="5:5")
    play.worth[901] = 2500
    play.into(901)
    yield play.table


@STORIES.of(alarms.BoxCount)
def a_box_that_holds_less() -> Iterator[Table]:
    play = MoneyPlay().opened()
    play.out(500)
    play.press("buy_in", player="Ann", cents=500)
    play.press("count_box", 2, cents=0)
    yield play.table
    play.press("seen_to", 2, alarm="box_count", reason="the note was found under the box")


@STORIES.of(alarms.FloatUnexplained)
def a_chip_out_of_the_tray() -> Iterator[Table]:
    play = MoneyPlay().opened()
    tags = play.out(500)
    play.time(1)
    yield play.table
    play.into(*tags)
    play.out(500)
    play.time(1)
    yield play.table


@STORIES.of(alarms.FloatNotSeen)
def chips_that_nobody_saw_move() -> Iterator[Table]:
    play = MoneyPlay().opened()
    play.press("no_more_bets")
    play.down("chips")
    play.press("by_hand", 2, device="chips", reason="dead")
    play.press("cancel_disruption", 4, reason="fire")
    play.up("chips")
    play.tray.popitem()
    play.count()
    play.press("by_hand_over", 2, device="chips")
    yield play.table
    play.press("float_explained", 2, reason="it lay under the tray")
    play.press("by_hand", 2, device="chips", reason="dead again")
    play.tray.popitem()
    play.count()
    play.press("by_hand_over", 2, device="chips")
    yield play.table


@STORIES.of(alarms.FloatShort)
def more_won_than_there_is() -> Iterator[Table]:
    play = MoneyPlay({100: 20}).opened()
    play.bet("Ann", "F", 40)
    play.result("F")
    yield play.table
    for tag in range(20_000, 20_100):
        play.worth[tag] = 2_000
    play.into(*range(20_000, 20_100))
    paid = play.pay("F", *[2_000] * 94)
    play.press("paid")
    play.off("F", *paid)
    play.press("place_bets")
    play.result("F")
    yield play.table


@STORIES.of(alarms.TakeAndPay)
def paid_too_little() -> Iterator[Table]:
    play = MoneyPlay().opened()
    play.bet("Ann", "A", 5)
    play.result("A")
    play.press("paid")
    yield play.table
    play.pay("A", 500)
    play.press("paid")
    play.press("place_bets")
    play.result("A")
    play.press("paid")
    yield play.table


def test_every_alarm_of_the_money_has_its_story() -> None:
    assert STORIES.missing(ALARMS) == set()


@pytest.mark.parametrize("kind", STORIES)
def test_an_alarm_of_the_money_is_raised_and_ends(kind: str) -> None:
    raised_and_ended(kind, STORIES[kind])


def test_a_strange_chip_that_is_only_moved_is_strange_where_it_lies_now() -> None:
    play = MoneyPlay().opened()
    tag = play.bet("", "D", 5, "unknown")
    play.event(ChipsMoved("chips", play.area("A"), (Chip(tag, "unknown", 0),)))
    play.off("D", tag)
    assert list(play.alarms) == [f"foreign:{tag}"]
    play.off("A", tag)
    assert play.alarms == {}
