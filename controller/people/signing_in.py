"""Who stands at the table with which rank: card, PIN, lock-out, and the end of it when the card or the person is gone.

Pure: the time comes with every call, the slow check of a PIN is done by the caller.
"""

from __future__ import annotations

import msgspec

from controller.core.events import NotSignedIn, SignedIn, SignedOut
from controller.people import Person
from controller.people.staff import PIN_FROM_LEVEL, Staff
from controller.rules.rulebook import Rulebook

IDLE_MS = 10 * 60_000
PIN_WITHIN_MS = 30_000
WRONG_PINS = 5
LOCKED_MS = 5 * 60_000
NUMBERS_KEPT = 1_000
"""Numbers that nobody has are counted as well, so that a lock-out does not tell who works here; so many at most."""
NO_PIN = f"scrypt$14$8$1${bytes(16).hex()}${bytes(32).hex()}"
"""Checked against when there is nothing to check, so that time does not tell it either."""


class PinWanted(msgspec.Struct, frozen=True):
    """The card is good; its owner's rank needs the PIN as well."""

    place: str
    member: str


Told = SignedIn | SignedOut | PinWanted | NotSignedIn


class Standing(msgspec.Struct):
    """Somebody signed in at a place."""

    person: Person
    used: int


class Waiting(msgspec.Struct, frozen=True):
    """A good card that waits for its PIN."""

    member: str
    until: int


class Wrong(msgspec.Struct):
    """Wrong PINs in a row, and until when no further one is taken."""

    count: int = 0
    until: int = 0


class SignIns(msgspec.Struct):
    """Everything that is known between two calls; `wrong` should be kept over a restart."""

    standing: dict[str, Standing] = {}
    waiting: dict[str, Waiting] = {}
    wrong: dict[str, Wrong] = {}


class Door:
    """Lets staff in at the places of one table."""

    def __init__(
        self, staff: Staff, book: Rulebook, signs: SignIns | None = None, *, pin_from: int = PIN_FROM_LEVEL
    ) -> None:
        self.staff = staff
        self.book = book
        self.signs = signs or SignIns()
        self.pin_from = pin_from

    def card(self, place: str, card: str, at: int) -> list[Told]:
        """A card was swiped: its owner comes, or goes when they stood there already."""
        signs = self.signs
        told: list[Told] = list(self.pass_time(at))
        signs.waiting.pop(place, None)
        member = self.staff.by_card(card)
        if member is None:
            return [*told, NotSignedIn(place, "unknown_card", "This card is no staff card.")]
        standing = signs.standing.get(place)
        if standing is not None and standing.person.id == member.id:
            return [*told, *self._out(place, "signed out by card")]
        level = member.level(self.book)
        if not level:
            return [*told, NotSignedIn(place, "no_rank", f"{member.id} has no rank at this game.")]
        if level < self.pin_from:
            return [*told, *self._in(place, Person(member.id, level), at)]
        if not member.pin:
            text = f"{member.id} needs a PIN for this rank; 'tablectl staff set-pin' gives one."
            return [*told, NotSignedIn(place, "no_pin", text)]
        if locked := self._locked(place, member.id, at):
            return [*told, locked]
        signs.waiting[place] = Waiting(member.id, at + PIN_WITHIN_MS)
        return [*told, PinWanted(place, member.id)]

    def kept_pin(self, place: str, at: int) -> tuple[str, str] | None:
        """Whose PIN is typed at this place and what it has to fit; None when none is taken there now."""
        waiting = self.signs.waiting.get(place)
        if waiting is None or waiting.until <= at:
            return None
        member = self.staff.members.get(waiting.member)
        if member is None or self._locked(place, member.id, at):
            return None
        return member.id, member.pin

    def pin(self, place: str, member_id: str, fits: bool, at: int) -> list[Told]:
        """This person's PIN was typed and checked; another card swiped meanwhile makes it void."""
        told: list[Told] = list(self.pass_time(at))
        waiting = self.signs.waiting.get(place)
        member = self.staff.members.get(member_id)
        if waiting is None or waiting.member != member_id or member is None:
            return [*told, NotSignedIn(place, "no_card", "Swipe the card first.")]
        del self.signs.waiting[place]
        if locked := self._locked(place, member.id, at):
            return [*told, locked]
        if not fits:
            return [
                *told,
                self._wrong_pin(place, member.id, at, "This PIN is wrong; {left} more before a lock-out. Swipe again."),
            ]
        self.signs.wrong.pop(member.id, None)
        return [*told, *self._in(place, Person(member.id, member.level(self.book)), at)]

    def number(self, place: str, number: str, at: int) -> str | NotSignedIn:
        """A staff number was typed at a screen: what its PIN has to fit, also for a number that nobody has."""
        if locked := self._locked(place, number, at):
            return locked
        member = self.staff.members.get(number)
        return member.pin if member is not None and member.pin else NO_PIN

    def number_and_pin(self, place: str, number: str, fits: bool, at: int) -> Person | NotSignedIn:
        """The PIN of a typed staff number was checked: whoever that is. They stand nowhere by it."""
        if locked := self._locked(place, number, at):
            return locked
        member = self.staff.members.get(number)
        if member is None or not member.pin or not fits:
            return self._wrong_pin(place, number, at, "This staff number and PIN do not fit together.")
        self.signs.wrong.pop(number, None)
        level = member.level(self.book)
        return Person(number, level) if level else NotSignedIn(place, "no_rank", f"{number} has no rank at this game.")

    def who(self, place: str, at: int) -> Person | None:
        """Whoever stands at this place, and uses it now; one who is idle is told of by `pass_time`."""
        standing = self.signs.standing.get(place)
        if standing is None or at - standing.used >= IDLE_MS:
            return None
        standing.used = at
        return standing.person

    def card_gone(self, place: str) -> list[Told]:
        """The card was drawn out, or its reader is gone: nobody stands there any more."""
        self.signs.waiting.pop(place, None)
        return self._out(place, "card gone")

    def pass_time(self, at: int) -> list[Told]:
        """Whoever has done nothing for too long is gone; so is a card whose PIN did not come."""
        signs = self.signs
        for place in [place for place, waiting in signs.waiting.items() if waiting.until <= at]:
            del signs.waiting[place]
        idle = [place for place, standing in signs.standing.items() if at - standing.used >= IDLE_MS]
        return [told for place in idle for told in self._out(place, "idle")]

    def staff_changed(self, staff: Staff) -> list[Told]:
        """The register was changed: whoever lost rank or card is signed out."""
        self.staff = staff
        gone = [
            place
            for place, standing in self.signs.standing.items()
            if standing.person.id not in staff.members
            or staff.members[standing.person.id].level(self.book) != standing.person.rank
        ]
        return [told for place in gone for told in self._out(place, "rank changed")]

    def _in(self, place: str, person: Person, at: int) -> list[Told]:
        told = self._out(place, f"{person.id} signed in")
        self.signs.standing[place] = Standing(person, at)
        return [*told, SignedIn(place, person)]

    def _out(self, place: str, reason: str) -> list[Told]:
        standing = self.signs.standing.pop(place, None)
        return [] if standing is None else [SignedOut(place, standing.person, reason)]

    def _known(self, number: str) -> str:
        """A number for the record; one that somebody made up may be anything, a PIN for instance."""
        return number if number in self.staff.members else ""

    def _locked(self, place: str, number: str, at: int) -> NotSignedIn | None:
        wrong = self.signs.wrong.get(number)
        if wrong is None or wrong.until <= at:
            return None
        minutes = -(-(wrong.until - at) // 60_000)
        text = f"Too many wrong PINs; locked out for {minutes} more {'minute' if minutes == 1 else 'minutes'}."
        known = self._known(number)
        return NotSignedIn(place, "locked", text, known, wrong.count if known else 0, wrong.until if known else 0)

    def _wrong_pin(self, place: str, number: str, at: int, text: str) -> NotSignedIn:
        if len(self.signs.wrong) > NUMBERS_KEPT:
            self.signs.wrong = {who: wrong for who, wrong in self.signs.wrong.items() if self._known(who)}
        wrong = self.signs.wrong.setdefault(number, Wrong())
        wrong.count += 1
        if wrong.count >= WRONG_PINS:
            # Every further row of wrong ones costs twice the wait of the last.
            wrong.until = at + LOCKED_MS * 2 ** min(wrong.count - WRONG_PINS, 6)
            locked = self._locked(place, number, at)
            assert locked is not None
            return locked
        known = self._known(number)
        words = text.format(left=WRONG_PINS - wrong.count)
        return NotSignedIn(place, "wrong_pin", words, known, wrong.count if known else 0)
