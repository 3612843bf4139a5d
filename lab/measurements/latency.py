"""From the last byte of an event to its acknowledgement and the command it causes, on a pty, through the real stack."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sqlite3
import sys
import threading
import tty
from collections.abc import Iterator
from pathlib import Path

import msgspec

from controller.config.types import DeviceSection, TableConfig
from controller.core.runtime import Runtime, Told
from controller.devices import drivers_for, opened, real_ports, threaded
from controller.journal.file import PAGE_BYTES
from controller.money.dress import ChipRegister
from drivers.wheel import WheelKnocked
from firmware_specs.clock import RealClock
from lab.measurements.device_end import REST_S
from lab.measurements.measure import Line, line, median, percentile, scratch, stopwatch
from lab.sim.config import default_config

GOAL = {"acknowledged": 1.5, "commanded": 2.0}
ANSWER_S = 60.0
LAMPS = ("steady", "off")


class _Child:
    """The device's process: orders in, times out."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> _Child:
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "lab.measurements.device_end",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=2**24,
            )
        )

    async def answer(self) -> list[list[float]]:
        assert self._process.stdout is not None
        row = await asyncio.wait_for(self._process.stdout.readline(), timeout=ANSWER_S)
        if not row:
            raise RuntimeError("the device's process ended early")
        answer: list[list[float]] = json.loads(row)
        return answer

    async def ask(self, what: str, count: int) -> list[list[float]]:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{what} {count}\n".encode())
        return await self.answer()

    async def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await asyncio.wait_for(self._process.wait(), timeout=ANSWER_S)


def table_of_one_wheel(port: str) -> TableConfig:
    """A Big Wheel table with its sensor on this port and nothing else."""
    devices = {"wheel": DeviceSection("wheel", port=port)}
    return msgspec.structs.replace(default_config("wheel"), devices=devices)


def _answer_each_knock(runtime: Runtime) -> None:
    """Have a command leave for every event, as effects do once they are durable."""
    knocks = 0

    def watch(told: Told) -> None:
        nonlocal knocks
        if isinstance(told.event, WheelKnocked):
            knocks += 1
            runtime.drivers["wheel"].desire({"lamp": LAMPS[knocks % 2]})

    runtime.watchers.append(watch)


def _echo(path: str, loop: asyncio.AbstractEventLoop) -> int:
    """Send back whatever comes on this pty, with the loop's reader that serial ports use."""
    end = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    tty.setraw(end)
    loop.add_reader(end, lambda: os.write(end, os.read(end, 4096)))
    return end


class BareJournal:
    """The least a durable write can be: one row, one commit, on disk on return."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("CREATE TABLE bare (seq INTEGER PRIMARY KEY, body BLOB)")

    def commits(self, count: int, size: int = 200) -> list[float]:
        times = []
        body = os.urandom(size)
        execute = self._connection.execute
        for _ in range(count):
            begin = stopwatch()
            execute("INSERT INTO bare (body) VALUES (?)", (body,))
            times.append(stopwatch() - begin)
        return times

    def close(self) -> None:
        self._connection.close()


class BareThread:
    """The least a durable write beside a loop can be: handed to a thread that waits for the disk, and told back."""

    def __init__(self, bare: BareJournal, loop: asyncio.AbstractEventLoop) -> None:
        self._bare = bare
        self._loop = loop
        self._orders: queue.SimpleQueue[asyncio.Future[None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while (done := self._orders.get()) is not None:
            self._bare.commits(1)
            self._loop.call_soon_threadsafe(done.set_result, None)

    async def commit(self) -> float:
        begin = stopwatch()
        done = self._loop.create_future()
        self._orders.put(done)
        await asyncio.wait_for(done, timeout=ANSWER_S)
        return stopwatch() - begin

    def close(self) -> None:
        self._orders.put(None)
        self._thread.join(ANSWER_S)


class Sample(msgspec.Struct):
    """The times of one run in seconds, floors beside what is measured."""

    turn: list[float] = []
    commit: list[float] = []
    handed: list[float] = []
    acknowledged: list[float] = []
    commanded: list[float] = []


async def measure(folder: Path, batches: int, exchanges: int) -> list[Sample]:
    """Batches of bare turns, bare commits and real exchanges, taking turns so that all see the same machine."""
    loop = asyncio.get_running_loop()
    child = await _Child.start()
    bare_path, linked_path = (str(path) for path in await child.answer())
    echoing = _echo(bare_path, loop)
    bare = BareJournal(folder / "bare.sqlite")
    beside = BareThread(bare, loop)
    config = table_of_one_wheel(linked_path)
    runtime = opened(config, folder / "table.sqlite", RealClock(loop), ChipRegister({}))
    drivers_for(runtime, config, real_ports(config, loop))
    _answer_each_knock(runtime)
    runtime.start("bench", config, threaded(runtime, loop))
    samples = []
    try:
        await child.ask("events", 50)
        bare.commits(50)
        for _ in range(batches):
            turn = [float(one) for one in await child.ask("turns", exchanges)]  # type: ignore[arg-type]
            commit, handed = [], []
            for _ in range(exchanges):
                commit += bare.commits(1)
                await asyncio.sleep(REST_S)  # one after the other without rest would measure the disk's queue
                handed.append(await beside.commit())
                await asyncio.sleep(REST_S)
            both = await child.ask("events", exchanges)
            samples.append(Sample(turn, commit, handed, [one[0] for one in both], [one[1] for one in both]))
    finally:
        loop.remove_reader(echoing)
        os.close(echoing)
        beside.close()
        bare.close()
        runtime.stop()
        await child.end()
    return samples


def over_floor(samples: list[Sample], part: str, write: str) -> float:
    """The median of a part over a bare turn and this bare write."""
    # Batch by batch, because a disk that others use is ten times slower in one moment than in the next.
    each = [
        median(getattr(sample, part)) / (median(sample.turn) + median(getattr(sample, write))) for sample in samples
    ]
    return float(median(each))


def run(quick: bool) -> Iterator[Line]:
    """Latency against a bare pty turn and a bare durable write of the same moment."""
    batches, exchanges = (20, 15) if quick else (50, 20)
    with scratch() as folder:
        samples = asyncio.run(measure(folder, batches, exchanges))

    def over(share: float, part: str) -> float:
        return percentile([one for sample in samples for one in getattr(sample, part)], share) * 1000

    for bench, part in (("latency_acknowledged", "acknowledged"), ("latency_command_out", "commanded")):
        ratio = over_floor(samples, part, "commit")
        yield line(
            bench, round(over(0.5, part), 4), "ms p50",
            f"at most {GOAL[part]:g} x (bare pty turn + bare durable write)",
            ratio <= GOAL[part], ratio=ratio, ratio_beside_a_loop=round(over_floor(samples, part, "handed"), 3),
            floor={
                "pty_turn_ms": round(over(0.5, "turn"), 4), "durable_write_ms": round(over(0.5, "commit"), 4),
                "durable_write_by_a_thread_ms": round(over(0.5, "handed"), 4),
                "pty_turn_p99_ms": round(over(0.99, "turn"), 4), "durable_write_p99_ms": round(over(0.99, "commit"), 4),
            },
            p99=round(over(0.99, part), 4), exchanges=batches * exchanges,
        )  # fmt: skip
