"""An event at its real pace: a broker, a floor with its hall, and whole tables, each a process or a part of one.

`python -m lab.hall.live PLAN` plays the tables of a plan until it is told to stop; SIGUSR1 sends everybody home.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from controller import log
from controller.config.types import UplinkSection
from controller.core.effects import Noted
from controller.core.runtime import Told
from controller.journal.cosignature import make_witness_key, read_witness_key
from controller.journal.file import JournalFile
from controller.journal.head import TableKey, slug
from controller.tournament.checks import terms_of
from controller.uplink import following
from lab.floor.house import STAFF_TOML
from lab.floor.pace import HouseClock
from lab.floor.server import NatsServer, free_port
from lab.floor.tables import Uplinks
from lab.hall.house import secret
from lab.hall.table import EventTable

FLOOR_TOML = """# Made for a simulated event; tablectl floor run --config floor.toml
[floor]
name = "Event"
web = "127.0.0.1:{port}"
practice = true

[broker]
servers = ["{url}"]

[hall]
journal = "hall.journal"

[hall.officers]
"F1" = "{office}"
"""
OFFICER, DIRECTOR, MANAGER = "F1", "F2", "F3"
LOOK_S = 0.5
WALK_S = 5.0
STOP_S = 15.0
AT_ONCE = ("pause", "go_on", "level", "clock", "move_out", "move_in")
"""Orders that all tables must have at once, since play goes by them."""
SOON_MS = 1000


class Stalled(Exception):
    """What was waited for did not come about in its time; the text says what stood where."""


class Plan(msgspec.Struct, frozen=True):
    """What the process of the tables plays: under which terms, where, and over which uplink."""

    folder: str
    terms: str
    uplink: UplinkSection


def at_real_time(text: str, rounds: int) -> str:
    """Terms of an event that begins now and has few rounds a session, with no rise that would need twenty minutes."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    text = re.sub(r'^starts = ".*?"', f'starts = "{now}"', text, flags=re.MULTILINE)
    text = re.sub(r"^withdraw = .*$", 'withdraw = { free_until = "draw" }', text, flags=re.MULTILINE)
    text = re.sub(r"^rounds = \d+", f"rounds = {rounds}", text, flags=re.MULTILINE)
    return re.sub(r"^compulsory = \[\[1, (\d+)\].*$", r"compulsory = [[1, \1]]", text, flags=re.MULTILINE)


# -- the process of the tables -----------------------------------------------------------------------------------------


class Joined:
    """A table of the event with its uplink."""

    def __init__(self, table: EventTable, section: UplinkSection) -> None:
        self.table = table
        self.uplink = following(table.runtime, section, table.key)


async def play(plan: Plan) -> None:
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    clock, terms = HouseClock(), terms_of(plan.terms)
    names = dict.fromkeys(name for session in terms.sessions for name in session.tables)
    tables = [
        EventTable(name, terms, Path(plan.folder) / f"{slug(name)}.sqlite", clock, number, TableKey(secret(name)))
        for number, name in enumerate(names, 1)
    ]
    by_name = {one.name: one for one in tables}
    for one in tables:
        one.runtime.watchers.append(lambda told, one=one: walk(told, one, by_name))  # type: ignore[misc]
    joined = [Joined(one, plan.uplink) for one in tables]
    for one in tables:
        one.start()
    uplinks = Uplinks(joined)  # type: ignore[arg-type]  # it asks for nothing but their uplinks
    uplinks.start()
    playing = asyncio.ensure_future(clock.run())
    loop.add_signal_handler(signal.SIGUSR1, lambda: _send_home(tables))
    await over.wait()  # until whoever started this says stop
    playing.cancel()
    for one in tables:
        one.stop()
    uplinks.stop()


def walk(told: Told, left: EventTable, tables: Mapping[str, EventTable]) -> None:
    """Whoever was let go walks over with the chips, which the other table counts."""
    for effect in told.effects:
        if isinstance(effect, Noted) and effect.what == "tournament_released" and "to" in effect.facts:
            number, there = str(effect.facts["entrant"]), tables[str(effect.facts["to"])]
            units = left.crew.leaves(number, int(effect.facts["stack"]))
            left.clock.call_later(WALK_S, _arrives, there, number, units)


def _arrives(table: EventTable, number: str, units: int) -> None:
    table.crew.arriving[number] = units
    table.staff.look()


def _send_home(tables: list[EventTable]) -> None:
    for one in tables:
        one.staff.send_home()


# -- the house and the people at the hall's pages ----------------------------------------------------------------------


class LiveEvent:
    """Starts everything, and does what Director, officer and manager do, by the addresses that their pages use."""

    def __init__(self, folder: Path, text: str, entrants: int, pauses: int = 3) -> None:
        self._folder, self.text, self._entrants, self._pauses = folder, text, entrants, pauses
        self.terms = terms_of(text)
        self._server = NatsServer(folder / "broker")
        self._port = free_port()
        self._cookies: dict[str, str] = {}
        self._floor: subprocess.Popen[bytes] | None = None
        self._tables: subprocess.Popen[bytes] | None = None

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(name for session in self.terms.sessions for name in session.tables))

    def start(self) -> None:
        self._server.start()
        office = self.terms.tournament.approved.by
        (self._folder / "floor.toml").write_text(
            FLOOR_TOML.format(port=self._port, url=self._server.url, office=office) + STAFF_TOML, "utf-8"
        )
        make_witness_key(self._folder / "floor.key", "tablectl-floor/event", os.urandom(32))
        keys = []
        for name in self.names:
            journal = JournalFile.open(self._folder / f"{slug(name)}.sqlite", name, durable=False)
            keys.append(TableKey(secret(name)).public(journal.origin).text())
            journal.close()
        (self._folder / "tables.keys").write_text("\n".join(keys) + "\n", "utf-8")
        witness = read_witness_key(self._folder / "floor.key").public.text()
        plan = Plan(str(self._folder), self.text, UplinkSection((self._server.url,), witness=witness))
        (self._folder / "plan.json").write_bytes(msgspec.json.encode(plan))
        self._start_floor()
        self._tables = self._child(["-m", "lab.hall.live", str(self._folder / "plan.json")], "tables.log")

    def _start_floor(self) -> None:
        words = ["-c", "from controller.commands import main; main()", "floor", "run", "--config"]
        self._floor = self._child([*words, str(self._folder / "floor.toml")], "floor.log")

    def kill_floor(self) -> None:
        """Floor and hall end as a power cut would end them, and come up again."""
        assert self._floor is not None
        self._floor.kill()
        self._floor.wait(STOP_S)
        self._cookies = {}
        self._start_floor()

    def _child(self, words: list[str], name: str) -> subprocess.Popen[bytes]:
        with (self._folder / name).open("ab") as said:
            return subprocess.Popen([sys.executable, *words], stdout=said, stderr=said)

    def stop(self) -> None:
        for child in (self._tables, self._floor):
            if child is not None and child.poll() is None:
                child.terminate()
                child.wait(STOP_S)
        self._server.stop()

    # -- pages ---------------------------------------------------------------------------------------------------------

    def _call(self, path: str, who: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        cookie = {"Cookie": self._cookies[who]} if who in self._cookies else {}
        origin = f"http://127.0.0.1:{self._port}"
        request = urllib.request.Request(
            origin + path, None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json", "Origin": origin, **cookie},
        )  # fmt: skip
        with urllib.request.urlopen(request, timeout=20) as answer:
            if "Set-Cookie" in answer.headers:
                self._cookies[who] = answer.headers["Set-Cookie"].split(";")[0]
            found: dict[str, Any] = json.loads(answer.read())
            return found

    def look(self) -> dict[str, Any]:
        """What the pages show; nothing while the floor comes up."""
        try:
            if DIRECTOR not in self._cookies:
                for who in (OFFICER, DIRECTOR, MANAGER):
                    self._call("/api/sign-in", who, {"staff": who, "pin": ""})
            return self._call("/api/hall", DIRECTOR)
        except OSError:
            return {}

    def do(self, act: str, who: str = DIRECTOR, **args: Any) -> None:
        try:
            self._call("/api/hall/do", who, {"act": act, "args": args})
        except urllib.error.HTTPError as no:
            raise Stalled(f"{act}: {no.read().decode()}") from no

    def until(self, what: str, condition: Callable[[dict[str, Any]], bool], seconds: float) -> dict[str, Any]:
        end, seen = time.monotonic() + seconds, dict[str, Any]()
        while time.monotonic() < end:
            seen = self.look()
            if seen and condition(seen):
                return seen
            time.sleep(LOOK_S)
        stands = {one["name"]: one for one in seen.get("tables", [])}
        raise Stalled(f"not within {seconds:g} s: {what}; {seen.get('phase')}, {seen.get('alarms')}, {stands}")

    # -- the event -----------------------------------------------------------------------------------------------------

    def run(self, a_session_s: float = 1800.0) -> dict[str, Any]:
        """From terms to prizes, and the tables free again; what the pages show at the end."""
        self.papers()
        names = set(self.names)
        self.until("tables designated", lambda seen: names <= {
            one["name"] for one in seen["tables"] if one["designated"]}, 120)  # fmt: skip
        for number, _ in enumerate(self.terms.sessions, 1):
            self._session(a_session_s, last=number == len(self.terms.sessions))
        self._final_order()
        self.do("list_prizes")
        assert self._tables is not None
        self._tables.send_signal(signal.SIGUSR1)
        self.until("counts are in", lambda seen: self._closed(), 120)
        self.do("release")
        return self.until("tables free", lambda seen: not any(one["designated"] for one in seen["tables"]), 120)

    def papers(self) -> None:
        """Everything up to the order that designates the tables."""
        self.until("the floor is up", lambda seen: True, 60)
        self.do("load_terms", MANAGER, text=self.text)
        self.do("name_director", MANAGER, person=DIRECTOR)
        self.do("approve", OFFICER, digest=self.terms.digest)
        self.do("terms_available", how="at the desk")
        self.do("inspectorate_told", whom="inspector on duty")
        self.do("open_entries")
        for number in range(1, self._entrants + 1):
            self.do("enter", entrant=str(number), signed=True)
        self.do("close_entries")
        self.until("the floor hears every table", lambda seen: all(map(self._heard, self.names)), 60)
        self.do("designate")

    def _at_once(self, last: bool) -> int:
        """How many tables play in this session."""
        return len(self.terms.sessions[-1 if last else 0].tables)

    def _heard(self, name: str) -> bool:
        """Whether the floor knows this table by its journal."""
        try:
            return bool(self._call(f"/api/table/{slug(name)}", DIRECTOR))
        except urllib.error.HTTPError:
            return False

    def _session(self, seconds: float, last: bool) -> None:
        self.do("draw")
        self.do("brief")
        self.do("start_session")
        tables = min(2, self._at_once(last))
        self.until("play has begun", lambda seen: sum(one["begun"] for one in seen["tables"]) >= tables, 600)
        if not last:
            self._move_one()
        for _ in range(self._pauses):
            for act in ("pause", "go_on"):
                if self.look().get("phase") == "running":
                    self.do(act)
                    time.sleep(2.0)
        seen = self.until("the session is counted", lambda seen: seen["phase"] == "between", seconds)
        for line in seen["lines"]:
            if line["equal"]:
                self.do("break_tie", order=line["equal"], how=self.terms.result.ties.how)
        if not last:
            self.do("confirm_through")

    def _move_one(self) -> None:
        """One player is moved to the table with the fewest, as HDD orders it."""
        seen = self.look()
        playing = [one for one in seen["tables"] if one["seats"] and one["begun"] and not one["agreed"]]
        if len(playing) < 2 or seen["phase"] != "running":
            return
        origin, to = max(playing, key=lambda one: int(one["sit"])), min(playing, key=lambda one: int(one["sit"]))
        if origin is to:
            origin = next(one for one in playing if one is not to)
        seat = next(seat for seat in range(1, 10) if seat not in {one["seat"] for one in to["seats"]})
        self.do("move", entrant=origin["seats"][0]["number"], to_table=to["name"], to_seat=seat)

    def _final_order(self) -> None:
        """Equal banks at the end are told apart as the terms say, in the order that they were named."""
        while True:
            try:
                return self.do("final_order")
            except Stalled as no:
                equal = re.search(r"Equal: ([^;]+);", str(no))
                if equal is None:
                    raise
                self.do("break_tie", order=equal[1].split(", "), how=self.terms.result.ties.how)

    def _closed(self) -> bool:
        return all((self._folder / f"{slug(name)}.closed").exists() for name in self.names)

    # -- what was measured ---------------------------------------------------------------------------------------------

    def lags(self) -> dict[str, list[int]]:
        """By kind of order: how long after the hall had it on disk each table had it on disk, in milliseconds."""
        given: dict[str, int] = {}
        hall = JournalFile.read_only(self._folder / "hall.journal")
        for row in hall.rows():
            given[str(row.seq)] = row.at
        hall.close()
        found: dict[str, list[int]] = {}
        for name in self.names:
            journal = JournalFile.read_only(self._folder / f"{slug(name)}.sqlite")
            for row in journal.rows():
                event = msgspec.json.decode(row.body)["event"]
                if event.get("type") == "FloorOrder":
                    order = event["order"]
                    kind = order["kind"].removeprefix("tournament_")
                    found.setdefault(kind, []).append(row.at - given[order["id"].split(".")[1]])
            journal.close()
        return found


def late(lags: Mapping[str, Sequence[int]]) -> list[str]:
    """Of what tables must hear at once, what took longer than it may, in words."""
    worst = {kind: max(lags[kind]) for kind in AT_ONCE if lags.get(kind)}
    return [f"{kind} was on disk at a table after {ms} ms, and may take {SOON_MS}" for kind, ms in worst.items()
            if ms > SOON_MS]  # fmt: skip


def main() -> None:
    log.setup(level="warning")
    asyncio.run(play(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Plan)))


if __name__ == "__main__":
    main()
