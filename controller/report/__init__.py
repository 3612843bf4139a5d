"""A gaming day read from the journal: the books, rounds, money by bet, alarms, wrongs, devices and who decided what."""

from __future__ import annotations

from collections.abc import Iterable

from controller.core.effects import Noted, Reversed, Settled
from controller.journal import row as record
from controller.journal.file import JournalFile, Row
from controller.report.day import HOUR_MS, Report
from controller.report.days import Span
from controller.report.mispaid import reportable
from controller.report.reader import Reader, counted_as
from controller.report.rows import Journal, Listed, within
from controller.report.tally import Shift

COUNTED = (Noted, Settled, Reversed)
"""What a report adds up."""

__all__ = ["HOUR_MS", "Report", "counted_as", "report", "reportable"]

# What must be known of the time before the day: how the table, its devices, its float and its alarms stood.
_BEFORE = (
    b'"Started"', b'"life"', b'"DeviceUp"', b'"DeviceDown"', b'"DeviceRefused"', b'"Alarm', b'"SignedIn"',
    b'"float_opened"', b'"float_closed"', b'"mispayment"',
)  # fmt: skip


def report(rows: JournalFile | Iterable[Row], start: int, end: int, shifts: Iterable[Span] = ()) -> Report:
    """Read a journal's rows; those before the day only say how things stood when it began.

    Rows belong to the day by their order, so that none is left out where the clock was wrong for a while.
    """
    journal: Journal = rows if isinstance(rows, JournalFile) else Listed(rows)
    first, last = journal.last_before(start) + 1, journal.last_before(end)
    reader = Reader(Report(start, end, shifts=[Shift(*shift) for shift in shifts]))
    for row in journal.rows(1, first - 1):
        reader.tray.before(row)
        if any(word in row.body for word in _BEFORE):
            kept = record.read(row)
            reader.take(start, kept.event, kept.effects, False, row.seq)
    reader.begin()
    undone = _taken_back(journal, first)
    for at, row in within(journal, first, last, start, end):
        kept = record.read(row)
        effects = kept.effects
        if row.seq in undone:
            effects = [effect for effect in effects if not isinstance(effect, COUNTED)]
        reader.take(at, kept.event, effects, True, row.seq)
    made = reader.ended()
    for row in journal.rows(last + 1):
        if b'"mispayment"' in row.body:
            reader.wrong.completed_later(record.read(row).effects)
    return made


def _taken_back(journal: Journal, first: int) -> set[int]:
    """Rows of keys that somebody took back: what they brought does not count, though it stays on record."""
    return {
        effect.facts["row"]
        for row in journal.rows(first)
        if b'"taken_back"' in row.body
        for effect in record.read(row).effects
        if isinstance(effect, Noted) and effect.what == "taken_back" and "row" in effect.facts
    }
