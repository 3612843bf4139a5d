"""Balancing and breaking of tables: moves with tickets, ordered by HDD or above, each unit accounted for on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

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
    _ticket(hall, one, Seat(act.to_table, act.to_seat), by)


def order_break(hall: Hall, act: acts.BreakTable, by: By) -> None:
    """A ticket for everybody there, spread over the tables with the fewest; nobody is present when it closes (T-12)."""
    count = sitting(hall)
    if act.table not in count:
        hall.refuse(f"{act.table} is no table of this session.", "4.3(a)(ii)")
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
    hall.order(act.table, "tournament_break")
    hall.note("table_broken", f"{act.table} is broken", "4.3(a)(ii)")


def _ticket(hall: Hall, one: Entrant, to: Seat, by: By) -> None:
    number = len(hall.state.tickets) + 1
    ticket = TicketState(number, one.number, Seat(one.table, one.seat), to, by.id, by.rank, hall.at)
    hall.state.tickets[number] = ticket
    said = {
        "number": number,
        "entrant": one.number,
        "to_table": to.table,
        "to_seat": to.seat,
        "by": by.id,
        "rank": by.rank,
    }
    hall.order(one.table, "tournament_move_out", **said)
    hall.order(to.table, "tournament_move_in", **said, from_table=one.table, from_seat=one.seat)
    hall.note("ticket", f"ticket {number}: {one.number} from {one.table} seat {one.seat} to {to.table} seat {to.seat}, "
              f"ordered by {by.id} ({by.rank})", "4.3(a)(iii)", rule=hall.book.move_clause)  # fmt: skip


# -- what the tables say of it -----------------------------------------------------------------------------------------


def moved_out(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """A table let somebody go with a counted stack: it is in transit until another takes it up."""
    ticket, one = _of(hall, said)
    if ticket is None or one is None or ticket.phase != "ordered" or ticket.origin.table != table.name:
        return
    ticket.stack = int(said.facts["stack"])
    table.banks[one.number] = table.banks.get(one.number, 0) - ticket.stack
    hall.state.in_transit += ticket.stack
    if table.banks[one.number]:
        text = f"{one.number} left {table.name} with {ticket.stack}, {table.banks[one.number]} off its ledger."
        hall.alarm(f"move:{ticket.number}", text)
    table.banks.pop(one.number)
    hall.fire_ticket("released", ticket)
    hall.fire_entrant("let_out", one)


def moved_in(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """The other table took the chips in: the same number, or the Director is asked (T-57)."""
    ticket, one = _of(hall, said)
    if ticket is None or one is None or ticket.phase not in ("in_transit", "refused"):
        return
    if ticket.to.table != table.name:
        hall.alarm(f"move:{ticket.number}", f"ticket {ticket.number} was shown at {table.name}, and it leads to "
                   f"{ticket.to.table}: send {one.number} there.")  # fmt: skip
        return
    count = int(said.facts["stack"])
    if count != ticket.stack and not said.facts.get("decided_by"):
        ticket.read = count
        hall.fire_ticket("differed", ticket)
        text = f"{count:,} read at {table.name}, {ticket.stack:,} on ticket {ticket.number}"
        ways = "the Director takes it as it is, has the rest fetched, or sends the player back"
        hall.alarm(f"move:{ticket.number}", f"{text}: {ways}.")
        return
    _sits_down(hall, ticket, one, count)
    hall.fire_ticket("taken_in", ticket)


def _sits_down(hall: Hall, ticket: TicketState, one: Entrant, count: int) -> None:
    """What was read is what counts from here on; a difference is out of play and on record."""
    hall.state.in_transit -= ticket.stack
    hall.state.removed += ticket.stack - count
    hall.table(ticket.to.table).banks[one.number] = one.bank = count
    one.table, one.seat = ticket.to.table, ticket.to.seat
    hall.session.seats[one.number] = ticket.to
    hall.state.alarms.pop(f"move:{ticket.number}", None)
    hall.fire_entrant("let_in", one)


def _of(hall: Hall, said: TableSaid) -> tuple[TicketState | None, Entrant | None]:
    ticket = hall.state.tickets.get(int(said.facts.get("ticket", 0)))
    return ticket, hall.state.entrants.get(ticket.entrant) if ticket is not None else None


def settle_ticket(hall: Hall, act: acts.AcceptTicket, by: By) -> None:
    """The Director takes the player in with what was read; the table that asked is told."""
    ticket = hall.state.tickets[act.ticket]
    _sits_down(hall, ticket, hall.entrant(ticket.entrant), ticket.read)
    hall.order(ticket.to.table, "tournament_take_in", ticket=ticket.number, by=by.id)
    hall.note(
        "ticket_settled", f"ticket {ticket.number}: {ticket.read:,} taken in at {ticket.to.table} by {by.id}", "4.8(h)"
    )


def send_ticket_back(hall: Hall, act: acts.SendBack, by: By) -> None:
    """The player goes back to the seat they came from, with the stack they left with."""
    ticket = hall.state.tickets[act.ticket]
    one, table = hall.entrant(ticket.entrant), hall.table(ticket.origin.table)
    if ticket.origin.table in hall.state.broken:
        hall.refuse(f"{ticket.origin.table} is broken; take the player in, or move them elsewhere.", "4.3(a)(ii)")
    hall.state.in_transit -= ticket.stack
    table.banks[one.number], one.bank = ticket.stack, ticket.stack
    hall.state.alarms.pop(f"move:{ticket.number}", None)
    hall.fire_entrant("let_in", one)
    hall.order(ticket.origin.table, "tournament_move_in", number=ticket.number, entrant=one.number,
               to_table=ticket.origin.table, to_seat=ticket.origin.seat, back=True)  # fmt: skip
    hall.note("ticket_back", f"ticket {ticket.number}: {one.number} back to {ticket.origin.table}", "4.8(h)")


def call_ticket_off(hall: Hall, act: acts.CallOff, by: By) -> None:
    ticket = hall.state.tickets[act.ticket]
    for name in (ticket.origin.table, ticket.to.table):
        hall.order(name, "tournament_call_off", ticket=ticket.number)
    hall.note("ticket_off", f"ticket {ticket.number} is called off by {by.id}", "4.3(a)(iii)")


def lapse(hall: Hall, one: Entrant) -> None:
    """Who goes out in the hand before a move has nowhere to go; the seat that was kept is free again."""
    for ticket in hall.state.tickets.values():
        if ticket.entrant == one.number and ticket.phase == "ordered":
            hall.fire_ticket("lapsed", ticket)
            hall.order(ticket.to.table, "tournament_call_off", ticket=ticket.number)
            hall.note("ticket_off", f"ticket {ticket.number} lapsed: {one.number} is out", "4.3(a)(iii)")
