"""A case of the hall alone: what its tables have said so far, and whether all their counts come to what was issued."""

from __future__ import annotations

import itertools
from typing import Any

from controller.tournament.checks import terms_of
from controller.tournament.moments import moment
from floor.hall import acts, field
from floor.hall.acts import Act
from floor.hall.field import TableSaid
from floor.hall.hall import Hall
from floor.hall.state import By
from lab.hall.event import AM, DESK, DIRECTOR, Stuck


class ToldHall:
    """A hall, and the voices of its tables."""

    def __init__(self, text: str, entrants: int) -> None:
        self.hall, terms = Hall(), terms_of(text)
        self.at = moment(terms.tournament.starts)
        self._rows: dict[str, itertools.count[int]] = {}
        self.do(acts.LoadTerms(text), AM)
        self.do(acts.NameDirector(DIRECTOR.id), AM)
        self.do(acts.Approve(terms.digest), By("operator", terms.tournament.approved.by))
        self.do(acts.TermsAvailable("at the desk"))
        self.do(acts.InspectorateTold("on duty"))
        self.do(acts.OpenEntries())
        for number in range(1, entrants + 1):
            self.do(acts.Enter(f"P{number}", signed=True), DESK)
        self.do(acts.CloseEntries())
        self.do(acts.Designate())
        for name in terms.sessions[0].tables:
            self.say(name, "designated")
        self.do(acts.Draw("5eed" * 16))
        self.do(acts.Brief())
        self.do(acts.StartSession())
        for name in terms.sessions[0].tables:
            there = {who: seat.seat for who, seat in self.hall.session.seats.items() if seat.table == name}
            self.say(name, "roster", session=terms.sessions[0].name, entrants=there)
            for who in there:
                self.book(name, who, "start", terms.bank.units)
            self.say(name, "begun", session=terms.sessions[0].name)

    def do(self, act: Act, by: By = DIRECTOR) -> None:
        answer = self.hall.do(act, by, self.at)
        if not answer.ok:
            raise Stuck(f"{act.words}: {answer.said()}")

    def say(self, table: str, what: str, **facts: Any) -> None:
        row = next(self._rows.setdefault(table, itertools.count(1)))
        self.hall.hear(TableSaid(table, f"{table}-journal", row, self.at, what, facts), self.at)

    def book(self, table: str, who: str, kind: str, units: int) -> None:
        bank = self.hall.table(table).banks.get(who, 0) + units
        self.say(table, "ledger", entrant=who, kind=kind, units=units, bank=bank)

    def lead(self, given: dict[str, Any]) -> None:
        """Banks bought again, removed, won and lost, until each table's ledger comes to what is given."""
        tables = list(given["ledger"])
        units = self.hall.terms.bank.units
        for number in range(given.get("rebuys", 0)):
            name = tables[number % len(tables)]
            self.book(name, sorted(self.hall.table(name).banks)[number // len(tables)], "rebuy", units)
        if removed := given.get("removed", 0):
            name = tables[0]
            out = sorted(self.hall.table(name).banks)[-1]
            self.book(name, out, "result", removed - self.hall.table(name).banks[out])
            self.book(name, out, "removed", -removed)
        for name, ledger in given["ledger"].items():
            who = sorted(self.hall.table(name).banks)[1]
            self.book(name, who, "result", ledger - self.hall.table(name).ledger)

    def expected(self) -> int:
        return field.units_expected(self.hall)
