"""Hands around the close and the result: who was in time, who was late, and what the dealer may do before the key."""

from __future__ import annotations

import pytest

from controller.core.events import Chip, ChipsCounted, ChipsMoved, ChipsSwept, Command
from controller.games.wheel.late import ARRIVING_MS, FINGER_MS, HAND_MS
from controller.people import Person
from tests.controller.games.wheel.play import Play, clause, money

DEALER = Person("S1", 1)
TRAY = tuple(Chip(0x900 + one, "cash", 500) for one in range(60))


@pytest.fixture
def play() -> Play:
    """Bets may be placed, and chips lie in the float."""
    play = Play().opened()
    play.event(ChipsCounted("chips", {0: TRAY}))
    play.press("place_bets")
    return play


def closed(play: Play) -> Play:
    play.launch()
    play.press("no_more_bets")
    return play


def comes(play: Play, symbol: str, tag: int, ago: int, after: int, cents: int = 500) -> None:
    """A chip is told some time after the last event, and may have lain there for so long."""
    play.event(ChipsMoved("chips", play.area(symbol), (Chip(tag, "cash", cents),), ago=ago), after)


def alarms(play: Play) -> list[str]:
    return list(play.table.state.desk.alarms)


def carried(play: Play, tag: int, symbol: str, to: int) -> None:
    """A chip goes from an area to the float or back, told by one pass."""
    chip = next((one for one in TRAY if one.tag == tag), Chip(tag, "cash", 500))
    left, came = (play.area(symbol), 0) if to == 0 else (0, to)
    moves = (ChipsMoved("chips", left, removed=(tag,)), ChipsMoved("chips", came, (chip,)))
    play.event(ChipsSwept("chips", moves))


# -- at the close ------------------------------------------------------------------------------------------------


@clause("3.2", "3.3")
def test_a_chip_that_lay_there_at_the_call_is_a_wager_though_it_is_read_after_it(play: Play) -> None:
    closed(play)
    comes(play, "D", 1, ago=75, after=70)
    assert alarms(play) == []
    play.press("assign", area=play.area("D"), player="Ann", tags=[1])
    play.rest("D")
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (55, 0, 5)


@clause("3.2", "3.3")
def test_a_chip_that_came_after_the_call_is_late_however_soon_it_is_read(play: Play) -> None:
    closed(play)
    comes(play, "D", 1, ago=63, after=70)
    assert alarms(play) == ["late_change"]
    assert play.noted("late_change")[0]["after_ms"] == 7


@clause("3.2", "3.3")
def test_chips_that_follow_each_other_over_the_call_are_one_movement_for_a_while(play: Play) -> None:
    play.launch()
    comes(play, "D", 1, ago=0, after=900)
    play.event(Command("no_more_bets", DEALER), 50)
    comes(play, "D", 2, ago=0, after=100)
    comes(play, "D", 3, ago=0, after=FINGER_MS)
    assert alarms(play) == []
    comes(play, "D", 4, ago=0, after=ARRIVING_MS - FINGER_MS)
    assert [change["tag"] for change in play.noted("late_change")] == [4]
    play.lift("D", 4)
    play.rest("D")
    play.press("acknowledge")
    assert sum(result.stake_returned for result in play.settlements[-1].results) == 1500


@pytest.mark.parametrize(("symbol", "after"), [("D", FINGER_MS), ("E", 100)])
@clause("3.2", "3.3")
def test_a_pause_or_another_area_is_another_movement_and_late(play: Play, symbol: str, after: int) -> None:
    play.launch()
    comes(play, "D", 1, ago=0, after=900)
    play.event(Command("no_more_bets", DEALER), 50)
    comes(play, symbol, 2, ago=0, after=after)
    assert [change["tag"] for change in play.noted("late_change")] == [2]


@clause("3.2")
def test_a_chip_lifted_before_the_call_is_no_wager_though_its_going_is_told_after_it(play: Play) -> None:
    tag = play.bet("Ann", "D", 5)
    kept = play.bet("Ben", "D", 5)
    closed(play)
    play.event(ChipsMoved("chips", play.area("D"), removed=(tag,), ago=900), 400)
    assert alarms(play) == []
    play.event(ChipsMoved("chips", play.area("D"), removed=(kept,), ago=900), 1000)
    assert alarms(play) == ["late_change"]
    play.rest("D")
    play.answer("as_closed", 2)
    play.press("acknowledge")
    assert {wager: result.stake_returned for wager, result in play.results.items()} == {"Ben/D": 500}


@clause("3.4", "3.7")
def test_a_chip_on_the_line_at_the_close_is_handed_back_once(play: Play) -> None:
    tag = play.unclear(5, "A", "B")
    closed(play)
    comes(play, "A", tag, ago=60, after=2000)
    assert alarms(play) == []
    play.rest("A")
    play.press("acknowledge")
    assert [result.stake_returned for result in play.settlements[-1].results] == [500]


# -- when the result is known ------------------------------------------------------------------------------------


@clause("3.2", "3.6.1", "3.6.2", "5.1.4")
def test_a_dealer_who_collects_and_pays_before_the_key_has_collected_and_paid(play: Play) -> None:
    loser, _ = play.bet("Ann", "A", 5), play.bet("Ben", "B", 5)
    play.spin_to("B")
    carried(play, loser, "A", 0)
    for chip in (loser, 0x900, 0x901):
        carried(play, chip, "", play.area("B"))
    assert alarms(play) == []
    play.press("acknowledge")
    assert (play.state, alarms(play)) == ("pay", [])
    play.press("paid")
    assert (play.state, alarms(play)) == ("idle", [])


@clause("3.2")
def test_a_winner_may_take_the_stake_up_once_it_has_won(play: Play) -> None:
    tag = play.bet("Ann", "D", 5)
    play.spin_to("D")
    play.lift("D", tag)
    assert alarms(play) == []


@clause("3.2")
def test_a_losing_chip_that_reaches_no_float_within_a_hand_s_time_was_taken_off(play: Play) -> None:
    tag = play.bet("Ann", "D", 5)
    play.spin_to("A")
    play.lift("D", tag)
    assert alarms(play) == []
    play.time(HAND_MS / 60_000)
    assert alarms(play) == ["late_change"]


@clause("3.2", "3.7")
def test_chips_laid_while_losers_are_taken_and_winners_paid_are_no_wager(play: Play) -> None:
    play.bet("Ann", "D", 5)
    play.result("D")
    assert play.state == "pay"
    carried(play, 0x900, "", play.area("D"))
    assert alarms(play) == []
    tag = play.bet("", "D", 25)
    assert alarms(play) == ["past_post"]
    assert play.table.state.desk.alarms["past_post"].text == "Laid after the result: $25 on D."
    assert [(one["tag"], one["kind"]) for one in play.noted("late_change")] == [(tag, "added")]
    play.lift("D", tag)
    assert alarms(play) == []
