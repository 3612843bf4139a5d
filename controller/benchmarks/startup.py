"""How long the command line takes to answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from controller.benchmarks.measure import Line, line, median, stopwatch


def run(quick: bool) -> Iterator[Line]:
    """`tablectl --help` beside an interpreter that does nothing."""
    repeats = 3 if quick else 7
    commands = {
        "help": ["-c", "from controller.commands import main; main()", "--help"],
        "python": ["-c", "pass"],
        "click": ["-c", "import click"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            begin = stopwatch()
            subprocess.run([sys.executable, *command], check=True, timeout=60, stdout=subprocess.DEVNULL)
            times[name].append(stopwatch() - begin)
    shown, bare, click = (1000 * median(times[name]) for name in ("help", "python", "click"))
    yield line(
        "cli_help", round(shown, 1), "ms", "for information", True,
        floor={"bare_python_ms": round(bare, 1), "with_click_ms": round(click, 1)}, ratio=shown / click,
    )  # fmt: skip
