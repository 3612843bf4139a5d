"""A whole simulated table: devices, wires, drivers, journal, table and people, on one clock."""

from __future__ import annotations

import random
from fractions import Fraction
from importlib import metadata
from pathlib import Path
from typing import Any

from controller.chips import ChipRegister
from controller.commit import Committer
from controller.config.types import TableConfig
from controller.games.wheel import edge as wheel_edge
from controller.journal import JournalFile
from controller.rulebook import wheel_rules
from controller.runtime import Runtime, Told
from controller.shift import Shift, Summary
from controller.simulated import poker_people, war_people
from controller.simulated.screen import DealerScreen
from controller.wiring import SimulatedDevices, drivers_for, inline, opened
from firmware_specs.clock import FIRST_MORNING_MS, Clock, VirtualClock
from simulators.people.chips import Bank, Felt
from simulators.people.poker import Habits as PokerHabits
from simulators.people.poker import PokerCrew
from simulators.people.war import Habits as WarHabits
from simulators.people.war import WarCrew
from simulators.people.wheel import Habits, WheelCrew

AnyHabits = Habits | WarHabits | PokerHabits
Crew = WheelCrew | WarCrew | PokerCrew


def sign_that_shows(runtime: Runtime, clock: Clock) -> None:
    """A sign that shows what it is told after a moment, and says so."""

    def watch(told: Told) -> None:
        shown, wanted = runtime.table.state.sign_shown, runtime.table.state.sign
        if wanted > shown:
            clock.call_later(0.2, runtime.sign_shown, wanted)

    runtime.watchers.append(watch)


def people_for(
    runtime: Runtime,
    devices: SimulatedDevices,
    config: TableConfig,
    clock: Clock,
    seed: int,
    habits: AnyHabits | None = None,
) -> Crew:
    """A crew that plays this table by itself."""
    if config.table.game == "poker":
        assert habits is None or isinstance(habits, PokerHabits)
        return poker_people.poker_crew(runtime, devices, config, clock, seed, habits)
    if config.table.game == "war":
        assert habits is None or isinstance(habits, WarHabits)
        return war_people.war_crew(runtime, devices, config, clock, seed, habits)
    assert habits is None or isinstance(habits, Habits)
    screen = DealerScreen(runtime, config)
    felt = Felt(devices.mat, devices.bank)
    areas = {symbol: area for area, symbol in runtime.table.game.setup.areas.items()}  # type: ignore[attr-defined]
    crew = WheelCrew(clock, screen, felt, devices.wheel, areas, random.Random(seed).getrandbits(32), habits)
    runtime.watchers.append(lambda told: crew.look())
    return crew


ROUND_DEADLINE_S = 600.0
"""A simulated round that takes longer has stuck."""


class SimulatedTable:
    """Everything wired on one clock; started, it opens and plays by itself."""

    def __init__(
        self,
        config: TableConfig,
        journal: Path,
        clock: Clock,
        seed: int,
        *,
        durable: bool = False,
        alone: bool = False,
        habits: AnyHabits | None = None,
    ) -> None:
        self.config = config
        self.clock = clock
        bank = Bank()
        self.runtime = opened(config, journal, clock, ChipRegister(bank.register), durable, alone)
        # Devices of a journal that goes on are others than those it began with: switched off, their memory is gone.
        self.devices = SimulatedDevices(config, clock, seed + self.runtime.steady.position.seq, bank)
        drivers_for(self.runtime, config, {place: wire.host for place, wire in self.devices.wires.items()})
        self.shift = shift_for(config)
        self.runtime.watchers.append(self.shift.watch)
        sign_that_shows(self.runtime, clock)
        self.people: Any = people_for(self.runtime, self.devices, config, clock, seed, habits)

    def start(self, committer: Committer | None = None) -> None:
        self.devices.start()
        self.runtime.start(metadata.version("tablectl"), self.config, committer or inline(self.runtime))

    def stop(self) -> None:
        self.runtime.stop()
        self.devices.stop()


def play_rounds(
    config: TableConfig, journal: Path, seed: int, rounds: int, shift: Shift, durable: bool = False
) -> Summary:
    """A whole shift under the virtual clock, as fast as the machine can."""
    clock = VirtualClock(_after(journal))
    table = SimulatedTable(config, journal, clock, seed, durable=durable, alone=True)
    table.runtime.watchers.append(shift.watch)
    table.start()
    while shift.rounds < rounds:
        before = shift.rounds
        clock.run_until(lambda: shift.rounds > before, ROUND_DEADLINE_S)  # noqa: B023 - called before the next pass
    table.stop()
    return shift.summary(clock.now(), _exact(config, shift))


def _after(journal: Path) -> int:
    """When a shift begins: the usual morning, or after what the journal already holds."""
    if not journal.exists():
        return FIRST_MORNING_MS
    file = JournalFile.read_only(journal)
    last = [row.at for row in file.rows(file.last_seq)]
    file.close()
    return max([FIRST_MORNING_MS, *(at + 60_000 for at in last)])


def shift_for(config: TableConfig) -> Shift:
    """What counts as a round and as a bet at this game."""
    if config.table.game == "war":
        return Shift(ends="round", bet_of=war_people.zone_of, also=war_people.mains_with_their_wars)
    return Shift()


def _exact(config: TableConfig, shift: Shift) -> dict[str, Fraction]:
    """What each bet is worth in the long run, to hold the shift against."""
    if config.table.game == "war":
        return war_people.exact(config, shift.bets)
    if config.wheel is None:
        return {}
    option = wheel_rules(config.table.rulebook).option(config.wheel.option)
    return {edge.wager: edge.expectation for edge in wheel_edge.edges(option)}
