"""Who may see and do what through a screen: paired places, signed-in people, and their ranks."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from pathlib import Path

import msgspec

from controller import kept_file
from controller.config.types import TableConfig
from controller.core.events import NotSignedIn, SignedIn
from controller.people import Person
from controller.people.door import Doorkeeper
from controller.people.signing_in import IDLE_MS, LONGEST_MS
from controller.people.signing_in import Told as AtTheDoor
from controller.rules.rulebook import load_rulebook

PLACES = ("status", "dealer", "pit", "sign")
PAIRABLE = ("dealer", "pit", "sign")
COMMANDING = frozenset({"dealer", "pit"})
"""Places with keys; the sign and the status page can do nothing."""
IDLE_S = IDLE_MS / 1000
LONGEST_S = LONGEST_MS / 1000
SESSIONS_MOST = 64


class Denied(Exception):
    """A sign-in or pairing that is not accepted; the words are safe to show, the kind is what a log may tell."""

    def __init__(self, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind or text


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
        self._known: tuple[tuple[int, ...], Pairings] | None = None

    def read(self) -> Pairings:
        """What the file holds; opened only when it is another than last time, for every request asks."""
        try:
            found = self.path.stat()
            version = (found.st_mtime_ns, found.st_ino, found.st_size, found.st_ctime_ns)
            if self._known is None or self._known[0] != version:
                self._known = version, msgspec.json.decode(self.path.read_bytes(), type=Pairings)
            return Pairings(list(self._known[1].screens))
        except FileNotFoundError:
            return Pairings()
        except OSError as error:
            raise Denied(
                f"{self.path} cannot be read ({error.strerror}); it belongs to the user who runs the table, mode 600"
            ) from error
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise Denied(f"{self.path} cannot be read ({error}); restore it, or remove it and pair again") from error

    def _write(self, kept: Pairings) -> None:
        try:
            kept_file.replace(self.path, msgspec.json.format(msgspec.json.encode(kept), indent=2))
        except OSError as error:
            raise Denied(f"{self.path} cannot be written ({error.strerror}); check the folder") from error

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


class Access:
    """Which screen shows what, and who is signed in at it.

    In practice (a simulated table, never a real one) people need no PIN and screens no pairing; elsewhere staff come
    by the doorkeeper: by a card through the reader that stands beside the screen of its name, or by number and PIN.
    """

    def __init__(
        self,
        config: TableConfig,
        pairings: PairingFile,
        door: Doorkeeper | None,
        practice: bool,
        now: Callable[[], float],
        ended: Callable[[Session, str], None] = lambda session, why: None,
        annex: str = "",
    ) -> None:
        """`annex` is the place of a further page, if there is one."""
        self.places = frozenset({*PLACES, annex} - {""})
        self.commanding = frozenset({*COMMANDING, annex} - {""})
        self._config = config
        self._file = pairings
        self.door = door
        self.practice = practice
        self._now = now
        self._when_ended = ended
        self._ladder = load_rulebook(config.table.rulebook)
        self._sessions: dict[str, Session] = {}
        if door is not None:
            door.listeners.append(self._at_the_door)

    def staff(self) -> list[dict[str, str | int]]:
        """Who can sign in here by name; told in practice only."""
        if not self.practice:
            return []
        return [
            {"id": person.id, "name": person.name, "rank": self._ladder.level(person.rank)}
            for person in self._config.staff
        ]

    def names(self) -> dict[str, str]:
        """Who is who, for records: those in the configuration, and whoever is signed in."""
        signed_in = {session.person.id: session.name for session in self._sessions.values()}
        return {**{person.id: person.name for person in self._config.staff}, **signed_in}

    # -- screens -----------------------------------------------------------------------------------------------

    def _screen(self, token: str) -> Screen | None:
        wanted = digest(token)
        return next((s for s in self._file.read().screens if hmac.compare_digest(s.digest, wanted)), None)

    def place_of(self, token: str) -> str | None:
        """The place this screen was paired to."""
        screen = self._screen(token)
        return screen.place if screen is not None else None

    def may_see(self, place: str, screen_token: str) -> bool:
        """Whether this browser may show the page of this place."""
        if place not in self.places:
            return False
        if self.practice:
            return True
        paired = self.place_of(screen_token) if screen_token else None
        return paired == place or (place == "status" and paired == "pit")

    def reader_beside(self, place: str, screen_token: str) -> str:
        """The card reader that stands beside this screen: the one of its name, if the table has it."""
        screen = self._screen(screen_token) if screen_token else None
        name = screen.name if screen is not None else place
        known = self._config.devices.get(name)
        return name if self.door is not None and known is not None and known.kind == "swipe" else ""

    # -- people ------------------------------------------------------------------------------------------------

    async def sign_in(self, staff: str, pin: str, place: str) -> str:
        """A session for this person at this place; its token goes into a cookie."""
        if place not in self.commanding:
            raise Denied("Nobody signs in at this screen.")
        person, name = await self.recognise(place, staff, pin)
        self.look()
        self._leaves(person, f"signed in at {place}")
        if self.door is not None:
            self.door.leaves(person, f"signed in at {place}")
        if len(self._sessions) >= SESSIONS_MOST:
            raise Denied("Too many people are signed in; sign out at a screen that is not used.")
        token = secrets.token_urlsafe(24)
        self._sessions[digest(token)] = Session(person, name, place, self._now(), self._now())
        return token

    def _at_the_door(self, told: AtTheDoor) -> None:
        if isinstance(told, SignedIn):
            self._leaves(told.person, f"signed in at {told.place}")

    def _leaves(self, person: Person, why: str) -> None:
        """One person stands at one place: the sign-in before this one ends."""
        for key in [key for key, session in self._sessions.items() if session.person.id == person.id]:
            self._when_ended(self._sessions.pop(key), why)

    async def recognise(self, place: str, staff: str, pin: str) -> tuple[Person, str]:
        """The person with this staff number and PIN."""
        if self.practice:
            return self._by_name(staff)
        assert self.door is not None
        found = await self.door.recognise(place, staff, pin)
        if isinstance(found, NotSignedIn):
            raise Denied(found.text, found.code)
        return found, self.door.name(found)

    def _by_name(self, staff: str) -> tuple[Person, str]:
        known = self._config.person(staff)
        if known is None:
            raise Denied(f"This table's configuration knows nobody with the number {staff!r}.", "unknown_number")
        return Person(known.id, self._ladder.level(known.rank)), known.name

    def session(self, token: str, place: str, reader: str = "") -> Session | None:
        """Whoever is signed in here: by the cookie of this browser, or by the card in the reader beside it."""
        self.look()
        session = self._sessions.get(digest(token)) if token else None
        if session is not None and session.place == place:
            session.used = self._now()
            return session
        if reader and self.door is not None and (person := self.door.who(reader)) is not None:
            return Session(person, self.door.name(person), place, self._now(), self._now())
        return None

    def sign_out(self, token: str, reader: str, why: str) -> None:
        """Nobody is signed in at this screen any more."""
        session = self._sessions.pop(digest(token), None) if token else None
        if session is not None:
            self._when_ended(session, why)
        elif reader and self.door is not None:
            self.door.sign_out(reader)

    def look(self) -> None:
        """End what has run out: sessions unused for too long, too old, or of people whose rank is another now."""
        now = self._now()
        for key, session in list(self._sessions.items()):
            if now - session.used > IDLE_S:
                why = "idle"
            elif now - session.began > LONGEST_S:
                why = "signed in for too long"
            elif not self.practice and self.door is not None and not self.door.holds(session.person):
                why = "rank changed"
            else:
                continue
            del self._sessions[key]
            self._when_ended(session, why)
