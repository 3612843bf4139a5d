"""Gaming days in the zone of the house."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from controller.report import days
from controller.report.days import Span, day_of, gaming_day, gaming_month, machine_zone, shifts_of

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
