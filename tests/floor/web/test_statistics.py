"""Statistics of the floor agree with each table's own day, which another program adds up."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine, select, update

from controller.core.effects import AnyEffect, Noted
from controller.core.events import TimerDue
from controller.journal import row as record
from controller.journal.file import Entry, JournalFile
from controller.journal.row import Record
from controller.report.day import Report
from controller.report.days import HouseDays
from controller.report.reader import Reader
from floor.store.schema import FACTS
from floor.web.statistics import BY, chi_square, chi_text, fairness, results
from tests.floor.tables import floor_at, heard, named, played

GAMES = ("wheel", "war")


def days_report(path: Path) -> Report:
    """What the table's own report says of the whole journal."""
    journal = JournalFile.read_only(path)
    made = Report(0, 1 << 60)
    reader = Reader(made)
    reader.begin()
    for row in journal.rows():
        kept = record.decode(row.body)
        reader.take(row.at, kept.event, kept.effects, True, row.seq)
    journal.close()
    return reader.ended()


def told(path: Path, folder: Path) -> Engine:
    intake = floor_at(folder, path)
    for one in heard(path, 7):
        intake.take([one])
    return intake.engine


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("by", BY)
def test_results_are_those_of_the_table_s_own_report(tmp_path: Path, game: str, by: str) -> None:
    path, _ = played(game, 12)
    report, engine = days_report(path), told(path, tmp_path)
    with engine.connect() as store:
        found = results(store, by)
    engine.dispose()
    assert sum(one["rounds"] for one in found) == pytest.approx(report.rounds, abs=1)  # the last may not be over
    if sum(one["rounds"] for one in found) == report.rounds:
        assert sum(one["win"] for one in found) == report.won
        assert sum(one["theoretical"] for one in found) == pytest.approx(report.theoretical_win, abs=2)
    assert all(one["theoretical"] > 0 for one in found)
    assert all(one["an_hour"] for one in found)
    if by == "dealer":
        assert {one["what"] for one in found} == set(report.dealers)


def wrote(folder: Path, *effects: Sequence[AnyEffect]) -> Path:
    """A journal of a wheel that has played, and then these conclusions, a minute apart."""
    import shutil

    path = folder / "wheel.sqlite"
    shutil.copy(played("wheel")[0], path)
    journal = JournalFile.open(path, named("wheel", "The wheel 1").table.name, durable=False)
    last = max(row.at for row in journal.rows())
    for number, some in enumerate(effects, 1):
        body = record.encode(Record(TimerDue("none"), list(some), form=record.FORM))
        journal.append([Entry(last + 60_000 * number, body)])
    journal.close()
    return path


BOOKED = [Noted("booked", {"kind": "buy_in", "cents": 20_000, "booking": 1, "by": "S1"})]
COLOUR = [Noted("colour_issued", {"player": "P1", "colour": "red", "cents": 500, "count": 20}),
          Noted("booked", {"kind": "bought_back", "cents": 4_000, "booking": 2, "by": "S1"})]  # fmt: skip
LATE = [Noted("late_change", {"kind": "placed", "cents": 2_500, "was": 0, "now": 3, "tag": 7, "after_ms": 300})]
FOUND = [Noted("mispayment", {"item": "p1", "cents": 1_500, "found_at": 1})]
TOLD = [Noted("mispaid", {"paid": 2_500, "due": 1_000, "wager": "1/A"})]
OTHER = [Noted("mispaid", {"paid": 500, "due": 1_000, "wager": "1/B"})]


@pytest.mark.parametrize("size", [1, 40])
def test_cash_late_bets_and_wrong_payments_count_once_each(tmp_path: Path, size: int) -> None:
    path = wrote(tmp_path, BOOKED, COLOUR, LATE, LATE, FOUND, TOLD, OTHER)
    report, intake = days_report(path), floor_at(tmp_path, path)
    for one in heard(path, size):  # also by a floor that is started anew for every row
        intake.take([one])
        intake.engine.dispose()
        intake = floor_at(tmp_path, path)
    with intake.engine.connect() as store:
        (found,) = results(store, "game")
    intake.engine.dispose()
    assert found["drop"] == 20_000 + 6_000 == report.drop
    assert (found["late"], found["late_cents"]) == (2, 5_000) == (len(report.late), 5_000)
    assert (found["mispaid"], found["mispaid_cents"]) == (2, 2_000) == (len(report.mispayments), 2_000)
    assert found["hold"] == pytest.approx(found["win"] / 26_000)


def test_a_time_is_cut_out(tmp_path: Path) -> None:
    path = wrote(tmp_path, BOOKED, BOOKED)
    engine = told(path, tmp_path)
    last = [row.at for row in JournalFile.read_only(path).rows()][-1]
    with engine.connect() as store:
        assert results(store, "game", since=last)[0]["drop"] == 20_000
        assert results(store, "game", until=last)[0]["drop"] == 20_000
        assert results(store, "game", since=last + 1) == []
    engine.dispose()


# -- wheels --------------------------------------------------------------------------------------------------------


def test_landings_are_those_of_the_table_s_own_report(tmp_path: Path) -> None:
    path, _ = played("wheel", 12)
    report, engine = days_report(path), told(path, tmp_path)
    with engine.connect() as store:
        (wheel,) = fairness(store)
        assert fairness(store, since=wheel["last"] + 1) == []
    engine.dispose()
    assert wheel["counts"] == report.landings["counts"]
    assert report.landings["text"] in wheel["text"]
    assert "says nothing yet: 260 spins are needed" in wheel["text"]


def test_the_chi_square_of_a_fair_wheel_is_as_rare_as_it_says() -> None:
    draw = random.Random(1)
    chances = []
    for _ in range(400):
        counts = [0] * 52
        for _ in range(1040):
            counts[draw.randrange(52)] += 1
        chances.append(chi_square(tuple(counts))[1])
    for part in (0.01, 0.05, 0.5):
        met = sum(each < part for each in chances) / len(chances)
        assert met == pytest.approx(part, abs=4 * (part * (1 - part) / len(chances)) ** 0.5)


def test_the_chi_square_knows_published_values_and_a_wheel_that_leans() -> None:
    # 51 degrees of freedom: 68.669 is exceeded by 5 in 100, 77.386 by 1 in 100.
    for square, part in ((68.669, 0.05), (77.386, 0.01)):
        off = (square * 100 / 2) ** 0.5
        counts = (100 + off, 100 - off, *[100] * 50)
        assert chi_square(counts)[0] == pytest.approx(square)
        assert chi_square(counts)[1] == pytest.approx(part, abs=0.001)
    assert chi_square((120, *[20] * 51))[1] < 1e-6
    assert "0.0 % of such samples" in chi_text(1080, 80.0, 1e-6)
    assert chi_square((0,) * 52) == (0.0, 1.0)


def test_results_by_day_are_those_of_the_house_s_gaming_days(tmp_path: Path) -> None:
    """Drop at five in the morning in Melbourne belongs to the day before, whatever the day is in UTC."""
    path = wrote(tmp_path, BOOKED, BOOKED)
    engine = told(path, tmp_path)
    with engine.begin() as store:
        (first, second) = [one.seq for one in store.execute(select(FACTS.c.seq).where(FACTS.c.kind == "drop"))][-2:]
        night = 1_791_050_400_000  # 2026-10-04 05:00 in Melbourne, an hour after the clocks were put forward
        for seq, at in ((first, night), (second, night + 3_600_000)):
            store.execute(update(FACTS).where(FACTS.c.seq == seq).values(at=at))
    house = HouseDays.of("06:00", "Australia/Melbourne")
    with engine.connect() as store:
        found = {one["what"]: one["drop"] for one in results(store, "day", night, night + 86_400_000, house)}
    engine.dispose()
    assert found == {midnight(2026, 10, 3): 20_000, midnight(2026, 10, 4): 20_000}


def midnight(*day: int) -> int:
    return round(datetime(*day, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type, misc]
