"""Who stands where at a table, as the journal tells it: for the record, the screens, and lock-outs after a restart."""

from __future__ import annotations

from typing import Protocol

import msgspec

from controller.core.alarms import Alarm
from controller.core.desk import Desk
from controller.core.events import LockLifted, NotSignedIn, SignedIn, SignedOut
from controller.people import Person


class LockedOut(msgspec.Struct, frozen=True):
    """Wrong PINs of a member of staff in a row, and until when no further one is taken."""

    wrong: int
    until: int
    place: str = ""


class Attendance(msgspec.Struct):
    """Staff by the place they are signed in at, and those who typed wrong PINs."""

    standing: dict[str, Person] = {}
    wrong_pins: dict[str, LockedOut] = {}


class AttendedState(Protocol):
    """The part of a table's state that is about who stands there."""

    people: Attendance


class Attended(Protocol):
    """A table that knows who stands at it."""

    @property
    def desk(self) -> Desk: ...

    @property
    def state(self) -> AttendedState: ...


class LockedOutAlarm(Alarm[Attended]):
    """Somebody tried too often."""

    code = "locked"
    text = "{who} typed too many wrong PINs at {place}."
    remedy = "Find out who tries to sign in with this card."
    seen_to = "resume"
    who: str
    place: str

    @staticmethod
    def while_(table: Attended, who: str) -> bool:
        """Until this member of staff has signed in."""
        return not who or who in table.state.people.wrong_pins


def take(table: Attended, event: SignedIn | SignedOut | NotSignedIn) -> None:
    """Somebody came, went, or was not let in."""
    desk, attendance = table.desk, table.state.people
    match event:
        case SignedIn(place, person):
            attendance.standing[place] = person
            for locked in (person.id, f"{person.id}@{place}"):
                attendance.wrong_pins.pop(locked, None)
            desk.note("signed_in", place=place, who=person.id, rank=person.rank)
        case SignedOut(place, person, reason):
            attendance.standing.pop(place, None)
            desk.note("signed_out", place=place, who=person.id, rank=person.rank, reason=reason)
        case NotSignedIn():
            locked = f"{event.member}@{event.place}" if event.typed else event.member
            if event.wrong:
                attendance.wrong_pins[locked] = LockedOut(event.wrong, event.until, event.place)
            if event.code == "locked":
                LockedOutAlarm(who=event.member or "Somebody", place=event.place).happened(table, locked)
            desk.note("not_signed_in", place=event.place, code=event.code, who=event.member)


def lifted(desk: Desk, attendance: Attendance, event: LockLifted) -> None:
    """A supervisor opened what was locked."""
    attendance.wrong_pins.pop(event.locked, None)
    desk.note("lock_lifted", place=event.place, who=event.locked, by=event.by.id)


def restarted(desk: Desk, attendance: Attendance) -> None:
    """Nobody stands anywhere after a restart: whoever is there swipes again."""
    for place, person in attendance.standing.items():
        desk.note("signed_out", place=place, who=person.id, rank=person.rank, reason="the controller restarted")
    attendance.standing = {}
