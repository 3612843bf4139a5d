"""The alarms of Big Wheel, each raised and ended by chips, the wheel and keys."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from controller.config.kept import plain
from controller.config.types import ChipsSection
from controller.core.events import Chip, ChipsCounted, ChipsMoved, SignShown, Started
from controller.core.table import Table
from controller.games.wheel import alarms
from controller.games.wheel.alarms import ALARMS
from lab.sim.config import default_config
from tests.controller.alarm_stories import Stories, raised_and_ended
from tests.controller.games.wheel.play import Play

STORIES = Stories()
pytestmark = pytest.mark.guards("melbourne-wheel")


def betting() -> Play:
    play = Play().opened()
    play.press("place_bets")
    return play


@STORIES.of(alarms.WheelTurns)
def opened_while_it_turns() -> Iterator[Table]:
    play = Play()
    play.event(Started("test", plain(play.config)))
    for place in ("wheel", "chips"):
        play.up(place)
    play.event(SignShown(999))
    play.launch()
    play.press("open")
    yield play.table
    play.rest("D")
    play.press("close", 2)
    play.launch()
    play.press("open")
    yield play.table


@STORIES.of(alarms.NoMoreBetsMissing)
def nobody_calls() -> Iterator[Table]:
    play = betting()
    play.launch()
    play.turn(2)
    play.turn(3)
    yield play.table
    play.press("no_more_bets")
    play.press("no_spin", reason="interference")
    play.rest(None)
    play.launch()
    play.turn(2)
    play.turn(3)
    yield play.table


@STORIES.of(alarms.LateChanges)
def a_chip_after_the_call() -> Iterator[Table]:
    play = betting()
    play.launch()
    play.press("no_more_bets")
    tag = play.bet("", "A", 5)
    yield play.table
    play.lift("A", tag)


@STORIES.of(alarms.OverMaximum)
def more_than_the_maximum() -> Iterator[Table]:
    play = betting()
    play.bet("Ann", "A", 100)
    tag = play.bet("Ann", "A", 1000)
    yield play.table
    play.lift("A", tag)


@STORIES.of(alarms.UnderMinimum)
def less_than_the_minimum() -> Iterator[Table]:
    play = betting()
    play.bet("Ann", "A", 2.5)
    play.time(0.1)
    yield play.table
    more = play.bet("Ann", "A", 2.5)
    play.lift("A", more)
    play.time(0.1)
    yield play.table


@STORIES.of(alarms.PastPosts)
def a_stake_laid_when_the_result_is_known() -> Iterator[Table]:
    play = Play().opened()
    play.event(ChipsCounted("chips", {0: tuple(Chip(0x900 + one, "cash", 2500) for one in range(20))}))
    play.press("place_bets")
    play.bet("Ann", "D", 5)
    play.result("D")
    tag = play.bet("", "D", 25)
    yield play.table
    play.lift("D", tag)


@STORIES.of(alarms.NotIssued)
def a_colour_nobody_holds() -> Iterator[Table]:
    config = msgspec.structs.replace(default_config("wheel"), chips=ChipsSection("BW1", ("blue", "pink")))
    play = Play(config=config).opened()
    play.press("place_bets")
    play.event(ChipsMoved("chips", play.area("D"), (Chip(7, "colour", 0, "BW1/blue"),)))
    yield play.table
    play.lift("D", 7)


def test_every_alarm_of_the_wheel_has_its_story() -> None:
    assert STORIES.missing(ALARMS) == set()


@pytest.mark.parametrize("kind", STORIES)
def test_an_alarm_of_the_wheel_is_raised_and_ends(kind: str) -> None:
    raised_and_ended(kind, STORIES[kind])


def test_a_second_late_bet_is_told_and_counted_again() -> None:
    play = betting()
    play.launch()
    play.press("no_more_bets")
    play.bet("", "A", 5)
    play.bet("", "B", 5)
    alarm = play.table.state.desk.alarms["late_change"]
    assert (alarm.count, alarm in play.told) == (2, True)


def test_a_change_after_the_result_is_told_until_it_is_put_right() -> None:
    play = betting()
    play.bet("Ann", "D", 5)
    play.spin_to("D")
    tag = play.bet("", "A", 5)
    assert (play.state, list(play.table.state.desk.alarms)) == ("result", ["late_change"])
    play.lift("A", tag)
    assert play.table.state.desk.alarms == {}
