"""Plays a worked case: brings the event where it begins, does what it says, and holds what came against it."""

from __future__ import annotations

import itertools
import re
from typing import Any

from controller.core.desk import Refusal
from controller.games.poker.config import RakeSection
from controller.tournament.checks import BadTerms, terms_of, unequal
from firmware_specs.clock import DeadlineMissed, Deadlock
from floor.hall import acts
from lab.hall.event import DESK, Stuck
from lab.hall.plan import BadPlan, RoundPlan
from lab.scenarios.file import Case
from lab.scenarios.outcome import Outcome, settlement_line
from lab.scenarios.tournament.worked import words
from lab.scenarios.tournament.worked.before import NoWay
from lab.scenarios.tournament.worked.events import Doing
from lab.scenarios.tournament.worked.found import Found, answered
from lab.scenarios.tournament.worked.scene import Scene, index
from lab.scenarios.tournament.worked.terms import terms_text
from lab.scenarios.tournament.worked.told import ToldHall

PLAYER = re.compile(r"[A-Z]{1,2}\d+")
TABLE = re.compile(r"[A-Z]{2}-\d+")
PAPERS = ("terms_available", "inspectorate_told", "open_entries", "enter", "move_start", "withdraw", "draw", "approval")
"""Events before play; a case that has one of them begins at the hall."""
BEFORE_MS = 5 * 3_600_000


def is_worked(body: dict[str, Any]) -> bool:
    """Whether a case with terms is told this way."""
    return any(name in body for name in ("events", "given", "level"))


def play_worked(case: Case) -> Outcome:
    """The case from its terms to what it expects; ScenarioError where it is wrong itself."""
    outcome = Outcome(case.id)
    WorkedCase(case, outcome).play()
    return outcome


class WorkedCase:
    """One case while it is played."""

    def __init__(self, case: Case, outcome: Outcome) -> None:
        self.case, self.outcome = case, outcome
        self.body = dict(words.CASE.read(case.body, case.where).said)
        self.given = words.GIVEN.read(self.body.get("given", {}), f"{case.where}: given").said
        self.body["given"] = self.given
        self.events = self._read(self.body.get("events", []))
        self.expected = words.EXPECTED.read(self.body.get("expected", {}), f"{case.where}: expected").said
        other = self.body.get("alternative", {})
        self.others = self._read(other.get("events", []))
        remarks = [f"{name}: {self.expected[name]}" for name in words.REMARKS if name in self.expected]
        if remarks:
            outcome.remarks = [f"not held against anything: {one}" for one in remarks]

    def _read(self, bodies: list[Any]) -> list[dict[str, Any]]:
        read = []
        for number, body in enumerate(bodies, 1):
            if not isinstance(body, dict):
                raise self.case.wrong(f"events {number}", f"an object with its `do`, not {body!r}")
            people = {name: value for name, value in body.items() if PLAYER.fullmatch(name)}
            tables = {name: value for name, value in body.items() if TABLE.fullmatch(name)}
            rest = {name: value for name, value in body.items() if name not in people and name not in tables}
            rest |= {"tables": tables} if tables else {}
            told = words.EVENTS.read(
                {**rest, **({"players": people} if people else {})}, f"{self.case.where}: events {number}"
            )
            read.append({"do": told.word.name, **told.said})
        return read

    # -- terms -----------------------------------------------------------------------------------------------------

    def play(self) -> None:
        wanted = self.expected.get("refused")
        if self.body.get("level") == "config":
            self._config(wanted)
            return
        try:
            if any("tables" in one for one in self.events):
                self._only_counts()
                self._counts_of_tables()
            else:
                self._play_out()
        except BadTerms as bad:
            self.outcome.wrong(f"the terms are refused: {bad}")
        except BadPlan as strange:
            raise self.case.wrong("round", str(strange)) from None
        except (Stuck, NoWay, Refusal, DeadlineMissed, Deadlock) as stuck:
            self.outcome.wrong(f"it did not go on: {stuck}")

    def _config(self, wanted: Any) -> None:
        """Terms that are loaded and checked, and nothing else."""
        text = terms_text(self.case, self.body["terms"], 2, 6, False)
        each = wanted if isinstance(wanted, list) else [wanted] if wanted else []
        try:
            terms = terms_of(text, self.case.id)
            rings = {name: {"option": option} for name, option in self.given.get("options", {}).items()}
            findings = list(unequal(terms, rings))
        except BadTerms as bad:
            findings = list(bad.findings)
        found = {clause for one in findings for clause in one.clauses}
        due = {clause for one in each for clause in one.get("clauses", ())}
        if found != due or bool(each) != bool(findings):
            self.outcome.wrong(f"the terms are refused with {sorted(found) or 'nothing'}, expected {sorted(due)}")
        told = self.expected.get("told", "")
        if told and not any(told in one.said() for one in findings):
            self.outcome.wrong(f"told: {'; '.join(one.said() for one in findings)}; expected {told}")

    def _only_counts(self) -> None:
        """What a case of whole tables' counts must say, and nothing beside it."""
        ledger = self.given.get("ledger", {})
        entrants = self.given.get("entrants", 2)
        if not isinstance(entrants, int) or not ledger or any(PLAYER.fullmatch(one) for one in ledger):
            raise self.case.wrong("given", "counts of tables need `ledger` of each table, and how many entered")
        for number, one in enumerate(self.events, 1):
            if "tables" not in one or one["tables"].keys() - ledger.keys():
                raise self.case.wrong(f"events {number}", f"a count of each of {', '.join(ledger)}, and nothing else")

    def _counts_of_tables(self) -> None:
        """Whole tables are counted, and the hall holds all of them against what was issued."""
        given, expected, found = self.given, self.expected, 0
        entrants = int(given.get("entrants", 2 * len(given["ledger"])))
        told = ToldHall(terms_text(self.case, self.body["terms"], len(given["ledger"]), entrants, True), entrants)
        told.lead(given)
        for one in self.events:
            for name, units in one["tables"].items():
                told.say(name, "table_counted", units=units)
            found = sum(one["tables"].values())
        came = {"expected_total": told.expected(), "found_total": found}
        for name, units in came.items():
            if name in expected and expected[name] != units:
                self.outcome.wrong(f"{name}: {units}, expected {expected[name]}")
        alarms = list(told.hall.state.alarms.values())
        wanted = expected.get("alarm", [])
        if alarms != (wanted if isinstance(wanted, list) else [wanted]):
            self.outcome.wrong(f"alarm: {alarms}, expected {wanted}")
        if told.hall.state.phase != "running":
            self.outcome.wrong(f"the event is {told.hall.state.phase}")

    # -- a whole event ---------------------------------------------------------------------------------------------

    def _players(self) -> list[str]:
        """Everybody whom the case names, and whoever sits between them."""
        if isinstance(self.body.get("entrants"), list):
            return [str(one) for one in self.body["entrants"]]
        plain = {name: value for name, value in self.body.items() if name in ("given", "round", "wagers", "events")}
        events = plain.get("events", [])
        new = {one["player"] for one in events if one["do"] == "substitute"}
        named = set(re.findall(r"'([PE]\d+)'", str([{**plain, "events": events}, self.body.get("expected", {})]))) - new
        most = max([index(one) for one in named if one.startswith("P")] + [self._left(), 2])
        everybody = [f"P{number}" for number in range(1, most + 1)] if not self._at_desk() else []
        return sorted(
            {*everybody, *(named if self._at_desk() else set()), *(one for one in named if one[0] == "E")}, key=index
        )

    def _left(self) -> int:
        left = self.given.get("left", 0)
        return left if isinstance(left, int) else 0

    def _at_desk(self) -> bool:
        return any(one["do"] in PAPERS for one in self.events)

    def _scene(self, terms: dict[str, Any]) -> Scene:
        players = self._players()
        alone = self.body.get("level") == "hall" or any(one["do"] in ("final", "final_order") for one in self.events)
        entering = [] if self._at_desk() else players
        own = {**self.body["terms"], **terms}
        if "pool_dollars" in self.given:
            own["pool_dollars"] = self.given["pool_dollars"] // 100
        text = terms_text(self.case, own, self.body.get("tables", 1), max(len(players), 2), alone)
        taken = self.given.get("commission")
        rake = RakeSection(taken["method"], int(taken["percent"])) if taken else None
        return Scene(text, entering, BEFORE_MS if self._at_desk() else 600_000, rake)

    def _play_out(self) -> None:
        """One course after another: events that need another stand, or other terms, begin anew."""
        separate = [at for at, one in enumerate(self.events) if one["do"] == "ask_early_end" or "terms" in one]
        starts = sorted({0, *separate, len(self.events)})
        courses = [self.events[first:last] for first, last in itertools.pairwise(starts)] or [[]]
        early: list[str] = []
        answers: list[str] = []
        for number, events in enumerate(courses):
            doing = self._course(next((one["terms"] for one in events if "terms" in one), {}), events)
            early, answers = early + doing.early, answers + doing.answers
            try:
                if number == len(courses) - 1:
                    doing.early, doing.answers, doing.events = early, answers, self.events
                    Found(self, doing).compare()
                    self._print(doing)
            finally:
                doing.scene.close()
        if self.others:
            doing = self._course(self.body["alternative"].get("terms", {}), self.others)
            doing.scene.close()
            answered(self.outcome, "alternative", doing.answers, self.expected.get("alternative", []))

    def _print(self, doing: Doing) -> None:
        for name, listener in doing.scene.listeners.items():
            found, own = listener.outcome, self.outcome
            own.settlement += [{"table": name, **settlement_line(one.wager, one)} for one in listener.results]
            own.states += [f"{name} {state}" for state in found.states]
            own.rulings += [{"table": name, **one} for one in found.rulings]
            own.prompts += [{"table": name, **one} for one in found.prompts]

    def _course(self, terms: dict[str, Any], events: list[dict[str, Any]]) -> Doing:
        scene = self._scene(terms)
        self.scene = scene
        doing = Doing(scene, self.body, events, lambda: self._seat(scene))
        try:
            self._begin(scene, events)
            doing.run()
            if not doing.under_way:
                scene.event.clock.run_for(5.0)
        except BaseException:
            scene.close()
            raise
        return doing

    def _begin(self, scene: Scene, events: list[dict[str, Any]]) -> None:
        """As far as the case begins."""
        given = self.given
        if self._at_desk():
            if given.get("terms_approved"):
                scene.at(given["terms_approved"])
                scene.papers("approved")
                return
            scene.papers("entering")
            later = {one["player"] for one in self.events if one["do"] == "enter"}
            named = [who for one in self.events for who in one.get("order", ()) if who not in later]
            for number in (*_names(given.get("entrants")), *given.get("paid_dollars", {}), *named):
                scene.event.must(acts.Enter(number, signed=True), DESK)
            scene.entrants = self._players()
            return
        scene.papers("entering")
        scene.enter({})
        if given.get("commission"):
            scene.event.must(acts.CloseEntries())
            return
        scene.designate()
        if given.get("designated"):
            return
        self._seat(scene)

    def _seat(self, scene: Scene) -> None:
        given = self.given
        if scene.hall.state.phase == "entering":
            scene.entrants = [one.number for one in scene.hall.state.left]
            scene.designate()
        seats = {number: index(number) for number in scene.entrants} if len(scene.entrants) <= 3 else {}
        if given.get("schedule_released_by"):
            scene.at(str(given.get("sign_shown", "14:00")))
        scene.draw(seats, given.get("deputies", []))
        if "issued_read" in given or any(one["do"] in ("practice_round", "briefed") for one in self.events):
            return
        scene.begin()
        self._lead(scene)

    def _lead(self, scene: Scene) -> None:
        """Markers used, warnings given, banks won and lost."""
        given, table = self.given, scene.table
        for number, count in given.get("warnings", {}).items():
            for _ in range(count):
                scene.must(table, "penalty", "TD", player=number, penalty="warning")
        held = given.get("markers", {})
        own = scene.terms.wagers.markers
        for number, left in held.items():
            for kind in ("pass", "all_in"):
                had = getattr(own, "pass_" if kind == "pass" else kind, 0) if own is not None else 0
                for _ in range(had - left.get(kind, had)):
                    self._use(scene, number, kind)
            for _ in range((1 if own is not None and own.rebuy is not None else 0) - left.get("rebuy", 1)):
                scene.lead({number: -scene.bank(number)}, None)
                plan = scene.neutral()
                scene.play(RoundPlan(plan.stakes, plan.cards, rebuy=(number,)))
        self._stacks(scene)
        for number in given.get("away", ()):
            scene.must(table, "away", "dealer", player=number)
        later = any("scored" in one or one["do"] == "play" for one in self.events) and "scored" not in given
        to_come = any(one["do"] == "spin_over" for one in self.events)  # which then leads there in all its rounds
        banks = {**given.get("bank", {}), **given.get("ledger", {})}
        if not later and not to_come and not scene.terms.wagers.levels:
            changes = {number: units - scene.bank(number) for number, units in banks.items()}
            scored = given.get("scored")
            scene.lead(changes, None if scored is None else scored - table.session.state.scored)
        if "present" in given:
            for who in ("TD", "DEP"):
                scene.signs(who, who in given["present"])

    def _stacks(self, scene: Scene) -> None:
        """Stacks as they are given, at the level that is given; who is away has the big blind next."""
        given = self.given
        wanted = {number: stack for number, stack in given.get("stack", {}).items()
                  if stack or number not in str(given.get("hand_60", ""))}  # fmt: skip
        after = [one for one in self.events if "holds cards" in str(one.get("when", ""))]
        stated = [one["stacks_before"] for one in self.events if "stacks_before" in one]
        scene.bring({**wanted, **(stated[0] if stated else {})}, len(after), given.get("away", []))
        scene.level(given.get("level", 0))

    def _use(self, scene: Scene, number: str, kind: str) -> None:
        plan = scene.neutral()
        if kind == "pass":
            others = {who: next(iter(laid.values())) for who, laid in plan.stakes.items() if who != number}
            again = scene.plan_of(others)
            scene.play(RoundPlan(again.stakes, again.cards, passes=(number,)))
        else:
            stakes = {who: laid for who, laid in plan.stakes.items() if who != number}
            scene.play(RoundPlan(stakes, plan.cards, all_in={number: "main"}))


def _names(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []
