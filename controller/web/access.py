"""Who may see and do what through a screen: paired places, signed-in people, and their ranks."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from controller.config import TableConfig
from controller.people import Person
from controller.rulebook import load_rulebook
from controller.staff import Member, read_staff
from controller.tomlread import ConfigError

PLACES = ("status", "dealer", "pit", "sign", "bench")
PAIRABLE = ("dealer", "pit", "sign")
COMMANDING = frozenset({"dealer", "pit", "bench"})
"""Places with keys; the sign and the status page can do nothing."""
IDLE_S = 30 * 60.0
LONGEST_S = 12 * 3600.0
SESSIONS_MOST = 64
WRONG_PINS = 5
LOCKED_S = 60.0
NO_PIN = f"scrypt$14$8$1${bytes(16).hex()}${bytes(32).hex()}"
"""Checked against when there is nothing to check, so that time does not tell who works here."""


PinCheck = Callable[[str, str], Awaitable[bool]]
"""Whether a PIN fits what is kept of it, found out without holding up the loop."""


class Denied(Exception):
    """A sign-in or pairing that is not accepted; the words are safe to show."""

    def __init__(self, text: str, code: str = "denied", member: str = "", wrong: int = 0, until: float = 0.0) -> None:
        super().__init__(text)
        self.code = code
        self.member = member
        self.wrong = wrong
        self.until = until


class Screen(msgspec.Struct, frozen=True):
    """A paired screen: its place and the digest of its token, never the token."""

    place: str
    name: str
    digest: str


class Pairings(msgspec.Struct):
    """What the pairing file holds."""

    screens: list[Screen] = []


class PairingFile:
    """Which screens belong to this table, beside the journal and readable by the controller's own user only."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Pairings:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Pairings)
        except FileNotFoundError:
            return Pairings()
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise Denied(f"{self.path} cannot be read ({error}); restore it, or remove it and pair again") from error

    def _write(self, kept: Pairings) -> None:
        fresh = self.path.with_suffix(".new")
        fresh.touch(mode=0o600)
        fresh.chmod(0o600)
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=2))
        fresh.replace(self.path)

    def pair(self, place: str, name: str = "") -> str:
        """A new screen for this place; the token is told once and not kept."""
        if place not in PAIRABLE:
            raise Denied(f"{place!r} is no place for a screen; choose {', '.join(PAIRABLE)}")
        token = secrets.token_urlsafe(24)
        kept = self.read()
        kept.screens.append(Screen(place, name or place, digest(token)))
        self._write(kept)
        return token

    def unpair(self, place: str) -> int:
        """Forget every screen of a place; how many there were."""
        kept = self.read()
        left = [screen for screen in kept.screens if screen.place != place]
        gone = len(kept.screens) - len(left)
        kept.screens = left
        self._write(kept)
        return gone


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Session(msgspec.Struct):
    """Somebody signed in at one place."""

    person: Person
    name: str
    place: str
    began: float
    used: float


class _Wrong(msgspec.Struct):
    count: int = 0
    until: float = 0.0


class Access:
    """The table's doorkeeper. In practice (simulated table on loopback) people need no PIN and screens no pairing."""

    def __init__(
        self,
        config: TableConfig,
        pairings: PairingFile,
        staff: Path,
        practice: bool,
        now: Callable[[], float],
        check: PinCheck,
    ) -> None:
        self._config = config
        self._file = pairings
        self._register = staff
        self.practice = practice
        self._now = now
        self._check = check
        self._ladder = load_rulebook(config.table.rulebook)
        self._sessions: dict[str, Session] = {}
        self._wrong: dict[str, _Wrong] = {}

    def staff(self) -> list[dict[str, str | int]]:
        """Who can sign in here by name; told in practice only."""
        if not self.practice:
            return []
        return [
            {"id": person.id, "name": person.name, "rank": self._ladder.level(person.rank)}
            for person in self._config.staff
        ]

    # -- screens -----------------------------------------------------------------------------------------------

    def place_of(self, token: str) -> str | None:
        """The place this screen was paired to."""
        wanted = digest(token)
        for screen in self._file.read().screens:
            if hmac.compare_digest(screen.digest, wanted):
                return screen.place
        return None

    def may_see(self, place: str, screen_token: str) -> bool:
        """Whether this browser may show the page of this place."""
        if place not in PLACES:
            return False
        if self.practice:
            return True
        paired = self.place_of(screen_token) if screen_token else None
        return paired == place or (place == "status" and paired == "pit")

    # -- people ------------------------------------------------------------------------------------------------

    async def sign_in(self, staff: str, pin: str, place: str) -> str:
        """A session for this person at this place; its token goes into a cookie."""
        if place not in COMMANDING:
            raise Denied("Nobody signs in at this screen.")
        person, name = await self.recognise(staff, pin)
        self._forget_old()
        if len(self._sessions) >= SESSIONS_MOST:
            raise Denied("Too many people are signed in; sign out at a screen that is not used.")
        token = secrets.token_urlsafe(24)
        self._sessions[digest(token)] = Session(person, name, place, self._now(), self._now())
        return token

    async def recognise(self, staff: str, pin: str) -> tuple[Person, str]:
        """The person with this staff number and PIN."""
        if self.practice:
            return self._by_name(staff)
        wrong = self._wrong.get(staff, _Wrong())
        if wrong.until > self._now():
            left = wrong.until - self._now()
            raise Denied(f"Too many wrong PINs; wait {round(left)} seconds.", "locked", staff, wrong.count, left)
        member = self._members().get(staff)
        # a number that nobody has costs as long as a wrong PIN
        fits = await self._check(pin, member.pin if member is not None and member.pin else NO_PIN)
        if member is None or not member.pin or not fits:
            count = self._count_wrong(staff)
            text = "This staff number and PIN do not fit together."
            raise Denied(text, "wrong_pin", staff if member is not None else "", count if member is not None else 0)
        self._wrong.pop(staff, None)
        return Person(member.id, member.level(self._ladder)), member.name

    def _by_name(self, staff: str) -> tuple[Person, str]:
        known = self._config.person(staff)
        if known is None:
            raise Denied(f"This table's configuration knows nobody with the number {staff!r}.")
        return Person(known.id, self._ladder.level(known.rank)), known.name

    def _members(self) -> dict[str, Member]:
        try:
            return read_staff(self._register).members
        except ConfigError as trouble:
            raise Denied(f"Nobody can sign in: {trouble}") from trouble

    def _count_wrong(self, staff: str) -> int:
        if len(self._wrong) > 1000:
            self._wrong.clear()
        wrong = self._wrong.setdefault(staff, _Wrong())
        wrong.count += 1
        if wrong.count >= WRONG_PINS:
            wrong.until = self._now() + LOCKED_S * 2 ** min(wrong.count - WRONG_PINS, 6)
        return wrong.count

    def session(self, token: str, place: str) -> Session | None:
        """The session of this cookie at this place, unless it has run out."""
        self._forget_old()
        session = self._sessions.get(digest(token)) if token else None
        if session is None or session.place != place:
            return None
        session.used = self._now()
        return session

    def sign_out(self, token: str) -> Session | None:
        """Whoever this ends the session of."""
        return self._sessions.pop(digest(token), None)

    def _forget_old(self) -> None:
        now = self._now()
        for key in [k for k, s in self._sessions.items() if now - s.used > IDLE_S or now - s.began > LONGEST_S]:
            del self._sessions[key]
