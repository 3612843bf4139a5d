"""What an event, a round and a restart cost as the journal grows to a million events."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from controller.benchmarks.latency import BareJournal
from controller.benchmarks.measure import Line, cpu_time, exponent, line, median, scratch, stopwatch
from controller.benchmarks.play import Shift
from controller.config import default_config
from controller.journal import Entry, JournalFile
from controller.steady import SNAPSHOT_EVERY, SteadyTable

BATCH = 20_000
FLAT = 0.05
"""An exponent below this is flat: a thousand times the journal for at most 1.4 times the cost."""
RESTART_GOAL_S = 1.0
CHILD_S = 60


class Stage(NamedTuple):
    """Costs at one size of the journal: milliseconds of one core, and bare durable writes."""

    size: int
    event: float
    durable_event: float
    round: float


class OldJournal:
    """A journal that looks as if a table had played for years: real rows over and over, validly chained."""

    def __init__(self, path: Path, rounds: int = 12) -> None:
        self.path = path
        self.config = default_config("wheel")
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
                    entries[-1] = entries[-1]._replace(snapshot=self._standing_at(size))
                journal.append(entries)

    def _standing_at(self, seq: int) -> bytes:
        steady = SteadyTable(self.config)
        steady.position.seq = seq
        return steady.save()

    def appended(self, chunks: int) -> float:
        """Seconds of one core for one event, disk flush aside; each chunk has its snapshot, as in play."""
        costs = []
        for _ in range(chunks):
            with self._opened(durable=False) as journal:
                standing = self._standing_at(journal.last_seq + SNAPSHOT_EVERY)
                bodies = list(itertools.islice(itertools.cycle(self._bodies), SNAPSHOT_EVERY))
                begin = cpu_time()
                for body in bodies[:-1]:
                    journal.append([Entry(0, body)])
                journal.append([Entry(0, bodies[-1], standing)])
                costs.append((cpu_time() - begin) / SNAPSHOT_EVERY)
        return median(costs)

    def durably_appended(self, chunks: int, bare: BareJournal) -> float:
        """What a durable event costs, in bare durable writes of the same moment."""
        with self._opened(durable=True) as journal:
            ratios = []
            for _ in range(chunks):
                times = []
                for body in itertools.islice(itertools.cycle(self._bodies), 60):
                    begin = stopwatch()
                    journal.append([Entry(0, body)])
                    times.append(stopwatch() - begin)
                ratios.append(median(times) / median(bare.commits(60)))
            journal.append([Entry(0, self._bodies[0], self._standing_at(journal.last_seq + 1))])
        return median(ratios)

    def _opened(self, durable: bool) -> contextlib.closing[JournalFile]:
        return contextlib.closing(JournalFile.open(self.path, self.config.table.name, durable))

    def played(self, rounds: int, repeats: int) -> float:
        """What a round costs the table that goes on with this journal, in seconds."""
        shift = Shift(self.config, self.path)
        shift.play(2)
        cost = median([shift.play(rounds).cpu_s / rounds for _ in range(repeats)])
        shift.end()
        return cost

    def leave_in_mid_play(self) -> int:
        """Play, and stop as a killed controller does, as long after a snapshot as it gets; the events to replay."""
        self.appended(1)  # ends with a closed table again
        shift = Shift(self.config, self.path)
        runtime = shift.table.runtime
        shift.clock.run_until(lambda: len(runtime.steady._since) >= SNAPSHOT_EVERY - 1, 100_000.0)
        shift.clock.run_until(lambda: runtime.journal.last_seq == runtime.steady.position.seq, 10.0)
        left = len(runtime.steady._since)
        runtime.journal.close()
        return left


def run(quick: bool) -> Iterator[Line]:
    """Cost against size, then the restart at the largest."""
    sizes = [1_000, 10_000, 100_000] if quick else [1_000, 10_000, 100_000, 1_000_000]
    chunks, rounds, repeats = (5, 5, 3) if quick else (9, 12, 5)
    with scratch() as folder:
        old = OldJournal(folder / "old.sqlite")
        bare = BareJournal(folder / "bare.sqlite")
        stages = []
        for size in sizes:
            old.grow(size)
            event, durable = old.appended(chunks), old.durably_appended(chunks, bare)
            stages.append(Stage(size, 1000 * event, durable, 1000 * old.played(rounds, repeats)))
        bare.close()
        for bench, part, unit in (
            ("growth_event", "event", "ms of one core an event, disk flush aside"),
            ("growth_durable_event", "durable_event", "bare durable writes an event"),
            ("growth_round", "round", "ms of one core a round"),
        ):
            costs = [getattr(stage, part) for stage in stages]
            power = exponent(sizes, costs)
            yield line(
                bench, round(power, 4), "exponent", f"flat, under {FLAT}", power < FLAT,
                cost={str(size): round(cost, 4) for size, cost in zip(sizes, costs, strict=True)}, cost_unit=unit,
            )  # fmt: skip
        yield restart(old, 3 if quick else 5)


def restart(old: OldJournal, repeats: int) -> Line:
    """From the start of a fresh process to a table that listens, on an old journal left in mid-play."""
    replayed = old.leave_in_mid_play()
    kept = msgspec.json.encode(old.config).decode()
    size = JournalFile.read_only(old.path).last_seq
    starts, bare = [], []
    for _ in range(repeats):
        begin = stopwatch()
        subprocess.run([sys.executable, "-c", "import sqlite3"], check=True, timeout=CHILD_S)
        bare.append(stopwatch() - begin)
        command = [sys.executable, "-m", "controller.benchmarks.restart_end", str(old.path), repr(stopwatch()), kept]
        said = subprocess.run(command, check=True, timeout=CHILD_S, capture_output=True, env={**os.environ}).stdout
        starts.append(json.loads(said))
    total = median([one["total"] for one in starts])
    return line(
        "restart", round(total, 4), "s", f"under {RESTART_GOAL_S:g} s", total < RESTART_GOAL_S,
        floor={"bare_python_s": round(median(bare), 4)}, ratio=total / median(bare),
        imports_s=round(median([one["imports"] for one in starts]), 4),
        open_to_ready_s=round(median([one["ready"] for one in starts]), 4), events=size, replayed=replayed,
        journal_mb=round(old.path.stat().st_size / 1e6, 1),
    )  # fmt: skip
