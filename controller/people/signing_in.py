"""Who stands at the table with which rank: card, PIN, lock-out, and the end of it when the card or the person is gone.

Pure: the time comes with every call, the slow check of a PIN is done by the caller.
"""

from __future__ import annotations

import msgspec

from controller.core.events import LockLifted, NotSignedIn, SignedIn, SignedOut
from controller.people import Person
from controller.people.staff import PIN_FROM_LEVEL, PIN_ROLES, Staff
from controller.rules.rulebook import Rulebook

IDLE_MS = 10 * 60_000
LONGEST_MS = 12 * 3_600_000
"""A sign-in ends after so long, whoever uses the screen meanwhile."""
PIN_WITHIN_MS = 30_000
WRONG_PINS = 5
LOCKED_MS = 5 * 60_000
WRONG_AT_A_PLACE = 20
"""Wrong PINs typed in a row at one screen, whoever's: from then on it takes no typed number for a while."""
NUMBERS_KEPT = 1_000
"""Numbers that nobody has are counted as well, so that a lock-out does not tell who works here; so many at most."""
NO_PIN = f"scrypt$14$8$1${bytes(16).hex()}${bytes(32).hex()}"
"""Checked against when there is nothing to check, so that time does not tell it either."""


class PinWanted(msgspec.Struct, frozen=True):
    """The card is good; its owner's rank needs the PIN as well."""

    place: str
    member: str


Told = SignedIn | SignedOut | PinWanted | NotSignedIn | LockLifted


class Standing(msgspec.Struct):
    """Somebody signed in at a place."""

    person: Person
    used: int
    since: int


class Waiting(msgspec.Struct, frozen=True):
    """A good card that waits for its PIN."""

    member: str
    until: int


class Wrong(msgspec.Struct):
    """Wrong PINs in a row, until when no further one is taken, and the place where they were typed."""

    count: int = 0
    until: int = 0
    place: str = ""


def locked_as(member: str, place: str, typed: bool) -> str:
    """What is locked by wrong PINs: a typed number at this screen, for anybody can type it; a card everywhere, for
    whoever has it in hand can carry it to the next reader."""
    return f"{member}@{place}" if typed else member


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
        person = member.person(self.book, at)
        if not known_here(person):
            return [*told, NotSignedIn(place, "no_rank", f"{member.id} has no rank at this game.")]
        if person.rank < self.pin_from and not any(person.has(role) for role in PIN_ROLES):
            return [*told, *self._in(place, person, at)]
        if not member.pin:
            text = f"{member.id} needs a PIN for this rank; 'tablectl staff set-pin' gives one."
            return [*told, NotSignedIn(place, "no_pin", text)]
        if locked := self._locked(place, member.id, at, typed=False):
            return [*told, locked]
        signs.waiting[place] = Waiting(member.id, at + PIN_WITHIN_MS)
        return [*told, PinWanted(place, member.id)]

    def kept_pin(self, place: str, at: int) -> tuple[str, str] | None:
        """Whose PIN is typed at this place and what it has to fit; None when none is taken there now."""
        waiting = self.signs.waiting.get(place)
        if waiting is None or waiting.until <= at:
            return None
        member = self.staff.members.get(waiting.member)
        if member is None or self._locked(place, member.id, at, typed=False):
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
        if locked := self._locked(place, member.id, at, typed=False):
            return [*told, locked]
        if not fits:
            text = "This PIN is wrong; {left} more before a lock-out. Swipe again."
            return [*told, self._wrong_pin(place, member.id, at, text, typed=False)]
        self.signs.wrong.pop(member.id, None)
        person = member.person(self.book, at)
        return [*told, *self._in(place, person, at), *self.lift(place, person)]

    def number(self, place: str, number: str, at: int) -> str | NotSignedIn:
        """A staff number was typed at a screen: what its PIN has to fit, also for a number that nobody has."""
        if locked := self._locked(place, number, at, typed=True):
            return locked
        member = self.staff.members.get(number)
        return member.pin if member is not None and member.pin else NO_PIN

    def number_and_pin(self, place: str, number: str, fits: bool, at: int) -> Person | NotSignedIn:
        """The PIN of a typed staff number was checked: whoever that is. They stand nowhere by it."""
        if locked := self._locked(place, number, at, typed=True):
            return locked
        member = self.staff.members.get(number)
        if member is None or not member.pin or not fits:
            return self._wrong_pin(place, number, at, "This staff number and PIN do not fit together.", typed=True)
        self.signs.wrong.pop(locked_as(number, place, True), None)
        self.signs.wrong.pop(locked_as("", place, True), None)
        person = member.person(self.book, at)
        return person if known_here(person) else NotSignedIn(place, "no_rank", f"{number} has no rank at this game.")

    def lift(self, place: str, person: Person) -> list[Told]:
        """A supervisor who has come to this place stands for it: whoever was locked out there may try again."""
        if person.rank < self.pin_from:
            return []
        here = [who for who, wrong in self.signs.wrong.items() if wrong.place == place]
        told: list[Told] = [LockLifted(place, who, person) for who in here if self._known(who.partition("@")[0])]
        for who in here:
            del self.signs.wrong[who]
        return told

    def who(self, place: str, at: int) -> Person | None:
        """Whoever stands at this place, and uses it now; one who is idle is told of by `pass_time`."""
        standing = self.signs.standing.get(place)
        if standing is None or _ran_out(standing, at):
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
        over = [(place, why) for place, standing in signs.standing.items() if (why := _ran_out(standing, at))]
        over += [(place, "role ended") for place, standing in signs.standing.items() if not self.holds(standing, at)]
        return [told for place, why in over for told in self._out(place, why)]

    def holds(self, standing: Standing, at: int) -> bool:
        """Whether whoever stands there still has the roles they came with."""
        member = self.staff.members.get(standing.person.id)
        return member is None or member.person(self.book, at).roles == standing.person.roles

    def staff_changed(self, staff: Staff) -> list[Told]:
        """The register was changed: whoever lost rank or card is signed out."""
        self.staff = staff
        gone = [
            place
            for place, standing in self.signs.standing.items()
            if standing.person.id not in staff.members
            or staff.members[standing.person.id].person(self.book, standing.used) != standing.person
        ]
        return [told for place in gone for told in self._out(place, "rank changed")]

    def _in(self, place: str, person: Person, at: int) -> list[Told]:
        told = [*self._out(place, f"{person.id} signed in"), *self.leaves(person, f"signed in at {place}")]
        self.signs.standing[place] = Standing(person, at, at)
        return [*told, SignedIn(place, person)]

    def leaves(self, person: Person, why: str) -> list[Told]:
        """One person stands at one place: wherever they stood, they stand no longer."""
        there = [place for place, standing in self.signs.standing.items() if standing.person.id == person.id]
        return [told for place in there for told in self._out(place, why)]

    def _out(self, place: str, reason: str) -> list[Told]:
        standing = self.signs.standing.pop(place, None)
        return [] if standing is None else [SignedOut(place, standing.person, reason)]

    def _known(self, number: str) -> str:
        """A number for the record; one that somebody made up may be anything, a PIN for instance."""
        return number if number in self.staff.members else ""

    def _locked(self, place: str, number: str, at: int, typed: bool) -> NotSignedIn | None:
        keys = (locked_as(number, place, typed), locked_as("", place, True)) if typed else (number,)
        wrong = max((self.signs.wrong[key] for key in keys if key in self.signs.wrong), key=_until, default=None)
        if wrong is None or wrong.until <= at:
            return None
        minutes = -(-(wrong.until - at) // 60_000)
        text = f"Too many wrong PINs; locked out for {minutes} more {'minute' if minutes == 1 else 'minutes'}."
        known = self._known(number)
        own = self.signs.wrong.get(keys[0])
        if not known or own is None:  # it is the screen that is locked, and says nothing of this number
            return NotSignedIn(place, "locked_here", text)
        return NotSignedIn(place, "locked", text, known, own.count, own.until, typed)

    def _wrong_pin(self, place: str, number: str, at: int, text: str, typed: bool) -> NotSignedIn:
        wrongs = self.signs.wrong
        if len(wrongs) > NUMBERS_KEPT:
            self.signs.wrong = wrongs = {
                who: wrong for who, wrong in wrongs.items() if who.startswith("@") or self._known(who.partition("@")[0])
            }
        wrong = wrongs.setdefault(locked_as(number, place, typed), Wrong(place=place))
        wrong.place = place
        _count(wrong, WRONG_PINS, at)
        if typed:
            _count(wrongs.setdefault(locked_as("", place, True), Wrong(place=place)), WRONG_AT_A_PLACE, at)
        if wrong.until > at:
            locked = self._locked(place, number, at, typed)
            assert locked is not None
            return locked
        known = self._known(number)
        words = text.format(left=WRONG_PINS - wrong.count)
        return NotSignedIn(place, "wrong_pin", words, known, wrong.count if known else 0, 0, typed and bool(known))


def known_here(person: Person) -> bool:
    """Whether somebody has a rank at this game, or a role beside it."""
    return bool(person.rank) or person.roles is not msgspec.UNSET


def _ran_out(standing: Standing, at: int) -> str:
    """Why somebody no longer stands there, if so."""
    if at - standing.since >= LONGEST_MS:
        return "signed in for too long"
    return "idle" if at - standing.used >= IDLE_MS else ""


def _until(wrong: Wrong) -> int:
    return wrong.until


def _count(wrong: Wrong, most: int, at: int) -> None:
    wrong.count += 1
    if wrong.count >= most:
        # Every further one costs twice the wait of the last.
        wrong.until = at + LOCKED_MS * 2 ** min(wrong.count - most, 6)
