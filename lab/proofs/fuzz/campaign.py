"""A fuzzing campaign: inputs by the thousand to each target, and every answer that is neither right nor a refusal."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from lab.measurements.measure import Overran, processor_alarm, resident_kb, stopwatch

WARM_UP = 2_000
"""Inputs until every cache has what it will ever have."""
SLOWEST_S = 2.0
"""Processor seconds for one input; more is a hang. A whole table's session has a longer limit of its own."""
GROWTH_KB = 64_000
"""Memory that a whole target may take more at its end than after its first batch."""
SHOWN = 5
"""Findings of one target that are told in full."""


class Nonsense(Exception):
    """An input that was accepted although it means nothing, or means something else when it is written back."""


class Target(Protocol):
    """One reader under fire; `refusals` are the only exceptions that may leave it."""

    name: str
    what: str
    refusals: tuple[type[Exception], ...]

    def next(self) -> bytes:
        """Another input, the same for the same seed."""

    def take(self, octets: bytes) -> int:
        """Read it and look closely at what was accepted, Nonsense when that cannot be; how many inputs it stood for."""

    def close(self) -> None:
        """Let go of files."""


class Finding(msgspec.Struct, frozen=True):
    """One input and what came of it."""

    target: str
    number: int
    what: str
    where: str
    octets: bytes

    def text(self) -> str:
        shown = self.octets[:160].hex() + ("…" if len(self.octets) > 160 else "")
        return f"{self.target} input {self.number}: {self.what}\n  at {self.where}\n  {len(self.octets)} bytes: {shown}"


class Tally(msgspec.Struct):
    """What one target did with its inputs."""

    target: str
    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest_ms: float = 0.0
    findings: list[Finding] = []

    def text(self) -> str:
        rate = self.inputs / self.seconds if self.seconds else 0.0
        verdict = f"{len(self.findings)} FOUND" if self.findings else "none found"
        return (
            f"{self.target:16} {self.inputs:>9,} inputs {rate:>9,.0f}/s  accepted {self.accepted:>9,}  "
            f"refused {self.refused:>9,}  slowest {self.slowest_ms:6.1f} ms  {verdict}"
        )


def _place(error: BaseException) -> str:
    """Where it happened, as a technician would be told."""
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in reversed(frames[-3:]))


def _told_well(error: Exception) -> str:
    """What is wrong with a refusal's own words; empty when nothing is."""
    text = str(error)
    if len(text) < 8:
        return f"refused with the words {text!r} only"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "refused with words that cannot be written"
    return ""


def fire(target: Target, inputs: int, seconds: float | None = None, slowest: float = SLOWEST_S) -> Tally:
    """Give a target so many inputs, or as many as fit into so many seconds."""
    tally = Tally(target.name, findings=[])
    begin = stopwatch()
    floor_kb = 0
    known: set[tuple[str, str]] = set()
    with processor_alarm(getattr(target, "slowest", slowest)) as guard:
        while tally.inputs < inputs and (seconds is None or stopwatch() - begin < seconds):
            _one(target, tally, guard, known)
            if not floor_kb and (tally.inputs >= WARM_UP or tally.inputs >= inputs):
                floor_kb = resident_kb()
    grown = resident_kb() - (floor_kb or resident_kb())
    if grown > GROWTH_KB:
        tally.findings.append(Finding(target.name, tally.inputs, f"memory grew by {grown // 1000} MB", "", b""))
    tally.seconds = stopwatch() - begin
    spoilt = getattr(target, "spoilt", 0)  # what a whole table refused inside, frame by frame
    tally.inputs += spoilt
    tally.refused += spoilt
    target.close()
    return tally


def _one(target: Target, tally: Tally, guard: Callable[[bool], None], known: set[tuple[str, str]]) -> None:
    octets = target.next()
    count = 1
    wrong, where = "", ""
    begin = stopwatch()
    try:
        guard(True)
        try:
            count = target.take(octets)
        finally:
            guard(False)
        tally.accepted += count
    except target.refusals as refusal:
        tally.refused += 1
        wrong, where = _told_well(refusal), _place(refusal)
    except (Exception, Overran) as error:
        wrong, where = f"{type(error).__name__}: {error}", _place(error)
    tally.inputs += count
    took = 1000 * (stopwatch() - begin)
    tally.slowest_ms = max(tally.slowest_ms, took)
    if wrong and (wrong.partition(":")[0], where) not in known:  # each cause is told once
        known.add((wrong.partition(":")[0], where))
        tally.findings.append(Finding(target.name, tally.inputs, wrong[:500], where, octets))


def keep(findings: list[Finding], folder: Path) -> list[Path]:
    """Write each finding's input to a file of its own, to be read again with the debugger."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = []
    for number, finding in enumerate(findings, start=1):
        path = folder / f"{finding.target.replace(' ', '-')}-{number}.bin"
        path.write_bytes(finding.octets)
        kept.append(path)
    return kept
