"""Halls for tests, brought where a case begins by what people do and tables say, never by setting a state."""

from __future__ import annotations

import itertools

from controller.tournament.moments import moment
from floor.hall import acts
from floor.hall.acts import Act
from floor.hall.field import TableSaid
from floor.hall.hall import Hall
from floor.hall.state import Answer, By
from tests.controller.tournament.stated import changed

TD = By("TD")
AM, HDD, ACM, DEALER = By("am7", "AM"), By("hdd3", "HDD"), By("acm1", "ACM"), By("d9", "dealer")
COO = By("coo", "Chief Operating Officer")
DESK = By("desk2")
DAY = "2026-11-28T"
ENTROPY = "5eed" * 16


def clock(text: str, day: str = DAY) -> int:
    """A time of the event's day."""
    return moment(f"{day}{text}+11:00")


class AtHall:
    """A hall and the people in it; `tell` is a table's voice, with a row number of its own."""

    def __init__(self, game: str = "war", *changes: tuple[str, str], at: str = "10:00", day: str = DAY) -> None:
        self.hall, self.text, self.day = Hall(), changed(game, *changes), day
        self.at = clock(at, day)
        self.answers: list[Answer] = []
        self._seqs: dict[str, itertools.count[int]] = {}

    def do(self, act: Act, by: By = TD, at: str = "") -> Answer:
        self.at = clock(at, self.day) if at else self.at
        answer = self.hall.do(act, by, self.at)
        self.answers.append(answer)
        return answer

    def must(self, *done: Act, by: By = TD) -> None:
        for act in done:
            answer = self.do(act, by)
            assert answer.ok, answer.said()

    def tell(self, table: str, what: str, **facts: object) -> Answer:
        seq = next(self._seqs.setdefault(table, itertools.count(1)))
        return self.hall.hear(TableSaid(table, f"{table}-journal", seq, self.at, what, dict(facts)), self.at)

    def approved(self) -> AtHall:
        self.must(acts.LoadTerms(self.text), acts.NameDirector("TD"), by=AM)
        self.must(acts.Approve(self.hall.terms.digest), by=COO)
        return self

    def entering(self, *entrants: str) -> AtHall:
        self.approved()
        self.must(
            acts.TermsAvailable("desk and web page"), acts.InspectorateTold("inspector on duty"), acts.OpenEntries()
        )
        self.must(*(acts.Enter(number, signed=True) for number in entrants), by=DESK)
        return self

    def seated(self, *entrants: str) -> AtHall:
        self.entering(*entrants)
        self.must(acts.CloseEntries(), acts.Designate())
        for name in self.hall.terms.sessions[0].tables:
            self.tell(name, "designated")
        self.must(acts.Draw(ENTROPY))
        return self

    def running(self, *entrants: str) -> AtHall:
        self.seated(*entrants)
        self.at = max(self.at, moment(self.hall.state.starts))
        self.must(acts.Brief(), acts.StartSession())
        self.begun()
        return self

    def begun(self) -> None:
        """Every table takes its roster and books the banks, as a table does."""
        session, terms = self.hall.session, self.hall.session_terms
        for table in sorted({seat.table for seat in session.seats.values()}):
            there = {number: seat.seat for number, seat in session.seats.items() if seat.table == table}
            self.tell(table, "roster", session=terms.name, entrants=there)
            for number in there:
                fresh = terms.bank == "fresh"
                units = self.hall.terms.bank.units if fresh else self.hall.entrant(number).bank
                self.tell(
                    table, "ledger", entrant=number, kind="start" if fresh else "carried", units=units, bank=units
                )
            self.tell(table, "begun", session=terms.name)

    def counts(self, banks: dict[str, int]) -> None:
        """The Director agrees these banks at each table, once the rows have brought them there."""
        session = self.hall.session
        for table in sorted({seat.table for seat in session.seats.values()}):
            there = {number: units for number, units in banks.items() if session.seats[number].table == table}
            for number, units in there.items():
                change = units - self.hall.table(table).banks[number]
                if change:
                    self.tell(table, "ledger", entrant=number, kind="result", units=change, bank=units)
            self.tell(table, "agreed", banks=there)
