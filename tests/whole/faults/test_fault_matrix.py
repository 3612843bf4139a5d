"""Every fault of every device in every state of the round: a named end, a cause with its remedy, the money right."""

from __future__ import annotations

import random

import msgspec
import pytest

from drivers.motion import SpinVerdict
from drivers.wheel import Wheel
from lab.proofs import faultmatrix
from lab.proofs.faultmatrix import CONTROLLER, FAULTS, Cell, as_text, cells, matrix
from lab.proofs.games import VARIANTS
from lab.proofs.poker_mishaps import MISHAPS
from lab.proofs.wheel import BigWheel
from simulators.faults import Fault

NAMED = {"settled", "no spin, then settled", "refunded"}


def wrong(played: list[Cell]) -> list[str]:
    return [line for line in as_text(played).splitlines() if ": " in line]


def test_the_matrix_knows_every_fault_there_is() -> None:
    kinds = set(msgspec.inspect.type_info(Fault).fields[1].type.values)  # type: ignore[attr-defined]
    assert {fault["fault"] for fault in FAULTS.values()} == kinds


SEVEN = list(VARIANTS["poker"])


def end_well(played: list[Cell]) -> None:
    assert wrong(played) == []
    assert {cell.ended for cell in played} <= NAMED
    assert all(cell.suspended for cell in played if cell.fault in ("unplug", "reboot") or cell.device == CONTROLLER)


@pytest.mark.parametrize("game", ["war", "wheel", *(pytest.param(game, marks=pytest.mark.slow) for game in SEVEN)])
def test_every_fault_in_every_state_ends_well(game: str) -> None:
    played = matrix(game)
    assert len(played) == len(list(cells(game)))
    end_well(played)


def shared() -> dict[str, set[tuple[str, str, str]]]:
    """The cells that each of the seven games plays: every fifth of all, and every mishap at least once."""
    known = {game: dict.fromkeys(cells(game)) for game in SEVEN}
    every = {cell: [game for game in SEVEN if cell in known[game]] for game in SEVEN for cell in known[game]}
    chosen: dict[str, set[tuple[str, str, str]]] = {game: set() for game in SEVEN}
    rows: set[tuple[str, str]] = set()
    for number, (cell, games) in enumerate(every.items()):
        if number % 5 == 0 or (cell[:2] in MISHAPS and cell[:2] not in rows):
            chosen[games[number % len(games)]].add(cell)
            rows.add(cell[:2])
    return chosen


def test_the_seven_games_leave_no_fault_and_no_state_out_among_them() -> None:
    every = {cell for game in SEVEN for cell in cells(game)}
    chosen = {cell for played in shared().values() for cell in played}
    assert {cell[:2] for cell in chosen} == {cell[:2] for cell in every}
    assert {cell[2] for cell in chosen} == {cell[2] for cell in every}


@pytest.mark.parametrize("game", SEVEN)
def test_the_seven_games_share_the_faults_among_them_and_each_ends_well(game: str) -> None:
    chosen = shared()[game]
    played = matrix(game, wanted=lambda *cell: cell in chosen)
    assert {(one.device, one.fault, one.state) for one in played} == chosen
    end_well(played)


@pytest.mark.parametrize("game", ["omaha_hilo", "war", "wheel"])
def test_faults_at_other_moments_of_a_state_end_well_too(game: str) -> None:
    draw = random.Random(20)
    for seed in range(2, 6):
        chosen = set(draw.sample(list(cells(game)), 12))
        played = matrix(game, seed, draw.uniform(0.1, 8.0), lambda *cell: cell in chosen)  # noqa: B023 - called at once
        assert wrong(played) == []
        assert {cell.ended for cell in played} <= NAMED


def test_a_guess_at_lost_evidence_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = BigWheel().ring
    rare = ring.index(min(ring, key=ring.count))

    def guess(self: Wheel) -> SpinVerdict:
        return SpinVerdict("clear", rare, 200.0, 0.0, (), (), "clockwise", 0.5, 200.0, 1.0, b"")

    monkeypatch.setattr(Wheel, "_lost", guess)
    played = matrix("wheel", wanted=lambda *cell: cell == ("wheel", "reboot without memory", "spin_closed"))
    assert any("the wheel stands at" in line for line in wrong(played))


def test_a_table_that_never_comes_back_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(faultmatrix.FAULTS, "unplug", {"fault": "unplug", "seconds": 10_000.0})
    played = matrix("wheel", wanted=lambda *cell: cell == ("chips", "unplug", "betting_open"))
    assert any("did not go on" in line for line in wrong(played))
    assert played[0].mark == "!!"
