"""`tablectl report`: a gaming day from a table's journal, and the month's list of large wrong payments."""

from __future__ import annotations

import base64
import csv
import sys
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import TextIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from controller import report as days
from controller.commands.options import journal as journal_path
from controller.journal.file import JournalFile
from controller.money.amounts import dollars
from controller.money.payment import REPORT_ABOVE
from controller.report.page import page
from controller.report.text import MISPAID, When, as_text, columned, mispaid, plain, write_csv

FILE = click.Path(path_type=Path, dir_okay=False)


def _zone(ctx: click.Context, param: click.Parameter, value: str | None) -> tzinfo:
    if value is None:
        local = datetime.now().astimezone().tzinfo
        assert local is not None
        return local
    try:
        return ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError):
        raise click.BadParameter(f"'{value}' is no time zone; write a name such as Australia/Melbourne") from None


def _starts(ctx: click.Context, param: click.Parameter, value: str) -> timedelta:
    try:
        at = datetime.strptime(value, "%H:%M")
    except ValueError:
        raise click.BadParameter(f"'{value}' is no time of day; write HH:MM") from None
    return timedelta(hours=at.hour, minutes=at.minute)


@click.command()
@journal_path("journal")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="The gaming day; the journal's last one when left out.")
@click.option("--month", type=click.DateTime(["%Y-%m"]), help="Instead: the month's single mispayments above --above.")
@click.option("--above", type=click.IntRange(min=0), default=REPORT_ABOVE // 100, show_default=True, help="Dollars.")
@click.option("--starts", callback=_starts, default="06:00", show_default=True, help="When a gaming day begins.")
@click.option("--zone", callback=_zone, help="The casino's time zone; this machine's when left out.")
@click.option("--format", "form", type=click.Choice(["text", "csv", "html"]), default="text", show_default=True)
@click.option("--output", type=FILE, help="A file instead of the terminal.")
def report(
    journal: Path,
    day: datetime | None,
    month: datetime | None,
    above: int,
    starts: timedelta,
    zone: tzinfo,
    form: str,
    output: Path | None,
) -> None:
    """The gaming day of JOURNAL: rounds, money by bet, pace, alarms, wrongs, devices, decisions.

    It is read while the table goes on writing; nothing is changed.
    """
    file = JournalFile.read_only(journal)
    out = output.open("w", encoding="utf-8", newline="") if output else sys.stdout

    def when(at: int) -> str:
        return datetime.fromtimestamp(at / 1000, zone).strftime("%Y-%m-%d %H:%M:%S")

    try:
        if month is not None:
            _monthly(file, month.replace(tzinfo=zone) + starts, above * 100, when, form, out)
            return
        begin = day.replace(tzinfo=zone) + starts if day else _last_day(file, starts, zone)
        made = days.report(file.rows(), _ms(begin), _ms(begin + timedelta(days=1)))
        made.head = _head(file)
        if form == "text":
            out.write(as_text(made, when) + "\n")
        elif form == "csv":
            write_csv(made, when, out)
        else:
            out.write(page(made, when))
    finally:
        file.close()
        if output:
            out.close()


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _head(file: JournalFile) -> str:
    """On paper, the journal's head is out of reach of whoever owns the machine."""
    size, root = file.last_seq, base64.b64encode(file.tree_at(file.last_seq).root()).decode()
    return f"{file.origin}, {size} events, root {root}"


def _last_day(file: JournalFile, starts: timedelta, zone: tzinfo) -> datetime:
    """The beginning of the gaming day in which the journal ends."""
    at = next((row.at for row in file.rows(file.last_seq)), 0)
    last = datetime.fromtimestamp(at / 1000, zone)
    begin = last.replace(hour=0, minute=0, second=0, microsecond=0) + starts
    return begin if begin <= last else begin - timedelta(days=1)


def _monthly(file: JournalFile, begin: datetime, above: int, when: When, form: str, out: TextIO) -> None:
    end = (begin.replace(day=1) + timedelta(days=32)).replace(day=1)
    money = plain if form == "csv" else dollars
    lines = [mispaid(item, when, money) for item in days.reportable(file.rows(), _ms(begin), _ms(end), above)]
    if form == "csv":
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(MISPAID)
        writer.writerows(lines)
        return
    if form == "html":
        raise click.UsageError("the month's list is written as text or csv")
    out.write((columned(MISPAID, lines) if lines else f"no single mispayment above {dollars(above)}") + "\n")
