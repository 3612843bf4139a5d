"""A gaming day tells what people decided, and what of it was taken back."""

from __future__ import annotations

from controller.people import Person
from controller.report import report
from controller.report.text import as_text
from tests.controller.core.stand import Stand
from tests.controller.report.written import DAY

PIT, ABOVE = Person("S3", 3), Person("S4", 4)


def test_a_key_that_was_taken_back_is_told_with_its_correction_and_what_it_ruled_is_marked() -> None:
    stand = Stand()
    stand.press("place_bets")
    stand.back()
    stand.press("limits", PIT, least=500, most=20_000)
    stand.back(ABOVE, reason="the wrong table")
    stand.press("limits", PIT, least=500, most=30_000)
    rows = stand.journal()
    made = report(rows, 0, DAY)
    assert [(one.key, one.pressed_by, one.by, one.reason, one.at - one.pressed) for one in made.taken_back] == [
        ("Place your bets", "S1", "S1", "", 1000),
        ("Change the limits", "S3", "S4", "the wrong table", 1000),
    ]
    ruled = [(one.answer, one.who, one.taken_back_by) for one in made.decisions if one.subject == "limits"]
    assert ruled == [("500-20000", "S3", "S4"), ("500-30000", "S3", "")]
    told = as_text(made, str).partition("keys taken back")[2]
    assert "Change the limits" in told
    assert "the wrong table" in told
    pressed = made.taken_back[1].pressed
    (next_day,) = report(rows, pressed + 1, DAY).taken_back
    assert (next_day.key, next_day.pressed) == ("Change the limits", pressed), "pressed on the day before"
    day_before = report(rows, 0, pressed + 1)
    assert day_before.decisions[-1].taken_back_by == "S4", "also when it is taken back on the next day"
