"""Entrants who leave for another table or come from one: each with a ticket, a counted bank, and nobody in doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from controller.people import Person
from controller.tournament import markers
from controller.tournament.state import Entrant, Moving, Pending

if TYPE_CHECKING:
    from controller.tournament.session import Session


GOES_ALONG = ("warnings", "penalties", "owes", "rebought", "added_on")
"""What somebody has used up or has still to serve, and what no move washes away."""


class Ticketed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One move that the hall orders: who, to which table and seat, under which number."""

    entrant: str
    to: str
    seat: int
    ticket: int


class Coming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who was let go elsewhere: seat here, stack by the ticket, its number, and what was used up there."""

    entrant: str
    came_from: str
    seat: int
    stack: int
    ticket: int
    markers: dict[str, int] | None = None
    used: dict[str, int] = {}


class Breaking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table that is broken up: a ticket for everybody."""

    moves: tuple[Ticketed, ...]


# -- out -----------------------------------------------------------------------------------------------------------


def order_out(session: Session, move: Ticketed, by: Person) -> None:
    """After the round under way, or at once between two (8.10 of poker: ordered by HDD or above)."""
    one = session.entrant(move.entrant)
    session.state.pending.append(Pending("move_out", one.number, msgspec.json.encode(move).decode(), by.id))
    if not session.state.round.dealt:
        out(session, session.state.pending.pop())


def break_table(session: Session, breaking: Breaking, by: Person) -> None:
    """Everybody leaves with a ticket, and nobody is present when the table is counted (T-12)."""
    missing = {one.number for one in session.state.playing()} - {move.entrant for move in breaking.moves}
    if missing:
        text = f"{', '.join(sorted(missing))} has no ticket; a table is broken with one for everybody."
        session.refuse("no_ticket", text, "4.3(a)(ii)")
    if session.felt.under_way():
        session.refuse("round_under_way", "A round is under way; the table is broken after it.", "4.3(a)(ii)")
    session.machine.fire("break_table")
    for move in breaking.moves:
        out(session, Pending("move_out", move.entrant, msgspec.json.encode(move).decode(), by.id))


def out(session: Session, decided: Pending) -> None:
    """Let go: the bank leaves with its entrant, counted by the ledger."""
    move = msgspec.json.decode(decided.other, type=Ticketed)
    one = session.state.entrants[decided.entrant]
    units = session.bank(one.number)
    session.book_units(one.number, "moved_out", -units, decided.by, f"ticket {move.ticket} to {move.to}")
    session.issue(-units)
    one.standing = "moved"
    session.withdraw_about(one.number)
    session.felt.leave(one.number)
    facts = {"seat": one.seat, "to": move.to, "to_seat": move.seat, "stack": units, "ticket": move.ticket}
    used = {name: getattr(one, name) for name in GOES_ALONG}
    session.note(
        "released", ("4.3(a)(iii)",), entrant=one.number, by=decided.by, **facts, markers=one.markers, used=used
    )
    session.say(
        "moves", f"{one.number} goes to {move.to}, seat {move.seat}, with {units:,} (ticket {move.ticket}).", to="all"
    )
    if session.phase == "emptying" and not session.state.playing():
        session.machine.fire("last_left")


# -- in ------------------------------------------------------------------------------------------------------------


def order_in(session: Session, coming: Coming) -> None:
    """Somebody is on the way; nobody sits down before the chips were counted."""
    state = session.state
    if coming.ticket in state.tickets:
        session.refuse("ticket_used", f"Ticket {coming.ticket} was used before; call the Director.", "2.3")
    taken = state.at_seat(coming.seat)
    waiting = next((who for who, one in state.moving.items() if one.seat == coming.seat), "")
    if taken is not None or waiting:
        who = taken.number if taken is not None else waiting
        session.refuse("seat_taken", f"Seat {coming.seat} is {who}'s.", "4.3(a)(iii)")
    if (known := state.entrants.get(coming.entrant)) is not None and known.plays:
        session.refuse("here_already", f"{coming.entrant} plays here already.", "4.3(a)(iii)")
    state.tickets.append(coming.ticket)
    state.moving[coming.entrant] = Moving(
        coming.seat, coming.stack, coming.ticket, coming.came_from, coming.markers, coming.used
    )
    text = f"{coming.entrant} comes to seat {coming.seat} with {coming.stack:,} (ticket {coming.ticket})."
    session.say("comes", text)


def arrived(session: Session, number: str, units: int, by: Person) -> None:
    """The chips were counted: as on the ticket, or the Director decides first (T-57)."""
    moving = session.state.moving.get(number)
    if moving is None:
        session.refuse("no_ticket", f"No ticket of {number} is known here; without one no chips are taken in.", "2.5")
    session.note("arrived", ("4.3(a)(iii)",), entrant=number, counted=units, ticket=moving.ticket, by=by.id)
    if units == moving.stack:
        take_in(session, number, units, by)
    else:
        session.ask("ticket", (number, units))


def take_in(session: Session, number: str, units: int, by: Person) -> None:
    """Seated into play with what was counted; what was used up elsewhere stays used up."""
    moving = session.state.moving.pop(number)
    held = markers.held_by(session.terms) if moving.markers is None else dict(moving.markers)
    one = Entrant(number, moving.seat, markers=held)
    for name in GOES_ALONG:
        setattr(one, name, moving.used.get(name, 0))
    session.state.entrants[number] = one
    session.book_units(number, "moved_in", units, by.id, f"ticket {moving.ticket} from {moving.came_from}")
    session.issue(units)
    session.felt.seat(one.seat, number, units)


def send_back(session: Session, number: str, by: Person) -> None:
    """Not taken in: the hall hears of it."""
    moving = session.state.moving.pop(number)
    session.note("sent_back", ("2.3",), entrant=number, ticket=moving.ticket, by=by.id)
