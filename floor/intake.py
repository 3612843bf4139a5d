"""What the tables sent, taken into the store: a run of messages in one transaction with the place in the stream."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import structlog
from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import DataError

from controller.journal.cosignature import WitnessKey
from controller.journal.head import HeadTrouble, read_note
from controller.uplink.messages import ROWS_STREAM, Address, BadMessage, Beat, Rows, decode
from floor.findings import Finding, over, tell
from floor.follow import KEEP, Broken
from floor.journals import Journal, hash_at, loaded, read_anew
from floor.known import Known
from floor.reading import EDITION
from floor.store.schema import HEADS, HELD, JOURNALS, POSITION
from floor.store.writes import Writes

CLOCK_OFF_MS = 60_000
"""A table's clock that differs by more from the broker's is told."""

UNSIGNED = ("somebody says in its name that it is there, and its key did not sign that", "find out who uses the broker")
OLD = (
    "what comes in its name was said earlier than what came before: its clock was set back, or somebody sends again "
    "what it once said",
    "look at the table's clock: tablectl doctor; if it is right, find out who uses the broker",
)
"""Beats that do not count, and what to do."""
STRANGE_MS = 60_000
BEATS_MS = 2_500
"""Beats that come closer together waited somewhere, and say nothing about a clock."""

log = structlog.get_logger()


class Heard(NamedTuple):
    """A message of the stream: its number there, its subject, what it says, and when the broker took it."""

    message: int
    subject: str
    data: bytes
    at: int


class Pulse(NamedTuple):
    """A table's last beat: when it came, how far its clock was ahead, and whether people were told of that."""

    came: int
    ahead: int
    told: bool


class Newest(NamedTuple):
    """The newest times in a table's beats: of all, and of those that agreed with the floor's clock when they came.

    Each only ever grows, so that no beat counts twice, and a clock that was ahead and is right again is believed.
    """

    of_all: int = 0
    in_time: int = 0


class Countersigned(NamedTuple):
    """A head to send back to its table."""

    address: Address
    text: str


class Intake:
    """The only writer of the store's rows. Called from one thread at a time."""

    def __init__(
        self, engine: Engine, known: Known, key: WitnessKey | None, now: Callable[[], float] = time.time
    ) -> None:
        self._engine, self._known, self._key, self._now = engine, known, key, now
        self._beaten: dict[str, Newest] = {}
        self._ahead: dict[str, set[int]] = {}
        self._strangers: dict[str, int] = {}
        self._pulses: dict[str, Pulse] = {}
        with engine.begin() as connection:
            self.journals = loaded(connection)
            for one in self.journals.values():
                if one.reading.face.reading != EDITION:
                    log.info("rows_read_anew", journal=one.address.origin, rows=one.followed.size)
                    read_anew(connection, one)
            self._next = (connection.execute(select(func.max(JOURNALS.c.id))).scalar() or 0) + 1
            self.position, self.created = _position(connection)
        self._failed = False

    @property
    def engine(self) -> Engine:
        """The store."""
        return self._engine

    def know(self, known: Known) -> None:
        """From now on these are the tables' keys."""
        self._known = known

    def newest(self) -> list[Countersigned]:
        """Every journal's newest countersigned head, for tables that were away when it was made."""
        return [Countersigned(one.address, one.note) for one in self.journals.values() if one.note]

    def begin(self, created: str, last: int | None = None) -> None:
        """This is the stream that is heard from now on, with so many messages.

        Another one than before is heard from its beginning, and so is one that has lost messages which the floor had:
        its numbers are given anew, and what follows would be taken for what was heard.
        """
        if created != self.created:
            if self.created:
                log.warning("another_stream", before=self.created, now=created)
            self.created, self.position = created, 0
        elif last is not None and last < self.position:
            log.warning("stream_went_back", heard=self.position, now=last)
            self.position = 0

    def take(self, heard: Iterable[Heard]) -> list[Countersigned]:
        """Take these messages; the heads that were countersigned for them, one a journal.

        All are taken or none, unless one of them cannot be kept at all: then each by itself, and that one aside.
        """
        messages = list(heard)
        try:
            return self._take(messages)
        except (DataError, OverflowError, ValueError, TypeError) as error:
            if len(messages) == 1:
                return self._aside(messages[0], error)
            return [each for one in messages for each in self.take((one,))]

    def _aside(self, one: Heard, error: Exception) -> list[Countersigned]:
        """A message that the store does not take: kept as it came, and nothing more of its journal is read."""
        address = Address.on(one.subject)
        broken = Broken("unknown_form", f"a message that cannot be kept ({type(error).__name__})", KEEP)
        self._stand_where_the_store_does()
        self._failed = True
        with self._engine.begin() as connection:
            writes = Writes()
            journal = self.journals.get(address.origin) or self._first_heard(connection, address)
            journal.broken = broken.text
            self._hold(connection, writes, one, address.origin, broken)
            journal.put(writes)
            self.position = one.message
            writes.put(POSITION, stream=ROWS_STREAM, created=self.created, message=self.position)
            writes.write(connection)
        self._failed = False
        return []

    def _take(self, heard: list[Heard]) -> list[Countersigned]:
        """All or none."""
        back: dict[str, Countersigned] = {}
        self._stand_where_the_store_does()
        before, touched = self.position, dict[str, Journal]()
        try:
            with self._engine.begin() as connection:
                writes = Writes()
                for one in heard:
                    if one.message > self.position:
                        self._one(connection, writes, one, touched, back)
                        self.position = one.message
                for journal in touched.values():
                    journal.put(writes)
                writes.put(POSITION, stream=ROWS_STREAM, created=self.created, message=self.position)
                writes.write(connection)
        except BaseException:
            self.position, self._failed = before, True
            raise
        return list(back.values())

    def take_archived(self, address: Address, rows: Rows) -> None:
        """Rows of an archived day, as if its table had sent them; Broken when the store knows them to be others."""
        self._stand_where_the_store_does()
        self._failed = True
        with self._engine.begin() as connection:
            writes = Writes()
            journal = self.journals.get(address.origin) or self._first_heard(connection, address)
            journal.take(rows, connection, writes)
            at = rows.rows[-1][0]
            journal.heard = max(journal.heard, at)
            if rows.note:
                self._head(connection, writes, journal, rows.note, at, {})
            journal.put(writes)
            writes.write(connection)
        self._failed = False

    def _stand_where_the_store_does(self) -> None:
        """Nothing of a transaction that failed is true.

        The store is asked before the next one and not at once: it may still be away then, and what is in memory must
        not be gone on with until it has answered, or rows would be missing in it for ever.
        """
        if self._failed:
            with self._engine.begin() as connection:
                self.journals = loaded(connection)
            self._failed = False

    def _one(
        self, connection: Connection, writes: Writes, heard: Heard, touched: dict[str, Journal],
        back: dict[str, Countersigned],
    ) -> None:  # fmt: skip
        address = Address.on(heard.subject)
        origin = address.origin
        journal = self.journals.get(origin) or self._first_heard(connection, address)
        touched[origin] = journal
        try:
            if journal.broken:
                raise Broken("held", "its rows are kept aside since its journal broke", "")
            rows = decode(heard.data, Rows)
            unread = journal.take(rows, connection, writes)
            journal.heard = max(journal.heard, heard.at)
            if unread:
                self._tell(connection, origin, "unread", f"rows that this program cannot read: {unread}",
                           "install the version of the tables on the floor; the rows are kept", heard.at)  # fmt: skip
            if rows.rows and abs(rows.rows[-1][0] - heard.at) > CLOCK_OFF_MS:
                self._clock(connection, journal, rows, heard)
            if journal.followed.gap is not None:
                first, last = journal.followed.gap
                journal.followed.gap = None
                self._tell(connection, origin, "removed", f"events {first} to {last} were removed at the table before "
                           "the floor heard them", "keep the table's exported days of that time", heard.at)  # fmt: skip
            if rows.note:
                self._head(connection, writes, journal, rows.note, heard.at, back)
        except BadMessage as bad:
            self._hold(connection, writes, heard, origin, Broken("unknown_form", f"a message: {bad}"))
            journal.broken = str(bad)
        except Broken as broken:
            if not journal.broken:
                journal.broken = broken.text
                back.pop(origin, None)
            self._hold(connection, writes, heard, origin, broken)

    def _first_heard(self, connection: Connection, address: Address) -> Journal:
        journal = self.journals[address.origin] = Journal(self._next, address)
        self._next += 1
        others = [one for one in self.journals.values() if one.address.table == address.table and one is not journal]
        if others:
            last = max(others, key=lambda one: one.heard)
            self._tell(connection, address.origin, "new_journal", f"the table writes a new journal; the one before, "
                       f"{last.address.journal}, had {last.followed.size} events", "make sure that somebody replaced "
                       "it on purpose, and keep the old one", int(self._now() * 1000))  # fmt: skip
        return journal

    def _hold(self, connection: Connection, writes: Writes, heard: Heard, origin: str, broken: Broken) -> None:
        """Keep what cannot be taken; the rest of the floor goes on."""
        writes.put(HELD, message=heard.message, origin=origin, why=broken.text, data=heard.data)
        if broken.code != "held":
            log.error("journal_broken", journal=origin, code=broken.code, why=broken.text)
            self._tell(connection, origin, broken.code, broken.text, broken.remedy, heard.at)

    def _clock(self, connection: Connection, journal: Journal, rows: Rows, heard: Heard) -> None:
        """A live table whose clock is off; rows that waited for a network say nothing about it."""
        if (ahead := rows.rows[-1][0] - heard.at) > CLOCK_OFF_MS:
            tell(connection, clock_finding(journal.address.origin, ahead), heard.at)

    # -- the witness -------------------------------------------------------------------------------------------

    def _head(
        self, connection: Connection, writes: Writes, journal: Journal, text: str, at: int,
        back: dict[str, Countersigned],
    ) -> None:  # fmt: skip
        """A head came with the rows: held against them, and countersigned when the table's own key stands under it."""
        origin = journal.address.origin
        try:
            note = read_note(text, "its head")
        except HeadTrouble as trouble:
            raise Broken("bad_head", str(trouble)) from trouble
        if note.head.origin != origin:
            raise Broken("swapped", f"it sent the head of {note.head.origin}")
        if not journal.followed.check(note.head):
            return
        journal.key = self._whose(connection, journal.address, text, at)
        if journal.key != "known" or self._key is None or note.head.size <= journal.witnessed:
            return
        again = self._key.public.signed(note)  # a head out of an archive bears its signature already
        signed = note if again else self._key.sign(note, int(self._now()))
        journal.note, journal.witnessed = signed.text(), note.head.size
        writes.put(HEADS, journal=journal.id, size=note.head.size, at=at, note=journal.note)
        back[origin] = Countersigned(journal.address, journal.note)

    def _whose(self, connection: Connection, address: Address, text: str, at: int) -> str:
        note = read_note(text)
        if not note.signatures:
            self._tell(connection, address.origin, "unsigned", "its heads are not signed, so nothing of it is "
                       "countersigned", "make it a key: tablectl evidence key", at)  # fmt: skip
            return "unsigned"
        if address.table not in self._known:
            self._tell(connection, address.origin, "unknown_table", "the floor does not know this table's key, so "
                       "nothing of it is countersigned", "add the line that `tablectl evidence key` prints there to "
                       "the file of the tables' keys, and restart the floor", at)  # fmt: skip
            return "unknown"
        whose = self._known.signed(address, note, at)
        if whose == "revoked":
            self._tell(connection, address.origin, "revoked_key", "its heads are signed by a key that was revoked, so "
                       "nothing more of it is countersigned", "find out which machine still uses it; a new key joins: "
                       "tablectl floor join", at)  # fmt: skip
        if whose == "wrong":
            self._tell(connection, address.origin, "wrong_key", "its heads are signed by another key than the table's",
                       f"find out who writes in its name; {KEEP}", at)  # fmt: skip
        return whose

    def _tell(self, connection: Connection, origin: str, code: str, text: str, remedy: str, at: int) -> None:
        tell(connection, Finding(origin, code, text, remedy), at)

    # -- beats -------------------------------------------------------------------------------------------------

    def felt(self, beats: Iterable[tuple[Address, Beat, int]]) -> list[tuple[Address, Beat]]:
        """Those of these beats, each with when it came, that are their tables' own word."""
        return [(address, beat) for address, beat, at in beats if self.beaten(address, beat, at)]

    def beaten(self, address: Address, beat: Beat, at: int) -> bool:
        """A table is there, unless it is not its word: hold what it says of its journal against what the floor has."""
        journal = self.journals.get(address.origin)
        if not self._known.beats(address, beat, at):
            self._strange(address.origin, at, UNSIGNED)
            return False
        if not self._newer(address.origin, beat, at):
            self._strange(address.origin, at, OLD)
            return False
        if journal is None:
            return True
        finding = self._wrong(journal, beat)
        if finding is not None:
            with self._engine.begin() as connection:
                tell(connection, finding, at)
        if beat.at:
            self._feel(address.origin, beat.at - at, at)
        return True

    def _feel(self, origin: str, ahead: int, at: int) -> None:
        """A table whose beats say twice in a row, as they come, that its clock is off; one that is right ends it."""
        off, before = abs(ahead) > CLOCK_OFF_MS, self._pulses.get(origin)
        told = before is not None and before.told
        if off and not told and before is not None and abs(before.ahead) > CLOCK_OFF_MS and at - before.came > BEATS_MS:
            told = True
            with self._engine.begin() as connection:
                tell(connection, clock_finding(origin, ahead), at)
        elif not off and (told or before is None):
            told = False
            with self._engine.begin() as connection:
                over(connection, origin, "clock")
        self._pulses[origin] = Pulse(at, ahead, told)

    def _newer(self, origin: str, beat: Beat, at: int) -> bool:
        """Whether a beat is no old one that somebody kept."""
        if not beat.signature:
            return True
        before, ahead = (
            self._beaten.get(origin) or Newest(self._last_row(origin)),
            self._ahead.setdefault(origin, set()),
        )
        in_time = abs(beat.at - at) <= CLOCK_OFF_MS
        if beat.at <= before.of_all and (not in_time or beat.at <= before.in_time or beat.at in ahead):
            return False
        self._beaten[origin] = Newest(max(before.of_all, beat.at), beat.at if in_time else before.in_time)
        if beat.at > at + CLOCK_OFF_MS:
            ahead.add(beat.at)  # or somebody could keep it until its time has come
        return True

    def _last_row(self, origin: str) -> int:
        """A floor that has just started knows a table's time by what it wrote last."""
        journal = self.journals.get(origin)
        return journal.reading.face.last_at if journal is not None else 0

    def _strange(self, origin: str, at: int, why: tuple[str, str]) -> None:
        """Told once in a while: whoever sends one of these can send thousands."""
        if at - self._strangers.get(origin, 0) < STRANGE_MS:
            return
        self._strangers[origin] = at
        if origin in self.journals:
            with self._engine.begin() as connection:
                self._tell(connection, origin, "strange_beat", *why, at)

    def _wrong(self, journal: Journal, beat: Beat) -> Finding | None:
        origin, size = journal.address.origin, journal.followed.size
        if beat.parted and beat.last < size:
            text = f"its journal was put back: it has {beat.last} events, and the floor {size}"
            return Finding(origin, "rolled_back", text, KEEP)
        if beat.parted or self._differs(journal, beat):
            text = f"its journal is another than the floor's, at event {beat.stands} or before"
            return Finding(origin, "rewritten", text, KEEP)
        return None

    def _differs(self, journal: Journal, beat: Beat) -> bool:
        followed = journal.followed
        if not 0 < beat.stands <= followed.size:
            return False
        if beat.stands == followed.size:
            return followed.hash != beat.hash
        with self._engine.begin() as connection:
            known = hash_at(connection, journal.id, beat.stands)
        return known is not None and known != beat.hash

    def silent(self, origin: str, quiet: bool, at: int) -> None:
        """A table is not heard any more, or again."""
        with self._engine.begin() as connection:
            if quiet:
                tell(connection, Finding(origin, "silent", "nothing is heard of it", "look at the network and at the "
                     "table; it plays on, and what it writes comes later"), at)  # fmt: skip
            else:
                over(connection, origin, "silent")

    def two(self, origin: str, other: str, at: int) -> None:
        """Two journals of one table are written at once."""
        with self._engine.begin() as connection:
            tell(connection, Finding(origin, "two", f"two tables play under one name: {other} is heard as well",
                 "give each table its own name, or stop the machine that should not run"), at)  # fmt: skip


def clock_finding(origin: str, ahead: int) -> Finding:
    """A table's clock that is so many milliseconds ahead of the floor's, or with a minus behind."""
    minutes, way = abs(ahead) // 60_000, "ahead of" if ahead > 0 else "behind"
    text = f"its clock is {minutes} minute{'s' if minutes > 1 else ''} {way} the floor's"
    return Finding(origin, "clock", text, "set the clock of the one that is wrong: tablectl doctor")


def _position(connection: Connection) -> tuple[int, str]:
    found = connection.execute(select(POSITION).where(POSITION.c.stream == ROWS_STREAM)).first()
    return (found.message, found.created) if found is not None else (0, "")
