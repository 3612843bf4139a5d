"""Many walks: each found again and shrunk, counted, and gone on with where the last campaign stopped."""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from controller.config.types import TableConfig
from lab.explore.coverage import Coverage
from lab.explore.findings import Ended, ended
from lab.explore.found import Found
from lab.explore.hands import Hands, hands_of, tables_of
from lab.explore.judges import judges_of
from lab.explore.state_of_code import state_of_code
from lab.explore.steps import Walk, written
from lab.explore.table import ExploredTable
from lab.explore.walk import Seldom, Walker, all_alike

SHRINK_TRIALS = 160
AT_THE_USUAL = 0.5
"""How many walks are over the usual table of a rulebook; the others are over any that it allows."""
FILE = "explored.json"


class Explored(msgspec.Struct):
    """One finding with the shortest walk that shows it."""

    found: Found
    walk: Walk
    times: int = 1


@functools.cache
def tables(game: str, rulebook: str) -> dict[str, TableConfig]:
    """The tables of a rulebook, configured once."""
    return tables_of(game, rulebook)


def opened(game: str, rulebook: str, name: str = "") -> tuple[ExploredTable, Hands]:
    """A table that was just switched on, and the hands at it."""
    hands, known = hands_of(game), tables(game, rulebook)
    config = known[name] if name else next(iter(known.values()))
    table = ExploredTable(config, hands, judges_of(game))
    table.switch_on()
    return table, hands


def walked(walk: Walk, count: int, seldom: Seldom = all_alike) -> tuple[ExploredTable, Walk, Ended]:
    """One walk of this seed at this table, with the steps that were done and its end."""
    table, hands = opened(walk.game, walk.rulebook, walk.table)
    done = Walker(table, hands, walk.seed, seldom).walk(count)
    return table, msgspec.structs.replace(walk, steps=tuple(done)), ended(table, hands, walk.seed)


def played(walk: Walk) -> tuple[ExploredTable, Ended]:
    """A walk played again from its steps; those that cannot be done any more are passed over."""
    table, hands = opened(walk.game, walk.rulebook, walk.table)
    for step in walk.steps:
        table.do(step)
    return table, ended(table, hands, walk.seed)


def shows(walk: Walk, name: str) -> bool:
    """Whether a walk still shows a finding."""
    return any(found.name == name for found in played(walk)[1].found)


def shrunk(walk: Walk, name: str, trials: int = SHRINK_TRIALS) -> Walk:
    """The walk with every step dropped that the finding does not need: halves first, then smaller parts."""
    steps, size = list(walk.steps), max(1, len(walk.steps) // 2)
    while trials > 0:
        at = 0
        while at < len(steps) and trials > 0:
            trials -= 1
            fewer = steps[:at] + steps[at + size :]
            if shows(msgspec.structs.replace(walk, steps=tuple(fewer)), name):
                steps = fewer
            else:
                at += size
        if size == 1:
            break
        size = max(1, size // 2)
    return msgspec.structs.replace(walk, steps=tuple(steps))


class Campaign:
    """Walks of one rulebook, seed after seed."""

    def __init__(self, game: str, rulebook: str, seed: int = 1, length: tuple[int, int] = (5, 60)) -> None:
        self.coverage = Coverage(game, rulebook, seed)
        self.length = length
        self.explored: dict[str, Explored] = {}
        self.times: Counter[str] = Counter()

    def go_on(self, folder: Path) -> None:
        """Take up what an earlier campaign left here."""
        path = folder / self.coverage.rulebook / FILE
        if path.exists():
            kept = msgspec.json.decode(path.read_bytes(), type=Coverage)
            if kept.seed == self.coverage.seed:
                self.coverage = kept

    def run(self, walks: int, told: Callable[[Explored], None] = lambda one: None, shrink: bool = True) -> None:
        """So many walks more."""
        cover = self.coverage
        for _ in range(walks):
            cover.walks += 1
            self._one(cover.seed * 10_000_000 + cover.walks, told, shrink)

    def _one(self, seed: int, told: Callable[[Explored], None], shrink: bool) -> None:
        cover = self.coverage
        least, most = self.length
        known = list(tables(cover.game, cover.rulebook))
        draw = random.Random(seed)
        name = known[0] if draw.random() < AT_THE_USUAL else draw.choice(known)
        start = Walk(cover.game, cover.rulebook, seed, (), table=name)
        table, walk, end = walked(start, draw.randint(least, most), cover.seldom)
        cover.take(table)
        cover.over(state_of_code(cover.game), bool(end.found))
        for found in {one.name: one for one in end.found}.values():
            cover.findings[found.name] = cover.findings.get(found.name, 0) + 1
            self.times[found.name] += 1
            if found.name not in self.explored:
                shown = msgspec.structs.replace(walk, finding=found.name, text=found.text)
                if shrink and shows(shown, found.name):
                    shown = shrunk(shown, found.name)
                self.explored[found.name] = Explored(found, shown)
                told(self.explored[found.name])

    def names(self) -> set[str]:
        """What was found in these walks, and what all walks together show."""
        return {*self.explored, *(found.name for found in self.coverage.in_vain())}

    def keep(self, folder: Path) -> list[Path]:
        """Write the coverage, and a file for each finding that plays it again."""
        under = folder / self.coverage.rulebook
        under.mkdir(parents=True, exist_ok=True)
        (under / FILE).write_bytes(msgspec.json.format(msgspec.json.encode(self.coverage), indent=1) + b"\n")
        return list(self._written(under))

    def _written(self, under: Path) -> Iterable[Path]:
        for name, one in self.explored.items():
            path = under / f"{''.join(c if c.isalnum() else '-' for c in name)}.json"
            path.write_bytes(written(one.walk))
            yield path
