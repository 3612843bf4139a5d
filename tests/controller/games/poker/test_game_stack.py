"""Poker through the whole stack: devices, wires, drivers, sealer, journal, table and a clumsy crew."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands.rules import rules as rules_command
from controller.config.types import TableConfig
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.games.poker.game import PokerGame
from controller.games.poker.offers import GAMES
from controller.journal.file import JournalFile
from firmware_specs.clock import VirtualClock
from lab.commands.sim import sim
from lab.sim.table import SimulatedTable
from simulators.people.poker_habits import Habits
from tests.controller.games.poker.shift import CLUMSY, Ledger, spread

BOOK = "melbourne-poker"


def play(
    config: TableConfig, path: Path, hands: int, seed: int, habits: Habits = CLUMSY
) -> tuple[SimulatedTable, Ledger]:
    clock = VirtualClock()
    table = SimulatedTable(config, path, clock, seed, habits=habits)
    ledger = Ledger()
    table.runtime.watchers.append(ledger.watch)
    table.start()
    while table.shift.rounds < hands:
        before = table.shift.rounds
        clock.run_until(lambda: table.shift.rounds > before, 600.0)  # noqa: B023 - called before the next pass
    table.stop()
    return table, ledger


@pytest.mark.parametrize(
    ("game", "structure"),
    [
        *((game, "no_limit") for game in GAMES),
        *(("holdem", kind) for kind in ("fixed", "spread", "half_pot", "pot_limit")),
    ],
)
def test_whatever_goes_wrong_every_hand_ends_and_no_chip_is_lost(game: str, structure: str, tmp_path: Path) -> None:
    config = spread(game, structure)
    table, ledger = play(config, tmp_path / "table.sqlite", 25, 7)
    poker = table.runtime.table.game
    assert isinstance(poker, PokerGame)
    assert not table.runtime.table.state.faults
    assert sum(seat.stack for seat in poker.state.seats.values()) == ledger.bought - ledger.house
    for settled in ledger.settled:
        hands = [result for result in settled.results if result.bet == "hand"]
        assert sum(result.stake_taken - result.pays for result in hands) >= 0
    file = JournalFile.read_only(tmp_path / "table.sqlite")
    assert recover(GuardedTable(config), file, from_snapshot=False) == file.last_seq


@pytest.mark.clause(BOOK, "9.1.1(c)", "9.8", "9.10", "9.11", "9.12.1", "9.13.2", "9.7")
def test_a_clumsy_crew_meets_the_remedies_and_plays_on(tmp_path: Path) -> None:
    table, _ = play(spread("holdem"), tmp_path / "table.sqlite", 60, 3)
    ruled = {name.partition(":")[0] for name in table.shift.rulings}
    assert {"out_of_order", "no_burn", "exposed_hole_card", "two_opened"} <= ruled
    assert ruled & {"premature_flop", "premature_turn", "premature_river"}


def test_the_same_seed_plays_the_same_shift(tmp_path: Path) -> None:
    settled = [play(spread("omaha"), tmp_path / f"{number}.sqlite", 8, 5)[1].settled for number in range(2)]
    assert settled[0] == settled[1]


def test_a_shift_goes_on_from_its_journal(tmp_path: Path) -> None:
    path = str(tmp_path / "table.sqlite")
    for _ in range(2):
        done = CliRunner().invoke(sim, ["--game", "poker", "--rounds", "5", "--journal", path])
        assert done.exit_code == 0, done.output
        assert "5 rounds in" in done.output
        assert "rake $" in done.output


def test_the_course_of_a_hand_is_drawn_with_its_guards() -> None:
    drawn = CliRunner().invoke(rules_command, ["diagram", "poker"]).output
    for word in ("between_hands", "showdown", "one_left_with_side_wagers", "discards_now", "ruling"):
        assert word in drawn


def test_antennas_that_miss_and_lag_cost_no_chip_and_no_hand(tmp_path: Path) -> None:
    clock = VirtualClock()
    table = SimulatedTable(spread("holdem"), tmp_path / "table.sqlite", clock, 11, habits=CLUMSY)
    antennas, mat = table.devices.antennas, table.devices.mat
    antennas._misses_per_minute, antennas._late_rate, mat._misses_per_minute = 20.0, 0.03, 10.0
    ledger = Ledger()
    table.runtime.watchers.append(ledger.watch)
    table.start()
    while table.shift.rounds < 30:
        before = table.shift.rounds
        clock.run_until(lambda: table.shift.rounds > before, 900.0)  # noqa: B023 - called before the next pass
    table.stop()
    poker = table.runtime.table.game
    assert isinstance(poker, PokerGame)
    assert sum(seat.stack for seat in poker.state.seats.values()) == ledger.bought - ledger.house
