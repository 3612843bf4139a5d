"""What every bench can take hold of: people, chips, lines and time; each game adds its own levers."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from controller import games
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.money.amounts import dollars
from controller.rules.rulebook import load_rulebook, rulebook_ids
from firmware_specs.clock import Clock
from lab.scenarios.file import Case, ScenarioError, case_of
from lab.sim.bench import BadPull, Lever, Param, checked
from lab.sim.config import default_config
from lab.sim.paced import PacedClock
from simulators.faults import Fault
from simulators.people.chips import Felt

if TYPE_CHECKING:
    from lab.sim.devices import SimulatedDevices
    from lab.sim.table import SimulatedTable

CASES_KEPT = 20
SPEEDS = ("0.25", "1", "5", "20", "100")
_LINE = ("unplug", "reboot", "stall", "drop", "corrupt", "duplicate", "delay")

Do = Callable[[dict[str, Any]], str]


class Setup(msgspec.Struct, frozen=True):
    """A simulated table to be started: its configuration and seed, or a case to be played on it."""

    config: TableConfig
    seed: int = 1
    case: Case | None = None


Anew = Callable[[Setup], None]
"""Ends this table and starts another."""


def tables() -> dict[str, Callable[[], TableConfig]]:
    """Every table that can be simulated without a file, by the name it is chosen under."""
    found: dict[str, Callable[[], TableConfig]] = {}
    for rulebook in rulebook_ids():
        game = games.find(load_rulebook(rulebook).game)
        for variant, chosen in game.variants(rulebook).items():
            found[_named(rulebook, variant)] = partial(default_config, game.name, rulebook=rulebook, **chosen)
    return found


def name_of(config: TableConfig) -> str:
    """The name of this table among those that can be chosen."""
    return _named(config.table.rulebook, games.find(config.table.game).variant(config.play))


def _named(rulebook: str, variant: str) -> str:
    return f"{rulebook}, {variant}" if variant else rulebook


class Levers:
    """The back door; everything here happens to the simulated world, never to the table directly."""

    def __init__(
        self, config: TableConfig, devices: SimulatedDevices, clock: Clock, seed: int, anew: Anew | None
    ) -> None:
        self.config, self.devices, self.clock, self.seed = config, devices, clock, seed
        self._anew = anew
        self.told = ""
        self._levers: dict[str, Lever] = {}
        self._do: dict[str, Do] = {}

    def add(self, do: Do, name: str, label: str, group: str, *params: Param, hint: str = "") -> None:
        """One more lever, and what it does."""
        self._levers[name] = Lever(name, label, group, params, hint)
        self._do[name] = do

    def add_lines_and_time(self) -> None:
        """What every simulated table has: lines that break, a clock in one's hand, and another table."""
        places = tuple(self.devices.faults)
        self.add(self._line, "line", "Break a line", "Lines",
                 Param("device", "Device", "choice", places[0], choices=places),
                 Param("fault", "What", "choice", "unplug", choices=_LINE),
                 Param("seconds", "For", "number", 8, 0.1, 120, 0.1, "s"),
                 Param("keep_memory", "it keeps its memory", "flag", True),
                 hint="The table says what is missing, waits where it must, and loses nothing it saw.")  # fmt: skip
        if isinstance(self.clock, PacedClock):
            self.add(self._speed, "speed", "Speed", "Time",
                     Param("times", "Times real time", "choice", "1", choices=SPEEDS),
                     hint="How fast the whole table lives, people and devices.")  # fmt: skip
            self.add(self._pause, "pause", "Pause", "Time", hint="Nothing moves until it goes on.")
            self.add(self._go_on, "go_on", "Go on", "Time", hint="At the speed it had.")
            self.add(self._step, "step", "Step", "Time",
                     Param("seconds", "Seconds", "number", 0.5, 0.01, 60, 0.01, "s"),
                     hint="Lets so much time pass and stands still again.")  # fmt: skip
        if self._anew is not None:
            known, mine = tuple(tables()), name_of(self.config)
            self.add(self._start, "anew", "Start anew", "Table",
                     Param("table", "Table", "choice", mine if mine in known else known[0], choices=known),
                     Param("seed", "Seed", "number", self.seed, 0, 2**31 - 1, 1),
                     hint="Ends this table and starts the chosen one; the same seed plays the same shift.")  # fmt: skip

    # -- as a bench --------------------------------------------------------------------------------------------

    def levers(self) -> list[Lever]:
        return list(self._levers.values())

    def pull(self, name: str, args: dict[str, Any]) -> str:
        lever = self._levers.get(name)
        if lever is None:
            raise BadPull(f"There is no lever {name!r}; there are {', '.join(self._levers)}.")
        return self._do[name](checked(lever, args))

    def status(self) -> dict[str, Any]:
        clock = self.clock
        return {
            "seed": self.seed,
            "speed": clock.speed if isinstance(clock, PacedClock) else 1.0,
            "paused": clock.paused if isinstance(clock, PacedClock) else False,
            "plays": self._anew is not None,
            "told": self.told,
        }

    def scenario(self) -> dict[str, Any]:
        return {"meta": {"made_by": "bench"}, "cases": []}

    def play(self, case: dict[str, Any]) -> str:
        """End this table, and play this case of a scenario file at the table it describes."""
        if self._anew is None:
            raise BadPull("This bench plays no scenarios; start it with `tablectl sim`.")
        try:
            told = case_of("the page", 0, json.loads(json.dumps(case), parse_float=Decimal))  # amounts are exact
        except ScenarioError as wrong:
            raise BadPull(str(wrong)) from wrong
        self._anew(Setup(self.config, self.seed, told))
        return f"The table starts anew with the case {told.id}."

    # -- levers ------------------------------------------------------------------------------------------------

    def _line(self, args: dict[str, Any]) -> str:
        hit = args["fault"] in ("drop", "corrupt", "duplicate")
        fault = Fault(
            args["device"], args["fault"], seconds=float(args["seconds"]), keep_memory=args["keep_memory"],
            frames=20 if hit else 1,
        )  # fmt: skip
        self.devices.plan(fault)
        return f"{args['device'].capitalize()}: {args['fault']}."

    def _paced(self) -> PacedClock:
        if not isinstance(self.clock, PacedClock):
            raise BadPull("This table runs in real time only.")
        return self.clock

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

    def _start(self, args: dict[str, Any]) -> str:
        assert self._anew is not None
        try:
            config = tables()[args["table"]]()
        except ConfigError as wrong:
            raise BadPull(str(wrong)) from wrong
        self._anew(Setup(config, int(args["seed"])))
        return f"The table starts anew: {args['table']}, seed {int(args['seed'])}."


class PlayedLevers(Levers):
    """The bench of a table that its people play: they can be stood back, and chips moved by hand."""

    def __init__(self, table: SimulatedTable, seed: int, areas: dict[str, int], anew: Anew | None = None) -> None:
        """`areas` are the chip antennas by the name that hands know them under."""
        super().__init__(table.config, table.devices, table.clock, seed, anew)
        self.table = table
        self.crew = table.people
        self.felt: Felt = table.people.felt
        self.areas = areas

    def stake(self, player: str, area: str, cents: int) -> None:
        """A player lays chips, and the table is told whose they are."""
        raise NotImplementedError

    def add_people(self) -> None:
        self.add(self._people, "people", "Dealer and players", "People",
                 Param("play", "play by themselves", "flag", True),
                 hint="Stand them back to play the table yourself with the dealer's keys.")  # fmt: skip

    def add_chips(self) -> None:
        names = tuple(self.areas)
        area = Param("area", "Area", "choice", names[0], choices=names)
        group = "Chips"
        self.add(self._place, "place", "Place chips", group, area,
                 Param("dollars", "Amount", "number", 25, 2.5, 1000, 2.5, "$"),
                 Param("player", "Player", "text", "P1"),
                 hint="Or drag a chip onto the felt. After “No more bets” it is late.")  # fmt: skip
        if len(names) > 1:
            self._add_between(group, names)
        self.add(self._collect, "collect", "Collect into the float", group, area,
                 Param("dollars", "Amount, 0 for all", "number", 0, 0, 50_000, 2.5, "$"),
                 hint="What the dealer takes; or drag the chips into the float.")  # fmt: skip
        self.add(self._pay, "pay", "Pay from the float", group, area,
                 Param("dollars", "Amount", "number", 25, 2.5, 50_000, 2.5, "$"),
                 hint="What the dealer pays, right or wrong: the list of what is owed follows the chips.")  # fmt: skip
        self.add(self._clear, "clear", "A player lifts chips", group, area,
                 hint="During a round nobody may; the table says so.")  # fmt: skip
        self.add(self._antenna, "antenna", "Antenna", group, area, Param("works", "works", "flag", False),
                 hint="What lies on a dead one is known no more; the round goes on by hand.")  # fmt: skip

    def _add_between(self, group: str, names: tuple[str, ...]) -> None:
        """What takes two areas."""
        self.add(self._move, "move", "Move chips", group,
                 Param("source", "From", "choice", names[0], choices=names),
                 Param("target", "To", "choice", names[-1], choices=names),
                 hint="Or drag the chips from one place to the other.")  # fmt: skip
        self.add(self._edge, "edge", "Chip on the line", group,
                 Param("source", "Between", "choice", names[0], choices=names),
                 Param("target", "and", "choice", names[1], choices=names),
                 hint="Two antennas read it: somebody is asked where it belongs.")  # fmt: skip

    def status(self) -> dict[str, Any]:
        return {**super().status(), "people": not self.crew.standing_back}

    # -- levers ------------------------------------------------------------------------------------------------

    def _people(self, args: dict[str, Any]) -> str:
        self.crew.stand_back(not args["play"])
        return "Dealer and players go on." if args["play"] else "Dealer and players stand back; the table is yours."

    def _place(self, args: dict[str, Any]) -> str:
        self.stake(args["player"], args["area"], round(args["dollars"] * 100))
        return f"{args['player'] or 'Somebody'} laid ${args['dollars']:g} on {args['area']}."

    def _chips_on(self, area: str) -> list[int]:
        tags = list(self.felt.areas[self.areas[area]])
        if not tags:
            raise BadPull(f"No chips lie on {area}.")
        return tags

    def _move(self, args: dict[str, Any]) -> str:
        source, target = args["source"], args["target"]
        self.felt.slide(self._chips_on(source), self.areas[source], self.areas[target])
        return f"Moved from {source} to {target}."

    def _collect(self, args: dict[str, Any]) -> str:
        self._chips_on(args["area"])
        cents = self.felt.collect(self.areas[args["area"]], round(args["dollars"] * 100) or None)
        return f"The dealer took {dollars(cents)} from {args['area']} into the float."

    def _pay(self, args: dict[str, Any]) -> str:
        if not self.felt.pay(round(args["dollars"] * 100), self.areas[args["area"]]):
            raise BadPull(f"The float cannot make ${args['dollars']:g}.")
        return f"The dealer paid ${args['dollars']:g} on {args['area']}."

    def _clear(self, args: dict[str, Any]) -> str:
        self._chips_on(args["area"])
        cents = self.felt.clear(self.areas[args["area"]])
        return f"A player took {dollars(cents)} off {args['area']}."

    def _edge(self, args: dict[str, Any]) -> str:
        if args["source"] == args["target"]:
            raise BadPull("A line lies between two areas; choose another one.")
        between = self.areas[args["source"]], self.areas[args["target"]]
        self.devices.mat.put_on_edge(self.felt.put(500, between[0])[0], between)
        return f"A $5 chip lies between {args['source']} and {args['target']}."

    def _antenna(self, args: dict[str, Any]) -> str:
        mat, area = self.devices.mat, self.areas[args["area"]]
        if args["works"]:
            mat.mend(area)
        else:
            mat.fail(area)
        return f"The antenna under {args['area']} {'works' if args['works'] else 'is broken'}."
