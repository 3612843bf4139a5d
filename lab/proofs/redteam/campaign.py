"""The whole campaign as steps, each with what it found; a report that a later run goes on with."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from controller import kept_file
from lab.proofs.redteam.secrets import planted
from lab.proofs.redteam.strangers import ATTACKS, attacked

KEY_MS = 100.0
"""How soon a dealer's key answers, whoever else is at the door."""


class Found(msgspec.Struct, frozen=True):
    """What one step found: whether it held, and the numbers."""

    step: str
    held: bool
    facts: dict[str, Any]


class Report(msgspec.Struct):
    """Everything found so far, and for how long each attack went on."""

    seconds: float
    found: list[Found] = []


Step = Callable[[Path], Found]


def steps(seconds: float) -> dict[str, Step]:
    """Every step by name."""
    strangers: dict[str, Step] = {f"strangers-{name}": _strangers(name, seconds) for name in ATTACKS}
    return strangers | {"secrets-service": _secrets("service", True), "secrets-terminal": _secrets("terminal", False)}


def _strangers(name: str, seconds: float) -> Step:
    def step(folder: Path) -> Found:
        facts = asyncio.run(attacked(folder, name, seconds))
        held = facts["presses"] > 0 and facts["refused"] == 0 and facts["slowest_ms"] <= KEY_MS
        return Found(f"strangers-{name}", held, facts)

    return step


def _secrets(where: str, json: bool) -> Step:
    def step(folder: Path) -> Found:
        faults, told = planted(folder, json)
        return Found(f"secrets-{where}", not told, {"faults": faults, "told": told})

    return step


def campaign(report: Path | None, seconds: float, only: tuple[str, ...] = ()) -> Iterator[Found]:
    """Run what the report does not have yet, and keep each finding as it comes; a step that failed is run again."""
    kept = _begun(report, seconds)
    done = {one.step for one in kept.found if one.held}
    for name, step in steps(seconds).items():
        if name in done or (only and name not in only):
            continue
        with tempfile.TemporaryDirectory() as folder:
            found = step(Path(folder))
        kept.found = [*(one for one in kept.found if one.step != name), found]
        if report is not None:
            kept_file.replace(report, msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
        yield found


def _begun(report: Path | None, seconds: float) -> Report:
    """The report of an earlier run, unless it attacked for another time."""
    if report is None or not report.exists():
        return Report(seconds)
    kept = msgspec.json.decode(report.read_bytes(), type=Report)
    return kept if kept.seconds == seconds else Report(seconds)
