"""Big Wheel on the stage: how to play it into every state of its round, and what is true about its money."""

from __future__ import annotations

from typing import Any

from controller.config.types import TableConfig
from controller.core.effects import Settled
from controller.core.table import Table
from controller.games.wheel.config import WheelSection
from controller.games.wheel.game import WheelGame
from controller.games.wheel.rules import wheel_rules
from controller.games.wheel.state import STATES
from lab.proofs.stage import World
from lab.sim.config import default_config
from lab.sim.devices import SimulatedDevices
from simulators.link import DeviceLink
from simulators.people.chips import Felt
from simulators.people.patient import Course, PatientCrew

_COURSES: dict[str, Course] = {
    "closed_wait_spin": "closed early",
    "ruling": "weak",
    "no_spin": "weak",
    "cancelled": "cancelled",
}


class BigWheel:
    """What a proof must know of the game."""

    name = "wheel"
    states: tuple[str, ...] = STATES
    places: tuple[str, ...] = ("wheel", "chips")

    def __init__(self, option: int = 1) -> None:
        self.config: TableConfig = default_config("wheel", option)
        wheel = self.config.own(WheelSection)
        self.option = wheel_rules(self.config.table.rulebook).option(wheel.option)
        self.ring = wheel.ring
        self.areas = {symbol: area for area, symbol in enumerate(self.option.names, start=1)}

    def links(self, devices: SimulatedDevices) -> dict[str, DeviceLink]:
        """The wire of each device."""
        return {"wheel": devices.wheel.link, "chips": devices.mat.link}

    def wagers(self, table: Table) -> dict[tuple[str, str], int]:
        """The wagers on the screen."""
        assert isinstance(table.game, WheelGame)
        return {(wager.owner, wager.symbol): wager.cents for wager in table.game.wagers()}

    def details(self, table: Table) -> dict[str, Any]:
        """The wheel itself shows the rest."""
        return {}

    def crew(self, world: World, seed: int, through: str = "", at_round: int = 0) -> PatientCrew:
        """People who play by the seed's plan; in one round they take the course that leads through this state."""

        def course(number: int) -> Course:
            return _COURSES.get(through, "plain") if number == at_round else "plain"

        felt = Felt(world.devices.mat, world.bank)
        return PatientCrew(world.clock, world.see, world.press, felt, world.devices.wheel, self.areas, seed, course)

    def money_problems(self, world: World, crew: PatientCrew, settled: Settled) -> list[str]:
        """How a settlement differs from what truly lies on the felt and under the pointer; read when it is told."""
        stakes = crew.on_felt()
        found = {(r.player, r.bet): (r.pays, r.stake_taken, r.stake_returned) for r in settled.results}
        problems = []
        if len(found) != len(settled.results):
            problems.append("a wager is settled twice in one settlement")
        if settled.outcome == "invalidated":
            true = {key: (0, 0, cents) for key, cents in stakes.items()}
        else:
            winner = self.ring[int(world.devices.wheel.place)]
            if world.devices.wheel.moving:
                problems.append("settled while the wheel turned")
            if settled.outcome != winner:
                problems.append(f"settled as {settled.outcome}, the wheel stands at {winner}")
            odds = self.option.symbol(winner).odds
            true = {
                (player, symbol): (cents * odds, 0, cents) if symbol == winner else (0, cents, 0)
                for (player, symbol), cents in stakes.items()
            }
        if found != true:
            problems.append(f"settled {found}, on the felt is {true}")
        return problems
