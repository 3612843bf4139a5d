"""`tablectl report`: a gaming day from a table's journal, and the month's list of large wrong payments."""

from __future__ import annotations

import base64
import contextlib
import csv
import os
import sys
import time as clock
from datetime import date, datetime, time, tzinfo
from importlib import metadata
from pathlib import Path
from typing import TextIO

import click

from controller import report as days
from controller.commands.options import journal as journal_path
from controller.commands.output import TO_FILE, opened
from controller.config.kept import of_start
from controller.config.types import BooksSection, TableConfig
from controller.core.events import Started
from controller.journal import row as record
from controller.journal.file import JournalFile, JournalTrouble
from controller.journal.head import Head, read_key
from controller.money.amounts import dollars
from controller.money.payment import REPORT_ABOVE
from controller.report.days import (
    Span,
    as_written,
    day_of,
    gaming_day,
    gaming_month,
    machine_zone,
    shifts_of,
    time_of_day,
    zone_named,
)
from controller.report.page import page
from controller.report.text import MISPAID, When, as_text, columned, mispaid, plain, write_csv
from controller.report.text import as_json as day_as_json

FILE = click.Path(path_type=Path, dir_okay=False)


def _zone(ctx: click.Context, param: click.Parameter, value: str | None) -> tzinfo | None:
    if value is None:
        return None
    zone = zone_named(value)
    if zone is None:
        raise click.BadParameter(f"'{value}' is no time zone; write a name such as Australia/Melbourne")
    return zone


def _starts(ctx: click.Context, param: click.Parameter, value: str | None) -> time | None:
    try:
        return None if value is None else time_of_day(value)
    except ValueError:
        raise click.BadParameter(f"'{value}' is no time of day; write HH:MM") from None


@click.command()
@journal_path("journal")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="The gaming day; the journal's last one when left out.")
@click.option("--month", type=click.DateTime(["%Y-%m"]), help="Instead: the month's single mispayments above --above.")
@click.option("--above", type=click.IntRange(min=0), default=REPORT_ABOVE // 100, show_default=True, help="Dollars.")
@click.option("--starts", callback=_starts, help="When a gaming day begins, if not as [books] of the table says.")
@click.option("--zone", callback=_zone, help="The time zone, if not as [books] of the table says.")
@click.option("--key", type=FILE, help="Sign the head with this key, if not with the table's own.")
@click.option("--format", "form", type=click.Choice(["text", "csv", "html", "json"]), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@TO_FILE
def report(
    journal: Path,
    day: datetime | None,
    month: datetime | None,
    above: int,
    starts: time | None,
    zone: tzinfo | None,
    key: Path | None,
    form: str,
    as_json: bool,
    output: Path | None,
) -> None:
    """The gaming day of JOURNAL: float, drop and win, rounds, money by bet, cash, people, alarms, wrongs, devices.

    It is read while the table goes on writing; nothing is changed. The whole journal is checked, and its head signed
    where the table's key is at hand. Where nothing was played, the status is 1; where the journal is not whole, 2.
    """
    file = JournalFile.read_only(journal)
    form = "json" if as_json else form
    config = _config(file)
    books = config.books if config is not None else BooksSection()
    here = zone or zone_named(books.zone) or machine_zone()
    begins = starts or time_of_day(books.day_starts)

    with contextlib.closing(file), opened(output) as out:
        if month is not None:
            during = gaming_month(month.date(), begins, here)
            _monthly(file, during, above * 100, as_written(here, during), form, out)
            return
        date = day.date() if day else _last_day(file, begins, here)
        start, end = during = gaming_day(date, begins, here)
        when = as_written(here, during)
        shifts = shifts_of(date, begins, books.shifts, here) if books.shifts else ()
        made = days.report(file, start, end, shifts)
        made.made = f"{when(round(clock.time() * 1000))}, tablectl {metadata.version('tablectl')}"
        whole = _prove(file, made, key or _key_of(config))
        _write(made, when, form, out)
    if not whole:
        click.echo(f"{journal}: {made.checked}", err=True)
        sys.exit(2)
    if not made.rounds:
        click.echo(f"{date}: nothing was played on this gaming day", err=True)
        sys.exit(1)


def _write(made: days.Report, when: When, form: str, out: TextIO) -> None:
    match form:
        case "text":
            out.write(as_text(made, when) + "\n")
        case "csv":
            write_csv(made, when, out)
        case "json":
            out.write(day_as_json(made) + "\n")
        case _:
            out.write(page(made, when))


def _config(file: JournalFile) -> TableConfig | None:
    """The table as it was last started."""
    last = None
    for row in file.rows():
        if b'"type":"Started"' in row.body[:200]:
            last = row
    event = record.read(last).event if last is not None else None
    return of_start(event) if isinstance(event, Started) else None


def _prove(file: JournalFile, made: days.Report, key: Path | None) -> bool:
    """Whether the journal was found whole; on paper, its head is out of reach of whoever owns the machine."""
    head = Head(file.origin, file.last_seq, file.tree_at(file.last_seq).root())
    made.head = f"{head.origin}, {head.size} events, root {base64.b64encode(head.root).decode()}"
    try:
        made.checked = f"{file.verify()} events, each of which follows from the one before"
    except JournalTrouble as trouble:
        made.checked = f"NOT WHOLE: {trouble}"
        return False
    if key is None:
        made.signature = "none: no key of the table at hand"
    else:
        (signed,) = read_key(key).sign(head).text().splitlines()[4:]
        made.signature = signed
    return True


def _key_of(config: TableConfig | None) -> Path | None:
    """The key of the table, where this machine has it and may read it."""
    path = Path(config.table.signing_key) if config is not None and config.table.signing_key else None
    return path if path is not None and path.is_file() and os.access(path, os.R_OK) else None


def _last_day(file: JournalFile, starts: time, zone: tzinfo) -> date:
    """The gaming day in which the journal ends."""
    return day_of(next((row.at for row in file.rows(file.last_seq)), 0), starts, zone)


def _monthly(file: JournalFile, month: Span, above: int, when: When, form: str, out: TextIO) -> None:
    money = plain if form == "csv" else dollars
    lines = [mispaid(item, when, money) for item in days.reportable(file.rows(), month.start, month.end, above)]
    if form == "csv":
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(MISPAID)
        writer.writerows(lines)
        return
    if form not in ("text", "csv"):
        raise click.UsageError("the month's list is written as text or csv")
    out.write((columned(MISPAID, lines) if lines else f"no single mispayment above {dollars(above)}") + "\n")
