"""One simulated table in a process of its own, with an uplink or without: what it uses, how long a row takes to disk.

`python -m lab.measurements.uplink_end TASK` plays what the task says and prints what was measured as JSON.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import msgspec

from controller import log
from controller.config.types import UplinkSection
from controller.devices import inline
from controller.journal.committer import Committer, Release
from controller.journal.file import Entry
from controller.journal.head import Head, Note, TableKey
from lab.measurements.measure import cpu_time, resident_kb, stopwatch
from lab.sim.config import default_config
from lab.sim.paced import PacedClock
from lab.sim.table import SimulatedTable

WARM_S = 5.0


class Task(msgspec.Struct, frozen=True):
    """Which table plays where, how fast and for how long, and the uplink it has, if any."""

    name: str
    rulebook: str
    seed: int
    key: bytes
    journal: str
    speed: float
    seconds: float
    uplink: UplinkSection | None = None


class Used(msgspec.Struct, frozen=True):
    """What a table used in the measured time: seconds of processor, memory, rows, and each row's time to disk."""

    cpu: float
    kb: int
    rows: int
    to_disk: tuple[float, ...]
    sent: bool


class Watched:
    """A committer whose every row is timed by the machine's own clock, not by the simulated one."""

    def __init__(self, committer: Committer) -> None:
        self._committer = committer
        self.times: list[float] = []

    def add(self, entry: Entry, release: Release) -> None:
        added = stopwatch()

        def released() -> None:
            self.times.append(stopwatch() - added)
            release()

        self._committer.add(entry, released)

    def probe(self, release: Release) -> None:
        self._committer.probe(release)

    def close(self) -> None:
        self._committer.close()


class Signer:
    """Signs heads as they are made, as a table with a key does, with an uplink or without."""

    def __init__(self, key: TableKey) -> None:
        self.key, self.newest = key, Note(Head("", 0, b""))

    def take(self, head: Head) -> None:
        self.newest = self.key.sign(head)


async def played(task: Task) -> Used:
    """Play, and measure once the table is warm."""
    clock = PacedClock(asyncio.get_running_loop(), task.speed)
    config = default_config(rulebook=task.rulebook)
    config = msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, name=task.name))
    table = SimulatedTable(config, Path(task.journal), clock, task.seed, durable=True)
    runtime, signer = table.runtime, Signer(TableKey(task.key))
    runtime.journal.took = signer.take
    runtime.newest_head = lambda: signer.newest if signer.newest.signatures else None
    watched = Watched(inline(runtime))
    table.start(watched)
    uplink = None
    if task.uplink is not None:
        from controller.uplink import joined  # of a table without one nothing of it is loaded

        uplink = joined(runtime, task.uplink, signer.key)
    await asyncio.sleep(WARM_S)
    first, cpu, rows = len(watched.times), cpu_time(), runtime.journal.last_seq
    await asyncio.sleep(task.seconds)
    used = Used(
        cpu_time() - cpu, resident_kb(), runtime.journal.last_seq - rows, tuple(watched.times[first:]),
        uplink is not None and uplink.uplink.sign.state == "up",
    )  # fmt: skip
    clock.pause()
    table.stop()
    if uplink is not None:
        uplink.close()
    return used


def main() -> None:
    log.setup(level="error")
    task = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Task)
    sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(played(task))))


if __name__ == "__main__":
    main()
