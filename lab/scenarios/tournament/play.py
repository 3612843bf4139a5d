"""Plays a case of a tournament: whole tables, a floor and a hall under one clock, and people who do as it says."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from controller.core.effects import Refused
from controller.core.events import SignedIn, SignedOut
from controller.core.runtime import Told as Concluded
from controller.people import Person
from controller.tournament.checks import BadTerms, terms_of
from firmware_specs.clock import DeadlineMissed, Deadlock
from floor.hall import acts
from floor.hall.asked import BadAct, act_of
from floor.hall.state import By
from lab.hall.event import Stuck
from lab.hall.plan import BadPlan, RoundPlan
from lab.hall.table import EventTable
from lab.hall.terms import file_of, terms_for
from lab.hall.whole import WholeEvent
from lab.scenarios.file import Case, dollars
from lab.scenarios.outcome import Listener, Outcome, settlement_line
from lab.scenarios.tournament import words
from lab.scenarios.words import Told, closest

RANKS = {"dealer": 1, "HDD": 2, "AM": 3, "ACM": 4}
ANSWER_S = 5.0
"""By then what came of a key is on disk."""
ROUND_S = 1800.0
"""No round takes longer."""


def play_event(case: Case) -> Outcome:
    """The case from its terms to what it expects; ScenarioError when it is wrong itself."""
    said = words.CASE.read(case.body, case.where).said
    steps = words.STEPS.read_all(said.get("steps", []), case.where)
    expected = words.EXPECTED.read(said.get("expected", {}), f"{case.where}: expected").said
    outcome = Outcome(case.id)
    text = _terms(case, said)
    try:
        terms_of(text, case.id)
    except BadTerms as bad:
        found = sorted({clause for finding in bad.findings for clause in finding.clauses})
        if found != sorted(expected.get("refused", ["nothing"])):
            outcome.wrong(f"the terms are refused with {', '.join(found) or 'no clause'}: {bad}")
        return outcome
    if "refused" in expected:
        outcome.wrong("the terms are lawful")
    with tempfile.TemporaryDirectory(prefix="tablectl-event-") as folder:
        EventCase(case, said, text, Path(folder), outcome).play(steps, expected)
    return outcome


def _terms(case: Case, said: dict[str, Any]) -> str:
    """The example of the rulebook's game, fitted to so many tables and entrants, with what the case changes."""
    values = tomllib.loads(terms_for(case.game, said.get("tables", 1), said.get("entrants", 2)))
    values["tournament"]["rulebook"] = case.rulebook
    for place, value in said["terms"].items():
        *way, last = (
            int(part) - 1 if part.isascii() and part.isdigit() and len(part) < 4 else part for part in place.split(".")
        )
        try:
            inner: Any = values
            for part in way:
                inner = inner[part]
            if value is None:
                del inner[last]
            else:
                inner[last] = value
        except (KeyError, IndexError, TypeError):
            raise case.wrong("terms", f"no place {place!r} in the terms of {case.game}") from None
    return file_of(values)


class EventCase:
    """One case while it is played."""

    def __init__(self, case: Case, said: dict[str, Any], text: str, folder: Path, outcome: Outcome) -> None:
        self._case, self._outcome, self._text = case, outcome, text
        self.event = WholeEvent(text, said.get("entrants", 0), folder, said.get("seed", 1), rebuys=0.0)
        self._started = False
        self._listeners = {name: Listener(case.id) for name in self.event.tables}
        for table in self.event.tables.values():
            self._listen(table)
        self._by_plan(True)

    def _listen(self, table: EventTable) -> None:
        """What the controller that is up concludes."""
        table.runtime.watchers.append(self._listeners[table.name].watch)

    def _by_plan(self, planned: bool) -> None:
        self.event.by_plan = planned
        for table in self.event.tables.values():
            table.crew.by_plan = planned

    def play(self, steps: list[Told], expected: dict[str, Any]) -> None:
        try:
            for number, told in enumerate(steps, 1):
                self._step(told, f"steps {number} ({told.name})")
            if not self._started:
                self._start()
            self._compare(expected)
        except (Stuck, DeadlineMissed, Deadlock) as stuck:
            self._outcome.wrong(f"it did not go on: {stuck}")
        finally:
            self.event.house.close()
            for name, listener in self._listeners.items():
                found, own = listener.outcome, self._outcome
                own.settlement += [{"table": name, **settlement_line(one.wager, one)} for one in listener.results]
                own.states += [f"{name} {state}" for state in found.states]
                own.rulings += [{"table": name, **one} for one in found.rulings]
                own.prompts += [{"table": name, **one} for one in found.prompts]

    # -- steps ---------------------------------------------------------------------------------------------------------

    def _step(self, told: Told, place: str) -> None:
        if not self._started and told.word.name not in ("begin", "set_up"):
            self._start()
        do: Callable[[Told, str], str] = getattr(self, f"_do_{told.word.name}", self._at_hall)
        came, wanted = do(told, place), str(told.said.get("expect", "ok"))
        self.event.clock.run_for(3.0)
        self.event._look()
        if not _as_wanted(came, wanted):
            self._outcome.wrong(f"{place}: {came}; expected {wanted}")

    def _start(self) -> None:
        self._started = True
        self.event.house.start()
        self.event.clock.run_for(5.0)

    def _do_set_up(self, told: Told, place: str) -> str:
        self._started = True
        self.event._open()
        return "ok"

    def _do_begin(self, told: Told, place: str) -> str:
        if not self._started:
            self._do_set_up(told, place)
        self.event._start_session()
        seated = {seat.table for seat in self.event.hall.session.seats.values()}
        self.event.until(lambda: all(self.event.tables[name].phase == "playing" for name in seated), 3600)
        return "ok"

    def _do_round(self, told: Told, place: str) -> str:
        table, said = self._table(told, place), told.said
        secret = {who: (one["zone"], one["units"]) for who, one in said.get("secret", {}).items()}
        plan = RoundPlan(
            said.get("stakes", {}), tuple(said.get("cards", ())), said.get("rests_on", ""),
            tuple(said.get("surrender", ())), tuple(said.get("pass", ())), said.get("all_in", {}), secret,
            tuple(said.get("rebuy", ())),
        )  # fmt: skip
        before = table.session.state.dealt
        if (no := table.runtime.table.no_round()) is not None:
            return _refused(no.clauses, no.text)
        try:
            table.crew.take_plan(plan)
        except BadPlan as strange:
            raise self._case.wrong(place, str(strange)) from None
        self.event.until(lambda: table.session.state.dealt > before and table.crew.settled, ROUND_S)
        return "ok"

    def _do_play(self, told: Told, place: str) -> str:
        wanted = {one.name: one.session.state.dealt + told.said["rounds"] for one in self._all}
        self._by_plan(False)
        for table in self._all:
            table.crew.look()
            table.staff.look()
        playing = ("playing", "held", "paused")
        self.event.until(lambda: all(
            one.phase not in playing or (one.session.state.dealt >= wanted[one.name]) for one in self._all
        ))  # fmt: skip
        self._by_plan(True)
        self.event.until(lambda: all(one.crew.settled for one in self._all), ROUND_S)
        return "ok"

    def _do_finish(self, told: Told, place: str) -> str:
        self._by_plan(False)
        for table in self._all:
            table.crew.look()
            table.staff.look()
        self.event.finish()
        return "ok"

    def _do_press(self, told: Told, place: str) -> str:
        table = self._table(told, place)
        key = told.said["key"]
        if key not in table.runtime.table.keys:
            raise self._case.wrong(place, f"no key {key!r}; {closest(key, table.runtime.table.keys)}")
        return self._command(table, key, told, _plain(told.said.get("form", {})))

    def _do_answer(self, told: Told, place: str) -> str:
        table, about = self._table(told, place), told.said["question"]
        prompts = table.runtime.table.state.desk.prompts.values()
        asked = next((one for one in prompts if one.subject.partition(":")[0] == about), None)
        if asked is None:
            return f"nobody is asked about {about}"
        form = {"prompt": asked.prompt, "answer": told.said["answer"], **_plain(told.said.get("form", {}))}
        return self._command(table, "answer", told, form)

    def _command(self, table: EventTable, key: str, told: Told, form: dict[str, Any]) -> str:
        heard: list[Concluded] = []
        table.runtime.command(key, self._person(table, told.said.get("by", "dealer")), form, heard.append)
        self.event.clock.run_until(lambda: bool(heard), ANSWER_S)
        for effect in (effect for one in heard for effect in one.effects):
            if isinstance(effect, Refused):
                return _refused(effect.clauses, effect.text)
        return "ok"

    def _do_sign_out(self, told: Told, place: str) -> str:
        table = self._table(told, place)
        table.staff.away = True
        table.runtime.submit(SignedOut("dealer", self._person(table, told.said.get("by", "director")), "signed out"))
        return "ok"

    def _do_sign_in(self, told: Told, place: str) -> str:
        table = self._table(told, place)
        table.runtime.submit(SignedIn("dealer", self._person(table, told.said.get("by", "director"))))
        return "ok"

    def _do_kill(self, told: Told, place: str) -> str:
        if told.said["what"] == "hall":
            self.event.house.kill_hall()
        else:
            table = self._named(told.said["what"], place)
            table.kill()
            self._listen(table)
        return "ok"

    def _do_cut(self, told: Told, place: str) -> str:
        self._table(told, place).connected = False
        return "ok"

    def _do_mend(self, told: Told, place: str) -> str:
        self._table(told, place).connected = True
        return "ok"

    def _do_wait(self, told: Told, place: str) -> str:
        self.event.clock.run_for(told.said["seconds"])
        return "ok"

    def _at_hall(self, told: Told, place: str) -> str:
        """An act of the hall, by whoever does it."""
        kind = acts.BY_NAME[told.word.name]
        made: dict[str, Any] = {}
        for field in acts.fields(kind):
            name = words.name_of(field)
            if name in told.said:
                made[field.name] = tuple(told.said[name]) if field.kind == "names" else told.said[name]
        if kind is acts.LoadTerms:
            made["text"] = self._text
        elif kind is acts.Approve:
            made["digest"] = self.event.terms.digest
        elif kind is acts.Draw:
            made["entropy"] = "5eed" * 16
        try:
            act = act_of(told.word.name, made)
        except BadAct as wrong:
            raise self._case.wrong(place, str(wrong)) from None
        answer = self.event.do(act, self._doer(told.said.get("by") or _usual(kind)))
        return "ok" if answer.ok else _refused(answer.clauses, answer.text)

    # -- who and where -------------------------------------------------------------------------------------------------

    @property
    def _all(self) -> list[EventTable]:
        return list(self.event.tables.values())

    def _table(self, told: Told, place: str) -> EventTable:
        if "table" in told.said:
            return self._named(told.said["table"], place)
        if len(self._all) > 1:
            raise self._case.wrong(place, "say which table: there are several")
        return self._all[0]

    def _named(self, name: str, place: str) -> EventTable:
        if name not in self.event.tables:
            raise self._case.wrong(place, f"no table {name!r}; {closest(name, self.event.tables)}")
        return self.event.tables[name]

    def _person(self, table: EventTable, who: str) -> Person:
        presence = table.session.state.presence
        if who == "director":
            return Person(presence.director or "director", 0, ("director",))
        if who == "deputy":
            return Person("deputy", 0, ("deputy",))
        return Person(f"S{RANKS.get(who, 0)}", RANKS.get(who, 0))

    def _doer(self, who: str) -> By:
        if who == "operator":
            return By(who, self.event.terms.tournament.approved.by)
        return By(who.lower(), who if who in (*RANKS, "COO") and who != "dealer" else "")

    # -- what came of it -----------------------------------------------------------------------------------------------

    def _compare(self, expected: dict[str, Any]) -> None:
        for name, wanted in expected.items():
            if name == "refused" or (look := getattr(self, f"_found_{name}", None)) is None:
                continue
            found = look(wanted)
            if found != wanted:
                self._outcome.wrong(f"{name}: {_said(name, found)}, expected {_said(name, wanted)}")
        if self.event.terms.wagers.levels and not self.event.conserved():
            self._outcome.wrong("units were lost or made")

    def _at_table(self, number: str) -> EventTable | None:
        def plays(one: EventTable) -> bool:
            found = one.session.state.entrants.get(number)
            return found is not None and found.standing != "moved"

        return next((one for one in self._all if plays(one)), None)

    def _found_banks(self, wanted: dict[str, int]) -> dict[str, int]:
        def bank(number: str) -> int:
            at = self._at_table(number)
            return int(at.session.bank(number) if at is not None else self.event.hall.entrant(number).bank)

        return {number: bank(number) for number in wanted}

    def _found_markers(self, wanted: dict[str, dict[str, int]]) -> dict[str, Any]:
        def held(number: str) -> dict[str, int]:
            at = self._at_table(number)
            return at.session.state.entrants[number].markers if at is not None else {}

        return {who: {kind: held(who).get(kind, 0) for kind in kinds} for who, kinds in wanted.items()}

    def _found_standing(self, wanted: dict[str, str]) -> dict[str, str]:
        return {number: self.event.hall.entrant(number).phase for number in wanted}

    def _found_places(self, wanted: dict[str, int]) -> dict[str, int]:
        return {number: self.event.hall.state.places.get(number, 0) for number in wanted}

    def _found_prizes(self, wanted: dict[str, int]) -> dict[str, int]:
        return {number: self.event.hall.state.prizes.get(number, 0) for number in wanted}

    def _found_refunds(self, wanted: dict[str, int]) -> dict[str, int]:
        return {number: self.event.hall.entrant(number).refunded for number in wanted}

    def _found_left(self, wanted: int) -> int:
        return len(self.event.hall.state.left)

    def _found_entered(self, wanted: int) -> int:
        return len(self.event.hall.state.field)

    def _found_scored(self, wanted: dict[str, int]) -> dict[str, int]:
        return {name: self._named(name, "expected").session.state.scored for name in wanted}

    def _found_tables(self, wanted: dict[str, str]) -> dict[str, str]:
        return {name: self._named(name, "expected").phase for name in wanted}

    def _found_event(self, wanted: str) -> str:
        return str(self.event.hall.state.phase)

    def _found_tickets(self, wanted: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {"entrant": one.entrant, "from": one.origin.table, "to": one.to.table, "stack": one.stack,
             "state": one.phase}
            for one in self.event.hall.state.tickets.values()
        ]  # fmt: skip

    def _found_asked(self, wanted: list[str]) -> list[str]:
        return [asked.subject.partition(":")[0] for one in self._all
                for asked in one.runtime.table.state.desk.prompts.values()]  # fmt: skip

    def _found_alarms(self, wanted: list[str]) -> list[str]:
        found = list(self.event.hall.state.alarms.values())
        if len(found) == len(wanted) and all(part in text for part, text in zip(wanted, found, strict=True)):
            return wanted
        return found


def _usual(act: type[acts.Act]) -> str:
    """Who does this where the case does not say."""
    return {"approver": "operator", "executive": "COO"}.get(act.who, act.who)


def _refused(clauses: tuple[str, ...], text: str) -> str:
    return f"refused {', '.join(clauses)}: {text}".replace(" :", ":")


def _as_wanted(came: str, wanted: str) -> bool:
    if not wanted.startswith("refused"):
        return came == wanted
    clauses = [one.strip() for one in wanted.removeprefix("refused").split(",") if one.strip()]
    told = [one.strip() for one in came.removeprefix("refused").split(": ")[0].split(",")]
    return came.startswith("refused") and all(clause in told for clause in clauses)


def _said(name: str, value: Any) -> str:
    if name in ("prizes", "refunds") and isinstance(value, dict):
        return str({who: dollars(cents) for who, cents in value.items()})
    return str(value)


def _plain(form: dict[str, Any]) -> dict[str, Any]:
    """Numbers of a file as a form sends them."""
    return {name: int(value) if isinstance(value, Decimal) else value for name, value in form.items()}
