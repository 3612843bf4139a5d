"""A gaming day read from the journal: the books, rounds, money by bet, alarms, wrongs, devices and who decided what."""

from __future__ import annotations

from collections.abc import Iterable

from controller.core.take_back import NOTE, Correction, correction
from controller.journal import row as record
from controller.journal.file import JournalFile, Row
from controller.report.day import HOUR_MS, Report
from controller.report.days import Span
from controller.report.mispaid import reportable
from controller.report.reader import Reader, alarm_kinds, counted_as
from controller.report.rows import Journal, Listed, within
from controller.report.tally import Shift

__all__ = ["HOUR_MS", "Report", "alarm_kinds", "counted_as", "report", "reportable"]

# What must be known of the time before the day: how the table, its devices, its float and its alarms stood.
_BEFORE = (
    b'"Started"', b'"life"', b'"DeviceUp"', b'"DeviceDown"', b'"DeviceRefused"', b'"Alarm', b'"SignedIn"',
    b'"float_opened"', b'"float_closed"', b'"float_unexplained"', b'"mispayment"', b'"by_hand"', b'"by_hand_over"',
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
        if row.seq in undone:
            reader.take_undone(at, kept.event, kept.effects, row.seq, undone[row.seq].by)
        else:
            reader.take(at, kept.event, kept.effects, True, row.seq)
        if (made := correction(kept.effects)) is not None:
            reader.corrected(at, next((one.at for one in journal.rows(made.row, made.row)), at), made)
    day = reader.ended()
    for row in journal.rows(last + 1):
        if b'"mispayment"' in row.body:
            reader.wrong.completed_later(record.read(row).effects)
    return day


def _taken_back(journal: Journal, first: int) -> dict[int, Correction]:
    """The corrections of keys that somebody took back, by their rows: what those brought does not count."""
    told = (correction(record.read(row).effects) for row in journal.rows(first) if NOTE.encode() in row.body)
    return {one.row: one for one in told if one is not None}
