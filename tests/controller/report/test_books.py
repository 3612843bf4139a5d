"""The books of a gaming day: the column adds up, whatever people booked, corrected, explained or left open."""

from __future__ import annotations

import pytest

from controller.config.kept import plain
from controller.core.effects import Noted
from controller.core.events import SignShown, Started, Stopped
from controller.journal import row as record
from controller.journal.file import Row
from controller.report import Report, report
from controller.report.books import Books, value
from controller.report.text import as_text
from tests.controller.money.play import STOCK
from tests.controller.report.written import DAY, Written

OPENING = value(STOCK)


def of(play: Written, day: int = 0) -> Report:
    return report(play.rows, day * DAY, (day + 1) * DAY)


def column(made: Report) -> dict[str, int]:
    lines = made.books.column()
    assert sum(cents for _, cents in lines[:-1]) == lines[-1][1]
    return dict(lines)


@pytest.fixture
def play() -> Written:
    made = Written(colours=("blue",), set_mark="BW1")
    made.opened(STOCK)
    return made


def a_loser(play: Written, dollars: int) -> None:
    tag = play.bet("p1", "A", dollars)
    play.result("B")
    play.collect("A", tag)
    assert play.state == "idle"


def test_the_float_from_opening_to_closing_with_fills_credits_cash_and_play(play: Written) -> None:
    a_loser(play, 50)
    play.press("fill", 2, cents=2500, slip="F1")
    play.fetch(900)
    play.out(10_000)
    play.press("credit", 2, cents=10_000, slip="C1")
    play.out(500, 500)
    play.press("buy_in", player="Ann", cents=1000)
    play.press("close", 2)
    made = of(play)
    assert column(made) == {
        "opening float": OPENING, "fills": 2500, "credits": -10_000, "chips sold for cash": -1000,
        "won in chips at play": 5000, "closing float": OPENING - 3500,
    }  # fmt: skip
    assert (made.win, made.drop, made.won, made.beside_settlements) == (5000, 1000, 5000, 0)
    assert made.hold == 5.0
    assert made.books.opening == STOCK
    assert made.books.closing == {**STOCK, 10_000: 39, 5000: 1, 2500: 41, 500: 38}
    assert [(line.kind, line.slip, line.by) for line in made.books.booked] == [
        ("fill", "F1", "S2"), ("credit", "C1", "S2"), ("buy_in", "", "S1"),
    ]  # fmt: skip


def test_what_was_corrected_and_explained_has_lines_of_its_own(play: Written) -> None:
    play.out(500, 500)
    play.press("buy_in", player="Ann", cents=10_000)
    play.press("correct_booking", 2, booking="1", cents=1000, reason="a nought too many")
    play.out(2500)
    play.time(1)
    play.press("float_explained", 2, reason="fell into the drop slot")
    play.out(100)
    play.result("A")
    play.press("close", 2)
    made = of(play)
    assert column(made) == {
        "opening float": OPENING, "chips sold for cash": -10_000, "bookings corrected": 9000,
        "differences explained": -2500, "never explained": -100, "won in chips at play": 0,
        "closing float": OPENING - 3600,
    }  # fmt: skip
    assert (made.drop, made.win, made.beside_settlements) == (1000, -2600, 0)
    assert made.books.booked[1].corrects == made.books.booked[0].booking


def test_a_table_that_stays_open_has_a_closing_at_the_days_end_and_opens_with_it_the_next_day(play: Written) -> None:
    a_loser(play, 50)
    play.at = DAY - 60_000
    play.out(10_000)
    play.press("credit", 2, cents=10_000)
    play.at = DAY + 60_000
    play.fetch(900, 901)
    play.press("fill", 2, cents=5000)
    play.press("place_bets")
    a_loser(play, 25)
    first, second = of(play), of(play, 1)
    assert (first.books.stays_open, second.books.stays_open) == (True, True)
    assert first.books.closing == second.books.opening
    assert column(first)["closing float"] == OPENING + 5000 - 10_000
    assert column(second) == {
        "opening float": OPENING - 5000, "fills": 5000, "won in chips at play": 2500, "closing float": OPENING + 2500,
    }  # fmt: skip
    assert (first.win, second.win) == (5000, 2500)


def test_a_booking_that_is_corrected_after_its_float_was_closed_is_put_right_on_the_day_of_the_correction(
    play: Written,
) -> None:
    play.fetch(900, cents=500)
    play.press("fill", 2, cents=2500)
    play.result("A")
    play.press("close", 2)
    assert (of(play).win, column(of(play))["never explained"]) == (-2000, -2000)
    play.press("open")
    play.event(SignShown(9999))
    play.press("correct_booking", 2, booking="1", cents=500, reason="the cage says five")
    made = of(play)
    assert (made.win, made.beside_settlements) == (0, 0)
    assert column(made) == {
        "opening float": OPENING, "fills": 2500, "bookings corrected": -2000, "won in chips at play": 0,
        "closing float": OPENING + 500,
    }  # fmt: skip
    play.at = DAY + 1
    play.press("correct_booking", 2, booking="1", cents=1000, reason="no, ten")
    first, second = of(play), of(play, 1)
    assert (first.win, second.win, second.beside_settlements) == (0, -500, 0)
    column(second)


def reopened(play: Written) -> None:
    play.press("open")
    play.event(SignShown(9999 + play.seq))
    assert play.life == "open"


def test_a_fill_while_the_table_is_closed_is_part_of_what_it_opens_with_and_nobody_is_accused(play: Written) -> None:
    play.result("A")
    play.press("close", 2)
    play.fetch(900)
    play.press("fill", 2, cents=2500)
    night = of(play)
    assert (night.win, column(night)["closing float"]) == (0, OPENING)
    reopened(play)
    assert "float_count" not in play.alarms
    made = of(play)
    assert (made.win, made.beside_settlements) == (0, 0)
    assert column(made) == {
        "opening float": OPENING, "fills": 2500, "won in chips at play": 0, "closing float": OPENING + 2500,
    }  # fmt: skip
    play.at = DAY + 1
    play.press("limits", 3, least=500, most=20_000)
    assert (of(play, 1).win, column(of(play, 1))["opening float"]) == (0, OPENING + 2500)


def test_a_fill_before_the_first_opening_is_in_the_opening() -> None:
    play = Written()
    play.event(Started("test", plain(play.config)))
    play.press("fill", 2, cents=2500)
    play.opened()
    made = of(play)
    assert (made.win, column(made)) == (0, {
        "opening float": OPENING, "won in chips at play": 0, "closing float": OPENING,
    })  # fmt: skip
    assert [line.kind for line in made.books.booked] == ["fill"]


def test_what_a_float_was_closed_with_can_be_explained_or_corrected_while_it_is_closed(play: Written) -> None:
    play.out(100)
    play.fetch(900, cents=500)
    play.press("fill", 2, cents=2500)
    play.result("A")
    play.press("close", 2)
    assert column(of(play))["never explained"] == -2100
    play.press("correct_booking", 2, booking="1", cents=500, reason="a slip of the finger")
    assert column(of(play))["never explained"] == -100
    play.press("float_explained", 2, reason="under the table")
    assert (play.refused, play.alarms) == ("", {})
    reopened(play)
    assert "float_count" not in play.alarms
    made = of(play)
    assert column(made) == {
        "opening float": OPENING, "fills": 2500, "differences explained": -100, "bookings corrected": -2000,
        "won in chips at play": 0, "closing float": OPENING + 400,
    }  # fmt: skip
    assert (made.win, made.beside_settlements) == (-100, 0)


def test_chips_that_go_while_the_table_is_closed_and_are_explained_then_are_no_surprise_at_opening(
    play: Written,
) -> None:
    play.result("A")
    play.press("close", 2)
    play.out(10_000)
    play.time(1)
    play.press("float_explained", 2, reason="taken for evidence")
    reopened(play)
    assert "float_count" not in play.alarms
    made = of(play)
    assert (column(made)["differences explained"], made.win, made.beside_settlements) == (-10_000, -10_000, 0)


def test_a_count_of_the_box_that_was_wrong_is_corrected(play: Written) -> None:
    play.out(10_000)
    play.press("buy_in", player="Ann", cents=10_000)
    play.press("count_box", 2, cents=1000)
    play.press("correct_booking", 2, booking="2", cents=10_000, reason="a nought too few")
    made = of(play)
    assert (made.books.counted_box, made.books.box_difference) == (10_000, 0)


def test_chips_that_come_or_go_while_the_table_is_closed_have_a_line(play: Written) -> None:
    play.result("A")
    play.press("close", 2)
    play.out(10_000)
    play.press("open")
    play.event(SignShown(9999))
    made = of(play)
    assert column(made)["changed while the table was closed"] == -10_000
    assert made.beside_settlements == 0


def test_colour_chips_sold_for_cash_are_drop_and_those_still_out_are_seen_beside_the_settlements(play: Written) -> None:
    play.press("issue_colour", colour="blue", player="Ann", value=500, count=20, in_chips=2500)
    play.fetch(900)
    made = of(play)
    assert (made.drop, made.win, made.beside_settlements) == (7500, 10_000, 10_000)
    assert column(made)["colour chips sold for chips"] == 2500
    play.press("redeem_colour", colour="blue", player="Ann", count=20)
    play.out(10_000)
    made = of(play)
    assert (made.win, made.beside_settlements) == (0, 0)


def test_the_box_is_told_beside_the_cash_that_was_booked(play: Written) -> None:
    play.out(10_000)
    play.press("buy_in", player="Ann", cents=10_000)
    play.press("count_box", 2, cents=9000, slip="B7")
    made = of(play)
    assert (made.books.counted_box, made.books.box_difference) == (9000, -1000)
    assert "-$10 beside what was booked" in as_text(made, str)


def test_cash_in_several_transactions_is_added_up_for_each_player() -> None:
    play = Written(books={"cash_threshold": 10_000})
    play.opened()
    for player, cents in (("Ann", 5000), ("Bob", 9000), ("Ann", 5000), ("Cy", 20_000)):
        play.press("buy_in", player=player, cents=cents)
    lines = of(play).large_cash()
    assert [(line.player, line.cents, line.times, line.largest) for line in lines] == [
        ("Cy", 20_000, 1, 20_000), ("Ann", 10_000, 2, 5000),
    ]  # fmt: skip
    play.press("correct_booking", 2, booking="3", cents=1000, reason="keyed wrongly")
    assert [line.player for line in of(play).large_cash()] == ["Cy"]


def test_a_key_that_was_taken_back_counts_for_nothing() -> None:
    sold = {"player": "Ann", "cents": 500, "count": 20}
    steps = [Noted("colour_issued", sold), Noted("colour_issued", sold), Noted("taken_back", {"row": 1, "key": "x"})]
    rows = [Row(seq, seq, record.encode(record.Record(Stopped(), [one])), b"") for seq, one in enumerate(steps, 1)]
    assert report(rows, 0, DAY).drop == 10_000


def test_poker_has_rake_fees_and_side_wagers_instead_of_a_float() -> None:
    effects = [
        Noted("hand_over", {"rake": 500, "fees": 200, "side": -100, "pot": 1, "players": 2, "deals": 1}),
        Noted("time_charge", {"seats": [1], "owing": [], "amount": 300}),
    ]
    made = report([Row(1, 1, record.encode(record.Record(Stopped(), effects)), b"")], 0, DAY)  # type: ignore[arg-type]
    assert (made.books.rake, made.books.fees, made.books.side_wagers, made.win) == (500, 500, -100, 900)
    assert "rake $5, fees $5, side wagers -$1" in as_text(made, str)


def test_poker_with_a_watched_float_wins_what_the_float_gained_and_what_was_dropped_beside_it() -> None:
    side = Noted("hand_over", {"rake": 500, "fees": 200, "side": 1500, "pot": 1, "players": 2, "deals": 1})
    at_the_seats = [
        Noted("sat_down", {"seat": 1, "player": "Ann", "amount": 20_000}),
        Noted("chips_added", {"seat": 1, "amount": 5000}),
        Noted("left", {"seat": 1, "player": "Ann", "amount": 24_000}),
    ]
    opened = Noted("float_opened", {"cents": 10_000, "chips": {"500": 20}, "since_closing": None})
    sold = Noted("booked", {"booking": 1, "kind": "buy_in", "cents": 5000, "by": "S1", "player": "Ann"})
    closed = Noted("float_closed", {"cents": 6500, "chips": {"500": 13}, "gap": 0})
    effects = [opened, *at_the_seats, sold, side, closed]
    made = report([Row(1, 1, record.encode(record.Record(Stopped(), effects)), b"")], 0, DAY)  # type: ignore[arg-type]
    assert (made.books.win, made.win, made.drop, made.hold) == (1500, 2200, 5000, None)
    assert (made.books.brought, made.books.carried_off) == (25_000, 24_000)
    assert "$250 brought to the table, $240 carried off" in as_text(made, str)


def test_books_without_a_tray_have_no_column_and_no_win() -> None:
    assert (Books().column(), Books().win, Books().counted_box) == ([], None, None)
