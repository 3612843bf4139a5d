"""Big Wheel cases: who wagers what, how the wheel turns, what people do meanwhile."""

from __future__ import annotations

import tempfile
from math import inf
from pathlib import Path
from typing import Any

from controller.config.tomlread import nearest
from firmware_specs.clock import DeadlineMissed
from lab.scenarios.file import Case, ScenarioError
from lab.scenarios.forms import answered, filled_in, is_about, keys_of
from lab.scenarios.outcome import Outcome, compare, settlement_line
from lab.scenarios.stage import Stage
from lab.scenarios.table import STEP_S, CaseTable
from lab.scenarios.wheel.case import Happening, Spin, WheelCase
from lab.scenarios.wheel.steps import WheelSteps
from simulators.people.table import Due, Question

UNDER_WAY = ("spin_open", "spin_closed", "closed_wait_spin")
"""States in which a spin is not yet judged."""


class WheelTable(CaseTable):
    """The table of one case, with the hands and the dealer of Big Wheel."""

    def __init__(self, case: Case, folder: Path, stage: Stage) -> None:
        self.told = WheelCase(case)
        super().__init__(case, stage.config(self.told.config), folder, stage)
        self.areas = {symbol: area for area, symbol in enumerate(sorted(set(self.told.ring)), start=1)}
        self.tags: dict[str, tuple[str, list[int]]] = {}
        self.ids: dict[tuple[str, str], str] = {}
        self.events: list[Happening] = []
        self.steps = WheelSteps(self) if self.told.steps is not None else None

    # -- playing -----------------------------------------------------------------------------------------------

    def course(self) -> None:
        for name, limit in self.runtime.table.state.personal.items():
            if limit.marker:
                self.screen.press("marker", 1, {"player": name, "laid": True})
        if self.steps is not None:
            self.steps.run(self.told.steps)
            return
        for spin in self.told.spins:
            self._round(spin)

    def _round(self, spin: Spin) -> None:
        self.events = list(spin.events)
        self._do("before_bets")
        if self.screen.state() == "idle":
            self.screen.press("place_bets", 1)
            self.until(lambda: self.screen.state() == "betting_open")
        for wager in spin.wagers:
            self._lay(wager)
        self._do("before_spin")
        for event in self.events:
            if event.what == "no_more_bets" and event.at == 0:
                self._event(event)
                self.until(lambda: self.screen.state() == "closed_wait_spin")
        self.devices.wheel.play(spin.script, spin.fault)
        self._while_turning()
        self.settle()

    def _lay(self, wager: dict[str, Any]) -> None:
        symbol, player = wager["symbol"], wager.get("player", "")
        area = self.areas[symbol]
        tags = self.felt.put(wager["amount"], area)
        self._named(wager.get("id", f"{player}/{symbol}"), symbol, player, tags)
        seen = self.runtime.table.game.chip_picture
        self.until(lambda: set(tags) <= set(seen().get(area, [])))
        self._assign(symbol, player, tags)

    def _named(self, name: str, symbol: str, player: str, tags: list[int]) -> None:
        self.tags[name] = (symbol, tags)
        self.ids[(player, symbol)] = name

    def _assign(self, symbol: str, player: str, tags: list[int]) -> None:
        """The dealer says whose chips these are."""
        if player:
            self.screen.press("assign", 1, {"area": self.areas[symbol], "player": player, "tags": tags})

    def _while_turning(self) -> None:
        """Events fall due by the wheel's own turns; without a word of it, betting closes after the first half."""
        due = sorted((event for event in self.events if 0 < event.at < inf), key=lambda event: event.at)
        if not any(event.what == "no_more_bets" for event in self.events):
            due = [Happening("no_more_bets", {"at_revolution": 0.5}, "", 1), *due]
            due.sort(key=lambda event: event.at)
        for event in due:
            if not self.turn_to(event.at):
                break
            self._event(event)
        self.rest()

    def turn_to(self, revolutions: float) -> bool:
        """Let time pass until the wheel has turned so far; whether it does."""
        wheel, until = self.devices.wheel, self.clock.now() + STEP_S
        while wheel.turned < revolutions:
            if not self.turning:
                return False
            if self.clock.now() > until:
                raise DeadlineMissed("the wheel never came to rest")
            self.clock.run_for(0.1)
        return True

    def rest(self) -> None:
        """Let time pass until the wheel rests and the table has judged the spin."""
        until = self.clock.now() + STEP_S
        while self.turning:
            if self.clock.now() > until:
                raise DeadlineMissed("the wheel never came to rest")
            self.clock.run_for(0.1)

    @property
    def turning(self) -> bool:
        return self.devices.wheel.moving or self.screen.state() in UNDER_WAY

    def speaks(self, place: str) -> bool:
        """A spin is heard out once the wheel rests."""
        return super().speaks(place) and not (self.turning and self.config.devices[place].kind == "wheel")

    def settle(self) -> None:
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
            event = self._scripted(question)
            if event is not None:
                event.done = True
                self.events.remove(event)
                where = f"{self.told.where}: {event.place}"
                self.press_told(where, "answer", answered(question, event.said, where), event.rank)
                return
            rank, args = question.answered(question.proposal)
            self.screen.press("answer", rank, args)
            return

    def _scripted(self, question: Question) -> Happening | None:
        """The answer that the case has for this question."""
        answers = (event for event in self.events if event.what == "answer")
        return next((event for event in answers if is_about(question, event.said.get("subject"))), None)

    def _collect(self) -> None:
        """Into the float goes what has lost: those chips wherever they lie now, or as much from their area."""
        for due in self.screen.dues():
            if due.stake_taken:
                self._take(due, self._lying(self.ids.get((due.player, due.bet), "")))

    def _lying(self, name: str) -> dict[int, list[int]]:
        """Where the chips of a stake lie now."""
        own = self.steps.named.get(name, []) if self.steps is not None else self.tags.get(name, ("", []))[1]
        lying = {area: [tag for tag in own if tag in tags] for area, tags in self.felt.areas.items()}
        return {area: tags for area, tags in lying.items() if tags}

    def _take(self, due: Due, lying: dict[int, list[int]]) -> None:
        area = self.areas[due.bet]
        worth = sum(self.felt.bank.worth(tags) for tags in lying.values())
        if lying and (worth == due.stake_taken or area not in lying):
            for place, tags in lying.items():
                self.felt.sweep(tags, place)
        else:
            self.felt.collect(area, due.stake_taken)

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
        for event in [event for event in self.events if event.when == when]:
            self._event(event)

    def _event(self, event: Happening) -> None:
        event.done = True
        match event.what:
            case "late_chips":
                self._lay_late(event)
            case "withdraw":
                symbol, tags = self._tags_of(event)
                self.felt.take(tags, self.areas[symbol])
            case "move":
                symbol, tags = self._tags_of(event)
                self.felt.slide(tags, self.areas[symbol], self.areas[event.said["to"]])
            case key:
                table = self.runtime.table
                form = filled_in(table, keys_of(table)[key], event.said)
                self.press_told(f"{self.told.where}: {event.place}", key, form, event.rank)
        self.clock.run_for(0.5)

    def _lay_late(self, event: Happening) -> None:
        symbol, player = event.said["symbol"], event.said.get("player", "")
        tags = self.felt.put(event.said["amount"], self.areas[symbol])
        self._named(event.said.get("wager", f"{player}/{symbol}"), symbol, player, tags)
        self.clock.run_for(0.5)
        self._assign(symbol, player, tags)

    def _tags_of(self, event: Happening) -> tuple[str, list[int]]:
        name = event.said["wager"]
        if name not in self.tags:
            known = nearest(name, list(self.tags))
            raise ScenarioError(f"{self.told.where}: {event.place}: no wager {name!r} lies there; {known}")
        return self.tags[name]

    # -- judging -----------------------------------------------------------------------------------------------

    def judge(self) -> None:
        listener, outcome = self.listener, self.listener.outcome
        for result in listener.results:
            name = self.ids.get((result.player, result.bet), result.wager)
            outcome.settlement.append(settlement_line(name, result))
        self._never_came_about()
        self._compare_outcome(self.told.outcome)
        if self.told.expected is not None:
            compare(outcome, self.told.expected)

    def _never_came_about(self) -> None:
        """What the case says and nothing led to is no part of what was played."""
        told = {id(event): event for spin in self.told.spins for event in spin.events}
        for event in told.values():
            if not event.done and event.said.get("at_revolution") != "never":
                why = "nobody asked" if event.what == "answer" else "the spin was over before"
                self.listener.outcome.wrong(f"{event.place} never came about: {why}")

    def _compare_outcome(self, expected: dict[str, Any]) -> None:
        listener, outcome = self.listener, self.listener.outcome
        self.expect_refused(expected.get("refused", ()))
        for code in set(expected.get("refused", ())) - {refusal.code for refusal in listener.refusals}:
            outcome.wrong(f"expected the refusal {code}, and nothing was refused so")
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


def play_wheel(case: Case, stage: Stage) -> Outcome:
    """Play one Big Wheel case."""
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        return WheelTable(case, Path(folder), stage).play()
