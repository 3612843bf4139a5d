"""How much memory a table takes with its pages open, and whether that grows with play."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from controller import log
from lab.measurements.measure import Line, line, resident_kb, scratch, skipped, slope, stopwatch
from lab.measurements.play import Shift
from lab.sim.config import default_config, simulated_tables
from lab.sim.table import ROUND_DEADLINE_S

GOAL_MB = 80
GROWTH_KB = 5_000
"""What 100,000 rounds may add: less than the memory of the interpreter itself."""
SOAK = 100_000
ARENA_KB = 256
"""Memory that the allocator takes at once: a short run cannot tell growth below it from none…"""
BLOCKS_A_ROUND = 0.5
"""…but it can count the blocks in use: fewer than this many new ones a round are under 5 MB in 100,000 rounds."""
JUST_AFTER = 8
"""Events: one instant may bring several, and the snapshot lies somewhere among them."""
TABLES = simulated_tables()
WARM_UP = 400
"""Rounds until every cache has what it will ever have."""
CHILD_S = 3600
PAGES = ("", "dealer", "pit", "sign")


def run(quick: bool) -> Iterator[Line]:
    """A watched table with its pages, then virtual play for its slope."""
    yield watched(3.0 if quick else 8.0)
    # A few hundred rounds cannot tell growth from the allocator's own steps, so a quick run gives no verdict.
    yield skipped("memory_growth", "needs more rounds than a quick run has") if quick else growth(1_500)


def watched(seconds: float) -> Line:
    """The whole process as `tablectl sim` starts it: devices, drivers, journal, server, four pages looking on."""
    with scratch() as folder:
        command = [
            sys.executable, "-c", "from controller.commands import main; main()", "sim", "--speed", "20",
            "--no-browser", "--port", "0", "--journal", str(folder / "table.sqlite"),
        ]  # fmt: skip
        bare = subprocess.run(
            [sys.executable, "-c", "from lab.measurements.measure import *; print(resident_kb())"],
            check=True, timeout=60, capture_output=True,
        )  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder)
        assert process.stderr is not None
        try:
            port = _port_of(process)
            with contextlib.ExitStack() as open_pages:
                for page in PAGES:
                    _get(port, f"/{page}").close()
                    open_pages.enter_context(_get(port, "/api/live"))
                _let_run(process, seconds)
                resident = resident_kb(process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=20)
            process.kill()
    return line(
        "memory", round(resident / 1000, 1), "MB resident, all devices and pages", f"under {GOAL_MB} MB",
        resident < GOAL_MB * 1000, floor={"bare_python_mb": round(int(bare.stdout) / 1000, 1)},
        ratio=resident / int(bare.stdout), pages=len(PAGES), watched_s=seconds,
    )  # fmt: skip


def _port_of(process: subprocess.Popen[bytes]) -> int:
    """The port that a starting table says its pages are at."""
    assert process.stderr is not None
    said, begin = b"", stopwatch()
    while stopwatch() - begin < 30:
        if select.select([process.stderr], [], [], 1.0)[0]:
            said += os.read(process.stderr.fileno(), 65_536)
            if found := re.search(rb"http://[^/]+:(\d+)/", said):
                return int(found[1])
        if process.poll() is not None:
            break
    raise RuntimeError(f"the simulated table did not come up: {said.decode(errors='replace')[-500:]}")


def _get(port: int, path: str) -> socket.socket:
    """Ask for a page and leave the connection open."""
    page = socket.create_connection(("127.0.0.1", port), timeout=10)
    page.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    page.recv(1024)
    return page


def _let_run(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Let the table play on, taking away what it logs."""
    assert process.stderr is not None
    begin = stopwatch()
    while (left := seconds - (stopwatch() - begin)) > 0:
        if select.select([process.stderr], [], [], left)[0] and not os.read(process.stderr.fileno(), 65_536):
            raise RuntimeError("the simulated table ended early")


def growth(rounds: int, table: str = "wheel") -> Line:
    """Memory of a fresh process over so many rounds in virtual time."""
    command = [sys.executable, "-m", "lab.measurements.memory", str(rounds), table]
    said = subprocess.run(command, check=True, timeout=max(CHILD_S, rounds / 5), capture_output=True).stdout
    samples: list[list[int]] = [json.loads(row) for row in said.splitlines()]
    played = [float(one[0]) for one in samples]
    a_round = slope(played, [float(kb) for _, kb, _ in samples])
    blocks = slope(played, [float(count) for _, _, count in samples])
    grown = samples[-1][1] - samples[0][1]
    return line(
        "memory_growth" if table == "wheel" else f"memory_growth_{table.replace('-', '_')}",
        round(max(a_round, 0.0) * 1000, 1), "bytes a round",
        f"flat: at most {GROWTH_KB / 1000:g} MB in {SOAK:,} rounds",
        a_round * SOAK <= GROWTH_KB or (grown <= ARENA_KB and blocks <= BLOCKS_A_ROUND),
        rounds=rounds, first_mb=round(samples[0][1] / 1000, 1), last_mb=round(samples[-1][1] / 1000, 1),
        grown_in_100000_rounds_mb=round(a_round * SOAK / 1000, 2), blocks_a_round=round(blocks, 3),
    )  # fmt: skip


def soak(journal: Path, rounds: int, table: str = "wheel", steps: int = 20) -> Iterator[tuple[int, int, int]]:
    """Rounds played, memory in kB and blocks of memory in use, several times on the way."""
    game, rulebook = TABLES[table]
    shift = Shift(default_config(game, rulebook=rulebook), journal)
    shift.play(WARM_UP)
    for _ in range(steps):
        shift.play(max(rounds // steps, 1))
        # The events since the last snapshot come and go; right after one there are hardly any.
        guarded = shift.table.runtime.guarded
        shift.clock.run_until(lambda: len(guarded._since) < JUST_AFTER, 10 * ROUND_DEADLINE_S)  # noqa: B023
        gc.collect()
        yield shift.table.shift.rounds, resident_kb(), sys.getallocatedblocks()
    shift.end()


if __name__ == "__main__":
    log.setup(level="error")  # what a table tells would stand between the samples
    with scratch() as here:
        for sample in soak(here / "table.sqlite", int(sys.argv[1]), sys.argv[2]):
            print(json.dumps(sample), flush=True)
