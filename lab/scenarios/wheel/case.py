"""Reads a case of Big Wheel: its table, its spins with stakes and events, and what must come of it."""

from __future__ import annotations

from decimal import Decimal
from math import inf
from typing import Any

import msgspec

from controller.build import build_table
from controller.config.file import require_right
from controller.config.tomlread import Cents, ConfigError, nearest
from controller.config.types import PersonalLimit, TableConfig
from controller.games.wheel.config import WheelSection
from lab.scenarios.file import Case, ScenarioError
from lab.scenarios.forms import check_subject, rank_of
from lab.scenarios.wheel import words
from lab.sim.config import default_config
from simulators.wheel import sensor_fault
from simulators.wheel_physics import COMPARTMENTS
from simulators.wheel_script import ON_THE_WAY, USUAL, SpinScript
from simulators.wheel_sensor import SensorFault

SENSES = {"clockwise": 1, "anticlockwise": -1}


class Happening(msgspec.Struct):
    """Something that people do in the course of a spin; `done` once it has come about."""

    what: str
    said: dict[str, Any]
    place: str
    rank: int
    done: bool = False

    @property
    def at(self) -> float:
        """The revolution at which it is due; never, where none is told."""
        turn = self.said.get("at_revolution")
        return inf if turn is None or turn == "never" else float(turn)

    @property
    def when(self) -> str:
        return str(self.said.get("when", ""))


class Spin(msgspec.Struct):
    """One spin: how the wheel turns, and what happens in it."""

    script: SpinScript
    fault: SensorFault | None
    wagers: list[dict[str, Any]]
    events: list[Happening]


class WheelCase:
    """A case that can be played."""

    def __init__(self, case: Case) -> None:
        if "inputs" in case.body:
            raise case.wrong("inputs", "a question to the rules is no spin; give config, wagers, spin and events")
        said = words.CASE.read(case.body, case.where).said
        self.where = case.where
        self.config = _config(case, said.get("config", {}))
        self.ring = self.config.own(WheelSection).ring
        self.faults: list[Any] = said.get("faults", [])
        self._table = build_table(self.config)
        self._events = words.events(self._table)
        self.steps = self._steps(said)
        self.spins = [] if self.steps is not None else self._spins(said)
        self.outcome, self.expected = self._expected(said.get("expected"))

    def symbol(self, given: str, where: str) -> str:
        """A symbol that this wheel has."""
        if given not in self.ring:
            symbols = sorted(set(self.ring))
            raise ScenarioError(f"{where}: no symbol {given!r} on this wheel; it has {', '.join(symbols)}")
        return given

    def _steps(self, said: dict[str, Any]) -> list[Any] | None:
        """What the world does step by step, where the case is told so."""
        beside = [name for name in ("wagers", "spin", "spins", "events") if name in said]
        if "steps" in said and beside:
            raise ScenarioError(f"{self.where}: 'steps' say it all; what {beside[0]!r} says is a step of them")
        return said.get("steps")

    # -- spins -------------------------------------------------------------------------------------------------

    def _spins(self, said: dict[str, Any]) -> list[Spin]:
        if "spin" in said and "spins" in said:
            raise ScenarioError(f"{self.where}: 'spins' says a second time what 'spin' says; give one of them")
        bodies = said.get("spins", [said.get("spin", {})])
        spins = [self._spin(body, f"{self.where}: spin {number}") for number, body in enumerate(bodies, 1)]
        wagers, events = self._wagers(said, self.where), self._happenings(said, self.where)
        for number, spin in enumerate(spins):
            spin.wagers = [*wagers, *spin.wagers] if number == 0 else spin.wagers
            spin.events = [*events, *spin.events]
        return spins

    def _spin(self, body: Any, where: str) -> Spin:
        said = words.SPIN.read(body, where).said
        fault = sensor_fault(said.get("sensor_fault"))
        return Spin(self.script(said, where), fault, self._wagers(said, where), self._happenings(said, where))

    def script(self, said: dict[str, Any], where: str) -> SpinScript:
        """How the wheel turns, as the words of a spin say it."""
        touch = said.get("interference", {})
        script = SpinScript(
            compartment=self._compartment(said, where),
            offset=said.get("rest_offset_from_divider", 0.4),
            sense=SENSES[said.get("direction", "clockwise")],
            reversal=said.get("reversal_compartments", 0.0),
            touch=touch.get("kind", ""),
            at_revolution=touch.get("at_revolution", 1.5),
            strength=touch.get("strength", 0.0),
        )
        if touch and "strength" in touch and script.strength <= 0:
            raise ScenarioError(f"{where}: interference: strength is more than nothing")
        return self._so_far(script, said, where)

    def _so_far(self, script: SpinScript, said: dict[str, Any], where: str) -> SpinScript:
        """With how far it goes, and a hand that comes while it goes."""
        if "forward_compartments" in said:
            script = msgspec.structs.replace(script, forward=said["forward_compartments"])
        elif "at_revolution" in said.get("interference", {}) and script.touch not in ON_THE_WAY:
            last = {"hold": 1.5 / (script.strength or 1.0), "crawl": script.strength or USUAL["crawl"]}
            script = msgspec.structs.replace(
                script, forward=script.at_revolution * COMPARTMENTS + last.get(script.touch, 0.0)
            )
        if not 1 <= script.forward < 10_000:
            raise ScenarioError(f"{where}: a wheel goes 1 compartment or more, and not {script.forward:g}")
        first, last_turn = script.pull / COMPARTMENTS, script.forward / COMPARTMENTS
        if script.touch in ON_THE_WAY and not first <= script.at_revolution < last_turn:
            raise ScenarioError(
                f"{where}: interference: at_revolution {script.at_revolution:g}: the launching hand lets go at "
                f"{first:.2f} and the wheel turns {last_turn:.2f} revolutions; a hand comes between"
            )
        return script

    def _compartment(self, said: dict[str, Any], where: str) -> int:
        last = len(self.ring) - 1
        compartment = said.get("rest_compartment")
        if compartment is None:
            symbol = self.symbol(said.get("rest_symbol", self.ring[0]), f"{where}: rest_symbol")
            return self.ring.index(symbol)
        if compartment > last:
            raise ScenarioError(f"{where}: rest_compartment: 0 to {last}, not {compartment}")
        if "rest_symbol" in said and self.ring[compartment] != said["rest_symbol"]:
            raise ScenarioError(f"{where}: compartment {compartment} has {self.ring[compartment]}, not that symbol")
        return int(compartment)

    # -- stakes and events -------------------------------------------------------------------------------------

    def _wagers(self, said: dict[str, Any], where: str) -> list[dict[str, Any]]:
        told = [one.said for one in words.WAGERS.read_all(said.get("wagers", []), where)]
        for number, wager in enumerate(told, 1):
            self.symbol(wager["symbol"], f"{where}: wagers {number}")
        return told

    def _happenings(self, said: dict[str, Any], where: str) -> list[Happening]:
        found = []
        for number, told in enumerate(self._events.read_all(said.get("events", []), where), 1):
            place = f"events {number} ({told.name})"
            rank = rank_of(self._table, told.said.get("rank"), f"{where}: {place}")
            happening = Happening(told.word.name, told.said, place, rank)
            self._check(happening, f"{where}: {place}")
            found.append(happening)
        return found

    def _check(self, event: Happening, where: str) -> None:
        for name in ("symbol", "to"):
            if name in event.said and event.what in ("late_chips", "move"):
                self.symbol(event.said[name], where)
        if event.what == "answer":
            check_subject("wheel", event.said.get("subject"), where)
        elif not event.when and "at_revolution" not in event.said:
            raise ScenarioError(f"{where}: says neither 'at_revolution' nor 'when'; say when it happens")
        elif event.said.get("at_revolution") == "never" and event.what != "no_more_bets":
            raise ScenarioError(f"{where}: only no_more_bets may say that it never comes")

    # -- what must come of it ----------------------------------------------------------------------------------

    def _expected(self, body: Any) -> tuple[dict[str, Any], list[dict[str, Any]] | None]:
        """The outcome that is expected, and the wagers; none where the case does not say."""
        if body is None:
            return {}, None
        if isinstance(body, list):
            body = {"wagers": body}
        said = words.EXPECTED.read(body, f"{self.where}: expected").said
        if "outcome" in said and said["outcome"] not in (*self.ring, "result", "no_spin"):
            hint = nearest(said["outcome"], [*sorted(set(self.ring)), "result", "no_spin"])
            raise ScenarioError(f"{self.where}: expected: outcome {said['outcome']!r}; {hint}")
        if "wagers" not in said:
            return said, None
        words.SETTLED.read_all(said["wagers"], f"{self.where}: expected")
        return said, [_plain_numbers(line) for line in said["wagers"]]


def _plain_numbers(line: dict[str, Any]) -> dict[str, Any]:
    return {key: float(value) if isinstance(value, Decimal) else value for key, value in line.items()}


def _config(case: Case, body: Any) -> TableConfig:
    given = words.CONFIG.read(body, f"{case.where}: config").said
    try:
        config = default_config("wheel", given.get("option", 1), case.rulebook)
        limits = {name: Cents(given[name]) for name in ("min", "max", "unit", "smallest_chip") if name in given}
        wheel: dict[str, Any] = {name: given[name] for name in ("dead_band", "near_band") if name in given}
        if "ring" in given:
            wheel["ring"] = tuple(given["ring"])
        seats = {"count": given["seats"]} if "seats" in given else {}
        personal = tuple(
            PersonalLimit(
                player,
                seat,
                Cents(limit["min"]) if "min" in limit else None,
                Cents(limit["max"]) if "max" in limit else None,
                limit.get("marker", True),
            )
            for seat, (player, limit) in enumerate(given.get("personal", {}).items(), start=1)
        )
        replace = msgspec.structs.replace
        config = replace(
            config,
            limits=replace(config.limits, **limits),
            play=replace(config.own(WheelSection), **wheel),
            seats=replace(config.seats, **seats),
            personal_limits=personal,
        )
        return require_right(config, case.where)
    except (ConfigError, TypeError, ValueError, KeyError, AttributeError) as error:
        raise case.wrong("config", str(error)) from error
