"""Casino War as the lab plays it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from controller.config.types import TableConfig
from controller.core.runtime import Runtime
from firmware_specs.clock import Clock
from lab.proofs.stage import StagedGame
from lab.scenarios.file import Case
from lab.scenarios.outcome import Outcome
from lab.scenarios.played import Played
from lab.scenarios.stage import Stage
from lab.sim.devices import SimulatedDevices
from lab.sim.levers import Anew, Levers
from lab.sim.summary import Shift
from lab.sim.table import SimulatedTable
from simulators.people.war import Habits, WarCrew


class PlayedWar(Played):
    """Rounds of cards."""

    def crew(
        self,
        runtime: Runtime,
        devices: SimulatedDevices,
        config: TableConfig,
        clock: Clock,
        seed: int,
        habits: Any = None,
    ) -> WarCrew:
        from lab.scenarios.war.people import war_crew

        assert habits is None or isinstance(habits, Habits)
        return war_crew(runtime, devices, config, clock, seed, habits)

    def case(self, case: Case, stage: Stage) -> Outcome:
        from lab.scenarios.war.play import play_war

        return play_war(case, stage)

    def levers(self, table: SimulatedTable, seed: int, anew: Anew | None) -> Levers:
        from lab.scenarios.war.levers import WarLevers

        return WarLevers(table, seed, anew)

    def shift(self) -> Shift:
        from lab.scenarios.war.people import mains_with_their_wars, zone_of

        return Shift(ends="round", bet_of=zone_of, also=mains_with_their_wars)

    def staged(self) -> dict[str, Callable[[], StagedGame]]:
        from lab.proofs.war import CasinoWar

        return {"war": CasinoWar}

    def exact(self, config: TableConfig, shift: Shift) -> dict[str, Fraction]:
        from lab.scenarios.war.people import exact

        return exact(config, shift.bets)


PLAYED = PlayedWar()
