"""The bench of a simulated Big Wheel table: take hold of the wheel as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from controller.core.effects import Ruled, Settled
from controller.core.events import Command
from controller.core.runtime import Told
from controller.games.wheel.config import WheelSection
from drivers.wheel import WheelRested
from lab.scenarios.file import dollars
from lab.sim.bench import BadPull, Param
from lab.sim.levers import CASES_KEPT, Anew, PlayedLevers
from simulators.wheel_sensor import SensorFault

if TYPE_CHECKING:
    from lab.sim.table import SimulatedTable

_SENSES: dict[str, Literal[1, -1]] = {"clockwise": 1, "anticlockwise": -1}
_SENSOR = ("none", "lost_counts", "index_slip", "dead_channel", "stuck", "noise", "indicator_dead", "index_dead")


class WheelLevers(PlayedLevers):
    """People, wheel, chips, lines and time."""

    def __init__(self, table: SimulatedTable, seed: int = 0, anew: Anew | None = None) -> None:
        super().__init__(table, seed, dict(table.people.areas), anew)
        self._wheel = table.devices.wheel
        self._cases = _Cases(table)
        self.add_people()
        self.add(self._spin, "spin", "Spin", "Wheel",
                 Param("speed", "Push", "number", 1.3, 0.2, 2.3, 0.1, "turns/s"),
                 Param("sense", "Way", "choice", "clockwise", choices=tuple(_SENSES)),
                 hint="Or drag the ring. Under about 0.8 turns a second it makes no three revolutions.")  # fmt: skip
        self.add(self._touch, "touch", "Touch the wheel", "Wheel",
                 Param("kind", "How", "choice", "brake", choices=("brake", "hold", "push", "nudge")),
                 Param("strength", "Strength", "number", 0.5, 0.1, 3.0, 0.1),
                 hint="Or touch the ring while it turns. The sensor knows this wheel, and notices.")  # fmt: skip
        self.add(self._turn, "turn", "Turn it by hand", "Wheel",
                 Param("compartment", "To compartment", "number", 0, 0, 51, 1),
                 hint="Too slow for a spin; a result it is not.")  # fmt: skip
        self.add(self._sensor, "sensor", "Sensor trouble", "Wheel",
                 Param("kind", "Trouble", "choice", "none", choices=_SENSOR),
                 hint="From the next spin on; none puts it right.")  # fmt: skip
        self.add_chips()
        self.add_lines_and_time()

    def stake(self, player: str, area: str, cents: int) -> None:
        self.crew.stake(player, self.areas[area], cents)

    def status(self) -> dict[str, Any]:
        return {**super().status(), "cases": len(self._cases.cases)}

    def scenario(self) -> dict[str, Any]:
        """The rounds played since the bench was opened, as cases that `tablectl scenario` plays again."""
        return {"meta": {"game": "Big Wheel", "made_by": "bench"}, "cases": list(self._cases.cases)}

    def _spin(self, args: dict[str, Any]) -> str:
        self._wheel.spin(float(args["speed"]), _SENSES[args["sense"]])
        return f"Pushed {args['sense']} with {args['speed']} turns a second."

    def _touch(self, args: dict[str, Any]) -> str:
        if not self._wheel.moving:
            raise BadPull("The wheel stands still; spin it first.")
        self._wheel.touch(args["kind"], float(args["strength"]))
        return f"A hand on the wheel: {args['kind']}."

    def _turn(self, args: dict[str, Any]) -> str:
        if self._wheel.moving:
            raise BadPull("The wheel turns; wait until it rests.")
        self._wheel.turn_to(int(args["compartment"]) + 0.5)
        return f"Turned by hand to compartment {int(args['compartment'])}."

    def _sensor(self, args: dict[str, Any]) -> str:
        kind = args["kind"]
        self._wheel.fail(None if kind == "none" else SensorFault(kind))
        return "The sensor works." if kind == "none" else f"The sensor has a fault: {kind.replace('_', ' ')}."


class _Cases:
    """Follows the table and writes every settled round down as a scenario case."""

    def __init__(self, table: SimulatedTable) -> None:
        self.cases: list[dict[str, Any]] = []
        self._table = table
        self._spin: dict[str, Any] = {}
        self._rulings: list[dict[str, Any]] = []
        table.runtime.watchers.append(self.told)

    def told(self, told: Told) -> None:
        event = told.event
        if isinstance(event, WheelRested):
            verdict = event.verdict
            self._spin = {
                "direction": verdict.sense,
                "forward_compartments": round(verdict.forward, 2),
                "rest_compartment": verdict.compartment,
                "rest_offset_from_divider": None if verdict.offset is None else round(verdict.offset, 3),
            }
            self._spin = {key: value for key, value in self._spin.items() if value is not None}
        for effect in told.effects:
            if isinstance(effect, Ruled) and effect.prompt and isinstance(event, Command):
                self._rulings.append(
                    {"do": "answer", "subject": effect.subject, "answer": effect.answer, "rank": effect.rank,
                     "reason": effect.reason}
                )  # fmt: skip
            elif isinstance(effect, Settled):
                self._settled(effect)

    def _settled(self, settled: Settled) -> None:
        limits = self._table.config.limits
        case = {
            "id": f"bench-{settled.round}",
            "rulebook": self._table.config.table.rulebook,
            "config": {
                "option": self._table.config.own(WheelSection).option,
                "min": dollars(limits.min),
                "max": dollars(limits.max),
                "smallest_chip": dollars(limits.smallest_chip),
            },
            "wagers": [
                {"id": f"w{number}", "player": result.player, "symbol": result.bet,
                 "amount": dollars(result.stake_taken + result.stake_returned)}
                for number, result in enumerate(settled.results, 1)
            ],
            "spin": self._spin,
            "events": self._rulings,
            "expected": {
                "outcome": settled.outcome,
                "wagers": [
                    {"wager": f"w{number}", "result": result.result, "pays": dollars(result.pays),
                     "stake_taken": dollars(result.stake_taken), "stake_returned": dollars(result.stake_returned)}
                    for number, result in enumerate(settled.results, 1)
                ],
            },
        }  # fmt: skip
        self.cases = [*self.cases, msgspec.to_builtins(case)][-CASES_KEPT:]
        self._rulings = []
