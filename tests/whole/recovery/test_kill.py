"""kill -9 at random instants, over real pseudo-terminals and a real file: nothing lost, nothing doubled."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.core.effects import Settled
from lab.proofs.poker import CrownPoker, sealed_problems
from lab.proofs.war import CasinoWar
from lab.proofs.wheel import BigWheel
from tests.whole.recovery.deaths import uninterrupted
from tests.whole.recovery.killing import Killing

SEED = 5


def as_settled(settlements: list[Settled]) -> list[tuple[int, str, tuple[object, ...]]]:
    return [(one.round, one.outcome, one.results) for one in settlements]


GAMES = {"poker": CrownPoker, "wheel": BigWheel, "war": CasinoWar}


def killed_and_compared(game: str, folder: Path, kills: int, rounds: int, seed: int) -> None:
    killing = Killing(GAMES[game](), folder, SEED)
    told = killing.play(kills, rounds, random.Random(seed))
    assert killing.problems == []
    assert told.starts > kills / 2  # the others died before they had written anything
    played = len({one.round for one in told.settlements})
    expected = uninterrupted(game, folder / "whole.sqlite", SEED, played)
    assert played >= rounds
    assert as_settled(told.settlements) == as_settled(expected.settlements)
    if game == "poker":
        assert sealed_problems(killing.journal, []), "a face that nobody was shown would not have been found"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_dozen_kills_change_no_settlement(game: str, tmp_path: Path) -> None:
    killed_and_compared(game, tmp_path, kills=12, rounds=2, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seed", range(10))
def test_hundreds_of_kills_change_no_settlement(game: str, tmp_path: Path, seed: int) -> None:
    killed_and_compared(game, tmp_path, kills=60, rounds=3, seed=seed)
