"""The floor's pages over a store of tables that were played, and somebody who asks for them."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Engine

from controller.config.types import Person
from controller.people.staff import SALT_BYTES, Member, Staff, hashed_pin, write_staff
from floor.config import BrokerSection, FloorConfig, FloorSection
from floor.fleet.web import FleetPages
from floor.hall.web import HallPages
from floor.intake import Intake
from floor.presence import Presence
from floor.web.access import REGISTER
from floor.web.board import Board
from floor.web.server import FloorServer
from tests.floor.tables import WITNESS, floor_at, heard, played

PEOPLE = (Person("F1", "Avery", "inspector"), Person("F2", "Blake", "supervisor"), Person("F3", "Corin", "manager"))
PIN = "7301"


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: Any
    headers: dict[str, str]


class Caller:
    """A browser's cookies and nothing else of it."""

    def __init__(self, port: int) -> None:
        self._port, self._cookie = port, ""

    def get(self, path: str) -> Answer:
        return self._ask("GET", path)

    def post(self, path: str, body: object, origin: str = "") -> Answer:
        return self._ask("POST", path, json.dumps(body), origin or f"http://127.0.0.1:{self._port}")

    def sign_in(self, staff: str, pin: str = "") -> Answer:
        return self.post("/api/sign-in", {"staff": staff, "pin": pin})

    def _ask(self, method: str, path: str, body: str | None = None, origin: str = "") -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=10)
        headers = {"cookie": self._cookie, **({"origin": origin, "content-type": "application/json"} if body else {})}
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        octets, told = response.read(), {name.lower(): value for name, value in response.getheaders()}
        connection.close()
        if "set-cookie" in told:
            self._cookie = told["set-cookie"].partition(";")[0]
        is_json = told.get("content-type", "").startswith("application/json")
        return Answer(response.status, json.loads(octets) if is_json else octets.decode(), told)


class Served(NamedTuple):
    """The pages, and the intake behind them."""

    intake: Intake
    server: FloorServer

    def caller(self, staff: str = "", pin: str = "") -> Caller:
        one = Caller(int(self.server.url.rstrip("/").rpartition(":")[2]))
        if staff:
            assert one.sign_in(staff, pin).status == 200
        return one


@contextlib.contextmanager
def served(
    folder: Path, *games: str, practice: bool = True, hall: Callable[[Engine], HallPages] | None = None,
    fleet: FleetPages | None = None,
) -> Iterator[Served]:  # fmt: skip
    """A floor that has heard these tables, its pages on a loop of its own; `hall` makes a tournament's beside them, and
    `fleet` are those of the machines."""
    paths = [played(game)[0] for game in games]
    intake = floor_at(folder, *paths)
    for number, path in enumerate(paths):
        intake.take(heard(path, start=1000 * number))
    section = FloorSection("Test", web="127.0.0.1:0", staff=str(folder / "staff.json"), practice=practice)
    config = FloorConfig(section, BrokerSection(("nats://127.0.0.1:1",)), PEOPLE)
    members = [Member(one.id, one.name, {REGISTER: one.rank}, pin=hashed_pin(PIN, bytes(SALT_BYTES))) for one in PEOPLE]
    write_staff(folder / "staff.json", Staff({one.id: one for one in members}))
    loop, over, ready = asyncio.new_event_loop(), asyncio.Event(), threading.Event()
    box: list[Served] = []

    async def run() -> None:
        board = Board(intake._engine, Presence(), lambda: "")
        pages = hall(intake._engine) if hall is not None else None
        server = FloorServer(config, intake._engine, board, WITNESS, hall=pages, fleet=fleet)
        await server.start()
        box.append(Served(intake, server))
        ready.set()
        await over.wait()
        await server.stop()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield box[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
        intake._engine.dispose()
