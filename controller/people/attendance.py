"""Who stands where at a table, as the journal tells it: for the record, the screens, and lock-outs after a restart."""

from __future__ import annotations

import msgspec

from controller.core.desk import Desk
from controller.core.events import NotSignedIn, SignedIn, SignedOut
from controller.people import Person


class LockedOut(msgspec.Struct, frozen=True):
    """Wrong PINs of a member of staff in a row, and until when no further one is taken."""

    wrong: int
    until: int


class Attendance(msgspec.Struct):
    """Staff by the place they are signed in at, and those who typed wrong PINs."""

    standing: dict[str, Person] = {}
    wrong_pins: dict[str, LockedOut] = {}


def take(desk: Desk, attendance: Attendance, event: SignedIn | SignedOut | NotSignedIn) -> None:
    """Somebody came, went, or was not let in."""
    match event:
        case SignedIn(place, person):
            attendance.standing[place] = person
            attendance.wrong_pins.pop(person.id, None)
            desk.alarm_over(f"locked:{person.id}")
            desk.note("signed_in", place=place, who=person.id, rank=person.rank)
        case SignedOut(place, person, reason):
            attendance.standing.pop(place, None)
            desk.note("signed_out", place=place, who=person.id, rank=person.rank, reason=reason)
        case NotSignedIn():
            if event.wrong:
                attendance.wrong_pins[event.member] = LockedOut(event.wrong, event.until)
            if event.code == "locked":
                text = f"{event.member} typed too many wrong PINs at {event.place}."
                desk.alarm(f"locked:{event.member}", text, "Find out who tries to sign in with this card.")
            desk.note("not_signed_in", place=event.place, code=event.code, who=event.member)


def restarted(desk: Desk, attendance: Attendance) -> None:
    """Nobody stands anywhere after a restart: whoever is there swipes again."""
    for place, person in attendance.standing.items():
        desk.note("signed_out", place=place, who=person.id, rank=person.rank, reason="the controller restarted")
    attendance.standing = {}
