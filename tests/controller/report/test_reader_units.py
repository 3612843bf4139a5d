"""What a day's report counts, and what it leaves to others."""

from __future__ import annotations

from controller.report.day import Report
from controller.report.reader import Reader
from tests.controller.tournament.cup import Cup


def test_no_unit_of_a_tournament_is_counted_as_money() -> None:
    cup = Cup()
    cup.begun(3)
    cup.play({1: 1000, 2: 1000, 3: 1000}, "KS", "2H", "4C", "9D")
    reader = Reader(Report(0, cup.at + 1))
    for at, event, effects in cup.rows:
        reader.take(at, event, effects, True)
    made = reader.made
    assert (made.rounds, made.bets, made.won_at, made.floats, made.books.opening) == (0, {}, [], [], None)
    assert reader.tray.counted() == {}
