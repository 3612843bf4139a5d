"""Every kind of moment that a page may have to show, gathered from scenario files played through the whole stack."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from controller.config.types import TableConfig
from controller.core.runtime import Runtime, Told
from controller.web.board import SECTIONS, Board
from controller.web.server import face
from lab.scenarios.file import Case, ScenarioError, read_cases
from lab.scenarios.play import play_case
from lab.scenarios.stage import Stage

SCENARIOS = Path(__file__).parent.parent / "scenarios"
FILES = {
    "wheel": ("wheel.json", "wheel-chips.json"),
    "war": ("war.json", "war-more.json", "war-protection.json", "war-felt.json", "war-notices.json"),
    "poker": ("poker.json", "poker-hands.json", "poker-chips.json"),
}
"""Where the cases of each game stand."""
Sections = dict[str, Any]


class Watched(Stage):
    """A stage on which whatever pages would show is kept, one moment of each kind."""

    def __init__(self, kept: dict[tuple[str, ...], Sections]) -> None:
        super().__init__()
        self._kept = kept
        self._config: TableConfig

    def config(self, config: TableConfig) -> TableConfig:
        self._config = config
        return config

    def ready(self, runtime: Runtime) -> None:
        board = Board(runtime, face(runtime, self._config, True, None))

        def look(told: Told) -> None:
            if told.seq == runtime.guarded.position.seq:
                for kind in kinds(runtime):
                    if kind not in self._kept:
                        self._kept[kind] = shown(board)

        runtime.watchers.append(look)


def kinds(runtime: Runtime) -> Iterator[tuple[str, ...]]:
    """What makes this moment worth a look: the state with its life, each question in it, each alarm."""
    table = runtime.table
    book, state = table.house.rulebook.id, table.game.machine.state
    yield (book, table.state.life, state)
    for asked in table.state.desk.prompts.values():
        yield (book, "asked", asked.subject.partition(":")[0])
    for code in (*table.state.desk.alarms, *table.state.faults):
        yield (book, "alarm", code.partition(":")[0])


def shown(board: Board) -> Sections:
    page = board.open(SECTIONS, live=False)
    try:
        found: Sections = json.loads(board.body(SECTIONS))["set"]
        return found
    finally:
        board.leave(page)


def cases(game: str) -> Iterable[Case]:
    return [case for name in FILES[game] for case in read_cases(SCENARIOS / name)]


def moments(game: str) -> dict[tuple[str, ...], Sections]:
    """One moment of each kind; called inside a running loop, which the board needs for its pages."""
    kept: dict[tuple[str, ...], Sections] = {}
    for case in cases(game):
        with contextlib.suppress(ScenarioError):  # a few questions to the pure hand have no table
            play_case(case, Watched(kept))
    return kept


def one_table_after_the_other(kinds: dict[tuple[str, ...], Sections]) -> list[tuple[str, ...]]:
    """So that a page, which begins anew with every other table, seldom has to."""
    return sorted(kinds, key=lambda kind: (json.dumps(kinds[kind]["table"]), kind))
