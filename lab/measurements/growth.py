"""What an event, a round and a restart cost as the journal grows to a million events."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from controller.config.kept import plain
from controller.config.types import TableConfig
from controller.core.guarded import SNAPSHOT_EVERY, GuardedTable
from controller.journal.chain import digest
from controller.journal.file import Entry, JournalFile
from controller.journal.row import decode, encode
from lab.measurements.latency import BareJournal
from lab.measurements.measure import Line, as_installed, busy, cpu_time, exponent, line, median, scratch, stopwatch
from lab.measurements.play import Shift
from lab.sim.config import default_config

BATCH = 20_000
FLAT = 0.05
"""An exponent below this is flat: a thousand times the journal for at most 1.4 times the cost."""
RESTART_GOAL_S = 1.0
CHILD_S = 60


class OldJournal:
    """A journal that looks as if a table had played for years: real rows over and over, validly chained."""

    def __init__(self, path: Path, rounds: int = 12, config: TableConfig | None = None) -> None:
        self.path = path
        self.config = config or default_config("wheel")
        shift = Shift(self.config, path)
        shift.play(rounds)
        shift.end()
        journal = JournalFile.read_only(path)
        self._bodies = [row.body for row in journal.rows()]
        journal.close()

    def grow(self, size: int) -> None:
        """Fill up to this many events, the last with a snapshot of a closed table that stands there."""
        bodies = itertools.cycle(self._bodies)
        with self._opened(durable=False) as journal:
            while (left := size - journal.last_seq) > 0:
                entries = [Entry(journal.last_seq, next(bodies)) for _ in range(min(left, BATCH))]
                if left <= BATCH:
                    entries[-1] = _stood(entries[-1], self._standing_at(size))
                journal.append(entries)

    def _standing_at(self, seq: int) -> bytes:
        guarded = GuardedTable(self.config)
        guarded.position.seq = seq
        return guarded.save()

    def appended(self) -> float:
        """Seconds of one core for one event, disk flush aside and with its share of a snapshot."""
        with self._opened(durable=False) as journal:
            standing = self._standing_at(journal.last_seq + SNAPSHOT_EVERY)
            bodies = list(itertools.islice(itertools.cycle(self._bodies), SNAPSHOT_EVERY))
            last = _stood(Entry(0, bodies[-1]), standing)
            begin = cpu_time()
            for body in bodies[:-1]:
                journal.append([Entry(0, body)])
            journal.append([last])
            return (cpu_time() - begin) / SNAPSHOT_EVERY

    def durably_appended(self, bare: BareJournal, count: int = 60) -> float:
        """What a durable event costs, in bare durable writes of the same moment."""
        times = []
        with self._opened(durable=True) as journal:
            for body in itertools.islice(itertools.cycle(self._bodies), count):
                begin = stopwatch()
                journal.append([Entry(0, body)])
                times.append(stopwatch() - begin)
            journal.append([_stood(Entry(0, self._bodies[0]), self._standing_at(journal.last_seq + 1))])
        return median(times) / median(bare.commits(count))

    def _opened(self, durable: bool) -> contextlib.closing[JournalFile]:
        return contextlib.closing(JournalFile.open(self.path, self.config.table.name, durable))

    def copied(self, path: Path) -> OldJournal:
        """The journal as it is now, under another name."""
        shutil.copyfile(self.path, path)
        other = copy.copy(self)
        other.path = path
        return other

    def leave_in_mid_play(self) -> int:
        """Play, and stop as a killed controller does, as long after a snapshot as it gets; the events to replay."""
        self.appended()  # ends with a closed table again
        shift = Shift(self.config, self.path)
        runtime = shift.table.runtime
        shift.clock.run_until(lambda: len(runtime.guarded._since) >= SNAPSHOT_EVERY - 1, 100_000.0)
        shift.clock.run_until(lambda: runtime.journal.last_seq == runtime.guarded.position.seq, 10.0)
        left = len(runtime.guarded._since)
        runtime.journal.close()
        return left


def _stood(entry: Entry, snapshot: bytes) -> Entry:
    """An entry whose row names the snapshot taken after it, as a table's own do."""
    row = msgspec.structs.replace(decode(entry.body), stood=digest(snapshot))
    return entry._replace(body=encode(row), snapshot=snapshot)


def run(quick: bool) -> Iterator[Line]:
    """Cost against size, then the restart at the largest."""
    sizes = [1_000, 10_000, 100_000] if quick else [1_000, 10_000, 100_000, 1_000_000]
    with scratch() as folder:
        old = OldJournal(folder / "old.sqlite")
        journals = []
        for size in sizes:
            old.grow(size)
            journals.append(old.copied(folder / f"{size}.sqlite") if size < sizes[-1] else old)
        bare = BareJournal(folder / "bare.sqlite")
        # The sizes take turns, so that a machine that is disturbed for a while disturbs all of them.
        turns = range(3 if quick else 5)
        events = [[1000 * journal.appended() for journal in journals] for _ in turns]
        durable = [[journal.durably_appended(bare) for journal in journals] for _ in turns]
        bare.close()
        rounds = _rounds(journals, len(turns), 3 if quick else 8)
        for bench, unit, measured in (
            ("growth_event", "ms of one core an event, disk flush aside", events),
            ("growth_durable_event", "bare durable writes an event", durable),
            ("growth_round", "ms of one core a round", rounds),
        ):
            costs = [median(column) for column in zip(*measured, strict=True)]
            power = exponent(sizes, costs)
            yield line(
                bench, round(power, 4), "exponent", f"flat, under {FLAT}", power < FLAT,
                cost={str(size): round(cost, 4) for size, cost in zip(sizes, costs, strict=True)}, cost_unit=unit,
            )  # fmt: skip
        yield restart(old, folder, 3 if quick else 5)


def _rounds(journals: list[OldJournal], turns: int, rounds: int) -> list[list[float]]:
    """Milliseconds of one core for a round of a table that goes on with each journal."""
    shifts = [Shift(journal.config, journal.path) for journal in journals]
    for shift in shifts:
        shift.play(3)
    costs = [[1000 * shift.play(rounds).cpu_s / rounds for shift in shifts] for _ in range(turns)]
    for shift in shifts:
        shift.end()
    return costs


def restart(old: OldJournal, folder: Path, repeats: int) -> Line:
    """From the start of a fresh process to a table that listens, on an old journal left in mid-play."""
    replayed = old.leave_in_mid_play()
    kept = json.dumps(plain(old.config))
    environment = as_installed(folder)
    starts, bare = [], []
    for _ in range(repeats + 1):
        begin = stopwatch()
        subprocess.run([sys.executable, "-c", "import sqlite3"], check=True, timeout=CHILD_S, env=environment)
        bare.append(stopwatch() - begin)
        command = [sys.executable, "-m", "lab.measurements.restart_end", str(old.path), repr(stopwatch()), kept]
        said = subprocess.run(command, check=True, timeout=CHILD_S, capture_output=True, env=environment).stdout
        starts.append(json.loads(said))
    del starts[0], bare[0]  # the first one compiled
    total, cpu, imports, ready = (
        median([one[part] for one in starts]) for part in ("total", "cpu", "imports", "ready")
    )
    shared = busy()
    return line(
        "restart", round(total, 4), "s", f"under {RESTART_GOAL_S:g} s", (cpu if shared else total) < RESTART_GOAL_S,
        floor={"bare_python_s": round(median(bare), 4)}, ratio=total / median(bare),
        cpu_s=round(cpu, 4), imports_s=round(imports, 4), open_to_ready_s=round(ready, 4), judged_by_cpu=shared,
        events=JournalFile.read_only(old.path).last_seq, replayed=replayed,
        journal_mb=round(old.path.stat().st_size / 1e6, 1),
    )  # fmt: skip
