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

PLACES = ("status", "dealer", "pit", "sign", "bench")
PAIRABLE = ("dealer", "pit", "sign")
COMMANDING = frozenset({"dealer", "pit", "bench"})
"""Places with keys; the sign and the status page can do nothing."""
IDLE_S = 30 * 60.0
LONGEST_S = 12 * 3600.0
SESSIONS_MOST = 64
WRONG_PINS = 5
LOCKED_S = 60.0
_SCRYPT_N, _SCRYPT_R = 2**12, 8


PinCheck = Callable[[str, str], Awaitable[bool]]
"""Whether a PIN fits what is kept of it, found out without holding up the loop."""


class Denied(Exception):
    """A sign-in or pairing that is not accepted; the words are safe to show."""


class Screen(msgspec.Struct, frozen=True):
    """A paired screen: its place and the digest of its token, never the token."""

    place: str
    name: str
    digest: str


class Secrets(msgspec.Struct):
    """What the access file holds."""

    screens: list[Screen] = []
    pins: dict[str, str] = {}


class AccessFile:
    """Pairings and PINs beside the journal, readable by the controller's own user only."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Secrets:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Secrets)
        except FileNotFoundError:
            return Secrets()
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise Denied(f"{self.path} cannot be read ({error}); restore it, or remove it and pair again") from error

    def _write(self, kept: Secrets) -> None:
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

    def set_pin(self, staff: str, pin: str) -> None:
        """Give a member of staff a PIN of four to twelve digits."""
        if not (pin.isascii() and pin.isdigit() and 4 <= len(pin) <= 12):
            raise Denied("A PIN has four to twelve digits.")
        kept = self.read()
        kept.pins[staff] = hashed_pin(pin)
        self._write(kept)


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def hashed_pin(pin: str) -> str:
    salt = secrets.token_bytes(16)
    return f"{salt.hex()}${_scrypt(pin, salt).hex()}"


def pin_fits(pin: str, kept: str) -> bool:
    """Whether this is the PIN; slow on purpose, so the caller keeps it off the loop."""
    salt, _, found = kept.partition("$")
    return hmac.compare_digest(_scrypt(pin, bytes.fromhex(salt)), bytes.fromhex(found))


def _scrypt(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=_SCRYPT_N, r=_SCRYPT_R, p=1, dklen=32)


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


_NOBODY_PIN = hashed_pin("0000")


class Access:
    """The table's doorkeeper. In practice (simulated table on loopback) people need no PIN and screens no pairing."""

    def __init__(
        self, config: TableConfig, file: AccessFile, practice: bool, now: Callable[[], float], check: PinCheck
    ) -> None:
        self._config = config
        self._file = file
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
        known = self._config.person(staff)
        if self.practice and known is not None:
            return Person(known.id, self._ladder.level(known.rank)), known.name
        wrong = self._wrong.get(staff, _Wrong())
        if wrong.until > self._now():
            raise Denied(f"Too many wrong PINs; wait {round(wrong.until - self._now())} seconds.")
        kept = self._file.read().pins.get(staff, "") if known is not None else ""
        fits = await self._check(pin, kept or _NOBODY_PIN)
        if known is None or not kept or not fits:
            self._count_wrong(staff)
            raise Denied("This staff number and PIN do not fit together.")
        self._wrong.pop(staff, None)
        return Person(known.id, self._ladder.level(known.rank)), known.name

    def _count_wrong(self, staff: str) -> None:
        if len(self._wrong) > 1000:
            self._wrong.clear()
        wrong = self._wrong.setdefault(staff, _Wrong())
        wrong.count += 1
        if wrong.count >= WRONG_PINS:
            wrong.until = self._now() + LOCKED_S * 2 ** min(wrong.count - WRONG_PINS, 6)

    def session(self, token: str, place: str) -> Session | None:
        """The session of this cookie at this place, unless it has run out."""
        self._forget_old()
        session = self._sessions.get(digest(token)) if token else None
        if session is None or session.place != place:
            return None
        session.used = self._now()
        return session

    def sign_out(self, token: str) -> None:
        self._sessions.pop(digest(token), None)

    def _forget_old(self) -> None:
        now = self._now()
        for key in [k for k, s in self._sessions.items() if now - s.used > IDLE_S or now - s.began > LONGEST_S]:
            del self._sessions[key]
