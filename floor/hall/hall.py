"""The hall of one event: takes what people do and what tables say, and concludes; no clock, no network, no chance.

Everything it knows comes from these two, so a restart, a dispute and a test are one path: hear it all again.
"""

from __future__ import annotations

from typing import Any, NoReturn

from controller.core.desk import Refusal
from controller.core.machine import NotNow, StrictMachine
from controller.rules.rulebook import load_rulebook
from controller.tournament.book import Book, load_book
from controller.tournament.standings import Order
from controller.tournament.terms import SessionTerms, Terms
from floor.hall import acts, again, field, moves, outcome, papers, registration, sessions
from floor.hall.acts import Act
from floor.hall.event import (
    ENTRANT,
    ENTRANT_STATES,
    EVENT,
    SESSION,
    SESSION_STATES,
    STATES,
    TICKET,
    TICKET_STATES,
)
from floor.hall.field import TableSaid
from floor.hall.state import Answer, By, Entrant, HallState, Note, Sent, SessionState, TableSeen, TicketState

EXECUTIVES = ("COO", "CEO")
FREELY = ("desk", "director", "approver", "executive")


class Hall:
    """The model of all four machines; each row's guard, action and consequence stands in the module of its matter."""

    take_terms = papers.take_terms
    take_approval = papers.take_approval
    take_director = papers.take_director
    take_deputy = papers.take_deputy
    note_seen = papers.note_seen
    inspectorate_knows = papers.inspectorate_knows
    terms_are_out = papers.terms_are_out
    note_available = papers.note_available
    note_inspectorate = papers.note_inspectorate
    note_moved_start = papers.note_moved_start
    note_regulator = papers.note_regulator
    note_suspended = papers.note_suspended
    before_play = papers.before_play
    in_play = papers.in_play
    begin_entries = registration.begin_entries
    take_entry = registration.take_entry
    take_entrant_approval = registration.take_entrant_approval
    take_signature = registration.take_signature
    enough_entered = registration.enough_entered
    say_short = registration.say_short
    take_withdrawal = registration.take_withdrawal
    move_list_up = registration.move_list_up
    take_substitute = registration.take_substitute
    take_refund = registration.take_refund
    list_refunds = registration.list_refunds
    designate_tables = sessions.designate_tables
    draw_seats = sessions.draw_seats
    note_briefing = sessions.note_briefing
    begin_session = sessions.begin_session
    stop_clock = sessions.stop_clock
    start_clock = sessions.start_clock
    set_hand_for_hand = sessions.set_hand_for_hand
    let_next_hand = sessions.let_next_hand
    work_out_order = sessions.work_out_order
    take_tie = sessions.take_tie
    confirm_progress = sessions.confirm_progress
    let_back = sessions.let_back
    take_order = field.take_order
    order_move = moves.order_move
    order_break = moves.order_break
    undo_elimination = again.undo_elimination
    take_rebuy = again.take_rebuy
    take_add_on = again.take_add_on
    take_buy_back = again.take_buy_back
    take_retirement = again.take_retirement
    take_disqualification = again.take_disqualification
    hold_winnings = again.hold_winnings
    let_winnings_go = again.let_winnings_go
    fix_order = outcome.fix_order
    take_deal = outcome.take_deal
    fix_prizes = outcome.fix_prizes
    turn_into_cash = outcome.turn_into_cash
    begin_dispute = outcome.begin_dispute
    end_dispute = outcome.end_dispute
    let_tables_go = outcome.let_tables_go
    give_up = outcome.give_up

    def __init__(self) -> None:
        self.state = HallState()
        self.at = 0
        self._notes: list[Note] = []
        self._orders: list[Sent] = []
        self._said: list[str] = []
        moved = self._moved
        self.machine = StrictMachine("event", self, STATES, EVENT, "drafted", moved, final=("over",))
        self.machine.stand_with(self.state)
        self._entrants = StrictMachine(
            "entrant", self, ENTRANT_STATES, ENTRANT, "applied", moved,
            final=("withdrawn", "replaced", "disqualified", "placed"),
        )  # fmt: skip
        self._tickets = StrictMachine(
            "ticket", self, TICKET_STATES, TICKET, "ordered", moved, final=("accepted", "called_off")
        )
        self._sessions = StrictMachine("session", self, SESSION_STATES, SESSION, "planned", moved, final=("over",))

    def _moved(self, machine: str, source: str, dest: str, trigger: str) -> None:
        """Places are kept with what moves; nothing else need be told."""

    # -- doing and hearing ---------------------------------------------------------------------------------------------

    def do(self, act: Act, by: By, at: int) -> Answer:
        """What somebody does, at this time; a refusal changes nothing."""
        self._begin(at)
        try:
            self._may(act, by)
            self._fire(act, by)
        except Refusal as refusal:
            return Answer(False, refusal.text, refusal.clauses)
        except NotNow as no:
            return Answer(False, f"{act.words}: not while the {_words(no)}.", self._clauses(act.clause))
        if by.id in (self.state.director, *self.state.deputies):
            self.state.seen[by.id] = at
        return self._answer()

    def hear(self, said: TableSaid, at: int) -> Answer:
        """What a table said; a row that was heard before changes nothing."""
        self._begin(at)
        if self.state.terms is None:
            return Answer(False, f"{said.table} speaks of an event that has no terms here.")
        if not field.hear(self, said):
            return Answer(False, f"row {said.seq} of {said.table} was heard before")
        return self._answer()

    def _begin(self, at: int) -> None:
        self.at, self._notes, self._orders, self._said = at, [], [], []

    def _answer(self) -> Answer:
        return Answer(True, "; ".join(self._said), (), tuple(self._notes), tuple(self._orders))

    def _fire(self, act: Act, by: By) -> None:
        if act.machine == "entrant":
            self.fire_entrant(act.trigger, self.entrant(act.entrant), act, by)  # type: ignore[attr-defined]
        elif isinstance(act, acts.OrderAgain):
            sessions.order_again(self, act)
        elif isinstance(act, acts.Enter) and not self.machine.can("enter"):
            registration.not_open(self)
        elif isinstance(act, acts.Draw) and self.state.phase in ("seated", "running"):
            self.refuse("The seats of this session are drawn already, and there is no second draw.", "1")
        else:
            self.machine.fire(act.trigger, act, by)

    def offered(self, by: By) -> list[type[Act]]:
        """What this person may do now: rank or role fits, and a machine has a way."""
        return [act for act in acts.ACTS if self._allowed(act.who, by) and self._can(act)]

    def _can(self, act: type[Act]) -> bool:
        trigger = acts.trigger_of(act)
        if act is acts.OrderAgain:  # in every state: a table that was not let go is told after the event is over
            return bool(self.state.refused)
        if act.machine == "entrant":
            sources = self._entrants.when(trigger)
            return any(one.phase in sources for one in self.state.entrants.values())
        return self.machine.can(trigger)

    # -- who -----------------------------------------------------------------------------------------------------------

    def directs(self, by: By) -> bool:
        """Director or deputy: a role, which no rank replaces (T-8)."""
        return bool(by.id) and by.id in (self.state.director, *self.state.deputies)

    def ranks(self, by: By, rank: str) -> bool:
        if self.state.terms is None:
            return bool(by.rank)
        book = load_rulebook(self.terms.rulebook)
        return book.level(by.rank) >= max(book.level(rank), 1)

    def _allowed(self, who: str, by: By) -> bool:
        if who == "desk":
            return bool(by.id)
        if who == "director":
            return self.directs(by)
        if who == "approver":
            return self.state.terms is not None and self.terms.tournament.approved.by in (by.rank, by.office)
        if who == "executive":
            return bool({by.rank, by.office} & {"Chief Operating Officer", "Chief Executive Officer", *EXECUTIVES})
        return self.ranks(by, who)

    def _may(self, act: Act, by: By) -> None:
        if self._allowed(act.who, by):
            return
        asked = {
            "director": "the Director", "approver": "the person whom the casino operator named",
            "executive": "an executive officer", "desk": "somebody signed in",
        }.get(act.who, f"{act.who} or above")  # fmt: skip
        self.refuse(f"{by.rank or by.id} is not {asked}." if act.who in FREELY else f"It takes {asked}.", act.clause)

    def director_present(self) -> bool:
        """Somebody whose presence counts gave proof of it not too long ago (T-4, T-5)."""
        options = self.book.options
        count = (self.state.director, *(self.state.deputies if options.deputy_counts_as_present else ()))
        return any(self.at - self.state.seen.get(who, -(10**15)) <= options.presence_minutes * 60_000 for who in count)

    # -- what the modules ask for --------------------------------------------------------------------------------------

    @property
    def terms(self) -> Terms:
        if self.state.terms is None:
            self.refuse("No terms are loaded.")
        return self.state.terms

    @property
    def book(self) -> Book:
        return load_book(self.terms.rulebook)

    @property
    def session(self) -> SessionState:
        if self.state.session is None:
            self.refuse("No session is drawn yet.", "4.3(a)(i)")
        return self.state.session

    @property
    def session_terms(self) -> SessionTerms:
        return self.terms.sessions[self.session.number]

    def entrant(self, number: str) -> Entrant:
        found = self.state.entrants.get(number)
        if found is None:
            self.refuse(f"There is no entrant {number}.", "4.2(c)")
        return found

    def table(self, name: str) -> TableSeen:
        return self.state.tables.setdefault(name, TableSeen(name))

    def playing_tables(self) -> list[str]:
        """Tables of the session that have not counted yet."""
        if self.state.session is None or self.state.phase != "running":
            return []
        names = {seat.table for seat in self.session.seats.values()} - set(self.state.broken)
        return sorted(name for name in names if not self.table(name).agreed)

    def all_agreed(self) -> bool:
        return bool(self.state.session) and not (
            {seat.table for seat in self.session.seats.values()}
            - {name for name, table in self.state.tables.items() if table.agreed}
        )

    def outs_of(self, numbers: set[str]) -> Order:
        return field.going(self, numbers).order

    def outs_of_session(self) -> Order:
        return field.going(self, set(self.session.seats) | set(self.session.banks)).order

    def barred(self) -> set[str]:
        return outcome.barred(self)

    def nothing_due(self) -> None:
        """Held until the regulator was told (n.4.1(c))."""
        if self.state.regulator_due:
            self.refuse(f"Held until the regulator is told: {self.state.regulator_due}.", "4.1(c)")

    def fire_entrant(self, trigger: str, one: Entrant, *args: Any) -> None:
        self._entrants.stand_with(one)
        self._entrants.fire(trigger, *args)

    def entrants_may(self, trigger: str, one: Entrant) -> bool:
        self._entrants.stand_with(one)
        return self._entrants.can(trigger)

    def fire_ticket(self, trigger: str, ticket: TicketState, *args: Any) -> None:
        self._tickets.stand_with(ticket)
        self._tickets.fire(trigger, *args)

    def fire_session(self, trigger: str, session: SessionState) -> None:
        self._sessions.stand_with(session)
        self._sessions.fire(trigger)

    # -- words ---------------------------------------------------------------------------------------------------------

    def _clauses(self, *endings: str) -> tuple[str, ...]:
        if self.state.terms is None:
            return ()
        return self.book.clauses(*(ending for ending in endings if ending))

    def refuse(self, text: str, *endings: str, clauses: tuple[str, ...] = ()) -> NoReturn:
        raise Refusal("hall", text, (*clauses, *self._clauses(*endings)))

    def note(self, code: str, text: str, *endings: str, rule: str = "") -> None:
        """A record of the event."""
        self._notes.append(Note(code, text, (*self._clauses(*endings), *((rule,) if rule else ()))))

    def say(self, text: str) -> None:
        self._said.append(text)

    def order(self, table: str, kind: str, by: By | None = None, **args: Any) -> None:
        self.send(Sent(table, kind, args, by))

    def send(self, sent: Sent) -> None:
        self.state.given[f"{sent.table}:{sent.kind}"] = sent
        self._orders.append(sent)

    def alarm(self, code: str, text: str) -> None:
        """Something that somebody must look at; it stands until it is seen to."""
        if self.state.alarms.get(code) != text:
            self.state.alarms[code] = text
            self._notes.append(Note("alarm", text))


def _words(no: NotNow) -> str:
    return str(no).split(" cannot ")[0] + " is " + no.state.replace("_", " ")
