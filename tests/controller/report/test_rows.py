"""Rows and the clock: whatever it did, every row belongs to one day."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.effects import Noted, Settled, WagerResult
from controller.core.events import Stopped
from controller.journal import row as record
from controller.journal.file import Entry, JournalFile, Row
from controller.report import report
from controller.report.rows import Listed, straightened, within

DAY = 24 * 3_600_000
TIMES = st.lists(st.integers(0, 5 * DAY), max_size=60)


def rows(times: list[int]) -> list[Row]:
    return [Row(seq, at, b"", b"") for seq, at in enumerate(times, start=1)]


@given(TIMES)
def test_whatever_the_clock_does_every_row_is_in_one_day_and_no_day_goes_back(times: list[int]) -> None:
    journal = Listed(rows(times))
    edges = [journal.last_before(day * DAY) for day in range(6)]
    assert edges == sorted(edges)
    seen: list[int] = []
    for day, (before, last) in enumerate(pairwise([0, *edges[1:], journal.last_seq])):
        timed = list(within(journal, before + 1, last, day * DAY, (day + 1) * DAY))
        assert all(one.at <= other.at for one, other in pairwise(timed))
        assert all(day * DAY <= one.at < (day + 1) * DAY for one in timed)
        seen += [one.row.seq for one in timed]
    assert seen == [*range(1, len(times) + 1)]


@given(TIMES)
def test_rows_that_were_read_are_cut_where_the_journal_itself_cuts_them(times: list[int]) -> None:
    best = [sum(at >= DAY for at in times[:cut]) + sum(at < DAY for at in times[cut:]) for cut in range(len(times) + 1)]
    assert best[Listed(rows(times)).last_before(DAY)] == min(best)


def test_one_leap_of_the_clock_is_put_between_its_neighbours() -> None:
    assert straightened([10, 20, 9_000_000, 30, 40]) == [10, 20, 20, 30, 40]
    assert straightened([10, 20, 0, 30]) == [10, 20, 20, 30]
    assert straightened([9_000_000, 10, 20]) == [10, 10, 20]
    assert straightened([]) == []


@pytest.mark.parametrize("leap", [40 * DAY, -1, 0])
def test_one_leap_of_the_clock_drops_nothing_from_the_day(tmp_path: Path, leap: int) -> None:
    file = JournalFile.open(tmp_path / "t.sqlite", "T", False)
    for number in range(1, 21):
        at = leap if number == 10 and leap != 0 else DAY + number * 1000
        lost = WagerResult(f"w{number}", "p1", "A", "lose", 0, 500, 0, ("3.6.2",))
        body = record.encode(
            record.Record(
                Stopped(), [Settled(number, "B", (lost,)), Noted("booked", {"kind": "fill", "cents": 100, "by": "S"})]
            )
        )
        file.append([Entry(max(at, 0), body)])
    for source in (file, list(file.rows())):
        day = report(source, DAY, 2 * DAY)
        assert (day.rounds, day.won, day.books.net("fill")) == (20, 10_000, 2000)
    file.close()
