"""The last rounds: a line for each, and the full record of one from the journal."""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec

from controller import record
from controller.effects import Moved, Noted, Reversed, Ruled, Settled
from controller.journal import JournalFile
from controller.runtime import Runtime, Told

ROUNDS_KEPT = 20
TAIL = 4_000
"""Rows looked at after a restart to find the last rounds again."""
RECORD_MOST = 2_000
"""Rows one record may hold."""


class RoundLine(msgspec.Struct):
    """One round at a glance, and the journal rows that prove it."""

    first: int
    last: int
    at: int
    round: int = 0
    outcome: str = ""
    wagers: int = 0
    paid: int = 0
    taken: int = 0
    rulings: int = 0
    voids: int = 0
    reversed: bool = False


class NoSuchRound(Exception):
    """The journal does not hold these rows, or they are too many to show."""


class RoundLog:
    """Cuts the stream of conclusions into rounds: from leaving the resting state until coming back to it."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._machine = runtime.table.game.machine.name
        self._resting = runtime.table.game.machine.states[0]
        self._lines: deque[RoundLine] = deque(maxlen=ROUNDS_KEPT)
        self._open: RoundLine | None = None
        self._read_tail()

    def _read_tail(self) -> None:
        """Find the last rounds after a restart."""
        journal = self._runtime.journal
        if not journal.last_seq:
            return
        reader = JournalFile.read_only(journal.path)
        try:
            for row in reader.rows(max(1, reader.last_seq - TAIL)):
                kept = record.decode(row.body)
                self.told(Told(row.seq, row.at, kept.event, kept.effects))
        finally:
            reader.close()

    def told(self, told: Told) -> None:
        """Follow one event."""
        for effect in told.effects:
            match effect:
                case Moved(machine, source) if machine == self._machine and source == self._resting:
                    self._open = RoundLine(told.seq, told.seq, told.at)
            self._count(effect)
            match effect:
                case Moved(machine, _, dest) if machine == self._machine and dest == self._resting:
                    self._end(told.seq)

    def _count(self, effect: msgspec.Struct) -> None:
        line = self._open
        match effect:
            case Reversed(round_) if line is None or line.round not in (0, round_):
                for past in self._lines:
                    past.reversed = past.reversed or past.round == round_
            case Settled() if line is not None:
                line.round, line.outcome, line.wagers = effect.round, effect.outcome, len(effect.results)
                line.paid = sum(result.pays for result in effect.results if not result.withheld)
                line.taken = sum(result.stake_taken for result in effect.results)
            case Reversed() if line is not None:
                line.reversed = True
            case Ruled() if line is not None:
                line.rulings += 1
            case Noted("no_spin") if line is not None:
                line.voids += 1

    def _end(self, seq: int) -> None:
        if self._open is not None:
            self._open.last = seq
            self._lines.append(self._open)
            self._open = None

    def summaries(self) -> list[RoundLine]:
        """The newest first."""
        return list(reversed(self._lines))

    def full(self, first: int, last: int) -> list[dict[str, Any]]:
        """Every journal row of a round, readable: the event and what was concluded from it."""
        if not 1 <= first <= last or last - first >= RECORD_MOST:
            raise NoSuchRound(f"A record holds 1 to {RECORD_MOST} rows, the first before the last.")
        reader = JournalFile.read_only(self._runtime.journal.path)
        try:
            if last > reader.last_seq:
                raise NoSuchRound(f"The journal ends with row {reader.last_seq}.")
            return [{"seq": row.seq, "at": row.at, **msgspec.json.decode(row.body)} for row in reader.rows(first, last)]
        finally:
            reader.close()
