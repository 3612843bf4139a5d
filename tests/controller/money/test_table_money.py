"""Money at a running table: the float from opening to closing, take and pay, and chips that are not what they seem."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.core.desk import Limits
from controller.core.effects import AnyEffect, Noted, Refused
from controller.core.events import Chip, ChipsMoved, Command, SignShown, TimerDue
from controller.core.house import House, Notice
from controller.core.table import Table
from controller.people import Person
from controller.rules.rulebook import load_rulebook
from tests.controller.money.play import STOCK, MoneyPlay

clause = pytest.mark.clause


@pytest.fixture
def play() -> MoneyPlay:
    return MoneyPlay().opened()


# -- the float -----------------------------------------------------------------------------------------------------


def test_the_float_opens_with_what_lies_in_the_tray_and_closes_with_what_play_and_bookings_made_of_it() -> None:
    play = MoneyPlay().opened(STOCK)
    assert play.noted("float_opened")[0]["cents"] == sum(value * count for value, count in STOCK.items())
    assert "float_count" not in play.alarms
    lost = play.bet("p1", "A", 50)
    play.result("B")
    play.collect("A", lost)
    assert play.state == "idle"
    play.press("fill", 2, cents=2500)
    play.worth[900] = 2500
    play.into(900)
    play.press("close", 2)
    (closed,) = play.noted("float_closed")
    assert (closed["won"], closed["booked"], closed["gap"]) == (5000, {"fill": 2500}, 0)
    assert closed["cents"] == closed["opening"] + 5000 + 2500


def test_a_slip_that_differs_from_the_tray_is_said_with_its_denomination() -> None:
    play = MoneyPlay().opened({**STOCK, 2500: 41})
    assert "of $25 41 are on the slip and 40 in the tray" in play.alarms["float_count"].text


def test_a_float_that_changed_while_the_table_was_closed_is_said_at_opening(play: MoneyPlay) -> None:
    play.result("A")
    play.press("close", 2)
    play.out(10_000)
    play.press("open")
    play.event(SignShown(9999))
    assert "closed with" in play.alarms["float_count"].text


def test_an_empty_tray_is_said_and_payments_are_then_believed_when_confirmed() -> None:
    play = MoneyPlay(stock={500: 0}).opened()
    assert "float_empty" in play.alarms
    play.bet("p1", "A", 5)
    play.result("A")
    play.press("paid")
    assert play.refused == "not_seen"
    play.press("paid", confirmed=True)
    assert play.state == "idle"


def test_a_chip_that_leaves_the_tray_for_nowhere_is_an_alarm_with_its_tag_and_place(play: MoneyPlay) -> None:
    (stolen,) = play.out(10_000)
    assert "float" not in play.alarms
    play.time(0.5)
    assert "$100 is missing" in play.alarms["float"].text
    assert "(last seen in the float tray)" in play.alarms["float"].text
    assert play.noted("float_unexplained")[-1]["tags"] == [stolen]
    play.into(stolen)
    assert "float" not in play.alarms


def test_a_buy_in_explains_the_chips_that_leave_even_when_they_are_staked_at_once(play: MoneyPlay) -> None:
    tags = play.out(2500, 2500)
    play.press("buy_in", player="p1", cents=5000)
    play.on("A", *tags)
    play.time(1)
    assert "float" not in play.alarms
    play.result("A")
    assert play.found == [("A", "underpaid", 5000)]


def test_chips_from_the_tray_on_the_layout_while_nothing_is_owed_are_missing_and_said_to_lie_there(
    play: MoneyPlay,
) -> None:
    play.pay("A", 2500)
    play.time(1)
    assert "$25 is missing" in play.alarms["float"].text
    assert "last seen on A" in play.alarms["float"].text
    play.press("buy_in", player="p1", cents=2500)
    assert "float" not in play.alarms


def test_a_stake_that_nobody_bought_is_owed_to_the_float_also_when_it_is_lost_and_collected(play: MoneyPlay) -> None:
    tags = play.pay("A", 2500)
    play.result("B")
    play.collect("A", *tags)
    play.time(1)
    tray = play.table.money.state.tray
    assert (tray.collected, tray.gap) == (2500, -2500)
    assert "$25 is missing" in play.alarms["float"].text
    assert "last seen on A" in play.alarms["float"].text
    play.press("buy_in", player="p1", cents=2500)
    assert (tray.gap, "float" in play.alarms) == (0, False)


def test_chips_that_players_took_up_before_a_settlement_are_no_takings_of_it(play: MoneyPlay) -> None:
    own = play.bet("p1", "A", 25)
    stake = play.bet("p1", "B", 25)
    play.bet("p2", "C", 5)
    play.off("A", own)
    play.time(0.2)
    play.result("C")
    play.collect("B", stake)
    play.into(own)
    tray = play.table.money.state.tray
    assert (tray.collected, tray.gap) == (2500, 2500)
    play.press("fill", 2, cents=2500)
    assert (tray.gap, "float" in play.alarms) == (0, False)


@pytest.mark.parametrize("fill_keyed", ["before", "after"])
@pytest.mark.parametrize("told_first", ["tray", "area"])
@pytest.mark.parametrize("short", [0, 2500])
def test_a_fill_that_pays_a_winner_at_once_is_a_fill_and_a_payment_and_short_of_what_did_not_come(
    play: MoneyPlay, fill_keyed: str, told_first: str, short: int
) -> None:
    play.bet("p1", "A", 25)
    play.result("A")
    due = play.found[0][2]
    chips = list(range(700, 700 + due // 2500 + 1))
    play.worth |= dict.fromkeys(chips, 2500)
    if fill_keyed == "before":
        play.press("fill", 2, cents=due + 2500 + short)
    play.into(*chips)
    hands = [lambda: play.lifted(*chips[1:]), lambda: play.on("A", *chips[1:])]
    for move in hands if told_first == "tray" else hands[::-1]:
        move()
    if fill_keyed == "after":
        play.press("fill", 2, cents=due + 2500 + short)
    play.time(1)
    tray = play.table.money.state.tray
    assert (play.found, tray.paid, tray.gap) == ([], due, -short)
    assert {told["cents"] for told in play.noted("float_unexplained")} <= {-short}
    assert ("$25 is missing" in play.alarms["float"].text) if short else "float" not in play.alarms


def test_chips_changed_for_others_between_rounds_need_no_booking(play: MoneyPlay) -> None:
    tag = play.bet("p1", "A", 100)
    play.collect("A", tag)
    play.pay("A", 2500, 2500, 2500, 2500)
    play.time(1)
    play.result("B")
    assert "float" not in play.alarms
    assert play.table.money.state.tray.out == {}


def test_a_dealer_who_takes_and_pays_a_moment_early_has_taken_and_paid(play: MoneyPlay) -> None:
    lost, _ = play.bet("p1", "A", 50), play.bet("p2", "B", 10)
    play.spin_to("B")
    play.collect("A", lost)
    play.pay("B", 2500, 500)
    play.press("acknowledge")
    play.press("paid")
    assert (play.state, play.found) == ("idle", [])
    assert play.table.money.state.tray.gap == 0


def test_a_gap_that_nobody_can_book_is_explained_by_a_supervisor_with_a_reason(play: MoneyPlay) -> None:
    play.out(500)
    play.time(1)
    play.press("float_explained", 1, reason="x")
    assert play.refused == "rank_too_low"
    play.press("float_explained", 2)
    assert play.refused == "bad_argument"
    play.press("float_explained", 2, reason="found under the table")
    assert "float" not in play.alarms


def test_what_is_missing_is_still_missing_after_a_restart(play: MoneyPlay) -> None:
    play.out(500)
    play.again()
    play.time(1)
    assert "float" in play.alarms
    assert play.again().money.picture()[0] == list(play.tray)


@clause("melbourne-wheel", "4.2.3")
@pytest.mark.parametrize(("stock", "made"), [({500: 40, 100: 40}, True), ({500: 40}, False), ({250: 40}, False)])
def test_winnings_are_owed_as_they_are_and_chips_that_cannot_make_them_call_for_a_fill(
    stock: dict[int, int], made: bool
) -> None:
    play = MoneyPlay(stock=stock).opened()
    play.bet("p1", "A", 6)
    assert play.result("A")["p1/A"].pays == 600
    assert ("float_short" not in play.alarms) == made


# -- take and pay --------------------------------------------------------------------------------------------------


@clause("melbourne-wheel", "3.6.1", "3.6.2", "5.1.4")
def test_losers_taken_and_winners_paid_let_the_next_round_begin(play: MoneyPlay) -> None:
    lost, _ = play.bet("p1", "A", 50), play.bet("p2", "B", 10)
    play.result("B")
    play.press("paid")
    assert play.refused == "collect_first"
    play.press("losers_clear")
    assert play.refused == "not_clear"
    play.collect("A", lost)
    play.pay("B", 2500, 500)
    play.press("paid")
    assert (play.state, play.refused) == ("idle", "")


@clause("melbourne-wheel", "3.6.2")
@pytest.mark.parametrize(
    ("paid", "kind", "cents"),
    [((2500,), "underpaid", 500), ((2500, 2500), "overpaid", 2000), ((2500, 500, 2500, 500), "paid_twice", 3000)],
)
def test_a_wrong_payment_holds_the_next_round_and_says_where_and_how_much(
    play: MoneyPlay, paid: tuple[int, ...], kind: str, cents: int
) -> None:
    play.bet("p2", "B", 10)
    play.result("B")
    laid = play.pay("B", *paid)
    play.press("paid")
    assert (play.state, play.refused) == ("pay", "mispaid")
    assert play.found == [("B", kind, cents)]
    assert f"B: ${cents // 100} {kind.replace('_', ' ')}" in play.alarms["take_and_pay"].text
    play.press("paid", confirmed=True)
    assert play.state == "pay", "a dealer cannot let it pass"
    if kind == "underpaid":
        play.pay("B", 500)
    else:
        play.off("B", *laid)
        play.into(*laid)
        play.pay("B", 2500, 500)
    assert "take_and_pay" not in play.alarms
    play.press("paid")
    assert play.state == "idle"
    assert [note["kind"] for note in play.noted("mispayment")] == [kind, kind]
    assert play.noted("mispayment")[-1]["put_right_at"]


def test_a_supervisor_lets_a_wrong_payment_pass_and_it_is_on_record(play: MoneyPlay) -> None:
    play.bet("p2", "B", 10)
    play.result("B")
    play.pay("B", 2500)
    play.press("paid", 2, confirmed=True, reason="the rest was paid in cash")
    assert play.state == "idle"
    assert (play.noted("mispayment")[0]["cents"], play.noted("mispayment")[0]["patron"]) == (-500, "p2")


def test_where_the_house_only_warns_the_round_goes_on_with_the_alarm_on_record() -> None:
    play = MoneyPlay(mispayment="warn").opened()
    play.bet("p2", "B", 10)
    play.result("B")
    play.pay("B", 2500)
    play.press("paid")
    assert play.state == "idle"
    assert play.noted("mispayment")[0]["kind"] == "underpaid"


def test_a_losing_stake_that_never_reaches_the_float_holds_the_next_round(play: MoneyPlay) -> None:
    lost = play.bet("p1", "A", 50)
    play.result("B")
    play.off("A", lost)
    assert (play.state, play.found) == ("pay", [("A", "taken_away", 5000)])
    play.press("paid")
    assert play.refused == "mispaid"
    play.into(lost)
    assert play.state == "idle"


@clause("melbourne-wheel", "3.2", "3.5")
def test_a_losing_stake_taken_off_after_the_close_is_owed_to_the_house(play: MoneyPlay) -> None:
    lost = play.bet("p1", "A", 50)
    play.launch()
    play.press("no_more_bets")
    play.off("A", lost)
    play.rest("B")
    play.answer("as_closed")
    play.press("acknowledge")
    assert play.found == [("A", "taken_away", 5000)]
    play.on("A", lost)
    play.collect("A", lost)
    assert play.state == "idle"


def test_a_late_bet_swept_into_the_float_is_owed_to_its_owner(play: MoneyPlay) -> None:
    lost = play.bet("p1", "A", 50)
    play.launch()
    play.press("no_more_bets")
    late = play.bet("p2", "A", 25)
    play.rest("B")
    play.answer("as_closed")
    play.press("acknowledge")
    play.collect("A", lost, late)
    assert play.found == [("A", "overcollected", 2500)]


@clause("melbourne-wheel", "9.3", "9.5")
def test_when_a_settled_spin_is_invalidated_what_moved_for_it_must_go_back(play: MoneyPlay) -> None:
    lost = play.bet("p1", "A", 50)
    play.bet("p2", "B", 10)
    play.result("B")
    play.collect("A", lost)
    play.press("cancel_fraud", 4, reason="marked wheel")
    assert "A: $50 overcollected" in play.alarms["take_and_pay"].text
    play.pay("A", 2500, 2500)
    assert "take_and_pay" not in play.alarms


@clause("melbourne-wheel", "9.3", "9.5")
def test_a_losing_stake_slid_straight_to_a_winner_goes_back_when_the_spin_is_invalidated(play: MoneyPlay) -> None:
    lost = play.bet("p1", "A", 50)
    play.bet("p2", "B", 50)
    play.result("B")
    play.slide(lost, "A", "B")
    play.press("cancel_fraud", 4, reason="marked wheel")
    assert play.found == [("A", "overcollected", 5000), ("B", "paid_without_win", 5000)]
    play.slide(lost, "B", "A")
    assert (play.found, "take_and_pay" in play.alarms) == ([], False)


def test_a_float_too_small_for_what_is_owed_calls_for_a_fill() -> None:
    play = MoneyPlay(stock={500: 10}).opened()
    play.bet("p1", "F", 5)
    play.result("F")
    assert "$185 short" in play.alarms["float_short"].text


# -- chips that are not what they seem -----------------------------------------------------------------------------


@clause("melbourne-wheel", "3.1", "3.1.2(b)")
@pytest.mark.parametrize("kind", ["unknown", "other_table", "tournament", "retired"])
def test_what_is_no_chip_of_this_table_is_an_alarm_and_no_wager(play: MoneyPlay, kind: str) -> None:
    tag = play.bet("", "A", 50, kind)
    assert f"foreign:{tag}" in play.alarms
    play.spin_to("A")
    play.press("acknowledge")
    assert play.settlements[-1].results == ()


def test_a_tag_in_two_places_at_once_is_cloned_and_the_chip_that_came_last_is_no_wager(play: MoneyPlay) -> None:
    tag = play.bet("p1", "A", 50)
    play.on("B", tag)
    play.time(0.1)
    assert "A and B" in play.alarms[f"cloned:{tag}"].text
    assert [(one.bet, one.result) for one in play.result("B").values()] == [("A", "lose")]


def test_a_clone_found_just_after_the_close_was_no_wager_at_the_close(play: MoneyPlay) -> None:
    tag = play.bet("p1", "A", 50)
    play.event(ChipsMoved("chips", play.area("B"), (Chip(tag, "cash", 5000),)), after_ms=10)
    play.launch()
    play.press("no_more_bets")
    play.event(TimerDue("money:twice"))
    play.rest("B")
    play.press("acknowledge")
    assert [(one.bet, one.result) for one in play.settlements[-1].results] == [("A", "lose")]


def test_the_double_of_a_chip_in_the_tray_is_found_and_the_float_stays_whole(play: MoneyPlay) -> None:
    tag = next(iter(play.tray))
    before = play.table.money.state.tray.value
    play.on("A", tag)
    play.time(0.1)
    assert "the float tray and A" in play.alarms[f"cloned:{tag}"].text
    assert play.table.money.state.tray.value == before
    play.off("A", tag)
    assert f"cloned:{tag}" not in play.alarms


def test_a_chip_that_two_antennas_tell_in_either_order_has_only_moved(play: MoneyPlay) -> None:
    tag = play.bet("p1", "A", 50)
    play.slide(tag, "A", "B")
    play.time(0.1)
    assert not any(code.startswith("cloned") for code in play.alarms)
    assert play.result("B")["p1/B"].pays == 15_000


@clause("melbourne-wheel", "3.2", "3.3")
@pytest.mark.parametrize("kind", ["added", "removed", "moved", "swapped"])
def test_late_changes_are_told_apart_with_area_and_time_after_the_close(play: MoneyPlay, kind: str) -> None:
    tag = play.bet("p1", "A", 50)
    play.launch()
    play.press("no_more_bets")
    play.worth[77] = 5000
    if kind == "added":
        play.on("C", 77)
    elif kind == "removed":
        play.off("A", tag)
    elif kind == "moved":
        play.slide(tag, "A", "B")
    else:
        play.off("A", tag)
        play.on("A", 77)
    words = {"added": "added on C", "removed": "taken off A", "moved": "moved from A to B",
             "swapped": "swapped for another chip on A"}[kind]  # fmt: skip
    assert f"$50 {words}" in play.alarms["late_change"].text
    note = play.noted("late_change")[-1]
    assert (note["kind"], note["after_ms"] >= 1000) == (kind, True)


def test_a_swapped_losing_chip_is_collected_by_its_value(play: MoneyPlay) -> None:
    tag = play.bet("p1", "A", 50)
    play.launch()
    play.press("no_more_bets")
    play.worth[77] = 5000
    play.off("A", tag)
    play.on("A", 77)
    play.rest("B")
    play.answer("as_closed")
    play.press("acknowledge")
    play.collect("A", 77)
    assert play.state == "idle"


# -- mispayments ---------------------------------------------------------------------------------------------------


@clause("star-war", "11.19.1", "11.19.2", "11.20.1", "11.20.2", "11.21.2")
def test_where_the_rulebook_asks_a_wrong_payment_is_recorded_until_nothing_is_left_open() -> None:
    notice = Notice("13.9", minutes=5)
    table = Table(House(load_rulebook("star-war"), notice, notice, "hand"), Limits(1000, 50_000), frozenset())
    table.game = SimpleNamespace(desired=dict)
    at = itertools.count(1)

    def press(**args: Any) -> list[AnyEffect]:
        now = next(at)
        return table.apply(now, now, Command("mispayment", Person("GS1", 2), args))

    (noted,) = press(cents=-150_000, bet="main", area=3)
    assert isinstance(noted, Noted)
    assert noted.facts["lacks"] == ["11.19.1", "11.19.2"]
    assert "11.21.2" in noted.clauses
    item = noted.facts["item"]
    press(item=item, cause="wrong odds", remedy="paid the rest", intended=True)
    assert table.state.money.mispayments[item].open_questions == ("11.20.2",)
    (noted,) = press(item=item, patron="P-abc123")
    assert isinstance(noted, Noted)
    assert noted.facts["lacks"] == []
    assert table.state.money.mispayments == {}
    assert isinstance(press(item="nothing")[0], Refused)


def test_where_the_rulebook_does_not_ask_there_is_no_such_key(play: MoneyPlay) -> None:
    play.press("mispayment", 4, cents=500)
    assert play.refused == "unknown_command"


def test_money_comes_back_from_a_snapshot_in_the_middle_of_paying(play: MoneyPlay) -> None:
    play.bet("p2", "B", 10)
    play.result("B")
    play.pay("B", 2500)
    play.again()
    play.pay("B", 500)
    play.press("paid")
    assert play.state == "idle"
    assert msgspec.json.decode(play.table.save())["table"]["money"]["watch"] is None


def test_a_theft_from_the_float_while_a_settlement_is_open_is_told_after_twenty_seconds(play: MoneyPlay) -> None:
    play.bet("Ann", "D", 5)
    play.result("D")
    stolen = play.out(2_500)
    assert "float" not in play.table.state.desk.alarms
    play.time(0.34)
    alarm = play.table.state.desk.alarms["float"]
    assert alarm.text.startswith("$25 is missing from the float")
    assert play.state == "pay"
    play.into(*stolen)
    assert "float" not in play.table.state.desk.alarms


def test_chips_in_the_dealer_s_hand_on_their_way_to_a_winner_are_not_missing(play: MoneyPlay) -> None:
    play.bet("Ann", "D", 5)
    play.result("D")
    tags = play.out(2_500, 2_500, 500)
    play.on("D", *tags)
    play.time(1.0)
    assert play.table.state.desk.alarms == {}
