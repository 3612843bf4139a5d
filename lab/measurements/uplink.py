"""What a floor costs a table: the same table twice at once, with an uplink to a real floor and without."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from controller.config.types import UplinkSection
from controller.journal.cosignature import read_witness_key
from lab.floor.house import House
from lab.floor.server import free_port
from lab.floor.tables import Planned, journal_of
from lab.measurements.measure import Line, busy, line, median, percentile, scratch
from lab.measurements.uplink_end import WARM_S, Task, Used

SPEED = 10.0
"""Ten times as busy as a real table, so that there is something to measure."""
CPU_MOST = 3.0
MEMORY_MOST = 8.0
LATENCY_MOST = 1.1
"""The medians of two equal runs differ by so much at times."""


def run(quick: bool) -> Iterator[Line]:
    """Processor, memory and time to disk, each with and without."""
    seconds = 10.0 if quick else 40.0
    with scratch() as folder:
        yield from _compared(*_both(folder, seconds), seconds)


def _both(folder: Path, seconds: float) -> tuple[Used, Used]:
    """What the table used without an uplink, and with one; both at once, so that the machine is the same for both."""
    house = House(folder, 1, free_port())
    house.tables = [msgspec.structs.replace(house.tables[0], name="Measured", game="wheel", rulebook="melbourne-wheel")]
    house.server.start()
    house._write()
    house.start_floor()
    try:
        (planned,) = house.tables
        witness = read_witness_key(folder / "floor.key").public.text()
        uplink = UplinkSection((house.server.url,), witness=witness)
        beside = folder / "without.sqlite"
        other = msgspec.structs.replace(
            planned, seed=planned.seed + 1
        )  # or both would want the disk at the same moments
        without = _started(folder, "without", other, beside, seconds)
        having = _started(folder, "with", planned, journal_of(folder / "journals", planned), seconds, uplink)
        return _used(without, seconds), _used(having, seconds)
    finally:
        house.stop()


def _started(
    folder: Path, name: str, planned: Planned, journal: Path, seconds: float, uplink: UplinkSection | None = None
) -> subprocess.Popen[bytes]:
    path = folder / f"{name}.json"
    task = Task(planned.name, planned.rulebook, planned.seed, planned.key, str(journal), SPEED, seconds, uplink)
    path.write_bytes(msgspec.json.encode(task))
    return subprocess.Popen([sys.executable, "-m", "lab.measurements.uplink_end", str(path)], stdout=subprocess.PIPE)


def _used(child: subprocess.Popen[bytes], seconds: float) -> Used:
    said, _ = child.communicate(timeout=seconds + WARM_S + 60)
    return msgspec.json.decode(said, type=Used)


def _compared(without: Used, having: Used, seconds: float) -> Iterator[Line]:
    if not having.sent:
        raise RuntimeError("the uplink never reached the floor")
    alike = without.cpu * having.rows / without.rows  # as if it had written as many rows
    share = 100 * (having.cpu - alike) / seconds
    yield line("uplink_cpu", round(share, 2), "% of a core more, at ten times a table's pace", f"under {CPU_MOST:g} %",
               share < CPU_MOST, ratio=having.cpu / alike, rows_a_second=round(having.rows / seconds, 1),
               without=round(100 * alike / seconds, 2))  # fmt: skip
    extra = (having.kb - without.kb) / 1000
    yield line("uplink_memory", round(extra, 1), "MB more", f"under {MEMORY_MOST:g} MB", extra < MEMORY_MOST,
               ratio=having.kb / without.kb, mb=round(having.kb / 1000, 1))  # fmt: skip
    half, without_half = median(having.to_disk), median(without.to_disk)
    ratio = half / without_half
    yield line("uplink_to_disk", round(1000 * half, 3), "ms p50 from event to disk", "as without",
               ratio < LATENCY_MOST or busy(), ratio=ratio, without_p50=round(1000 * without_half, 3),
               p99=round(1000 * percentile(having.to_disk, 0.99), 3),
               without_p99=round(1000 * percentile(without.to_disk, 0.99), 3), busy=busy())  # fmt: skip
