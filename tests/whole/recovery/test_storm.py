"""Everything at once, again and again: lines, devices and controllers fail while the table is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.core import guarded
from lab.proofs.games import GAMES
from tests.whole.recovery.storms import Storm

ROUNDS = 12


def wrong_after(game: str, seed: int, path: Path) -> list[str]:
    storm = Storm(game, path, seed)
    problems = storm.play(ROUNDS)
    assert storm.blows
    return [f"storm {seed}: {problem}" for problem in problems]


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 397])
def test_a_table_comes_through_a_storm(game: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "SNAPSHOT_EVERY", 40)
    assert wrong_after(game, seed, tmp_path / "table.sqlite") == []


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_tables_come_through_hundreds_of_storms(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "SNAPSHOT_EVERY", 40)
    found = []
    for seed in range(1000, 1300):
        path = tmp_path / f"{seed}.sqlite"
        found += wrong_after(game, seed, path)
        path.unlink()
    assert found == []
