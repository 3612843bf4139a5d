"""kill -9 at random instants, over real pseudo-terminals and a real file: nothing lost, nothing doubled."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lab.proofs.poker import sealed_problems
from lab.proofs.redteam.deaths import uninterrupted
from lab.proofs.redteam.killing import STAGED, Killing
from lab.proofs.redteam.kills import as_settled

SEED = 5


def killed_and_compared(game: str, folder: Path, kills: int, rounds: int, seed: int) -> None:
    killing = Killing(STAGED[game](), folder, SEED)
    told = killing.play(kills, rounds, random.Random(seed))
    assert killing.problems == []
    assert told.starts > kills / 2  # the others died before they had written anything
    played = len({one.round for one in told.settlements})
    expected = uninterrupted(game, folder / "whole.sqlite", SEED, played)
    assert played >= rounds
    assert as_settled(told.settlements) == as_settled(expected.settlements)
    if game == "poker":
        assert sealed_problems(killing.journal, []), "a face that nobody was shown would not have been found"


@pytest.mark.parametrize("game", sorted(STAGED))
def test_a_dozen_kills_change_no_settlement(game: str, tmp_path: Path) -> None:
    killed_and_compared(game, tmp_path, kills=12, rounds=2, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(STAGED))
@pytest.mark.parametrize("seed", range(10))
def test_hundreds_of_kills_change_no_settlement(game: str, tmp_path: Path, seed: int) -> None:
    killed_and_compared(game, tmp_path, kills=60, rounds=3, seed=seed)
