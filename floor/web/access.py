"""Who is signed in at the floor's pages, and what each rank may do there."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from controller.config.types import Person
from controller.people.door import OffTheLoop
from controller.people.signing_in import IDLE_MS, LOCKED_MS, LONGEST_MS, WRONG_AT_A_PLACE, WRONG_PINS
from controller.people.staff import Member, read_staff

LADDER = ("inspector", "supervisor", "manager")
"""An inspector looks; a supervisor takes alarms upon themselves; a manager closes what the floor found."""
REGISTER = "floor"
"""The name under which the staff register keeps ranks of the floor."""
SESSIONS_MOST = 256
GUESSERS_MOST = 4096
NOBODYS = "scrypt$14$8$1$" + "00" * 16 + "$" + "00" * 32
"""Fits no PIN, and takes as long to say so as anybody's."""


class Denied(Exception):
    """A sign-in that is not accepted, or something that this rank may not do; the words are safe to show."""


class Session(msgspec.Struct, eq=False):
    """Somebody signed in at a browser."""

    id: str
    name: str
    rank: int
    ranks: dict[str, str]
    began: float
    used: float
    member: Member | None = None
    """As the register had them; nobody in practice."""
    over: bool = False

    def facts(self) -> dict[str, str | int]:
        return {"id": self.id, "name": self.name, "rank": self.rank, "ranked": LADDER[self.rank - 1]}


Entered = tuple[str, int, dict[str, str], Member | None]
"""Name, rank, ranks at rulebooks, and the entry in the register."""


class Wrong(msgspec.Struct):
    """Wrong PINs in a row, and until when nobody is let in for them."""

    count: int = 0
    until: float = 0.0


class Access:
    """In practice (simulated tables on loopback) people need no PIN; elsewhere they come by number and PIN."""

    def __init__(self, staff: tuple[Person, ...], register: Path, practice: bool, now: Callable[[], float]) -> None:
        self._staff, self._register, self.practice, self._now = staff, register, practice, now
        self._sessions: dict[str, Session] = {}
        self._wrong: dict[tuple[str, str], Wrong] = {}
        """By the address and the person; nobody's are all that were typed there."""
        self._check = OffTheLoop()
        self._read_at = _stamp(register)
        self._watching: set[Session] = set()

    def names(self) -> list[dict[str, str]]:
        """Who can sign in by name; told in practice only."""
        if not self.practice:
            return []
        return [{"id": one.id, "name": one.name, "ranked": one.rank} for one in self._staff if one.rank in LADDER]

    async def sign_in(self, staff: str, pin: str, where: str = "") -> tuple[str, Session]:
        """A session for this person, who types at this address; its token goes into a cookie."""
        entered = self._by_name(staff) if self.practice else await self._by_pin(staff, pin, where)
        self._look()
        if len(self._sessions) >= SESSIONS_MOST:
            raise Denied("Too many people are signed in; sign out where nobody sits any more.")
        token, now = secrets.token_urlsafe(24), self._now()
        name, rank, ranks, member = entered
        session = self._sessions[_digest(token)] = Session(staff, name, rank, ranks, now, now, member)
        return token, session

    def _by_name(self, staff: str) -> Entered:
        known = next((one for one in self._staff if one.id == staff and one.rank in LADDER), None)
        if known is None:
            raise Denied(f"Nobody has the number {staff!r} here.")
        return known.name, LADDER.index(known.rank) + 1, {}, None

    async def _by_pin(self, staff: str, pin: str, where: str) -> Entered:
        self._refuse_locked(where, staff)
        member = read_staff(self._register).members.get(staff)
        kept = member.pin if member is not None else ""
        fits = await self._check(pin, kept or NOBODYS)
        self._refuse_locked(where, staff)  # others may have been guessing at the same time
        rank = member.ranks.get(REGISTER, "") if member is not None else ""
        if not fits or member is None or rank not in LADDER:
            self._count(where, staff if member is not None else "")
            raise Denied("Number and PIN do not belong together.")
        self._wrong.pop((where, staff), None)
        self._wrong.pop((where, ""), None)
        ranks = {book: own for book, own in member.ranks.items() if book != REGISTER}
        return member.name, LADDER.index(rank) + 1, ranks, member

    def _refuse_locked(self, where: str, staff: str) -> None:
        """Whoever guesses is locked out where they sit: the person whose number they typed comes in anywhere else."""
        known = [self._wrong.get((where, staff)), self._wrong.get((where, ""))]
        if any(wrong is not None and self._now() < wrong.until for wrong in known):
            raise Denied("Too many wrong PINs here; wait five minutes, or sign in at another machine.")

    def _count(self, where: str, staff: str) -> None:
        for who, most in ((staff, WRONG_PINS), ("", WRONG_AT_A_PLACE)) if staff else (("", WRONG_AT_A_PLACE),):
            wrong = self._wrong.setdefault((where, who), Wrong())
            wrong.count += 1
            if wrong.count >= most:
                wrong.count, wrong.until = 0, self._now() + LOCKED_MS / 1000
        while len(self._wrong) > GUESSERS_MOST:
            del self._wrong[next(iter(self._wrong))]

    def session(self, token: str) -> Session | None:
        """Whoever is signed in at this browser."""
        self._look()
        self._as_registered()
        session = self._sessions.get(_digest(token)) if token else None
        if session is not None:
            session.used = self._now()
        return session

    def knows(self, token: str) -> bool:
        """Whether somebody is signed in there, without counting as use."""
        return bool(token) and _digest(token) in self._sessions

    def _as_registered(self) -> None:
        """End the sessions of people whose entry in the register is another now, or is gone."""
        stamp = _stamp(self._register)
        if self.practice or stamp == self._read_at:
            return
        self._read_at = stamp
        members = read_staff(self._register).members
        for one in self._watching | set(self._sessions.values()):
            one.over = members.get(one.id) != one.member
        self._sessions = {key: one for key, one in self._sessions.items() if not one.over}

    @contextlib.contextmanager
    def watching(self, session: Session) -> Iterator[Callable[[], bool]]:
        """Whether somebody may still look at a page that is open; that nobody touches it does not end that."""
        self._watching.add(session)

        def may() -> bool:
            self._as_registered()
            return not session.over and self._now() - session.began < LONGEST_MS / 1000

        try:
            yield may
        finally:
            self._watching.discard(session)

    def sign_out(self, token: str) -> None:
        session = self._sessions.pop(_digest(token), None)
        if session is not None:
            session.over = True

    def _look(self) -> None:
        """End what was not used for too long, or is too old."""
        now = self._now()
        self._sessions = {
            key: one
            for key, one in self._sessions.items()
            if now - one.used < IDLE_MS / 1000 and now - one.began < LONGEST_MS / 1000
        }


def _stamp(path: Path) -> tuple[int, int]:
    """What changes with the file."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_ino


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
