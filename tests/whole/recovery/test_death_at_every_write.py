"""A controller that dies at any write of its journal and comes back: the table ends up as if it had not."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.core import guarded
from controller.core.runtime import Runtime
from drivers.events import DeviceEvent, Mark
from firmware_specs.clock import DeadlineMissed
from lab.proofs.games import GAMES
from lab.proofs.redteam.deaths import AWAY_S, MOMENTS, Outcome, died_often, died_once, uninterrupted

SEED = 3
ROUNDS = 2
THROUGH = "ruling"
"""The second round goes through a question that people must answer."""


@pytest.fixture(scope="module", params=sorted(GAMES))
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Outcome]:
    """A game, and how it ends when nothing happens to the controller."""
    outcome = uninterrupted(request.param, tmp_path_factory.mktemp("whole") / "table.sqlite", SEED, ROUNDS, THROUGH)
    assert outcome.problems == []
    assert len({one.round for one in outcome.settlements}) == ROUNDS
    return request.param, outcome


@pytest.mark.parametrize("moment", MOMENTS)
def test_death_at_any_write_changes_no_settlement_and_loses_no_event(
    whole: tuple[str, Outcome], moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, expected = whole
    wrong = {}
    for write in range(1, expected.writes + 1):
        # Half of the controllers come back from a snapshot and what followed it, half from the first event on.
        monkeypatch.setattr(guarded, "SNAPSHOT_EVERY", 7 if write % 2 else 10_000)
        away = AWAY_S[write % len(AWAY_S)]
        path = tmp_path / f"{write}.sqlite"
        found = died_once(game, path, SEED, ROUNDS, write, moment, away, THROUGH)
        if found.problems or found.settlements != expected.settlements:
            wrong[write] = (away, found.problems, found.settlements if not found.problems else "")
        path.unlink()
    assert wrong == {}


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 71, 127])
def test_controllers_that_die_one_after_the_other_still_settle_every_round_as_one_would(
    whole: tuple[str, Outcome], seed: int, tmp_path: Path
) -> None:
    game, expected = whole
    longest = expected.writes // 4  # nobody lives to see more than a quarter of it, so at least three die
    found, deaths = died_often(game, tmp_path / "table.sqlite", SEED, ROUNDS, random.Random(seed), longest, THROUGH)
    assert deaths >= 3
    assert found.problems == []
    assert found.settlements == expected.settlements


def test_a_controller_that_acknowledges_before_the_write_is_found_out(
    whole: tuple[str, Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Runtime.take

    def rash(self: Runtime, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        if durable is not None:
            durable()
        take(self, event, mark, None)

    monkeypatch.setattr(Runtime, "take", rash)
    game, expected = whole
    problems = []
    for write in range(1, expected.writes, 4):
        # Chips that were forgotten may leave people waiting for ever, which is found out by itself.
        with contextlib.suppress(DeadlineMissed):
            problems += died_once(
                game, tmp_path / f"{write}.sqlite", SEED, ROUNDS, write, "before the write", 0.05, THROUGH
            ).problems
    assert any("forgot event" in problem for problem in problems)
    assert any("is not in the journal" in problem for problem in problems)


def test_a_controller_that_forgets_where_it_stood_is_found_out(
    whole: tuple[str, Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the mark of before, held events are taken again."""
    game, expected = whole
    monkeypatch.setattr(guarded.GuardedTable, "apply", _without_marks(guarded.GuardedTable.apply))
    problems = []
    for write in range(10, expected.writes, 4):
        # A card taken twice may leave people waiting for ever, which is found out by itself.
        with contextlib.suppress(DeadlineMissed):
            problems += died_once(
                game, tmp_path / f"{write}.sqlite", SEED, ROUNDS, write, "after the write", 0.05, THROUGH
            ).problems
    assert any("twice" in problem for problem in problems)


def _without_marks(apply: Callable[..., Any]) -> Callable[..., Any]:
    def forgetful(self: guarded.GuardedTable, at: int, event: Any, device: str = "", mark: Mark | None = None) -> Any:
        return apply(self, at, event, device, None)

    return forgetful
