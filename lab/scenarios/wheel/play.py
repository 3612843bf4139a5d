"""Big Wheel cases: who wagers what, how the wheel turns, what people do meanwhile."""

from __future__ import annotations

import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from controller.config.file import require_right
from controller.config.tomlread import Cents, ConfigError
from controller.config.types import PersonalLimit, TableConfig
from controller.devices import inline
from controller.games.wheel.config import WheelSection
from controller.money.dress import ChipRegister
from firmware_specs.clock import DeadlineMissed, Deadlock
from lab.scenarios.file import Case, ScenarioError, cents, known_keys
from lab.scenarios.outcome import Listener, Outcome, compare, settlement_line
from lab.scenarios.stage import Stage
from lab.sim.config import default_config
from lab.sim.screen import DealerScreen
from lab.sim.table import sign_that_shows
from simulators.faults import BadFault, Fault
from simulators.people.chips import Felt
from simulators.wheel import sensor_fault
from simulators.wheel_script import SpinScript

Touch = Literal["brake", "push", "hold", "nudge", "crawl", "rigged"]
SENSES = {"clockwise": 1, "anticlockwise": -1}
STEP_S = 120.0
CASE_KEYS = (
    "id", "rulebook", "game", "title", "config", "wagers", "spin", "spins", "events", "expected", "clauses",
    "interpretation", "why", "faults",
)  # fmt: skip
SPIN_KEYS = (
    "direction", "forward_compartments", "rest_symbol", "rest_compartment", "rest_offset_from_divider",
    "reversal_compartments", "interference", "sensor_fault", "wagers", "events",
)  # fmt: skip
CONFIG_KEYS = ("option", "min", "max", "unit", "smallest_chip", "personal", "dead_band", "near_band", "seats", "ring")
EVENT_KEYS = (
    "do", "at_revolution", "rank", "player", "symbol", "to", "amount", "subject", "answer", "reason", "args", "when",
    "wager",
)  # fmt: skip


class WheelScenario:
    """One case, wired and ready."""

    def __init__(self, case: Case, folder: Path, stage: Stage) -> None:
        known_keys(case, "case", case.body, CASE_KEYS)
        self.case = case
        self.config = stage.config(_config(case))
        self.stage = stage
        self.clock = stage.clock
        bank = stage.bank()
        register = ChipRegister(bank.register)
        self.devices, self.runtime = stage.wired(self.config, folder / "case.sqlite", bank, register)
        self.listener = Listener(case.id)
        self.runtime.watchers.append(self.listener.watch)
        sign_that_shows(self.runtime, self.clock)
        self.screen = DealerScreen(self.runtime, self.config)
        self.felt = Felt(self.devices.mat, bank)
        self.areas = {symbol: area for area, symbol in enumerate(self._names(), start=1)}
        self.tags: dict[str, tuple[str, list[int]]] = {}
        self.ids: dict[tuple[str, str], str] = {}
        self.events: list[dict[str, Any]] = []

    def _names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sorted(self.config.own(WheelSection).ring)))

    # -- playing -----------------------------------------------------------------------------------------------

    def play(self) -> Outcome:
        for fault in self.case.body.get("faults", []):
            try:
                self.devices.plan(Fault.of(fault))
            except (BadFault, ConfigError) as error:
                raise self.case.wrong("faults", str(error)) from error
        self.devices.start()
        self.runtime.start("scenario", self.config, inline(self.runtime))
        self.stage.begun(self.runtime)
        try:
            self._course()
        except (Deadlock, DeadlineMissed) as stuck:
            state = f"table {self.screen.life()}, round {self.screen.state()}"
            self.listener.outcome.wrong(f"it did not go on: {stuck} ({state})")
        self._finish()
        self.stage.played(self.listener.outcome)
        self.runtime.stop()
        self.devices.stop()
        return self.listener.outcome

    def _course(self) -> None:
        self._until(lambda: not self.runtime.table.state.faults)
        self.screen.press("open", 1)
        self._until(lambda: self.screen.life() == "open")
        for name, limit in self.runtime.table.state.personal.items():
            if limit.marker:
                self.screen.press("marker", 1, {"player": name, "laid": True})
        spins = self.case.body.get("spins")
        for spin in spins if spins is not None else [self.case.body.get("spin", {})]:
            self._round(spin)

    def _round(self, spin: dict[str, Any]) -> None:
        known_keys(self.case, "spin", spin, SPIN_KEYS)
        self.events = [*self.case.body.get("events", []), *spin.get("events", [])]
        for event in self.events:
            known_keys(self.case, "events", event, EVENT_KEYS)
        self._do("before_bets")
        if self.screen.state() == "idle":
            self.screen.press("place_bets", 1)
            self._until(lambda: self.screen.state() == "betting_open")
        for wager in [*self.case.body.get("wagers", []), *spin.get("wagers", [])]:
            self._lay(wager)
        self.case.body["wagers"] = []
        self._do("before_spin")
        if any(event.get("do") == "no_more_bets" and event.get("at_revolution") == 0 for event in self.events):
            self.screen.press("no_more_bets", 1)
            self._until(lambda: self.screen.state() == "closed_wait_spin")
        self.devices.wheel.play(_script(self.case, spin, self.config), sensor_fault(spin.get("sensor_fault")))
        self._while_turning()
        self._after_rest()

    def _lay(self, wager: dict[str, Any]) -> None:
        symbol, player = wager.get("symbol"), str(wager.get("player", wager.get("owner", "")))
        if symbol not in self.areas:
            raise self.case.wrong("wagers", f"no symbol {symbol!r} on this wheel; it has {', '.join(self.areas)}")
        amount = cents(self.case, "wagers: amount", wager.get("amount"))
        area = self.areas[symbol]
        tags = self.felt.put(amount, area)
        name = str(wager.get("id", f"{player}/{symbol}"))
        self.tags[name] = (symbol, tags)
        self.ids[(player, symbol)] = name
        seen = self.runtime.table.game.chip_picture
        self._until(lambda: set(tags) <= set(seen().get(area, [])))
        if player:
            self.screen.press("assign", 1, {"area": area, "player": player, "tags": tags})

    def _while_turning(self) -> None:
        """Events fall due by the wheel's own turns; without a word of it, betting closes after the first."""
        mentioned = any(event.get("do") == "no_more_bets" for event in self.events)
        due = [dict(event) for event in self.events if "at_revolution" in event]
        if not mentioned:
            due.append({"do": "no_more_bets", "at_revolution": 0.5})
        due = [event for event in due if event["do"] != "no_more_bets" or event["at_revolution"] not in (0, "never")]
        due.sort(key=lambda event: float(event["at_revolution"]))
        wheel = self.devices.wheel
        until = self.clock.now() + STEP_S
        while wheel.moving or not self._resting():
            while due and (not wheel.moving or wheel.turned >= float(due[0]["at_revolution"])):
                self._event(due.pop(0))
            self.clock.run_for(0.1)
            if self.clock.now() > until:
                raise DeadlineMissed("the wheel never came to rest")

    def _resting(self) -> bool:
        return self.screen.state() not in ("spin_open", "spin_closed", "closed_wait_spin")

    def _after_rest(self) -> None:
        """People do what is due until the round is over or betting is open again."""
        for _ in range(60):
            state = self.screen.state()
            if state in ("idle", "betting_open"):
                return
            if state == "ruling":
                self._rule()
            elif state == "result":
                self._do("before_result")
                self.screen.press("acknowledge", 1)
            elif state == "collect":
                self._collect()
            elif state == "pay":
                self._pay()
            self.clock.run_for(1.0)
        raise DeadlineMissed("the round did not end")

    def _rule(self) -> None:
        for question in self.screen.questions():
            scripted = [
                e for e in self.events if e.get("do") == "answer" and e.get("subject") in (None, question.subject)
            ]
            for event in scripted:
                self.events.remove(event)
                args = {"prompt": question.id, "answer": event["answer"], "reason": event.get("reason") or ""}
                self.screen.press("answer", int(event.get("rank", 1)), {**args, **event.get("args", {})})
                return
            answers = {answer: (rank, reason) for answer, rank, reason in question.answers}
            answer = question.proposal if question.proposal in answers else question.answers[0][0]
            rank, needs_reason = answers[answer]
            args = {"prompt": question.id, "answer": answer, "reason": "scenario" if needs_reason else ""}
            self.screen.press("answer", rank, args)
            return

    def _collect(self) -> None:
        """Into the float goes what has lost: those chips wherever they lie now, or as much from their area."""
        for due in self.screen.dues():
            name = self.ids.get((due.player, due.bet), "")
            own = self.tags.get(name, ("", []))[1]
            lying = {area: [tag for tag in own if tag in tags] for area, tags in self.felt.areas.items()}
            moved = sum(bool(tags) for tags in lying.values()) and not lying.get(self.areas[due.bet])
            if due.stake_taken and moved:
                for area, tags in lying.items():
                    self.felt.sweep(tags, area)
            elif due.stake_taken:
                self.felt.collect(self.areas[due.bet], due.stake_taken)

    def _pay(self) -> None:
        for due in self.screen.dues():
            if due.result == "win" and due.pays and not self.felt.pay(due.pays, self.areas[due.bet]):
                self.screen.press("fill", 2, {"cents": self.felt.fill(due.pays)})
                self.felt.pay(due.pays, self.areas[due.bet])
        self.clock.run_for(1.0)
        self.screen.press("paid", 1)
        self.clock.run_for(1.0)
        if self.screen.state() == "pay":
            self.screen.press("paid", 4, {"confirmed": True, "reason": "scenario"})
            self.clock.run_for(1.0)
        for area in self.areas.values():
            self.felt.clear(area)
        self.clock.run_for(1.0)

    # -- what people do ----------------------------------------------------------------------------------------

    def _do(self, when: str) -> None:
        for event in [event for event in self.events if event.get("when") == when]:
            self._event(event)

    def _event(self, event: dict[str, Any]) -> None:
        what = event.get("do")
        match what:
            case "late_chips" | "bet":
                self._lay_late(event)
            case "withdraw":
                symbol, tags = self._tags_of(event)
                self.felt.take(tags, self.areas[symbol])
            case "move":
                symbol, tags = self._tags_of(event)
                self.felt.slide(tags, self.areas[symbol], self.areas[str(event["to"])])
            case "answer":
                return
            case str():
                args: dict[str, Any] = {key: event[key] for key in ("player", "reason", "symbol") if key in event}
                self.screen.press(what, int(event.get("rank", 1)), {**args, **event.get("args", {})})
            case _:
                raise self.case.wrong("events", f"an event needs 'do'; got {event!r}")
        self.clock.run_for(0.5)

    def _lay_late(self, event: dict[str, Any]) -> None:
        symbol, player = str(event.get("symbol")), str(event.get("player", ""))
        if symbol not in self.areas:
            raise self.case.wrong("events", f"no symbol {symbol!r} on this wheel")
        tags = self.felt.put(cents(self.case, "events: amount", event.get("amount")), self.areas[symbol])
        self.ids[(player, symbol)] = str(event.get("wager", f"{player}/{symbol}"))
        self.clock.run_for(0.5)
        if player:
            self.screen.press("assign", 1, {"area": self.areas[symbol], "player": player, "tags": tags})

    def _tags_of(self, event: dict[str, Any]) -> tuple[str, list[int]]:
        name = str(event.get("wager", ""))
        if name not in self.tags:
            raise self.case.wrong("events", f"no wager {name!r} lies there; give its id as 'wager'")
        return self.tags[name]

    def _until(self, condition: Any) -> None:
        self.clock.run_until(condition, STEP_S)

    # -- the outcome -------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        listener, outcome = self.listener, self.listener.outcome
        for result in listener.results:
            name = self.ids.get((result.player, result.bet), result.wager)
            outcome.settlement.append(settlement_line(name, result))
        expected = self.case.body.get("expected")
        if expected is None:
            return
        if isinstance(expected, list):
            expected = {"wagers": expected}
        self._compare_outcome(expected)
        if "wagers" in expected:
            compare(outcome, [_plain_numbers(line) for line in expected["wagers"]])

    def _compare_outcome(self, expected: dict[str, Any]) -> None:
        listener, outcome = self.listener, self.listener.outcome
        no_spins = [note.facts["reasons"] for note in listener.notes if note.what == "no_spin"]
        want = expected.get("outcome")
        if want == "no_spin":
            if not no_spins:
                outcome.wrong("expected a no spin, and the spin stood")
            elif "reasons" in expected and set(no_spins[-1]) != set(expected["reasons"]):
                outcome.wrong(f"reasons are {no_spins[-1]}, expected {expected['reasons']}")
        elif want is not None:
            found = listener.outcomes[-1] if listener.outcomes else "none"
            if want == "result":
                if not listener.outcomes:
                    outcome.wrong("expected a result, and there was none")
            elif found != want:
                outcome.wrong(f"outcome is {found}, expected {want}")


def _plain_numbers(line: dict[str, Any]) -> dict[str, Any]:
    return {key: float(value) if isinstance(value, Decimal) else value for key, value in line.items()}


def _config(case: Case) -> TableConfig:
    given = case.body.get("config", {})
    known_keys(case, "config", given, CONFIG_KEYS)
    try:
        config = default_config("wheel", int(given.get("option", 1)), case.rulebook)
        limits = config.limits
        for name in ("min", "max", "unit", "smallest_chip"):
            if given.get(name) is not None:
                value = Cents(cents(case, f"config: {name}", given[name]))
                limits = msgspec.structs.replace(limits, **{name: value})
        wheel = config.own(WheelSection)
        for name in ("dead_band", "near_band"):
            if name in given:
                wheel = msgspec.structs.replace(wheel, **{name: float(given[name])})
        if "ring" in given:
            wheel = msgspec.structs.replace(wheel, ring=tuple(given["ring"]))
        personal = tuple(
            PersonalLimit(
                player,
                seat,
                Cents(cents(case, "personal", limit["min"])) if "min" in limit else None,
                Cents(cents(case, "personal", limit["max"])) if "max" in limit else None,
                bool(limit.get("marker", True)),
            )
            for seat, (player, limit) in enumerate(given.get("personal", {}).items(), start=1)
        )
        config = msgspec.structs.replace(config, limits=limits, play=wheel, personal_limits=personal)
        return require_right(config, case.where)
    except ScenarioError:
        raise
    except (ConfigError, TypeError, ValueError, KeyError, AttributeError) as error:
        raise case.wrong("config", str(error)) from error


def _script(case: Case, spin: dict[str, Any], config: TableConfig) -> SpinScript:
    ring = config.own(WheelSection).ring
    compartment = spin.get("rest_compartment")
    if compartment is None:
        symbol = spin.get("rest_symbol", ring[0])
        if symbol not in ring:
            raise case.wrong("spin: rest_symbol", f"no symbol {symbol!r} on this wheel")
        compartment = ring.index(symbol)
    if not isinstance(compartment, int) or not 0 <= compartment < len(ring):
        raise case.wrong("spin: rest_compartment", f"0 to {len(ring) - 1}, not {compartment!r}")
    direction = spin.get("direction", "clockwise")
    if direction not in SENSES:
        raise case.wrong("spin: direction", f"{direction!r} is neither {' nor '.join(SENSES)}")
    touch = spin.get("interference") or {}
    kind = touch.get("kind", "")
    if kind and kind not in get_args(Touch):
        raise case.wrong("spin: interference", f"unknown kind {kind!r}; known are {', '.join(get_args(Touch))}")
    return SpinScript(
        float(_number(case, spin, "forward_compartments", 210)),
        compartment,
        float(_number(case, spin, "rest_offset_from_divider", Decimal("0.4"))),
        SENSES[direction],
        float(_number(case, spin, "reversal_compartments", 0)),
        touch=kind,
        at_revolution=float(touch.get("at_revolution", 1.5)),
    )


def _number(case: Case, spin: dict[str, Any], key: str, default: int | Decimal) -> int | Decimal:
    value = spin.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not 0 <= value < 10_000:
        raise case.wrong(f"spin: {key}", f"a number of compartments, not {value!r}")
    return value


def play_wheel(case: Case, stage: Stage) -> Outcome:
    """Play one Big Wheel case."""
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        return WheelScenario(case, Path(folder), stage).play()
