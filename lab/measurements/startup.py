"""How long the command line takes to answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from lab.measurements.measure import Line, as_installed, line, median, scratch, stopwatch


def run(quick: bool) -> Iterator[Line]:
    """`tablectl --help` beside an interpreter that does nothing."""
    repeats = 3 if quick else 7
    commands = {
        "help": ["-c", "from controller.commands import main; main()", "--help"],
        "python": ["-c", "pass"],
        "click": ["-c", "import click"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    with scratch() as folder:
        environment = as_installed(folder)
        for _ in range(repeats + 1):
            for name, command in commands.items():
                begin = stopwatch()
                subprocess.run(
                    [sys.executable, *command], check=True, timeout=60, stdout=subprocess.DEVNULL, env=environment
                )
                times[name].append(stopwatch() - begin)
    times = {name: measured[1:] for name, measured in times.items()}  # the first one compiled
    shown, bare, click = (1000 * median(times[name]) for name in ("help", "python", "click"))
    yield line(
        "cli_help", round(shown, 1), "ms", "for information", True,
        floor={"bare_python_ms": round(bare, 1), "with_click_ms": round(click, 1)}, ratio=shown / click,
    )  # fmt: skip
