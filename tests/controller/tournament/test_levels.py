"""Levels by the clock, with their breaks; none before its sign has stood."""

from __future__ import annotations

from controller.tournament.levels import MINUTE, due, resting, timetable
from tests.controller.tournament.stated import terms

WAGERS = terms("poker").wagers


def test_a_break_moves_every_later_level() -> None:
    table = timetable(WAGERS, 0)
    assert [(start.number, start.at // MINUTE) for start in table][:5] == [(1, 0), (2, 20), (3, 40), (4, 70), (5, 90)]
    assert resting(table, 60 * MINUTE) == table[3]
    assert resting(table, 59 * MINUTE) is None
    assert resting(table, 70 * MINUTE) is None


def test_a_level_is_that_of_its_time_and_the_first_until_the_sign_has_stood() -> None:
    table = timetable(WAGERS, 0)
    assert [due(table, minute * MINUTE, 0).number for minute in (0, 19, 20, 41, 500)] == [1, 1, 2, 3, 7]
    assert due(table, 25 * MINUTE, 26 * MINUTE).number == 1
    assert due(table, 26 * MINUTE, 26 * MINUTE).number == 2
