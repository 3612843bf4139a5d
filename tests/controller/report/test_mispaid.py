"""A wrong payment is listed once, on the day it was found, with what was said of it later."""

from __future__ import annotations

from controller.core.effects import Noted
from controller.core.events import Stopped
from controller.journal import row as record
from controller.journal.file import Row
from controller.report import HOUR_MS, Report, report

DAY = 24 * HOUR_MS
FOUND = {"item": "7/3/overpaid", "round": 7, "area": 3, "kind": "overpaid", "cents": 1250, "remedy": "", "cause": ""}
TOLD = {"wager": "mAnn", "paid": 2500, "due": 1250, "intended": False, "by": "S1"}


def days(*steps: tuple[float, str, dict[str, object]]) -> list[Report]:
    rows = [
        Row(seq, round(at * HOUR_MS), record.encode(record.Record(Stopped(), [Noted(what, facts)])), b"")
        for seq, (at, what, facts) in enumerate(steps, start=1)
    ]
    return [report(rows, day * DAY, (day + 1) * DAY) for day in (0, 1)]


def test_one_that_antennas_found_and_a_person_told_is_one() -> None:
    first, _ = days((1, "mispayment", FOUND), (1.1, "mispaid", TOLD))
    (item,) = first.mispayments.values()
    assert (item["item"], item["wager"], item["intended"], item["cents"]) == ("7/3/overpaid", "mAnn", False, 1250)


def test_one_that_was_told_before_antennas_found_it_is_one_too() -> None:
    first, _ = days((1, "mispaid", TOLD), (1.1, "mispayment", FOUND))
    assert [item["item"] for item in first.mispayments.values()] == ["7/3/overpaid"]


def test_two_of_other_amounts_or_long_apart_are_two() -> None:
    first, _ = days((1, "mispayment", FOUND), (1.1, "mispaid", {**TOLD, "paid": 9000}), (9, "mispaid", TOLD))
    assert len(first.mispayments) == 3


def test_a_completion_on_the_next_day_stands_with_the_day_it_was_found() -> None:
    done = {**FOUND, "remedy": "the player gave it back", "put_right_at": DAY + 1}
    first, second = days((23, "mispayment", FOUND), (25, "mispayment", done), (26, "fill", {}))
    assert [item["remedy"] for item in first.mispayments.values()] == ["the player gave it back"]
    assert second.mispayments == {}
