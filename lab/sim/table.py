"""A whole simulated table: devices, wires, drivers, journal, table and people, on one clock."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any

from controller.config.types import TableConfig
from controller.core.runtime import Runtime, Told
from controller.devices import inline
from controller.journal.committer import Committer
from controller.journal.file import JournalFile
from controller.money.dress import ChipRegister
from controller.people.door import with_player_cards
from firmware_specs.clock import FIRST_MORNING_MS, Clock, VirtualClock
from lab.scenarios.played import find
from lab.sim.devices import SimulatedDevices, drivers_for, opened
from lab.sim.summary import Shift, Summary
from simulators.people.chips import Bank


def sign_that_shows(runtime: Runtime, clock: Clock) -> None:
    """A sign that shows what it is told after a moment, and says so."""

    def watch(told: Told) -> None:
        shown, wanted = runtime.table.state.sign_shown, runtime.table.state.sign
        if wanted > shown:
            clock.call_later(0.2, runtime.sign_shown, wanted)

    runtime.watchers.append(watch)


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
        habits: Any = None,
    ) -> None:
        self.config = config
        self.clock = clock
        bank = Bank()
        known = with_player_cards(ChipRegister(bank.register), config)
        self.runtime = opened(config, journal, clock, known, durable, alone)
        # Devices of a journal that goes on are others than those it began with: switched off, their memory is gone.
        self.devices = SimulatedDevices(config, clock, seed + self.runtime.guarded.position.seq, bank)
        drivers_for(self.runtime, config, {place: wire.host for place, wire in self.devices.wires.items()})
        self.shift = shift_for(config)
        self.runtime.watchers.append(self.shift.watch)
        sign_that_shows(self.runtime, clock)
        self.people: Any = find(config.table.game).crew(self.runtime, self.devices, config, clock, seed, habits)

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
    return shift.summary(clock.now(), find(config.table.game).exact(config, shift))


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
    return find(config.table.game).shift()
