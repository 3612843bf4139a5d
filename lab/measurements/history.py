"""What was measured before, so that a number that got worse is seen."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from pathlib import Path

from lab.measurements.measure import Line, median, wall_time

REMEMBERED = 5
WORSE = 1.25
"""A number a quarter worse than the median of the last runs is called a regression."""


def run_facts(quick: bool = False) -> Line:
    """When, where, on what and beside how much other work."""
    return {
        "at": round(wall_time()),
        "quick": quick,
        "machine": platform.node(),
        "commit": _commit(),
        "load": round(os.getloadavg()[0], 2),
    }


class History:
    """A file of JSON lines, one a result; never read by anything but this comparison."""

    def __init__(self, path: Path, quick: bool) -> None:
        self._path = path
        self._quick = quick
        self._before: dict[tuple[str, bool], list[float]] = {}
        self._run = run_facts(quick)
        for row in path.read_text().splitlines() if path.exists() else ():
            self._remember(row)

    def _remember(self, row: str) -> None:
        try:
            kept = json.loads(row)
            if (kept["quick"], kept["machine"]) == (self._quick, self._run["machine"]):
                number = comparable(kept)
                if number is not None:
                    self._before.setdefault(_of(kept), []).append(number)
        except (ValueError, KeyError, TypeError):
            return  # a line that was cut off or edited tells nothing

    def add(self, result: Line) -> Line:
        """Keep a result; what comes back also says how it compares with the last ones."""
        before, number = self._before.get(_of(result), [])[-REMEMBERED:], comparable(result)
        with self._path.open("a") as file:
            file.write(json.dumps({**result, **self._run}) + "\n")
        if number is None or not before:
            return result
        usual = median(before)
        # A ratio is always the less the better; a plain value says itself which way is better.
        more_is_better = "ratio" not in result and result.get("better") == "more"
        worse = usual / number if more_is_better else number / usual
        return {**result, "usual": round(usual, 4), "worse_by": round(worse - 1, 3), "regressed": worse > WORSE}


def _of(result: Line) -> tuple[str, bool]:
    """What a result is held against: earlier ones of its name, ratios beside ratios and plain values beside theirs."""
    return result["bench"], "ratio" in result


def comparable(result: Line) -> float | None:
    """The number of a result that can be held against an earlier run's: its ratio to the floor, or its value."""
    number = result.get("ratio", result.get("value"))
    if number is None or number <= 0 or result.get("unit") == "exponent":
        return None
    return float(number)


def _commit() -> str:
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
