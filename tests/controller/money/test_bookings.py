"""Bookings: slips, second signatures, corrections, the drop box; and what nobody may book."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.core.effects import Announced, Noted, Refused
from controller.core.events import Command
from controller.money import bookings
from controller.people import Person
from tests.controller.money.play import STOCK, MoneyPlay

VALUE = sum(value * count for value, count in STOCK.items())
BOTH = {"slips": ("fill", "credit"), "second_signature": ("fill", "credit", "buy_in", "explained", "correction", "box")}


@pytest.fixture
def play() -> MoneyPlay:
    return MoneyPlay().opened()


@pytest.fixture
def strict() -> MoneyPlay:
    """A table whose house asks for slips and second signatures."""
    return MoneyPlay(books=BOTH).opened()


def press(play: MoneyPlay, key: str, who: str, rank: int, **args: Any) -> str:
    """Somebody by name presses a key; the code of the refusal, if it was refused."""
    told = play.event(Command(key, Person(who, rank), args))
    return next((one.code for one in told if isinstance(one, Refused)), "")


def kept(play: MoneyPlay) -> bytes:
    """Everything that is known of money, and what is said of it."""
    return msgspec.json.encode((play.table.money.state, play.table.state.desk.alarms, play.table.state.desk.prompts))


def books_add_up(play: MoneyPlay) -> bool:
    tray = play.table.money.state.tray
    signs = {"fill": 1, "credit": -1, "buy_in": -1, "explained": 1}
    booked = sum(signs[kind] * cents for kind, cents in tray.booked.items())
    return tray.value == tray.opening + booked + tray.collected - tray.paid + tray.gap


def fetch(play: MoneyPlay, *tags: int, cents: int = 2500) -> None:
    """Chips come from the cage into the tray."""
    play.worth.update(dict.fromkeys(tags, cents))
    play.into(*tags)


# -- what nobody may book --------------------------------------------------------------------------------------------

BAD = [0, -1, -500, 2.5, 500.0, "500", "5e3", True, 10**9 + 100, 10**18, 10**30, 33, None, [500], float("inf")]


@pytest.mark.parametrize("cents", BAD, ids=repr)
@pytest.mark.parametrize("key", ["fill", "credit", "buy_in"])
def test_an_amount_that_is_none_is_refused_in_words_and_nothing_is_booked(
    play: MoneyPlay, key: str, cents: Any
) -> None:
    before = kept(play)
    who = {"player": "Ann"} if key == "buy_in" else {}
    assert press(play, key, "Bo", 2, cents=cents, **who) in ("bad_amount", "bad_argument")
    assert kept(play) == before


def test_a_correction_or_a_count_of_the_box_takes_no_amount_that_is_none(play: MoneyPlay) -> None:
    play.out(500)
    press(play, "buy_in", "Al", 1, cents=500, player="Ann")
    before = kept(play)
    for cents in (-500, 2.5, 10**18, 33):
        assert press(play, "correct_booking", "Bo", 2, booking="1", cents=cents, reason="x") in (
            "bad_amount", "bad_argument",
        )  # fmt: skip
    for cents in (-1, 2.5, 10**18):
        assert press(play, "count_box", "Bo", 2, cents=cents) in ("bad_amount", "bad_argument")
    assert kept(play) == before


@pytest.mark.parametrize("player", ["x" * 201, "Ann\nBob", "a\0b", "\u202eAnn"], ids=repr)
def test_a_name_that_is_none_is_refused(play: MoneyPlay, player: str) -> None:
    before = kept(play)
    assert press(play, "buy_in", "Al", 1, cents=500, player=player) == "bad_words"
    assert kept(play) == before


@pytest.mark.parametrize(
    "slip",
    ["5:-40", "-5:40", "0:3", "5:1e9", "5.001:3", "nan:3", "inf:1", "5:40 5:20", "5", "5:40:3", ":", "5:4.5",
     "5:100001", "1e999999:1", {"500": 2.7}, {"500": True}, {"500": -1}, {"x": 1}, {"-500": 1}, {"0": 4}, {"5e2": 1},
     {"500": "7"}, "٥:3"],
    ids=repr,
)  # fmt: skip
def test_a_slip_that_cannot_be_a_count_is_refused_in_words(play: MoneyPlay, slip: Any) -> None:
    before = kept(play)
    assert press(play, "count_float", "Bo", 2, float=slip) == "bad_slip"
    assert kept(play) == before


def test_an_amount_that_the_chips_of_the_float_do_not_make_names_what_they_make() -> None:
    play = MoneyPlay({2500: 10, 500: 10}).opened()
    play.press("credit", 2, cents=1250)
    (refused,) = (one for one in play.told if isinstance(one, Refused))
    assert "$12.50" in refused.text
    assert "multiples of $1" in refused.text


# -- slips -----------------------------------------------------------------------------------------------------------


def test_a_slip_is_booked_once(play: MoneyPlay) -> None:
    assert press(play, "fill", "Bo", 2, cents=2500, slip="F-1001") == ""
    assert press(play, "fill", "Bo", 2, cents=2500, slip=" F-1001 ") == "slip_twice"
    assert press(play, "credit", "Cy", 3, cents=2500, slip="F-1001") == "slip_twice"
    assert play.table.money.state.tray.booked == {"fill": 2500}
    assert play.noted("booked")[-1] == {"booking": 1, "kind": "fill", "cents": 2500, "by": "Bo", "slip": "F-1001"}


def test_a_house_that_asks_for_slips_books_no_fill_without_one(strict: MoneyPlay) -> None:
    assert press(strict, "fill", "Bo", 2, cents=2500) == "slip_needed"
    assert press(strict, "fill", "Bo", 2, cents=2500, slip="  ") == "slip_needed"
    assert press(strict, "fill", "Bo", 2, cents=2500, slip="<b>1</b>") == "bad_slip_number"
    assert strict.table.money.state.tray.booked == {}


def test_slip_numbers_and_bookings_are_kept_in_bounds(play: MoneyPlay) -> None:
    fetch(play, 900)
    for number in range(1, bookings.KEPT + 8):
        press(play, "fill", "Bo", 2, cents=2500, slip=f"F{number}")
    books = play.table.money.state.books
    assert len(books.made) == bookings.KEPT
    assert press(play, "correct_booking", "Bo", 2, booking="1", cents=0, reason="x") == "no_such_booking"
    books.slips = [str(number) for number in range(bookings.SLIPS_KEPT)]
    press(play, "fill", "Bo", 2, cents=2500, slip="last")
    assert (len(books.slips), books.slips[0], books.slips[-1]) == (bookings.SLIPS_KEPT, "1", "last")


def test_chips_of_a_slip_must_come_to_its_amount(play: MoneyPlay) -> None:
    before = kept(play)
    assert press(play, "fill", "Bo", 2, cents=2500, chips="5:4") == "slip_sum"
    assert press(play, "credit", "Bo", 2, cents=2500, chips="5:-5") == "bad_slip"
    assert kept(play) == before


@pytest.mark.parametrize("order", ["chips first", "slip first"])
def test_chips_that_move_are_held_against_those_of_the_slip(play: MoneyPlay, order: str) -> None:
    if order == "chips first":
        fetch(play, 900, 901)
    press(play, "fill", "Bo", 2, cents=5000, chips="25:1 5:5")
    if order == "slip first":
        fetch(play, 900, 901)
    assert (
        "of $25 1 are on the slip and 2 moved; of $5 5 are on the slip and 0 moved" in play.alarms["other_chips"].text
    )
    assert play.table.money.state.tray.gap == 0
    play.out(10_000, 500)
    press(play, "credit", "Bo", 2, cents=10_500, chips="100:1 5:1")
    assert play.alarms["other_chips"].count == 1


def test_chips_of_a_booking_without_a_slip_of_chips_are_held_against_their_value_alone(play: MoneyPlay) -> None:
    press(play, "fill", "Bo", 2, cents=5000, chips="25:1 5:5")
    press(play, "fill", "Bo", 2, cents=2500)
    fetch(play, 900, 901, 902)
    assert (play.alarms, play.table.money.state.tray.on_slips) == ({}, {})


# -- two signatures --------------------------------------------------------------------------------------------------


def test_one_person_cannot_cover_a_theft_with_a_credit(strict: MoneyPlay) -> None:
    strict.out(10_000)
    press(strict, "credit", "Bo", 2, cents=10_000, slip="C-1")
    assert strict.table.money.state.tray.booked == {}
    assert press(strict, "sign_booking", "Bo", 2, booking="1") == "same_person"
    assert press(strict, "sign_booking", "Bo", 4, booking="1") == "same_person"
    strict.time(1)
    assert "$100 is missing" in strict.alarms["float"].text
    assert "waits for a second signature" in strict.alarms["unsigned:1"].text


def test_a_second_person_signs_and_then_it_is_booked_with_both_names(strict: MoneyPlay) -> None:
    strict.out(10_000)
    press(strict, "credit", "Bo", 2, cents=10_000, slip="C-1")
    assert press(strict, "sign_booking", "Al", 1, booking="1") == ""
    assert strict.noted("booked")[-1]["second"] == "Al"
    assert not {"unsigned:1", "float"} & set(strict.alarms)
    assert (strict.table.money.state.tray.gap, books_add_up(strict)) == (0, True)
    assert press(strict, "sign_booking", "Cy", 3, booking="1") == "no_such_booking"


def test_two_dealers_are_not_enough_for_a_buy_in(strict: MoneyPlay) -> None:
    strict.out(2500)
    press(strict, "buy_in", "Al", 1, cents=2500, player="Ann")
    assert press(strict, "sign_booking", "Dee", 1, booking="1") == "rank_too_low"
    assert press(strict, "sign_booking", "Bo", 2, booking="1") == ""


def test_an_explanation_is_signed_by_two_and_only_for_the_gap_it_was_given_for(strict: MoneyPlay) -> None:
    strict.out(500)
    strict.time(1)
    press(strict, "float_explained", "Bo", 2, reason="found under the table")
    assert "float" in strict.alarms
    strict.out(10_000)
    assert press(strict, "sign_booking", "Cy", 3, booking="1") == "gap_changed"
    assert press(strict, "strike_booking", "Bo", 2, booking="1") == ""
    press(strict, "float_explained", "Bo", 2, reason="found under the table")
    press(strict, "sign_booking", "Cy", 3, booking="2")
    assert strict.noted("booked")[-1]["cents"] == -10_500
    assert ("float" in strict.alarms, books_add_up(strict)) == (False, True)


def test_what_nobody_has_signed_is_withdrawn_by_who_entered_it_by_a_supervisor_or_at_closing(
    strict: MoneyPlay,
) -> None:
    for slip in ("1", "2", "3"):
        press(strict, "fill", "Bo", 2, cents=500, slip=slip)
    assert press(strict, "strike_booking", "Al", 1, booking="1") == "rank_too_low"
    assert press(strict, "strike_booking", "Bo", 2, booking="1") == ""
    assert press(strict, "strike_booking", "Cy", 3, booking="2") == ""
    strict.result("A")
    press(strict, "close", "Cy", 3)
    assert [one["struck_by"] for one in strict.noted("booking_struck")] == ["Bo", "Cy", "table"]
    assert (strict.table.money.state.books.waiting, strict.alarms) == ({}, {})


def test_a_booking_that_waits_still_waits_after_a_restart(strict: MoneyPlay) -> None:
    press(strict, "fill", "Bo", 2, cents=500, slip="1")
    strict.again()
    fetch(strict, 900, cents=500)
    assert press(strict, "sign_booking", "Cy", 3, booking="1") == ""
    assert strict.table.money.state.tray.gap == 0


# -- corrections -----------------------------------------------------------------------------------------------------


def test_a_wrong_booking_is_corrected_by_one_that_names_it_and_the_column_adds_up(play: MoneyPlay) -> None:
    play.out(2500, 2500)
    press(play, "buy_in", "Al", 1, cents=50_000, player="Ann")
    play.time(1)
    assert "float" in play.alarms
    assert press(play, "correct_booking", "Bo", 2, booking="1", cents=5000, reason="a nought too many") == ""
    assert "float" not in play.alarms
    first, second = play.noted("booked")
    assert (first["cents"], second["cents"], second["corrects"], second["kind"]) == (50_000, -45_000, 1, "buy_in")
    assert play.table.money.state.tray.booked == {"buy_in": 5000}
    assert books_add_up(play)
    assert any(isinstance(one, Announced) and one.to == "surveillance" for one in play.effects)


def test_a_correction_can_itself_be_corrected_and_one_that_changes_nothing_is_refused(play: MoneyPlay) -> None:
    fetch(play, 900)
    press(play, "fill", "Bo", 2, cents=2500)
    press(play, "correct_booking", "Bo", 2, booking="1", cents=0, reason="no fill came")
    assert play.table.money.state.tray.gap == 2500
    assert press(play, "correct_booking", "Bo", 2, booking="1", cents=0, reason="x") == "nothing_wrong"
    press(play, "correct_booking", "Bo", 2, booking="1", cents=2500, reason="it did come")
    assert (play.table.money.state.tray.gap, play.table.money.state.tray.booked) == (0, {"fill": 2500})
    assert press(play, "correct_booking", "Bo", 2, booking="9", cents=0, reason="x") == "no_such_booking"
    assert press(play, "correct_booking", "Bo", 2, booking="1", cents=0) == "bad_argument"


def test_an_explanation_can_be_taken_back_and_the_money_is_missing_again(play: MoneyPlay) -> None:
    play.out(10_000)
    play.time(1)
    press(play, "float_explained", "Bo", 2, reason="under the table")
    assert press(play, "correct_booking", "Cy", 3, booking="1", cents=500, reason="x") == "bad_amount"
    press(play, "correct_booking", "Cy", 3, booking="1", cents=0, reason="it was not there")
    play.time(1)
    assert "$100 is missing" in play.alarms["float"].text
    assert books_add_up(play)


def test_a_booking_of_a_float_that_was_closed_is_corrected_on_paper_and_moves_no_chips(play: MoneyPlay) -> None:
    fetch(play, 900)
    press(play, "fill", "Bo", 2, cents=2500)
    play.result("A")
    press(play, "close", "Bo", 2)
    press(play, "open", "Bo", 2)
    press(play, "correct_booking", "Bo", 2, booking="1", cents=500, reason="the cage says so")
    assert play.noted("booked")[-1]["earlier"] is True
    assert (play.table.money.state.tray.booked, play.table.money.state.tray.gap) == ({}, 0)


# -- the count of tray and box -----------------------------------------------------------------------------------------


def test_a_count_that_agrees_ends_what_was_said_of_the_float() -> None:
    play = MoneyPlay().opened({**STOCK, 2500: 41})
    assert "Count the float" in play.alarms["float_count"].remedy
    play.press("count_float", 2, float="100:40 25:39 5:40 1:40")
    assert "of $25 39 are on the slip and 40 in the tray" in play.alarms["float_count"].text
    play.press("count_float", 2, float="100:40 25:40 5:40 1:40")
    assert "float_count" not in play.alarms
    assert [len(one["differences"]) for one in play.noted("float_counted")] == [1, 0]


def test_a_buy_in_without_its_cash_is_told_when_the_box_is_counted(play: MoneyPlay) -> None:
    play.out(10_000)
    press(play, "buy_in", "Al", 1, cents=10_000, player="Ann")
    press(play, "buy_in", "Al", 1, cents=10_000, player="Ann")
    press(play, "correct_booking", "Bo", 2, booking="2", cents=2500, reason="keyed twice")
    press(play, "count_box", "Bo", 2, cents=2500)
    assert "$100 less than the $125" in play.alarms["box_count"].text
    assert play.table.money.state.books.box == 0
    play.press("seen_to", 2, alarm="box_count", reason="police called")
    assert "box_count" not in play.alarms


def test_colour_chips_sold_for_cash_are_expected_in_the_box() -> None:
    play = MoneyPlay(colours=("blue",), set_mark="BW1").opened()
    play.press("issue_colour", colour="blue", player="Ann", value=500, count=20, in_chips=2500)
    assert play.table.money.state.books.box == 7500
    play.press("issue_colour", colour="blue", player="Ann", value=500, count=1, in_chips=600)
    assert play.refused == "bad_amount"
    assert play.table.money.state.books.box == 7500


def test_every_booking_survives_its_snapshot(play: MoneyPlay) -> None:
    press(play, "fill", "Bo", 2, cents=2500, slip="F1")
    saved = msgspec.json.encode(play.table.money.state.books)
    play.again()
    assert msgspec.json.encode(play.table.money.state.books) == saved
    assert [one for one in play.effects if isinstance(one, Noted) and one.what == "booked"]


@pytest.mark.parametrize("again", ["f17", " F17 ", "F 17", "f 17"])
def test_a_slip_typed_otherwise_is_the_same_slip(again: str) -> None:
    play = MoneyPlay().opened()
    play.press("fill", 2, cents=500, slip="F17")
    play.press("fill", 2, cents=500, slip=again)
    assert play.refused == "slip_twice"
    assert play.table.money.state.books.last == 1


NO_AMOUNTS = (-500, 0, 2.5, 1e400, float("nan"), 10**30, "abc", "", None, True, [500], {"500": 1}, "-5", "1e9")
NO_SLIPS = (
    "5:-1",
    "-5:1",
    "5:1.5",
    "5",
    "5:1 5:1",
    "1e3:1",
    "5:999999999",
    {"500": -1},
    {"500": 1.5},
    {"500": True},
    {"x": 1},
    7,
)
BOOKED: dict[str, dict[str, Any]] = {
    "fill": {"cents": 500},
    "credit": {"cents": 500},
    "buy_in": {"player": "Ann", "cents": 500},
    "count_box": {"cents": 500},
    "correct_booking": {"booking": "1", "cents": 500, "reason": "wrong"},
}


@pytest.mark.parametrize("key", BOOKED)
def test_what_is_no_amount_is_refused_in_words_and_books_nothing(key: str) -> None:
    play = MoneyPlay().opened()
    play.press("buy_in", player="Ann", cents=1000)
    for wrong in NO_AMOUNTS:
        if wrong == 0 and key in ("count_box", "correct_booking"):
            continue  # an empty box, and a booking of nothing at all
        play.press(key, 2, **{**BOOKED[key], "cents": wrong})
        assert play.refused, f"{key} takes {wrong!r}"
        assert play.table.money.state.books.last == 1
        assert play.table.state.faults == {}


@pytest.mark.parametrize("slip", NO_SLIPS)
def test_what_is_no_slip_is_refused_in_words_and_books_nothing(slip: Any) -> None:
    play = MoneyPlay().opened()
    play.press("fill", 2, cents=500, chips=slip)
    assert play.refused
    play.press("count_float", 2, float=slip)
    assert play.refused
    assert (play.table.money.state.books.last, play.table.state.faults) == (0, {})


@pytest.mark.parametrize("again", ["F-17", "f/17", "F_17", "F.17", "F-017", "f017", "F - 17"])
def test_a_slip_is_the_same_however_it_is_divided_and_with_or_without_leading_noughts(
    play: MoneyPlay, again: str
) -> None:
    assert press(play, "fill", "Bo", 2, cents=500, slip="F17") == ""
    assert press(play, "credit", "Bo", 2, cents=500, slip=again) == "slip_twice"
    assert play.table.money.state.books.last == 1


@pytest.mark.parametrize(("one", "other"), [("F-1/11", "F-11/1"), ("F170", "F17"), ("A17", "B17"), ("17-1", "171")])
def test_slips_that_differ_in_more_than_their_spelling_are_two(play: MoneyPlay, one: str, other: str) -> None:
    assert press(play, "fill", "Bo", 2, cents=500, slip=one) == ""
    assert press(play, "fill", "Bo", 2, cents=500, slip=other) == ""


def test_the_slip_of_a_booking_that_was_withdrawn_can_be_booked(strict: MoneyPlay) -> None:
    press(strict, "fill", "Bo", 2, cents=50_000, slip="F17")
    assert press(strict, "fill", "Bo", 2, cents=500, slip="F17") == "slip_twice"
    press(strict, "strike_booking", "Bo", 2, booking="1")
    assert press(strict, "fill", "Bo", 2, cents=500, slip="F17") == ""
    press(strict, "sign_booking", "Cy", 3, booking="2")
    assert press(strict, "fill", "Bo", 2, cents=500, slip="f 17") == "slip_twice"


def said_no(play: MoneyPlay) -> str:
    return next(one.text for one in play.effects if isinstance(one, Refused))


def test_a_correction_is_not_corrected_itself_and_it_is_said_which_booking_is(play: MoneyPlay) -> None:
    press(play, "fill", "Bo", 2, cents=2500)
    press(play, "correct_booking", "Bo", 2, booking="1", cents=500, reason="miscounted")
    before = kept(play)
    assert press(play, "correct_booking", "Bo", 2, booking="2", cents=0, reason="x") == "a_correction"
    assert said_no(play) == "Booking 2 corrects booking 1; correct booking 1 to what it should have been."
    assert kept(play) == before


def test_a_booking_that_waits_for_a_signature_is_withdrawn_and_not_corrected(strict: MoneyPlay) -> None:
    press(strict, "fill", "Bo", 2, cents=2500, slip="F1")
    assert press(strict, "correct_booking", "Bo", 2, booking="1", cents=0, reason="x") == "waits"
    assert "withdraw it" in said_no(strict)


def test_a_count_of_the_box_is_corrected_in_cash_whatever_the_chips_are_worth() -> None:
    play = MoneyPlay({2500: 10, 500: 10}).opened()
    play.out(2500)
    press(play, "buy_in", "Al", 1, cents=2500, player="Ann")
    assert press(play, "count_box", "Bo", 2, cents=2555) == ""
    assert press(play, "correct_booking", "Bo", 2, booking="2", cents=2505, reason="coins") == ""
    assert play.table.money.state.books.made["2"].now == 2505
    assert press(play, "correct_booking", "Bo", 2, booking="2", cents=-5, reason="x") == "bad_amount"
    assert press(play, "correct_booking", "Bo", 2, booking="2", cents=10**12, reason="x") in (
        "bad_amount",
        "bad_argument",
    )


def test_a_correction_whose_booking_has_gone_out_of_reach_is_refused_when_it_is_signed() -> None:
    play = MoneyPlay(books={"second_signature": ("correction",)}).opened()
    press(play, "fill", "Bo", 2, cents=2500)
    press(play, "correct_booking", "Bo", 2, booking="1", cents=0, reason="no fill came")
    for _ in range(bookings.KEPT):
        press(play, "fill", "Bo", 2, cents=2500)
    assert press(play, "sign_booking", "Cy", 3, booking="2") == "no_such_booking"
    assert play.table.state.faults == {}
    assert press(play, "strike_booking", "Bo", 2, booking="2") == ""


def test_what_was_entered_while_the_table_was_closed_and_nobody_signed_is_withdrawn_when_it_opens(
    strict: MoneyPlay,
) -> None:
    strict.result("A")
    press(strict, "close", "Bo", 2)
    press(strict, "fill", "Bo", 2, cents=2500, slip="F1")
    press(strict, "open", "Bo", 2)
    assert (strict.table.money.state.books.waiting, [one["booking"] for one in strict.noted("booking_struck")]) == (
        {},
        [1],
    )


@pytest.mark.parametrize("blank", ["", " ", "\t"])
def test_a_name_or_a_reason_that_says_nothing_is_refused(play: MoneyPlay, blank: str) -> None:
    play.out(500)
    assert press(play, "buy_in", "Al", 1, cents=500, player=blank) != ""
    press(play, "buy_in", "Al", 1, cents=500, player="Ann")
    before = kept(play)
    assert press(play, "correct_booking", "Bo", 2, booking="1", cents=0, reason=blank) in ("bad_words", "bad_argument")
    assert kept(play) == before
