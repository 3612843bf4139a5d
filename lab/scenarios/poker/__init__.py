"""Crown Poker as the lab plays it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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
from lab.sim.table import SimulatedTable
from simulators.people.poker import PokerCrew
from simulators.people.poker_habits import Habits


class PlayedPoker(Played):
    """Hands."""

    def crew(
        self,
        runtime: Runtime,
        devices: SimulatedDevices,
        config: TableConfig,
        clock: Clock,
        seed: int,
        habits: Any = None,
    ) -> PokerCrew:
        from lab.scenarios.poker.people import poker_crew

        assert habits is None or isinstance(habits, Habits)
        return poker_crew(runtime, devices, config, clock, seed, habits)

    def case(self, case: Case, stage: Stage) -> Outcome:
        from lab.scenarios.poker.play import play_poker

        return play_poker(case, stage)

    def levers(self, table: SimulatedTable, seed: int, anew: Anew | None) -> Levers:
        from lab.scenarios.poker.levers import PokerLevers

        return PokerLevers(table, seed, anew)

    def staged(self) -> dict[str, Callable[[], StagedGame]]:
        from lab.proofs.poker import STRUCTURE, CrownPoker

        return {name: partial(CrownPoker, name) for name in STRUCTURE}


PLAYED = PlayedPoker()
