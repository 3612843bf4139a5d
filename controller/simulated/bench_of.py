"""Which levers the bench of a simulated table has."""

from __future__ import annotations

from controller.simulated.levers import Anew, Levers
from controller.simulated.poker_levers import PokerLevers
from controller.simulated.table import SimulatedTable
from controller.simulated.war_levers import WarLevers
from controller.simulated.wheel_levers import WheelLevers


def bench_of(table: SimulatedTable, seed: int = 0, anew: Anew | None = None) -> Levers:
    """The levers of this table's game."""
    if table.config.table.game == "war":
        return WarLevers(table, seed, anew)
    if table.config.table.game == "poker":
        return PokerLevers(table, seed, anew)
    return WheelLevers(table, seed, anew)
