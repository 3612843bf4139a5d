"""How the lab plays a game: its crew, its scripted cases, its levers, and what a shift of it comes to."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from controller.config.types import TableConfig
    from controller.core.runtime import Runtime
    from firmware_specs.clock import Clock
    from lab.proofs.stage import StagedGame
    from lab.scenarios.file import Case
    from lab.scenarios.outcome import Outcome
    from lab.scenarios.stage import Stage
    from lab.scenarios.words import Words
    from lab.sim.devices import SimulatedDevices
    from lab.sim.levers import Anew, Levers
    from lab.sim.summary import Shift
    from lab.sim.table import SimulatedTable


class Played:
    """One game; `lab/scenarios/<game>` registers an instance as `PLAYED`."""

    def crew(
        self,
        runtime: Runtime,
        devices: SimulatedDevices,
        config: TableConfig,
        clock: Clock,
        seed: int,
        habits: Any = None,
    ) -> Any:
        """People who play this table by themselves."""
        raise NotImplementedError

    def case(self, case: Case, stage: Stage) -> Outcome:
        """Play one scripted case; ScenarioError when it is wrong."""
        raise NotImplementedError

    def levers(self, table: SimulatedTable, seed: int, anew: Anew | None) -> Levers:
        """What the bench page of such a table can take hold of."""
        from lab.sim.levers import Levers

        levers = Levers(table.config, table.devices, table.clock, seed, anew)
        levers.add_lines_and_time()
        return levers

    def shift(self) -> Shift:
        """What counts as a round and as a bet."""
        from lab.sim.summary import Shift

        return Shift()

    def staged(self) -> dict[str, Callable[[], StagedGame]]:
        """The game on the stage of the proofs, in each form it is played in by its name, the usual one first."""
        return {}

    def exact(self, config: TableConfig, shift: Shift) -> dict[str, Fraction]:
        """What each bet is worth in the long run, to hold a shift against."""
        return {}


def words_of(game: str) -> Words:
    """All that may be said in a case of this game: what `words()` of `lab/scenarios/<game>/words.py` declares."""
    words: Words = importlib.import_module(f"lab.scenarios.{game}.words").words()
    return words


def find(game: str) -> Played:
    """How the game of this name is played."""
    played: Played = importlib.import_module(f"lab.scenarios.{game}").PLAYED
    return played
