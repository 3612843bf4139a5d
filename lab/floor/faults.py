"""A campaign of faults against a whole house: broker nodes, floor and tables killed, lines cut, at random.

After each one, everything is mended, and the floor must show every row that was on disk by then; until it does, its
page must say what it lacks: how many rows of a table are to come, that it hears nothing of it, or nothing at all. The
stream is read beside the floor: every journal in it is held against the table's own file, row for row, so that a row
lost, doubled or out of order is found whoever lost it. What was played is kept line by line, and the next run goes on
from there.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import nats
import nats.errors
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from controller.journal.file import JournalFile
from controller.uplink.messages import ROWS_STREAM, ROWS_SUBJECTS, Address, Rows, decode
from floor.store.check import checked
from floor.store.database import opened
from lab.floor.house import House
from lab.floor.line import Line
from lab.floor.server import free_port
from lab.floor.tables import journal_of

NODES = 3
TABLES_A_PROCESS = 4
SPEED = 10.0
RIGHT_S = 5.0
"""Within this time after the end of a fault the pages must be right: say no more than is so, and what they lack."""
NODE = "broker node killed"
KINDS = (NODE, "floor killed", "tables killed", "tables' network cut", "floor's network cut")
ELECTION_S = 9.0
"""NATS lets a leader be silent for four to nine seconds before the others elect one; nothing is taken until then."""
NEVER_S = 120.0
YARDSTICK_S = 0.05
QUIET = 1.5
CHECK_EVERY = 20
"""Faults between two checks of every chain in the store."""
EXPECTED = frozenset({"silent", "clock"})
"""What the floor may find of tables that are killed and play faster than time."""


class Struck(msgspec.Struct):
    """One fault and how the house came out of it."""

    number: int
    what: str
    lasted: float
    right_after: float
    """Seconds from its end until the page showed every row that was on disk then; -1: never."""
    rows: int
    """In the stream by then."""
    told_after: float = -1
    """Seconds from its end until the page has shown every row or said what it lacks, at every look since; -1: never."""
    answered_after: float = -1
    """Seconds from its end until the page answered at every look since."""
    slowed: float = 1.0
    """How many times longer than on a quiet machine a little work took then."""
    lost: int = 0
    doubled: int = 0
    out_of_order: int = 0
    wrong: str = ""
    stream_after: float = -1
    """Seconds from its end until the stream was seen to have every row; looked at once the page was right or never."""
    store_after: float = -1
    """And the store; -1: stuck, for it never had them. What comes late can so be told from what does not come."""


class Stream:
    """Reads the stream beside the floor, and holds every message against the journals it came from."""

    def __init__(self, urls: list[str], journals: dict[str, Path]) -> None:
        self._urls, self._journals = urls, journals
        self._upto: dict[str, int] = {}
        self._message = 0
        self.rows = self.doubled = self.out_of_order = self.lost = 0

    def read(self, until: dict[str, int]) -> str:
        """Everything new, until each journal has come so far; what differs from the table's own file."""
        return asyncio.run(asyncio.wait_for(self._read(until), NEVER_S))

    async def _read(self, until: dict[str, int]) -> str:
        while any(self._upto.get(origin, 0) < last for origin, last in until.items()):
            try:
                client = await nats.connect(self._urls, connect_timeout=2, max_reconnect_attempts=1)
            except (nats.errors.Error, OSError):
                await asyncio.sleep(0.2)
                continue
            try:
                wrong = await self._some(client, until)
            except (nats.errors.Error, TimeoutError, OSError):
                continue
            finally:
                await client.close()
            if wrong:
                return wrong
        return ""

    async def _some(self, client: Any, until: dict[str, int]) -> str:
        config = ConsumerConfig(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=self._message + 1,
            ack_policy=AckPolicy.NONE, inactive_threshold=30.0,
        )  # fmt: skip
        puller = await client.jetstream().pull_subscribe(ROWS_SUBJECTS, stream=ROWS_STREAM, config=config)
        while any(self._upto.get(origin, 0) < last for origin, last in until.items()):
            for one in await puller.fetch(256, timeout=5):
                if wrong := self._take(one):
                    return wrong
        return ""

    def _take(self, message: Any) -> str:
        self._message = message.metadata.sequence.stream
        origin, rows = Address.on(message.subject).origin, decode(message.data, Rows)
        before = self._upto.get(origin, 0)
        if rows.rows and rows.first <= before:
            self.doubled += before - rows.first + 1
        if rows.first > before + 1:
            self.out_of_order += 1
            self.lost += rows.first - before - 1
        self._upto[origin] = max(before, rows.upto)
        self.rows += len(rows.rows)
        return self._as_written(origin, rows)

    def _as_written(self, origin: str, rows: Rows) -> str:
        journal = JournalFile.read_only(self._journals[origin])
        try:
            own = [(row.at, row.body) for row in journal.rows(rows.first, rows.upto)]
        finally:
            journal.close()
        return "" if own == list(rows.rows) else f"{origin}: events from {rows.first} are others in the stream"


class Shown(msgspec.Struct, frozen=True):
    """What the glance says: whether it answers, what it hears not, and of each table its rows and those to come."""

    answers: bool = False
    trouble: str = ""
    tables: dict[str, tuple[int, int, bool]] = {}

    def has(self, table: str, last: int) -> bool:
        return self.tables.get(table, (0, 0, False))[0] >= last

    def owns_up(self, table: str, last: int) -> bool:
        """Whether nobody who looks at the page is misled about this table."""
        size, behind, silent = self.tables.get(table, (0, 0, False))
        return size + behind >= last or silent or bool(self.trouble)


class Page:
    """The floor's glance, asked as a browser would."""

    def __init__(self, port: int) -> None:
        self._port, self._cookie = port, ""

    def shown(self) -> Shown:
        """What the page says now."""
        try:
            return self._shown()
        except (OSError, http.client.HTTPException, ValueError):
            self._cookie = ""
            return Shown()

    def _shown(self) -> Shown:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            if not self._cookie:
                self._cookie = _signed_in(connection, self._port)
            connection.request("GET", "/api/live", headers={"cookie": self._cookie})
            channel = connection.getresponse()
            if channel.status != 200:
                raise ValueError(f"the page answers {channel.status}")
            while said := channel.readline():
                if said.startswith(b"data: {"):
                    return _read(json.loads(said[6:]))
            return Shown()
        finally:
            connection.close()


def _read(frame: dict[str, Any]) -> Shown:
    lines = {one["slug"]: (int(one["size"]), int(one["behind"]), bool(one["silent"])) for one in frame["lines"]}
    return Shown(True, frame["trouble"], lines)


def _signed_in(connection: http.client.HTTPConnection, port: int) -> str:
    headers = {"origin": f"http://127.0.0.1:{port}", "content-type": "application/json"}
    connection.request("POST", "/api/sign-in", '{"staff":"F1"}', headers)
    answer = connection.getresponse()
    answer.read()
    return (answer.getheader("set-cookie") or "").partition(";")[0]


class Right(NamedTuple):
    """When the page had all (0: never), had not misled anybody since, and had answered since."""

    all: float = 0.0
    told: float = 0.0
    answers: float = 0.0

    def after(self, when: float, mended: float, came: bool | None = None) -> float:
        """Seconds since everything was mended; -1 where it never came, or the page never had all."""
        return round(when - mended, 2) if (self.all if came is None else came) else -1.0


class Campaign:
    """A house with three brokers under fire."""

    def __init__(self, folder: Path, tables: int, seed: int) -> None:
        self._draw = random.Random(seed)
        self._port = free_port()
        self.house = House(folder, tables, self._port, SPEED, NODES)
        self.house.a_process = TABLES_A_PROCESS
        self._table_lines = [Line(one.port) for one in self.house.servers]
        self._floor_lines = [Line(one.port) for one in self.house.servers]
        self.house.table_urls = [one.url for one in self._table_lines]
        self.house.floor_urls = [one.url for one in self._floor_lines]
        self._page = Page(self._port)
        strikes = (self._broker, self._floor, self._tables, self._cut_tables, self._cut_floor)
        self._strikes: dict[str, Callable[[float], None]] = dict(zip(KINDS, strikes, strict=True))

    def start(self) -> None:
        self.house.start()
        self._journals = {
            self.house._origin(one): journal_of(self.house.folder / "journals", one) for one in self.house.tables
        }
        self.stream = Stream([one.url for one in self.house.servers], self._journals)
        if not self._until_right(dict.fromkeys(self._journals, 1)).all:
            raise RuntimeError(f"not every table came up; see {self.house.folder}")

    def stop(self) -> None:
        self.house.stop()
        for line in (*self._table_lines, *self._floor_lines):
            line.close()

    # -- faults ------------------------------------------------------------------------------------------------

    def strike(self, number: int) -> Struck:
        """One fault at random, mended after a while; then everything must be there."""
        what = self._draw.choice(list(self._strikes))
        lasts = self._draw.choice((0.0, 0.2, 1.0, 3.0)) * self._draw.uniform(0.5, 1.5)
        self._strikes[what](lasts)
        mended, written, slowed = time.monotonic(), self._written(), _slowed()
        right = self._until_right(written)
        before = Counter(lost=self.stream.lost, doubled=self.stream.doubled, order=self.stream.out_of_order)
        wrong = self.stream.read(written)
        streamed = time.monotonic()
        wrong = wrong or self._until_in_store(written) or self.house.dead()
        stored = time.monotonic()
        if number % CHECK_EVERY == 0:
            wrong = wrong or self._chains()
        stream = self.stream
        return Struck(
            number, what, round(lasts, 2), right.after(right.all, mended), stream.rows,
            right.after(right.told, mended), right.after(right.answers, mended), slowed,
            stream.lost - before["lost"], stream.doubled - before["doubled"],
            stream.out_of_order - before["order"], wrong, right.after(streamed, mended, True),
            right.after(stored, mended, not wrong),
        )  # fmt: skip

    def _broker(self, lasts: float) -> None:
        node = self._draw.choice(self.house.servers)
        node.kill()
        time.sleep(lasts)
        node.start()

    def _floor(self, lasts: float) -> None:
        assert self.house.floor is not None
        _kill(self.house.floor)
        time.sleep(lasts)
        self.house.start_floor()

    def _tables(self, lasts: float) -> None:
        number = self._draw.randrange(len(self.house.players))
        _kill(self.house.players[number])
        time.sleep(lasts)
        self.house.players[number] = self.house.player(number)

    def _cut_tables(self, lasts: float) -> None:
        self._cut(self._table_lines, lasts)

    def _cut_floor(self, lasts: float) -> None:
        self._cut(self._floor_lines, lasts)

    def _cut(self, lines: list[Line], lasts: float) -> None:
        for line in lines:
            line.cut()
        time.sleep(lasts)
        for line in lines:
            line.mend()

    # -- what must hold ----------------------------------------------------------------------------------------

    def _written(self) -> dict[str, int]:
        """How many events each table has on disk."""
        return {origin: _last(path) for origin, path in self._journals.items()}

    def _until_right(self, written: dict[str, int]) -> Right:
        """When the page showed all of these, and since when it had answered and misled nobody."""
        wanted = {Address.of(origin).table: last for origin, last in written.items()}
        begun, told, answers = time.monotonic(), 0.0, 0.0
        while time.monotonic() < begun + NEVER_S:
            shown = self._page.shown()
            now = time.monotonic()
            answers = (answers or now) if shown.answers else 0.0
            told = (told or now) if all(shown.owns_up(*one) for one in wanted.items()) else 0.0
            if all(shown.has(*one) for one in wanted.items()):
                return Right(now, told, answers)
            time.sleep(0.1)
        return Right()

    def _until_in_store(self, written: dict[str, int]) -> str:
        """What the store lacks for ever; rows that have just come into the stream are on their way to it."""
        until = time.monotonic() + NEVER_S
        while (lacks := self._in_store(written)) and time.monotonic() < until:
            time.sleep(0.2)
        return lacks

    def _in_store(self, written: dict[str, int]) -> str:
        """Whether the store has each row of each journal once, up to here, with the table's own hash at its end."""
        with sqlite3.connect(f"file:{self.house.folder / 'floor.db'}?mode=ro", uri=True) as store:
            for origin, last in written.items():
                found = store.execute(
                    "SELECT count(*), max(seq) FROM rows JOIN journals ON journals.id = rows.journal "
                    "WHERE origin = ? AND seq <= ?", (origin, last),
                ).fetchone()  # fmt: skip
                if found != (last, last or None):
                    return f"{origin}: the store has {found[0]} of {last} events"
        return ""

    def _chains(self) -> str:
        engine = opened(f"sqlite:///{self.house.folder / 'floor.db'}")
        try:
            wrong = [f"{one.origin}: {one.wrong}" for one in checked(engine) if one.wrong]
        finally:
            engine.dispose()
        with sqlite3.connect(f"file:{self.house.folder / 'floor.db'}?mode=ro", uri=True) as store:
            found = {one[0] for one in store.execute("SELECT DISTINCT code FROM findings")} - EXPECTED
        return "; ".join([*wrong, *(f"the floor found {code}" for code in sorted(found))])


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait(10)


def _slowed() -> float:
    """A measure of the machine: how much longer a little work takes than it keeps a core busy."""
    wall, cpu = time.monotonic(), time.thread_time()
    while time.thread_time() - cpu < YARDSTICK_S:
        pass
    return round((time.monotonic() - wall) / YARDSTICK_S, 1)


def _last(path: Path) -> int:
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as journal:
        return int(journal.execute("SELECT coalesce(max(seq), 0) FROM entries").fetchone()[0])


# -- what was played so far ----------------------------------------------------------------------------------------


def played(log: Path) -> list[Struck]:
    """The faults of earlier runs."""
    if not log.exists():
        return []
    return [msgspec.json.decode(line, type=Struck) for line in log.read_bytes().splitlines() if line.strip()]


def campaign(folder: Path, log: Path, count: int, tables: int, say: Callable[[Struck], None]) -> list[Struck]:
    """So many faults more than the log has, in a new house; all of them, with those from before."""
    so_far = played(log)
    house = Campaign(folder, tables, seed=len(so_far) + 1)
    house.start()
    try:
        with log.open("ab") as kept:
            for number in range(len(so_far) + 1, len(so_far) + count + 1):
                struck = house.strike(number)
                kept.write(msgspec.json.encode(struck) + b"\n")
                kept.flush()
                so_far.append(struck)
                say(struck)
    finally:
        house.stop()
    return so_far


class Summed(msgspec.Struct):
    """What all faults of a log came to; times in seconds until the pages were right, by kind of fault."""

    faults: int
    rows: int
    lost: int
    doubled: int
    out_of_order: int
    wrong: list[str]
    misled: int
    """Faults after which the page said within its time neither all rows nor what it lacked."""
    late: int
    """Faults after which the page had all rows later than it may, the time of an election allowed for."""
    late_when_quiet: int
    """Those of them on a machine that was not busy with other things."""
    by_kind: dict[str, dict[str, float]]


def summed(struck: list[Struck]) -> Summed:
    kinds: dict[str, list[float]] = {}
    for one in struck:
        kinds.setdefault(one.what, []).append(one.right_after if one.right_after >= 0 else NEVER_S)
    rows = sum(one.rows for one, after in zip(struck, [*struck[1:], None], strict=True) if _last_of_a_run(one, after))
    late = [one for one in struck if _late(one)]
    return Summed(
        len(struck), rows, sum(one.lost for one in struck), sum(one.doubled for one in struck),
        sum(one.out_of_order for one in struck),
        [f"fault {one.number}: {one.wrong}" for one in struck if one.wrong],
        sum(not 0 <= one.told_after <= RIGHT_S for one in struck), len(late),
        sum(one.slowed <= QUIET for one in late),
        {kind: _times(sorted(times)) for kind, times in sorted(kinds.items())},
    )  # fmt: skip


def _late(one: Struck) -> bool:
    most = RIGHT_S + (ELECTION_S if one.what == NODE else 0)
    return not 0 <= one.right_after <= most


def _last_of_a_run(one: Struck, after: Struck | None) -> bool:
    """Each run counts its rows from the beginning."""
    return after is None or after.rows < one.rows


def _times(times: list[float]) -> dict[str, float]:
    parts = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
    found = {name: times[int(len(times) * part)] for name, part in parts.items()}
    return {"count": len(times), **found, "longest": times[-1]}
