"""Balancing and breaking of tables: moves with tickets, ordered by HDD or above, each unit accounted for on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
from msgspec.json import encode

from floor.hall import acts
from floor.hall.state import By, Entrant, Seat, TableSeen, TicketState

if TYPE_CHECKING:
    from floor.hall.field import TableSaid
    from floor.hall.hall import Hall


class Advice(msgspec.Struct, frozen=True):
    """What the hall would do about uneven tables: break one, or move so many from one to another."""

    break_table: str = ""
    origin: str = ""
    to: str = ""


def advice(sitting: Mapping[str, int], seats: int) -> Advice | None:
    """Break the smallest table when all fit at one table less; else move one where two tables differ by two or more."""
    if len(sitting) < 2:
        return None
    total = sum(sitting.values())
    smallest = min(sitting, key=lambda name: (sitting[name], name))
    if total <= (len(sitting) - 1) * seats:
        return Advice(break_table=smallest)
    largest = max(sitting, key=lambda name: (sitting[name], name))
    if sitting[largest] - sitting[smallest] >= 2:
        return Advice(origin=largest, to=smallest)
    return None


def sitting(hall: Hall) -> dict[str, int]:
    """How many play at each table of the session, moves that are ordered counted where they lead."""
    names = {seat.table for seat in hall.session.seats.values()} - set(hall.state.broken)
    count = dict.fromkeys(sorted(names), 0)
    for one in hall.state.left:
        going = next((t for t in hall.state.tickets.values() if t.entrant == one.number and t.phase in MOVING), None)
        at = going.to.table if going is not None else one.table
        if one.phase in ("playing", "in_transit") and at in count:
            count[at] += 1
    return count


def dealing(hall: Hall) -> list[str]:
    """Tables at which somebody plays against somebody; who sits alone waits for a move, and nobody waits for them."""
    seated = [one.table for one in hall.state.left if one.phase == "playing"]
    return [name for name in hall.playing_tables() if seated.count(name) >= 2]


MOVING = ("ordered", "in_transit", "refused")


def taken_seats(hall: Hall, table: str) -> set[int]:
    """Seats that somebody has, or is on the way to."""
    sits = {one.seat for one in hall.state.left if one.table == table and one.phase in ("seated", "playing")}
    return sits | {t.to.seat for t in hall.state.tickets.values() if t.to.table == table and t.phase in MOVING}


def free_seat(hall: Hall, table: str) -> int:
    """The lowest seat that nobody has; 0 where the table is full."""
    most = hall.session_terms.seats or hall.book.seats(hall.terms.game)
    taken = taken_seats(hall, table)
    return next((seat for seat in range(1, most + 1) if seat not in taken), 0)


def order_move(hall: Hall, act: acts.Move, by: By) -> None:
    one = hall.entrant(act.entrant)
    most = hall.session_terms.seats or hall.book.seats(hall.terms.game)
    if one.phase != "playing":
        hall.refuse(f"{one.number} is {one.phase.replace('_', ' ')} and cannot be moved.", "4.3(a)(iii)")
    if any(t.entrant == one.number and t.phase in MOVING for t in hall.state.tickets.values()):
        hall.refuse(f"{one.number} is being moved already.", "4.3(a)(iii)")
    if act.to_table not in sitting(hall) or act.to_table == one.table:
        hall.refuse(f"{act.to_table} is no other table of this session.", "4.3(a)(ii)")
    if not 1 <= act.to_seat <= most or act.to_seat in taken_seats(hall, act.to_table):
        hall.refuse(f"Seat {act.to_seat} of {act.to_table} is not free.", "4.3(a)(iii)")
    ticket = _ticket(hall, one, Seat(act.to_table, act.to_seat), by)
    hall.order(one.table, "tournament_move_out", payload=encode(_ticketed(ticket)).decode())


def order_break(hall: Hall, act: acts.BreakTable, by: By) -> None:
    """A ticket for everybody there, spread over the tables with the fewest; nobody is present when it closes (T-12)."""
    count = sitting(hall)
    if act.table not in count:
        hall.refuse(f"{act.table} is no table of this session.", "4.3(a)(ii)")
    if any(t.origin.table == act.table or t.to.table == act.table for t in _under_way(hall)):
        hall.refuse(f"Somebody is still on the way to or from {act.table}.", "4.3(a)(iii)")
    going = sorted((one for one in hall.state.left if one.table == act.table and one.phase == "playing"),
                   key=lambda one: one.seat)  # fmt: skip
    others = {name: number for name, number in count.items() if name != act.table}
    room = sum((hall.session_terms.seats or hall.book.seats(hall.terms.game)) - number for number in others.values())
    if not others or room < len(going):
        hall.refuse(f"{len(going)} sit at {act.table}, and {room} seats are free elsewhere.", "4.3(a)(ii)")
    hall.state.broken = (*hall.state.broken, act.table)
    for one in going:
        to = min(others, key=lambda name: (others[name], name))
        others[to] += 1
        _ticket(hall, one, Seat(to, free_seat(hall, to)), by)
    hall.state.to_break[act.table] = by
    send_break(hall, act.table)
    hall.note("table_broken", f"{act.table} is broken", "4.3(a)(ii)")


def send_break(hall: Hall, table: str) -> None:
    """With a ticket for everybody who still sits there; a table that is in a round refuses, and is told after it."""
    moves = [
        _ticketed(one) for one in hall.state.tickets.values() if one.origin.table == table and one.phase == "ordered"
    ]
    hall.order(table, "tournament_break", hall.state.to_break.get(table), payload=encode({"moves": moves}).decode())


def _under_way(hall: Hall) -> list[TicketState]:
    return [one for one in hall.state.tickets.values() if one.phase in MOVING]


def _ticketed(one: TicketState) -> dict[str, object]:
    return {"entrant": one.entrant, "to": one.to.table, "seat": one.to.seat, "ticket": one.number}


def _ticket(hall: Hall, one: Entrant, to: Seat, by: By) -> TicketState:
    number = len(hall.state.tickets) + 1
    ticket = TicketState(number, one.number, Seat(one.table, one.seat), to, by.id, by.rank, hall.at)
    hall.state.tickets[number] = ticket
    hall.note("ticket", f"ticket {number}: {one.number} from {one.table} seat {one.seat} to {to.table} seat {to.seat}, "
              f"ordered by {by.id} ({by.rank})", "4.3(a)(iii)", rule=hall.book.move_clause)  # fmt: skip
    return ticket


# -- what the tables say of it -----------------------------------------------------------------------------------------


def released(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """A table let somebody go with a counted stack: it is in transit until another takes it up, which is told of it."""
    ticket, one = _of(hall, said)
    if ticket is None or one is None or ticket.phase != "ordered" or ticket.origin.table != table.name:
        return
    ticket.stack = int(said.facts["stack"])
    hall.fire_ticket("released", ticket)
    hall.fire_entrant("let_out", one)
    coming = {"entrant": one.number, "came_from": ticket.origin.table, "seat": ticket.to.seat, "stack": ticket.stack,
              "ticket": ticket.number, "markers": said.facts.get("markers"),
              "warnings": said.facts.get("warnings", 0)}  # fmt: skip
    _await(hall, ticket, coming)


def arrived(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """The other table counted what came: another number than on the ticket is its Director's question (T-57)."""
    ticket, one = _of(hall, said)
    if ticket is None or one is None or ticket.phase != "in_transit":
        return
    if ticket.to.table != table.name:
        text = f"ticket {ticket.number} was shown at {table.name}, and it leads to {ticket.to.table}"
        hall.alarm(f"move:{ticket.number}", f"{text}: send {one.number} there.")
        return
    ticket.read = int(said.facts["counted"])
    if ticket.read != ticket.stack:
        hall.fire_ticket("differed", ticket)
        text = f"{ticket.read:,} read at {table.name}, {ticket.stack:,} on ticket {ticket.number}"
        ways = "the Director takes it as it is, has the rest fetched, or sends the player back"
        hall.alarm(f"move:{ticket.number}", f"{text}: {ways}.")


def taken_in(hall: Hall, table: TableSeen, number: str, units: int) -> None:
    """Chips are in a bank again: what was counted is what counts, and a difference is out of play and on record."""
    ticket = next((one for one in _under_way(hall) if one.entrant == number and one.to.table == table.name), None)
    one = hall.state.entrants.get(number)
    if ticket is None or one is None:
        hall.alarm(f"move:{number}", f"{number} came to {table.name} without a ticket of the hall.")
        hall.state.in_transit -= units
        return
    hall.state.in_transit -= ticket.stack
    hall.state.removed += ticket.stack - units
    one.table, one.seat = ticket.to.table, ticket.to.seat
    hall.session.seats[number] = ticket.to
    hall.state.alarms.pop(f"move:{ticket.number}", None)
    hall.fire_ticket("taken_in", ticket)
    hall.fire_entrant("let_in", one)


def sent_back(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """Not taken in: back to the seat they came from, with the stack they left with; from a broken table elsewhere."""
    ticket, one = _of(hall, said)
    if ticket is None or one is None or ticket.phase not in ("in_transit", "refused"):
        return
    hall.fire_ticket("turned_away", ticket)
    hall.state.alarms.pop(f"move:{ticket.number}", None)
    to = ticket.origin
    if to.table in hall.state.broken or to.seat in taken_seats(hall, to.table):
        count = {name: n for name, n in sitting(hall).items() if name != table.name} or sitting(hall)
        name = min(count, key=lambda each: (count[each], each))
        to = Seat(name, free_seat(hall, name))
    again = _ticket(hall, one, to, By(ticket.ordered_by, ticket.rank))
    again.stack = ticket.stack
    hall.fire_ticket("released", again)
    coming = {
        "entrant": one.number,
        "came_from": table.name,
        "seat": to.seat,
        "stack": again.stack,
        "ticket": again.number,
    }
    _await(hall, again, coming)


def _await(hall: Hall, ticket: TicketState, coming: dict[str, object]) -> None:
    """The table that a ticket leads to hears of it from whoever ordered the move, since it takes their rank (T-40)."""
    by, payload = By(ticket.ordered_by, ticket.rank), encode(coming).decode()
    hall.order(ticket.to.table, "tournament_move_in", by, payload=payload)


def _of(hall: Hall, said: TableSaid) -> tuple[TicketState | None, Entrant | None]:
    ticket = hall.state.tickets.get(int(said.facts.get("ticket", 0)))
    return ticket, hall.state.entrants.get(ticket.entrant) if ticket is not None else None


def lapse(hall: Hall, one: Entrant) -> None:
    """Who goes out in the hand before a move has nowhere to go; the seat that was kept is free again."""
    for ticket in hall.state.tickets.values():
        if ticket.entrant == one.number and ticket.phase == "ordered":
            hall.fire_ticket("lapsed", ticket)
            hall.note("ticket_off", f"ticket {ticket.number} lapsed: {one.number} is out", "4.3(a)(iii)")
