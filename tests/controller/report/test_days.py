"""Gaming days in the zone of the house."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from controller.report import days, report
from controller.report.days import Span, as_written, day_of, gaming_day, gaming_month, machine_zone, shifts_of
from controller.report.page import page
from controller.report.text import tables
from tests.controller.report.written import Written

MELBOURNE = ZoneInfo("Australia/Melbourne")
SIX = time(6)
HOUR = 3_600_000


def at(text: str) -> int:
    """A moment written in UTC."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def test_a_day_is_23_or_25_hours_long_when_the_clocks_are_changed() -> None:
    spring, autumn = gaming_day(date(2026, 10, 3), SIX, MELBOURNE), gaming_day(date(2026, 4, 4), SIX, MELBOURNE)
    assert [(span.end - span.start) // HOUR for span in (spring, autumn)] == [23, 25]
    assert spring == (at("2026-10-02 20:00"), at("2026-10-03 19:00"))
    assert gaming_day(date(2026, 6, 1), SIX, MELBOURNE) == (at("2026-05-31 20:00"), at("2026-06-01 20:00"))


def test_every_moment_of_a_year_belongs_to_one_day() -> None:
    for moment in range(at("2026-01-01 00:00"), at("2027-01-01 00:00"), 1_700_000):
        span = gaming_day(day_of(moment, SIX, MELBOURNE), SIX, MELBOURNE)
        assert span.start <= moment < span.end


@pytest.mark.parametrize("zone", ["Australia/Melbourne", "Australia/Lord_Howe", "America/Havana", "America/Santiago"])
@pytest.mark.parametrize("starts", ["00:00", "00:30", "01:59", "02:00", "02:30", "03:00", "23:30"])
def test_every_moment_around_a_change_of_clocks_belongs_to_one_day_whenever_days_begin(zone: str, starts: str) -> None:
    here, begins = ZoneInfo(zone), time.fromisoformat(starts)
    hours = [at("2026-01-01 00:00") + hour * HOUR for hour in range(365 * 24)]
    offsets = [datetime.fromtimestamp(hour / 1000, here).utcoffset() for hour in hours]
    changes = [hour for hour, before, now in zip(hours[1:], offsets, offsets[1:], strict=False) if before != now]
    assert len(changes) == 2
    for moment in (change + minutes * 60_000 for change in changes for minutes in range(-1_560, 1_560, 7)):
        span = gaming_day(day_of(moment, begins, here), begins, here)
        assert span.start <= moment < span.end


def test_times_carry_the_offset_of_their_zone_where_an_hour_comes_twice() -> None:
    autumn = as_written(MELBOURNE, gaming_day(date(2026, 4, 4), SIX, MELBOURNE))
    twice = [autumn(at(text)) for text in ("2026-04-04 15:10", "2026-04-04 16:10")]
    assert twice == ["2026-04-05 02:10:00+11:00", "2026-04-05 02:10:00+10:00"]
    assert twice != sorted(twice), "their order is that of the moments"
    winter = as_written(MELBOURNE, gaming_day(date(2026, 6, 1), SIX, MELBOURNE))
    assert winter(at("2026-06-01 02:10")) == "2026-06-01 12:10:00"
    assert winter(at("2026-02-01 02:10")) == "2026-02-01 13:10:00+11:00", "what was pressed in summer"


def test_a_month_is_its_gaming_days() -> None:
    month = gaming_month(date(2026, 10, 17), SIX, MELBOURNE)
    assert month == (
        gaming_day(date(2026, 10, 1), SIX, MELBOURNE).start,
        gaming_day(date(2026, 10, 31), SIX, MELBOURNE).end,
    )


def test_shifts_follow_one_another_through_the_night_and_fill_the_day() -> None:
    shifts = shifts_of(date(2026, 10, 3), SIX, ("06:00", "14:00", "22:00"), MELBOURNE)
    assert [(shift.end - shift.start) // HOUR for shift in shifts] == [8, 8, 7]
    assert (shifts[0].start, shifts[-1].end) == gaming_day(date(2026, 10, 3), SIX, MELBOURNE)
    late = shifts_of(date(2026, 6, 1), SIX, ("14:00", "02:00"), MELBOURNE)
    assert [(shift.end - shift.start) // HOUR for shift in late] == [8, 12, 4]
    assert shifts_of(date(2026, 6, 1), SIX, (), MELBOURNE) == (Span(*gaming_day(date(2026, 6, 1), SIX, MELBOURNE)),)


def test_the_machines_zone_changes_its_clocks_too(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("TZ", "Australia/Melbourne")
    offsets = {datetime(2026, month, 1, tzinfo=machine_zone()).utcoffset() for month in (1, 7)}
    assert len(offsets) == 2
    monkeypatch.setenv("TZ", "no such zone")
    monkeypatch.setattr(days, "MACHINE", tmp_path)
    assert machine_zone() == ZoneInfo("UTC")


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 4, 4), 25), (date(2026, 10, 3), 23)])
def test_a_report_of_a_day_on_which_the_clocks_are_changed_has_every_hour_once_and_in_order(
    day: date, hours: int
) -> None:
    during = gaming_day(day, SIX, MELBOURNE)
    play = Written()
    play.at = during.start
    play.opened()
    for hour in range(hours):
        play.at = during.start + hour * HOUR + 60_000
        play.out(500)
        play.press("buy_in", player="Ann", cents=500)
        play.result("A")
        play.press("place_bets")
    made = report(play.rows, *during)
    assert (made.rounds, len(made.hours), sum(made.hours.values())) == (hours, hours, hours)
    when = as_written(MELBOURNE, during)
    told = {name: lines for name, _, lines in tables(made, when)}
    assert [datetime.fromisoformat(line[0]).timestamp() * 1000 - 1_000 for line in told["bookings"]] == [
        during.start + hour * HOUR + 61_000 for hour in range(hours)
    ]
    assert len({line[0] for line in told["rounds by hour"]}) == hours
    assert len(set(re.findall(r"\d\d:00[+]1[01]:00", page(made, when)))) >= hours // 3
