"""What every benchmark shares: the stopwatch, a scratch directory on the work disk, and the shape of a result."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

Line = dict[str, Any]
"""One benchmark's result, as it is printed."""

stopwatch = time.perf_counter
"""Seconds of the machine's one monotonic clock, comparable between processes."""
cpu_time = time.process_time
wall_time = time.time

WORK = Path("build")
"""Benchmarks write below this folder of the current directory: the disk that is measured is the work disk."""


def line(
    bench: str,
    value: float | None,
    unit: str,
    goal: str,
    ok: bool,
    *,
    better: str = "less",
    floor: Line | None = None,
    ratio: float | None = None,
    **more: Any,
) -> Line:
    """A result; `floor` holds the machine's own limits from the same run, `ratio` the value over them."""
    made: Line = {"bench": bench, "value": value, "unit": unit, "goal": goal, "ok": ok, "better": better}
    if floor is not None:
        made["floor"] = floor
    if ratio is not None:
        made["ratio"] = round(ratio, 3)
    return {**made, **more}


def skipped(bench: str, why: str) -> Line:
    """A benchmark that cannot be run here, and why; that is no failure."""
    return {"bench": bench, "value": None, "unit": "", "goal": "", "ok": True, "skipped": why}


def failed(bench: str, error: Exception) -> Line:
    """A benchmark that broke: the others still run, and the whole is no success."""
    why = f"{type(error).__name__}: {error}"
    return {"bench": bench, "value": None, "unit": "", "goal": "", "ok": False, "failed": why}


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder on the work disk that is gone afterwards."""
    WORK.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=WORK) as folder:
        yield Path(folder).resolve()


def busy() -> bool:
    """Whether others use this machine so much that waiting for a core says more about them than about us."""
    return os.getloadavg()[0] > (os.cpu_count() or 1)


def as_installed(folder: Path) -> dict[str, str]:
    """The environment of a controller that is started for the second time: its modules are compiled already."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


class Overran(BaseException):
    """Work that took too much processor time; nothing that handles errors may take it for one."""


@contextlib.contextmanager
def processor_alarm(seconds: float) -> Iterator[Callable[[bool], None]]:
    """An alarm on processor time, so that a busy machine is no hang; called with True before work and False after."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Overran(f"more than {seconds:g} s of processor time")

    def guard(on: bool) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds if on else 0.0)

    before = signal.signal(signal.SIGVTALRM, ring)
    try:
        yield guard
    finally:
        guard(False)
        signal.signal(signal.SIGVTALRM, before)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


median = statistics.median


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The b of cost = a × size^b that fits best; 0 is flat, 1 is linear."""
    return statistics.linear_regression([math.log(size) for size in sizes], [math.log(cost) for cost in costs]).slope


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """How much y grows for each x, by least squares."""
    return statistics.linear_regression(xs, ys).slope


def resident_kb(pid: int | None = None) -> int:
    """Memory that a process holds now, in kB."""
    status = Path(f"/proc/{os.getpid() if pid is None else pid}/status").read_text()
    return next(int(row.split()[1]) for row in status.splitlines() if row.startswith("VmRSS:"))


def bytes_written() -> int:
    """What this process has sent to the disk so far, in whole blocks as the kernel counts them."""
    counts = Path("/proc/self/io").read_text()
    return next(int(row.split()[1]) for row in counts.splitlines() if row.startswith("write_bytes:"))
