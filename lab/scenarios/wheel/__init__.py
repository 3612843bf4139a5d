"""Big Wheel as the lab plays it."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from controller.config.types import TableConfig
from controller.core.runtime import Runtime
from controller.games.wheel.config import WheelSection
from controller.games.wheel.edge import edges
from controller.games.wheel.rules import wheel_rules
from firmware_specs.clock import Clock
from lab.proofs.stage import StagedGame
from lab.scenarios.file import Case
from lab.scenarios.outcome import Outcome
from lab.scenarios.played import Played
from lab.scenarios.stage import Stage
from lab.sim.devices import SimulatedDevices
from lab.sim.levers import Anew, Levers
from lab.sim.screen import DealerScreen
from lab.sim.summary import Shift
from lab.sim.table import SimulatedTable
from simulators.people.chips import Felt
from simulators.people.wheel import Habits, WheelCrew


class PlayedWheel(Played):
    """Spins."""

    def crew(
        self,
        runtime: Runtime,
        devices: SimulatedDevices,
        config: TableConfig,
        clock: Clock,
        seed: int,
        habits: Any = None,
    ) -> WheelCrew:
        assert habits is None or isinstance(habits, Habits)
        felt = Felt(devices.mat, devices.bank)
        areas = {symbol: area for area, symbol in runtime.table.game.setup.areas.items()}  # type: ignore[attr-defined]
        screen, chance = DealerScreen(runtime, config), random.Random(seed).getrandbits(32)
        crew = WheelCrew(clock, screen, felt, devices.wheel, areas, chance, habits)
        runtime.watchers.append(lambda told: crew.look())
        return crew

    def case(self, case: Case, stage: Stage) -> Outcome:
        from lab.scenarios.wheel.play import play_wheel

        return play_wheel(case, stage)

    def levers(self, table: SimulatedTable, seed: int, anew: Anew | None) -> Levers:
        from lab.scenarios.wheel.levers import WheelLevers

        return WheelLevers(table, seed, anew)

    def staged(self) -> dict[str, Callable[[], StagedGame]]:
        from lab.proofs.wheel import BigWheel

        return {"wheel": BigWheel}

    def exact(self, config: TableConfig, shift: Shift) -> dict[str, Fraction]:
        option = wheel_rules(config.table.rulebook).option(config.own(WheelSection).option)
        return {edge.wager: edge.expectation for edge in edges(option)}


PLAYED = PlayedWheel()
