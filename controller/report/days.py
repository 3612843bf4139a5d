"""Gaming days and shifts in the time zone of the house; daylight saving comes with the zone."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MACHINE = Path("/etc/localtime")


class Span(NamedTuple):
    """From one moment to another, in milliseconds since the epoch; the second no longer belongs to it."""

    start: int
    end: int


def zone_named(name: str) -> ZoneInfo | None:
    """The zone of this name, if there is one."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def machine_zone() -> tzinfo:
    """The zone this machine is set to, with its rules for summer and winter."""
    if (named := os.environ.get("TZ", "").lstrip(":")) and (zone := zone_named(named)) is not None:
        return zone
    try:
        with MACHINE.open("rb") as file:
            return ZoneInfo.from_file(file, key="local")
    except (OSError, ValueError):
        return ZoneInfo("UTC")


def time_of_day(text: str) -> time:
    """HH:MM; ValueError where it is none."""
    return datetime.strptime(text, "%H:%M").time()


def gaming_day(day: date, starts: time, zone: tzinfo) -> Span:
    """From its beginning on this date to the next one's: 23 or 25 hours when the clocks are changed."""
    return Span(_moment(day, starts, zone), _moment(day + timedelta(days=1), starts, zone))


def gaming_month(day: date, starts: time, zone: tzinfo) -> Span:
    """The gaming days of a month."""
    first = day.replace(day=1)
    after = (first + timedelta(days=32)).replace(day=1)
    return Span(_moment(first, starts, zone), _moment(after, starts, zone))


def day_of(at: int, starts: time, zone: tzinfo) -> date:
    """The date of the gaming day in which this moment lies."""
    day = datetime.fromtimestamp(at / 1000, zone).date()
    # Compared as moments: where the clocks are changed, a time of day comes twice, or not at all.
    return day - timedelta(days=at < _moment(day, starts, zone))


def as_written(zone: tzinfo, during: Span) -> Callable[[int], str]:
    """How a house writes moments of this time: with the offset of its zone where there is more than one."""
    offsets = {datetime.fromtimestamp(at / 1000, zone).utcoffset() for at in during}

    def written(at: int) -> str:
        moment = datetime.fromtimestamp(at / 1000, zone)
        shown = moment if {moment.utcoffset()} != offsets else moment.replace(tzinfo=None)
        return shown.isoformat(" ", "seconds")

    return written


class HouseDays(NamedTuple):
    """The gaming days of a house: when they begin, and in which zone."""

    starts: time = time(0)
    zone: tzinfo = UTC

    @classmethod
    def of(cls, starts: str, zone: str) -> HouseDays:
        """As a configuration says it; without a zone the machine's own holds."""
        return cls(time_of_day(starts), ZoneInfo(zone) if zone else machine_zone())

    def day(self, at: int) -> date:
        """The gaming day in which this moment lies."""
        return day_of(at, self.starts, self.zone)

    def end(self, at: int) -> int:
        """When that day ends."""
        return gaming_day(self.day(at), self.starts, self.zone).end


def shifts_of(day: date, starts: time, shifts: tuple[str, ...], zone: tzinfo) -> tuple[Span, ...]:
    """The shifts of a gaming day one after the other; the whole day where there are none."""
    whole = gaming_day(day, starts, zone)
    begins = [whole.start]
    for shift in map(time_of_day, shifts):
        begins.append(_moment(day + timedelta(days=shift < starts), shift, zone))
    edges = sorted({*begins, whole.end})
    return tuple(Span(first, second) for first, second in pairwise(edges))


def _moment(day: date, at: time, zone: tzinfo) -> int:
    return round(datetime.combine(day, at, zone).timestamp() * 1000)
