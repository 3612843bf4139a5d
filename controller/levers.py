"""The bench of a simulated Big Wheel table: take hold of wheel, chips, lines, people and time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from controller.effects import Ruled, Settled
from controller.events import Command
from controller.paced import PacedClock
from controller.runtime import Told
from controller.web.bench import BadPull, Lever, Param, checked
from drivers.wheel import WheelRested
from simulators.faults import Fault
from simulators.people.chips import Felt
from simulators.wheel_sensor import SensorFault

if TYPE_CHECKING:
    from controller.simulation import SimulatedTable

CASES_KEPT = 20
SPEEDS = ("0.25", "1", "5", "20", "100")
_SENSES: dict[str, Literal[1, -1]] = {"clockwise": 1, "anticlockwise": -1}
_SENSOR = ("none", "lost_counts", "index_slip", "dead_channel", "stuck", "noise", "indicator_dead", "index_dead")
_LINE = ("unplug", "reboot", "stall", "drop", "corrupt", "duplicate", "delay")


class WheelLevers:
    """The back door; everything here happens to the simulated world, never to the table directly."""

    def __init__(self, table: SimulatedTable, seed: int = 0) -> None:
        self._table = table
        self._wheel = table.devices.wheel
        self._felt: Felt = table.people.felt
        self._crew = table.people
        self._clock = table.clock
        self._seed = seed
        self._areas: dict[str, int] = dict(table.people.areas)
        self._cases = _Cases(table)
        self._do: dict[str, Callable[[dict[str, Any]], str]] = {
            "people": self._people,
            "spin": self._spin,
            "touch": self._touch,
            "turn": self._turn,
            "sensor": self._sensor,
            "place": self._place,
            "move": self._move,
            "collect": self._collect,
            "pay": self._pay,
            "clear": self._clear,
            "edge": self._edge,
            "antenna": self._antenna,
            "line": self._line,
            "speed": self._speed,
            "pause": self._pause,
            "go_on": self._go_on,
            "step": self._step,
        }
        self._levers = {lever.name: lever for lever in self._declare()}

    def _declare(self) -> list[Lever]:
        symbols = tuple(self._areas)
        devices = tuple(self._table.devices.wires)
        symbol = Param("symbol", "Area", "choice", symbols[0], choices=symbols)
        levers = [
            Lever("people", "Dealer and players", "People",
                  (Param("play", "play by themselves", "flag", True),),
                  "Stand them back to play the table yourself on the dealer's screen."),
            Lever("spin", "Spin", "Wheel",
                  (Param("speed", "Push", "number", 1.3, 0.2, 2.3, 0.1, "turns/s"),
                   Param("sense", "Way", "choice", "clockwise", choices=tuple(_SENSES))),
                  "Under about 0.8 turns a second it does not make three revolutions."),
            Lever("touch", "Touch the wheel", "Wheel",
                  (Param("kind", "How", "choice", "brake", choices=("brake", "hold", "push", "nudge")),
                   Param("strength", "Strength", "number", 0.5, 0.1, 3.0, 0.1))),
            Lever("turn", "Turn it by hand", "Wheel",
                  (Param("compartment", "To compartment", "number", 0, 0, 51, 1),)),
            Lever("sensor", "Sensor trouble", "Wheel",
                  (Param("kind", "Trouble", "choice", "none", choices=_SENSOR),),
                  "From the next spin on; none puts it right."),
            Lever("place", "Place chips", "Chips",
                  (symbol, Param("dollars", "Amount", "number", 25, 2.5, 1000, 2.5, "$"),
                   Param("player", "Player", "text", "P1"))),
            Lever("move", "Move chips", "Chips",
                  (Param("source", "From", "choice", symbols[0], choices=symbols),
                   Param("target", "To", "choice", symbols[-1], choices=symbols))),
            Lever("collect", "Collect into the float", "Chips", (symbol,)),
            Lever("pay", "Pay from the float", "Chips",
                  (symbol, Param("dollars", "Amount", "number", 25, 2.5, 50_000, 2.5, "$"))),
            Lever("clear", "A player lifts chips", "Chips", (symbol,)),
            Lever("edge", "Chip on the line", "Chips",
                  (Param("source", "Between", "choice", symbols[0], choices=symbols),
                   Param("target", "and", "choice", symbols[1], choices=symbols))),
            Lever("antenna", "Antenna", "Chips", (symbol, Param("works", "works", "flag", False))),
            Lever("line", "Break a line", "Lines",
                  (Param("device", "Device", "choice", devices[0], choices=devices),
                   Param("fault", "What", "choice", "unplug", choices=_LINE),
                   Param("seconds", "For", "number", 8, 0.1, 120, 0.1, "s"),
                   Param("keep_memory", "it keeps its memory", "flag", True))),
        ]  # fmt: skip
        if isinstance(self._clock, PacedClock):
            levers += [
                Lever("speed", "Speed", "Time", (Param("times", "Times real time", "choice", "1", choices=SPEEDS),)),
                Lever("pause", "Pause", "Time"),
                Lever("go_on", "Go on", "Time"),
                Lever("step", "Step", "Time", (Param("seconds", "Seconds", "number", 0.5, 0.01, 60, 0.01, "s"),)),
            ]
        return levers

    # -- as a bench --------------------------------------------------------------------------------------------

    def levers(self) -> list[Lever]:
        return list(self._levers.values())

    def pull(self, name: str, args: dict[str, Any]) -> str:
        lever = self._levers.get(name)
        if lever is None:
            raise BadPull(f"There is no lever {name!r}; there are {', '.join(self._levers)}.")
        return self._do[name](checked(lever, args))

    def status(self) -> dict[str, Any]:
        clock = self._clock
        return {
            "seed": self._seed,
            "speed": clock.speed if isinstance(clock, PacedClock) else 1.0,
            "paused": clock.paused if isinstance(clock, PacedClock) else False,
            "people": not self._crew.standing_back,
            "cases": len(self._cases.cases),
        }

    def scenario(self) -> dict[str, Any]:
        """The rounds played since the bench was opened, as cases that `tablectl scenario` plays again."""
        return {"meta": {"game": "Big Wheel", "made_by": "bench"}, "cases": list(self._cases.cases)}

    # -- levers ------------------------------------------------------------------------------------------------

    def _people(self, args: dict[str, Any]) -> str:
        self._crew.stand_back(not args["play"])
        return "Dealer and players go on." if args["play"] else "Dealer and players stand back; the table is yours."

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

    def _place(self, args: dict[str, Any]) -> str:
        self._crew.stake(args["player"], self._areas[args["symbol"]], round(args["dollars"] * 100))
        return f"{args['player'] or 'Somebody'} laid ${args['dollars']:g} on {args['symbol']}."

    def _chips_on(self, symbol: str) -> list[int]:
        tags = list(self._felt.areas[self._areas[symbol]])
        if not tags:
            raise BadPull(f"No chips lie on {symbol}.")
        return tags

    def _move(self, args: dict[str, Any]) -> str:
        source, target = args["source"], args["target"]
        self._felt.slide(self._chips_on(source), self._areas[source], self._areas[target])
        return f"Moved from {source} to {target}."

    def _collect(self, args: dict[str, Any]) -> str:
        self._chips_on(args["symbol"])
        cents = self._felt.collect(self._areas[args["symbol"]])
        return f"The dealer took ${cents / 100:g} from {args['symbol']} into the float."

    def _pay(self, args: dict[str, Any]) -> str:
        if not self._felt.pay(round(args["dollars"] * 100), self._areas[args["symbol"]]):
            raise BadPull(f"The float cannot make ${args['dollars']:g}.")
        return f"The dealer paid ${args['dollars']:g} on {args['symbol']}."

    def _clear(self, args: dict[str, Any]) -> str:
        self._chips_on(args["symbol"])
        cents = self._felt.clear(self._areas[args["symbol"]])
        return f"A player took ${cents / 100:g} off {args['symbol']}."

    def _edge(self, args: dict[str, Any]) -> str:
        if args["source"] == args["target"]:
            raise BadPull("A line lies between two areas; choose another one.")
        tags = self._felt.put(500, self._areas[args["source"]])
        self._table.devices.mat.put_on_edge(tags[0], (self._areas[args["source"]], self._areas[args["target"]]))
        return f"A $5 chip lies between {args['source']} and {args['target']}."

    def _antenna(self, args: dict[str, Any]) -> str:
        mat, area = self._table.devices.mat, self._areas[args["symbol"]]
        if args["works"]:
            mat.mend(area)
        else:
            mat.fail(area)
        return f"The antenna under {args['symbol']} {'works' if args['works'] else 'is broken'}."

    def _line(self, args: dict[str, Any]) -> str:
        hit = args["fault"] in ("drop", "corrupt", "duplicate")
        fault = Fault(
            args["device"], args["fault"], seconds=float(args["seconds"]), keep_memory=args["keep_memory"],
            frames=20 if hit else 1,
        )  # fmt: skip
        self._table.devices.plan(fault)
        return f"{args['device'].capitalize()}: {args['fault']}."

    def _paced(self) -> PacedClock:
        if not isinstance(self._clock, PacedClock):
            raise BadPull("This table runs in real time only.")
        return self._clock

    def _speed(self, args: dict[str, Any]) -> str:
        self._paced().speed = float(args["times"])
        return f"{args['times']} times real time."

    def _pause(self, args: dict[str, Any]) -> str:
        self._paced().pause()
        return "Time stands still."

    def _go_on(self, args: dict[str, Any]) -> str:
        self._paced().resume()
        return "Time goes on."

    def _step(self, args: dict[str, Any]) -> str:
        clock = self._paced()
        clock.pause()
        clock.jump(float(args["seconds"]))
        return f"{args['seconds']:g} seconds passed."


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
                "option": self._table.config.the_wheel().option,
                "min": _dollars(limits.min),
                "max": _dollars(limits.max),
                "smallest_chip": _dollars(limits.smallest_chip),
            },
            "wagers": [
                {"id": f"w{number}", "player": result.player, "symbol": result.bet,
                 "amount": _dollars(result.stake_taken + result.stake_returned)}
                for number, result in enumerate(settled.results, 1)
            ],
            "spin": self._spin,
            "events": self._rulings,
            "expected": {
                "outcome": settled.outcome,
                "wagers": [
                    {"wager": f"w{number}", "result": result.result, "pays": _dollars(result.pays),
                     "stake_taken": _dollars(result.stake_taken), "stake_returned": _dollars(result.stake_returned)}
                    for number, result in enumerate(settled.results, 1)
                ],
            },
        }  # fmt: skip
        self.cases = [*self.cases, msgspec.to_builtins(case)][-CASES_KEPT:]
        self._rulings = []


def _dollars(cents: int) -> int | float:
    """As scenarios write money: whole dollars where they are whole."""
    return cents // 100 if cents % 100 == 0 else cents / 100
