"""The whole campaign as steps, each with what it found so far; a report that a later run goes on with."""

from __future__ import annotations

import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from controller import kept_file

Facts = dict[str, Any]
MEMORY = Path("/dev/shm")
"""Where files cost no disk; what a disk keeps is tried with one that forgets, not with this machine's."""


class Found(msgspec.Struct, frozen=True):
    """What one step found so far: whether all held, whether it is through, and the numbers."""

    step: str
    held: bool
    over: bool
    facts: Facts


class Report(msgspec.Struct):
    """Everything found so far."""

    found: dict[str, Found] = {}


class Size(msgspec.Struct, frozen=True):
    """How much of everything is tried."""

    kills: int = 10_000
    real_kills: int = 500
    cuts: int = 1_000
    """Power cuts after each failed sync, at most: every place where there are fewer."""
    seconds: float = 60.0
    """Of each kind of stranger."""
    days: int = 2
    hours: float = 24.0


QUICK = Size(kills=40, real_kills=4, cuts=1, seconds=0.5, days=1, hours=0.4)

Step = Callable[[Path, Facts], Iterator[Found]]
"""Goes on from the facts found so far, in a folder of its own; each finding takes the place of the one before."""


def steps(size: Size) -> dict[str, Step]:
    """Every step by name."""
    from lab.proofs.redteam.tried import kills, processes, secrets, soaks, strangers, syncs, tampers

    return kills(size) | processes(size) | syncs(size) | tampers() | strangers(size) | secrets() | soaks(size)


def campaign(
    report: Path | None, size: Size, only: tuple[str, ...] = (), go_on: Callable[[], bool] = lambda: True
) -> Iterator[Found]:
    """Run what the report does not have yet, and keep each finding as it comes; a step that failed is run again.

    `go_on` is asked after every finding; what was begun then is gone on with by the next run.
    """
    kept = _begun(report)
    for name, step in steps(size).items():
        if only and not any(name == one or name.startswith(f"{one}-") for one in only):
            continue
        before = kept.found.get(name)
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
            so_far = before.facts if before is not None and before.held else {}
            for found in _to_its_end(name, step(Path(folder), so_far)):
                kept.found[name] = found
                if report is not None:
                    kept_file.replace(report, msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
                yield found
                if not found.held:
                    break
                if not go_on():
                    return


def _to_its_end(name: str, findings: Iterator[Found]) -> Iterator[Found]:
    """A step that breaks has found something, and keeps no other step from being tried."""
    try:
        yield from findings
    except Exception as broke:
        where = traceback.extract_tb(broke.__traceback__)[-1]
        told = f"{type(broke).__name__}: {broke} ({Path(where.filename).name}:{where.lineno}, {where.name})"
        yield Found(name, False, True, {"broke": told})


def _begun(report: Path | None) -> Report:
    if report is None or not report.exists():
        return Report()
    return msgspec.json.decode(report.read_bytes(), type=Report)
