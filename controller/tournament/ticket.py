"""A move ticket: who goes from where to where with how much, sealed by the table that let them go.

A table without a network checks it against the releasing table's public key; without a good seal no chips are taken in.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

import msgspec

BEGINS = "TICKET1-"
_DOMAIN = b"tablectl ticket/v1\n"
_SEAL_BYTES = 64

Sign = Callable[[bytes], bytes]
"""Signs with the key of the releasing table."""
Verify = Callable[[str, bytes, bytes], bool]
"""Whether the table of this name signed these bytes so."""


class BadTicket(Exception):
    """A ticket that lets nobody in; the text says why and what to do."""


class Ticket(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One move; `count` is how many chips of each value, `digest` the terms it belongs to."""

    number: int
    tournament: str
    digest: str
    entrant: str
    from_table: str
    from_seat: int
    to_table: str
    to_seat: int
    stack: int
    count: Mapping[int, int]
    ordered_by: str
    rank: str
    released_at: int

    def body(self) -> bytes:
        """What the seal covers; equal tickets give equal bytes."""
        plain = msgspec.structs.replace(self, count=dict(sorted(self.count.items())))
        return _DOMAIN + msgspec.msgpack.encode(plain)

    def said(self) -> str:
        """One line for people."""
        return (
            f"ticket {self.number}: {self.entrant} from {self.from_table} seat {self.from_seat} to {self.to_table} "
            f"seat {self.to_seat} with {self.stack:,}"
        )


def sealed(ticket: Ticket, sign: Sign) -> str:
    """The code that is printed or shown: the ticket and the releasing table's seal."""
    body = ticket.body()
    if ticket.count and sum(value * number for value, number in ticket.count.items()) != ticket.stack:
        raise BadTicket(f"{ticket.said()}: its chips do not come to that; count them again")
    seal = sign(body)
    return BEGINS + base64.b32encode(seal + body.removeprefix(_DOMAIN)).decode().rstrip("=")


def read(code: str, verify: Verify) -> Ticket:
    """The ticket of a code; BadTicket where it is none, or not what the releasing table sealed."""
    text = "".join(code.split()).upper()
    if not text.startswith(BEGINS):
        raise BadTicket("this is no ticket; scan or type the whole code")
    body = text.removeprefix(BEGINS)
    try:
        octets = base64.b32decode(body + "=" * (-len(body) % 8))
        ticket = msgspec.msgpack.decode(octets[_SEAL_BYTES:], type=Ticket)
    except (ValueError, msgspec.MsgspecError) as wrong:
        raise BadTicket(f"the ticket cannot be read ({wrong}); have it printed again") from wrong
    if BEGINS + base64.b32encode(octets).decode().rstrip("=") != text:
        raise BadTicket("the ticket cannot be read: it does not end as it should; have it printed again")
    if not verify(ticket.from_table, octets[:_SEAL_BYTES], _DOMAIN + octets[_SEAL_BYTES:]):
        raise BadTicket(f"the seal of {ticket.from_table} does not fit; take no chips in, and call the Director")
    return ticket


def fits(ticket: Ticket, tournament: str, digest: str, table: str, used: set[int] | frozenset[int]) -> None:
    """Refuse a ticket of another event, for another table, or one that was used before."""
    if (ticket.tournament, ticket.digest) != (tournament, digest):
        raise BadTicket(f"{ticket.said()} belongs to {ticket.tournament}, not to {tournament}; send the player back")
    if ticket.to_table != table:
        raise BadTicket(f"{ticket.said()}; this is {table}: send the player there")
    if ticket.number in used:
        raise BadTicket(f"ticket {ticket.number} was used before; call the Director")
