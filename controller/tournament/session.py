"""A table inside a tournament: the third machine beside its life and its round, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from controller.core.desk import Desk, Refusal
from controller.core.effects import AnyEffect
from controller.core.machine import Row, StrictMachine, interrupt, resume
from controller.money.amounts import UNIT
from controller.people import Person
from controller.tournament import beginning, ending, rounds
from controller.tournament.book import Book
from controller.tournament.ledger import Kind, LedgerRow
from controller.tournament.questions import QUESTIONS
from controller.tournament.state import Entrant, EventState
from controller.tournament.terms import SessionTerms, Terms

if TYPE_CHECKING:
    from controller.tournament.table import TournamentTable

WHILE = {
    "free": "the table is in no tournament",
    "designated": "the players of the session are not named yet",
    "set": "the session has not begun",
    "practising": "practice rounds are played",
    "playing": "the session is played",
    "held": "nobody is present who decides",
    "paused": "the session is paused",
    "emptying": "the table is being broken up",
    "counting": "the players' chips are being counted",
    "counted": "the counts wait for the hall",
    "waiting": "the next session is waited for",
}
"""The states of a session at this table, and how a refusal says each."""
UNDER_WAY = ("playing", "held", "paused")
ROWS = (
    # before play
    Row("designate", "free", "designated", action="take_designation", then="show_event"),
    Row("roster", ("designated", "waiting"), "set", action="take_roster", then="show_event"),
    Row("practise", "set", "practising", action="begin_practice"),
    Row("practice_ended", "practising", "set", action="end_practice"),
    Row("begin", "set", "playing", action="begin_session", then=("begin_levels", "hold_unless_present")),
    Row("release", ("designated", "set", "waiting"), "free", action="let_table_go", then="show_event"),
    # standing still
    interrupt("presence_lost", "playing", "held", then="say_held"),
    resume("presence", "held", then="say_goes_on"),
    interrupt("pause", "playing", "paused", then="say_paused"),
    resume("go_on", "paused", then=("clock_goes_on", "say_goes_on", "hold_unless_present")),
    # the end
    Row("end_reached", UNDER_WAY, "counting", then="ask_for_counts"),
    Row("early_end", UNDER_WAY, "counting", then="ask_for_counts"),
    Row("abandon", UNDER_WAY, "counting", then="ask_for_counts"),
    Row("break_table", UNDER_WAY, "emptying", then="say_breaks"),
    Row("last_left", "emptying", "counting", then="ask_for_counts"),
    Row("counts_read", "counting", "counted", then="compare_counts"),
    Row("agree", "counted", "waiting", action="agree_counts", then="tell_hall"),
)


class Felt(Protocol):
    """What a game says of its felt to a tournament at its table."""

    begins: frozenset[str]
    """Keys by which a round begins."""
    closes: frozenset[str]
    """Keys by which betting closes."""
    barred: frozenset[str]
    """Keys that have no place in a tournament: who sits where is drawn, and money is none."""
    opened_before_close: bool
    """Whether a secret wager lies on the layout before betting is closed."""

    def places(self) -> int:
        """How many this table seats."""
        ...

    def seat(self, seat: int, player: str, units: int) -> None: ...

    def hold(self, player: str, units: int) -> None:
        """The bank of an entrant is this now."""
        ...

    def in_hand(self, player: str) -> bool:
        """Whether this entrant plays in the round under way."""
        ...

    def lay_aside(self) -> dict[str, Any]:
        """What the game is played by for cash."""
        ...

    def take_up(self, kept: dict[str, Any]) -> None: ...

    def take_level(self, small: int, big: int) -> None:
        """Blinds of the level that the next hand is played at."""
        ...

    def leave(self, player: str) -> None: ...

    def closed(self) -> bool:
        """Whether nobody may lay anything any more."""
        ...

    def under_way(self) -> bool:
        """Whether a round is dealt, or spun, and not over."""
        ...

    def staked(self, player: str) -> dict[str, int]:
        """What lies in play for this entrant by zone, in units."""
        ...

    def open_stakes(self, player: str) -> int:
        """Units on the layout that nothing is decided about yet."""
        ...

    def lying(self, player: str) -> int:
        """Units that lie at this entrant's place, whatever for."""
        ...

    def zones(self) -> tuple[str, ...]: ...

    def most(self, zone: str) -> int:
        """What counts at most, in units."""
        ...

    def dealt(self, effects: list[AnyEffect]) -> bool:
        """Whether these say that stakes are fixed and the round is played."""
        ...

    def over(self, effects: list[AnyEffect]) -> str:
        """Whether these say that a round is over: "valid", "void", "again" where it is played anew, or nothing."""
        ...

    def keep(self) -> dict[str, list[str]]:
        """What the game knows of players that a practice must not change."""
        ...

    def put_back(self, kept: dict[str, list[str]]) -> None: ...

    def claim(self, holders: dict[str, str]) -> None:
        """Chips of a colour are its holder's."""
        ...

    def strangers(self, players: set[str]) -> list[str]:
        """Where wagers lie that are nobody's of these."""
        ...

    def allows(self, terms: Terms) -> Refusal | None:
        """What of this table does not fit the terms."""
        ...


class Session:
    """The model of the machine, and what keys, questions and alarms of a tournament are about."""

    take_designation = beginning.take_designation
    take_roster = beginning.take_roster
    show_event = beginning.show_event
    begin_practice = beginning.begin_practice
    end_practice = beginning.end_practice
    begin_session = beginning.begin_session
    let_table_go = ending.let_table_go
    hold_unless_present = rounds.hold_unless_present
    say_held = rounds.say_held
    say_paused = rounds.say_paused
    say_goes_on = rounds.say_goes_on
    clock_goes_on = rounds.clock_goes_on
    begin_levels = rounds.begin_levels
    ask_for_counts = ending.ask_for_counts
    say_breaks = ending.say_breaks
    compare_counts = ending.compare_counts
    agree_counts = ending.agree_counts
    tell_hall = ending.tell_hall

    def __init__(self, table: TournamentTable, book: Book) -> None:
        self.table = table
        self.book = book
        self.state: EventState = EventState()
        self.acting = ""  # who presses the key that is being taken, which shows them to be here
        self.felt: Felt
        self.machine = StrictMachine("tournament", self, WHILE, ROWS, "free", self._moved)

    @property
    def desk(self) -> Desk:
        return self.table.desk

    @property
    def phase(self) -> str:
        return self.machine.state

    @property
    def taken(self) -> bool:
        """Whether the table is an event's and nobody else's."""
        return self.machine.state != "free"

    @property
    def terms(self) -> Terms:
        assert self.state.terms is not None  # from the designation on
        return self.state.terms

    @property
    def session(self) -> SessionTerms:
        assert self.state.session is not None  # from the roster on
        return self.state.session

    def _moved(self, machine: str, source: str, dest: str, trigger: str) -> None:
        self.state.stands, self.state.came_from = self.machine.saved()
        self.desk.moved(machine, source, dest, trigger)

    def restore(self, state: EventState) -> None:
        """Stand where a snapshot was taken."""
        self.state = state
        self.machine.restore(state.stands, state.came_from)

    def present(self) -> bool:
        """Whether a Director is here; whoever presses a key now is."""
        presence = self.state.presence
        return presence.counts(self.acting) or presence.present(self.desk.at)

    # -- words -------------------------------------------------------------------------------------------------

    def clauses(self, *endings: str) -> tuple[str, ...]:
        return self.book.clauses(*endings)

    def refuse(self, code: str, text: str, *endings: str) -> NoReturn:
        raise Refusal(code, text, self.clauses(*endings))

    def refuse_citing(self, code: str, text: str, clauses: tuple[str, ...]) -> NoReturn:
        """Refuse by a clause of the game itself, which prevails over the terms (4.8(c))."""
        raise Refusal(code, text, clauses)

    def note(self, what: str, endings: tuple[str, ...] = (), **facts: Any) -> None:
        """A record of the event; each names its terms by their digest."""
        terms = self.state.terms
        named = {"tournament": terms.id, "terms": terms.digest} if terms is not None else {}
        self.desk.note(f"tournament_{what}", self.clauses(*endings), **named, **facts)

    def say(self, code: str, text: str, *endings: str, to: str = "dealer") -> None:
        self.desk.announce(to, code, text, self.clauses(*endings))

    def felt_allows(self, terms: Terms) -> None:
        if (no := self.felt.allows(terms)) is not None:
            raise no

    def ask(self, subject: str, about: Any) -> None:
        """Put a question to the Director, once."""
        name = about[0] if isinstance(about, tuple) else about
        if not any(asked.subject == f"{subject}:{name}" for asked in self.desk.state.prompts.values()):
            QUESTIONS.ask(self, subject, about)

    def withdraw_about(self, number: str) -> list[str]:
        """Nobody is asked any more about somebody who has left; what was asked."""
        open_ = {asked.subject for asked in self.desk.state.prompts.values()}
        found = [subject for subject in ("breach", "phone") if f"{subject}:{number}" in open_]
        for subject in found:
            self.desk.withdraw(f"{subject}:{number}")
        return found

    # -- entrants and their banks ------------------------------------------------------------------------------

    def entrant(self, number: str) -> Entrant:
        found = self.state.entrants.get(number)
        if found is None or not found.plays:
            there = ", ".join(one.number for one in self.state.playing()) or "nobody"
            self.refuse("no_entrant", f"{number} does not play at this table; there is {there}.", "2.5")
        return found

    def bank(self, number: str) -> int:
        return self.state.ledger.bank(number)

    def book_units(self, number: str, kind: Kind, units: int, by: str = "", note: str = "") -> None:
        """One row of an entrant's ledger, which is also a record."""
        self.booked(LedgerRow(number, kind, units, self.desk.at, self.table.state.round, by, note), new=True)

    def booked(self, row: LedgerRow, new: bool = False) -> None:
        if new:
            self.state.ledger.book(row)
            self.felt.hold(row.entrant, self.bank(row.entrant))
        self.note("ledger", ("4.3(b)",), entrant=row.entrant, kind=row.kind, units=row.units, round=row.round,
                  by=row.by, why=row.note, bank=self.bank(row.entrant))  # fmt: skip

    def to_tray(self, units: int, by: Person, player: str) -> None:
        """Chips go between a bank and the tray for something else than a wager; below nothing they come out of it."""
        if units:
            self.table.money.book("taken_back" if units > 0 else "given_back", abs(units) * UNIT, by, player)

    def issue(self, units: int) -> None:
        """The hall has issued further chips: they count among this table's own."""
        if self.state.issued is not None:
            self.state.issued += units

    def free(self, number: str) -> int:
        """Units of a bank that lie nowhere on the layout."""
        return self.bank(number) - self.felt.open_stakes(number)

    def tray(self) -> int:
        """Units in the tray, where antennas watch it."""
        return self.table.money.state.tray.value // UNIT

    def compulsory(self) -> int:
        """What must be staked in the round that begins now, or is under way."""
        return self.state.round.compulsory if self.state.round.number else rounds.compulsory_now(self)
