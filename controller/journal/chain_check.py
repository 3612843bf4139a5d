"""The journal's chain, followed little by little while the table runs.

A start verifies what came after the newest snapshot, so that it is quick on a journal of years; a page that went bad
further back would be noticed only when somebody needs it. This finds it within hours.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import structlog

from controller.core.events import JournalChecked
from controller.journal.file import JournalFile, JournalTrouble
from controller.journal.schema import no_damage
from firmware_specs.clock import Clock, Timer

EVERY_S = 1.0
ROWS = 256
"""Rows at once, a whole subtree: a few milliseconds on a small machine, and a million of them in an hour and a half."""
AGAIN_S = 6 * 3600.0

log = structlog.get_logger()


class ChainCheck:
    """Goes along the journal from its first row to its last, and begins again hours later; damage is told once."""

    def __init__(self, clock: Clock, path: Path, submit: Callable[[msgspec.Struct], object]) -> None:
        self._clock, self._path, self._submit = clock, path, submit
        self._next = 1
        self._timer: Timer | None = None

    def start(self) -> None:
        """Begin with the first row."""
        self._next = 1
        self._later(EVERY_S)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _later(self, seconds: float) -> None:
        self._timer = self._clock.call_later(seconds, self._go_on)

    def _go_on(self) -> None:
        try:
            journal = JournalFile.read_only(self._path)
            with contextlib.closing(journal):
                stub = journal.removed
                self._next = max(self._next, stub.last + 1 if stub is not None else 1)
                last = min((self._next - 1) // ROWS * ROWS + ROWS, journal.last_seq)
                journal.verify(self._next, last)
                over = last >= journal.last_seq
        except (JournalTrouble, sqlite3.Error) as trouble:
            if no_damage(trouble):
                self._later(EVERY_S)
                return
            log.critical("journal_damaged", where=str(trouble))
            self._submit(JournalChecked(self._next - 1, str(trouble)))
            return  # until the next start: the same damage needs no second telling
        self._next = last + 1
        if over:
            self._submit(JournalChecked(last))
            self._next = 1
        self._later(AGAIN_S if over else EVERY_S)
