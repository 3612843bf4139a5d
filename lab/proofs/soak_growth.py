"""What grew over a long day, fitted, and whether that counts as flat."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from lab.measurements.measure import median, slope
from lab.proofs.sloppy import nobody_accused
from lab.proofs.soak import Sample, Soaked

WARM_UP = 0.15
"""The share of the day until every cache has what it will ever have."""
SHARE = 0.15
"""A change over the day below this share of the whole is flat."""
SIGMAS = 3.0
"""And so is one that the spread of the samples explains."""
MEMORY_KB_A_ROUND = 0.05
"""5 MB in 100,000 rounds."""
MEMORY_NOISE_KB = 3_000
"""What the allocator keeps for itself after tables were built anew; only where the pieces in use do not grow."""
BLOCKS_SHARE = 0.02
"""Those beside what the table remembers may differ by this share: samples and blows of the soak, another moment."""


REMEMBERED_MOST = 12_000
"""The last 200 bookings, 1,000 slips and whatever lies on a full table come to fewer values than this."""


class Growth(msgspec.Struct, frozen=True):
    """How one thing developed: where it began, the fitted change to the end of the day, and the verdict."""

    what: str
    unit: str
    first: float
    change: float
    error: float
    flat: bool

    def text(self) -> str:
        return (
            f"{self.what:26}{self.first:>14,.2f} {self.unit:14} {self.change:+12,.2f} over the day "
            f"(± {self.error:,.2f})  {'flat' if self.flat else 'NOT FLAT'}"
        )


def growth(day: Soaked) -> list[Growth]:
    """Memory, open files, threads, journal and processor time of a day."""
    kept = day.samples[int(len(day.samples) * WARM_UP) :]
    rounds = [float(one.rounds) for one in kept]
    memory = [float(one.resident_kb) for one in kept]
    change, error = _fit(rounds, memory)
    allowed = MEMORY_KB_A_ROUND * (rounds[-1] - rounds[0])
    pieces = [float(one.blocks - one.remembered) for one in kept]
    blocks = _steady("pieces of memory", "", rounds, pieces, BLOCKS_SHARE)
    flat = change <= allowed or (change <= allowed + MEMORY_NOISE_KB and blocks.flat)
    found = [Growth("memory", "kB", memory[0], change, error, flat), blocks, _remembered(rounds, kept)]
    for what, values in (
        ("open files", [float(one.open_files) for one in kept]),
        ("threads", [float(one.threads) for one in kept]),
    ):
        change, error = _fit(rounds, values)
        # A journal that was not written to since it was opened has one file less; a leak adds one a restart.
        found.append(Growth(what, "", values[0], change, error, max(values) - min(values) <= 2))
    found.append(_steady("journal", "bytes a round", *_journal(kept)))
    found.append(_steady("processor time", "x a fixed work", rounds, [one.yardsticks for one in kept]))
    return found


def _remembered(rounds: list[float], kept: Sequence[Sample]) -> Growth:
    """What the table keeps may fill up, for its lists are bounded, and must stay below what they can hold."""
    values = [float(one.remembered) for one in kept]
    return Growth("remembered by the table", "values", values[0], *_fit(rounds, values), max(values) <= REMEMBERED_MOST)


def _journal(kept: Sequence[Sample]) -> tuple[list[float], list[float]]:
    """Bytes a round between samples; the file grows in steps, so neighbours are put together."""
    width = max(1, len(kept) // 16)
    at, values = [], []
    for number in range(width, len(kept), width):
        before, after = kept[number - width], kept[number]
        if after.rounds > before.rounds:
            at.append(float(after.rounds))
            values.append((after.journal_bytes - before.journal_bytes) / (after.rounds - before.rounds))
    return at, values


def _steady(what: str, unit: str, rounds: list[float], values: list[float], share: float = SHARE) -> Growth:
    """Flat unless it rises by more than a share of itself, and by more than its own spread explains."""
    if len(values) < 3:
        return Growth(what, unit, values[0] if values else 0.0, 0.0, 0.0, True)
    change, error = _fit(rounds, values)
    flat = change <= share * median(values) or change <= SIGMAS * error
    return Growth(what, unit, median(values), change, error, flat)


def _fit(xs: list[float], ys: list[float]) -> tuple[float, float]:
    """The fitted change from first to last, and its standard error."""
    if len(xs) < 3 or xs[-1] == xs[0]:
        return ys[-1] - ys[0], 0.0
    rise = slope(xs, ys)
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    left = sum((y - mean_y - rise * (x - mean_x)) ** 2 for x, y in zip(xs, ys, strict=True))
    span = xs[-1] - xs[0]
    return rise * span, span * math.sqrt(left / (len(xs) - 2) / spread)


def as_text(day: Soaked) -> str:
    """A day for people: what happened, what grew, what was wrong."""
    lines = [
        f"{day.table}: {day.hours:g} h, {day.rounds:,} rounds, {day.events:,} events, {day.faults} device faults, "
        f"{day.stopped} stops and {day.killed} kills of the controller, float explained {day.explained} times, "
        f"{f'{day.judged:,} rounds judged a second time, ' if day.judged else ''}{day.cpu_s:.0f} s of one core, "
        f"seed {day.seed}",
        *(f"  {one.text()}" for one in growth(day)),
        *(f"  {one.text()}" for one in day.hands),
        *(f"  WRONG: {problem}" for problem in day.problems[:20]),
    ]
    return "\n".join(lines)


def fine(day: Soaked) -> bool:
    """Whether nothing was wrong and nothing grew."""
    return not day.problems and all(one.flat for one in growth(day)) and nobody_accused(day.hands)
