"""Casino War on the stage: how to play it into every state of its round, and what is true about its money."""

from __future__ import annotations

from typing import Any

from controller.config.types import TableConfig
from controller.core.effects import Settled
from controller.core.table import Table
from controller.games.war import dealing
from controller.games.war.config import WarSection, war_config
from controller.games.war.game import WarGame
from controller.games.war.layout import layout_of
from controller.games.war.rules import war_rules
from controller.games.war.state import PHASES
from lab.proofs.stage import World
from lab.sim.config import default_config
from lab.sim.devices import SimulatedDevices
from simulators.link import DeviceLink
from simulators.people.chips import Felt
from simulators.people.patient_war import Course, PatientWarCrew, Plan, rank
from simulators.shoe import CardShoe

_COURSES: dict[str, Course] = {
    "closed": "closed",
    "choosing": "war",
    "war_burning": "war",
    "war_dealing": "war",
    "final": "war",
    "ruling": "unread",
    "unshuffled": "shuffle",
    "uncut": "shuffle",
    "burning": "shuffle",
    "reshuffling": "reshuffle",
    "recutting": "reshuffle",
    "blocked": "wrong deck",
    "unchecked": "wrong deck",
}


class CasinoWar:
    """What a proof must know of the game; Perth's rulebook goes through every state there is."""

    name = "war"
    states: tuple[str, ...] = ("over", *(phase for phase in PHASES if phase != "over"))
    places: tuple[str, ...] = ("shoe", "chips")

    def __init__(self, rulebook: str = "perth-war") -> None:
        self.config: TableConfig = default_config("war", rulebook=rulebook)
        self.layout = layout_of(war_rules(rulebook), war_config(self.config.own(WarSection)))

    def links(self, devices: SimulatedDevices) -> dict[str, DeviceLink]:
        """The wire of each device."""
        return {"shoe": devices.sources["shoe"].link, "chips": devices.mat.link}

    def wagers(self, table: Table) -> dict[tuple[str, str], int]:
        """The stakes on the screen."""
        game = _war(table)
        return {(one.player, f"{one.zone} {one.box}"): one.amount for one in game.state.round.stakes if one.live}

    def details(self, table: Table) -> dict[str, Any]:
        """What a dealer who draws cards sees besides: where the next one goes, and how many have left the shoe."""
        game = _war(table)
        return {
            "next": dealing.expected(game),
            "draws": game.state.supply.draws,
            "seats": dict(game.state.players.at_box),
        }

    def area(self, bet: str) -> int:
        """Where the chips of a bet lie."""
        zone, _, box = bet.rpartition(" ")
        area = self.layout.area(int(box), zone)
        assert area is not None
        return area

    def crew(self, world: World, seed: int, through: str = "", at_round: int = 0) -> PatientWarCrew:
        """People who play by the seed's plan; in one round they take the course that leads through this state."""

        def course(number: int) -> Course:
            return _COURSES.get(through, "plain") if number == at_round else "plain"

        shoe = world.devices.sources["shoe"]
        assert isinstance(shoe, CardShoe)
        felt = Felt(world.devices.mat, world.bank)
        return PatientWarCrew(world.clock, world.see, world.press, felt, shoe, self.area, seed, course)

    def money_problems(self, world: World, crew: PatientWarCrew, settled: Settled) -> list[str]:
        """How a settlement differs from what the planned cards and stakes make of it."""
        plan = crew.plan
        problems = []
        for result in settled.results:
            found = (result.pays, result.stake_taken, result.stake_returned)
            zone, _, box = result.bet.rpartition(" ")
            stake = next((b.cents for b in plan.bets if b.bet == result.bet), 0) or _main(plan, int(box))
            true = (0, 0, stake) if settled.outcome == "void" else _truth(plan, settled.outcome, zone, int(box), stake)
            if found != true:
                problems.append(f"{result.bet} of {result.player} settled {found}, the cards make it {true}")
        return problems


def _war(table: Table) -> WarGame:
    assert isinstance(table.game, WarGame)
    return table.game


def _main(plan: Plan, box: int) -> int:
    return next(bet.cents for bet in plan.bets if (bet.box, bet.zone) == (box, "main"))


def _truth(plan: Plan, stage: str, zone: str, box: int, stake: int) -> tuple[int, int, int] | None:
    """Paid, taken and left, worked out apart from the engine (Perth 3.5 to 3.11); None where no card is planned."""
    cards = plan.war if stage == "final" else plan.first
    if f"box{box}" not in cards:
        return None
    difference = rank(cards[f"box{box}"]) - rank(cards["dealer"])
    if stage == "surrender":
        return 0, stake // 2, stake - stake // 2
    if zone == "tie":
        return (10 * stake, 0, stake) if difference == 0 else (0, stake, 0)
    if difference < 0:
        return 0, stake, 0
    stands_off = stage == "final" and zone == "main" and difference > 0
    return (0, 0, stake) if stands_off else (stake, 0, stake)
