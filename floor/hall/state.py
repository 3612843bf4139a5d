"""What the hall knows of its event: plain values, made from its journal alone."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.tournament.standings import Group, Out
from controller.tournament.terms import Terms


class By(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who does something: number, rank on the ladder of the event's rulebook and office, empty for none."""

    id: str
    rank: str = ""
    office: str = ""


class Entrant(msgspec.Struct):
    """One entrant; journals name the number alone, the name stays in the hall's register (n.4.8(e))."""

    number: str
    phase: str = "applied"
    interrupted_from: str = ""
    signed: bool = False
    flags: tuple[str, ...] = ()  # employee, contractor, associate
    may_be_named: bool = False
    paid: dict[str, int] = {}
    refunded: int = 0
    table: str = ""
    seat: int = 0
    bank: int = 0
    rebuys: int = 0
    add_ons: int = 0
    buy_backs: int = 0
    replaced_by: str = ""
    held: str = ""  # why winnings are held back (war 11.2.3)

    @property
    def paid_in_all(self) -> int:
        return sum(self.paid.values())


class TableSeen(msgspec.Struct):
    """What one table has said: up to which row of which journal, and how its session stands."""

    name: str
    journal: str = ""
    seq: int = 0
    offset_ms: int | None = None  # how far its clock is behind the hall's, at most
    designated: bool = False
    session: str = ""
    begun: bool = False
    scored: int = 0
    banks: dict[str, int] = {}
    counted: dict[str, int] = {}
    counted_at: int = 0
    agreed: bool = False
    tray: int = 0

    @property
    def ledger(self) -> int:
        return sum(self.banks.values())


class Seat(msgspec.Struct, frozen=True):
    """Where somebody sits."""

    table: str
    seat: int


class SessionState(msgspec.Struct):
    """One session as it went."""

    number: int
    phase: str = "planned"
    interrupted_from: str = ""
    seats: dict[str, Seat] = {}
    entropy: str = ""
    clock_from: int = 0  # when the first table began, from which all levels go
    briefed_by: str = ""
    started_at: int = 0
    banks: dict[str, int] = {}
    at_table: dict[str, str] = {}
    order: tuple[Group, ...] = ()
    through: tuple[str, ...] = ()
    confirmed: bool = False


class TicketState(msgspec.Struct):
    """A move from its order to its end."""

    number: int
    entrant: str
    origin: Seat
    to: Seat
    ordered_by: str
    rank: str
    ordered_at: int
    phase: str = "ordered"
    interrupted_from: str = ""
    stack: int = 0
    read: int = 0
    why: str = ""


class MovedStart(msgspec.Struct):
    """A start that the Director moved, and who was told when."""

    was: str
    now: str
    told: str
    told_at: int
    regulator_at: int = 0


class Dispute(msgspec.Struct):
    """What somebody disputed, who decided it, and that the complaint right was told."""

    about: str
    entrant: str
    at: int
    of_the_game: bool = False
    decision: str = ""
    by: str = ""


class Sent(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order for a table; `by` where it rests on somebody else than who or what it follows from."""

    table: str
    kind: str
    args: dict[str, Any]
    by: By | None = None


class HallState(msgspec.Struct):
    """The event, from the first draft of its terms until the tables are free again."""

    phase: str = "drafted"
    interrupted_from: str = ""
    terms: Terms | None = None
    approved_by: str = ""
    released_by: str = ""  # AM, with the schedule in the terms (T-11)
    available_at: int = 0
    inspectorate_at: int = 0
    regulator_due: str = ""
    director: str = ""
    deputies: tuple[str, ...] = ()
    seen: dict[str, int] = {}
    starts: str = ""
    moved: list[MovedStart] = []
    approvals: dict[str, str] = {}
    entrants: dict[str, Entrant] = {}
    tables: dict[str, TableSeen] = {}
    sessions: list[SessionState] = []
    tickets: dict[int, TicketState] = {}
    outs: dict[str, Out] = {}
    decided: list[tuple[str, ...]] = []
    issued: int = 0
    removed: int = 0
    in_transit: int = 0
    final: tuple[Group, ...] = ()
    places: dict[str, int] = {}
    pool: int = 0
    prizes: dict[str, int] = {}
    deal: dict[str, int] = {}
    cash: dict[str, int] = {}
    refunds: dict[str, int] = {}
    disputes: list[Dispute] = []
    alarms: dict[str, str] = {}
    paused_at: int = 0
    stood_ms: int = 0
    broken: tuple[str, ...] = ()
    to_break: dict[str, By] = {}
    given: dict[str, Sent] = {}  # the last order of each kind to each table
    refused: dict[str, list[str]] = {}  # kinds that a table would not carry out, until they are given again
    hand_for_hand: bool = False
    done: list[str] = []  # tables that wait for the others, hand for hand

    @property
    def field(self) -> list[Entrant]:
        """All who take part, or took part: nobody who only applied, withdrew or was replaced."""
        gone = ("applied", "withdrawn", "replaced")
        return [one for one in self.entrants.values() if one.phase not in gone]

    @property
    def left(self) -> list[Entrant]:
        """Who is still in."""
        return [one for one in self.field if one.phase in ("entered", "seated", "playing", "in_transit", "through")]

    @property
    def session(self) -> SessionState | None:
        return self.sessions[-1] if self.sessions else None


class Note(msgspec.Struct, frozen=True):
    """A record of the event: what, in words, on which clauses."""

    code: str
    text: str
    clauses: tuple[str, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """What came of an act or of a table's row."""

    ok: bool
    text: str = ""
    clauses: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    orders: tuple[Sent, ...] = ()

    def said(self) -> str:
        if self.ok:
            return f"ok, {self.text}" if self.text else "ok"
        rests = f" {', '.join(self.clauses)}" if self.clauses else ""
        return f"refused{rests}: {self.text}"
