"""A small HTTP client on the test's own loop, and a table that is served for it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from controller.config.types import TableConfig
from controller.people.door import Doorkeeper
from controller.web.server import WebServer, WebSettings
from controller.web.waiting import pause, within
from lab.scenarios.played import find
from lab.sim.config import default_config
from lab.sim.levers import Levers
from lab.sim.paced import PacedClock
from lab.sim.page import serve
from lab.sim.table import SimulatedTable

ANSWER_S = 10.0


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    cookies: dict[str, str]
    body: Any


class Client:
    """A browser without a screen: keeps cookies, tells its origin."""

    def __init__(self, server: WebServer, trusts: ssl.SSLContext | None = None) -> None:
        self.scheme, _, host = server.url.partition("://")
        self.host = host.rstrip("/")
        self._ssl = trusts
        self.cookies: dict[str, str] = {}

    async def get(self, path: str, **headers: str) -> Answer:
        return await self._ask("GET", path, None, headers)

    async def post(self, path: str, body: Any, **headers: str) -> Answer:
        return await self._ask("POST", path, body, headers)

    async def _ask(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        sent = {"host": self.host, "connection": "close"}
        if self.cookies:
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        octets = b""
        if body is not None:
            octets = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent |= {
                "content-type": "application/json",
                "content-length": str(len(octets)),
                "origin": f"{self.scheme}://{self.host}",
            }
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items() if value), "", ""]
        reader, writer = await asyncio.open_connection(*self.host.rsplit(":", 1), ssl=self._ssl)
        writer.write("\r\n".join(lines).encode() + octets)
        raw = await within(ANSWER_S, reader.read())
        writer.close()
        return self._read(raw)

    def _read(self, raw: bytes) -> Answer:
        head, _, body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        pairs = [line.split(": ", 1) for line in lines]
        cookies = {
            value.split("=", 1)[0]: value.split("=", 1)[1] for name, value in pairs if name.lower() == "set-cookie"
        }
        self.cookies |= {name: value.split(";")[0].strip('"') for name, value in cookies.items()}
        found = {name.lower(): value for name, value in pairs}
        with contextlib.suppress(ValueError):
            return Answer(int(first.split()[1]), found, cookies, json.loads(body))
        return Answer(int(first.split()[1]), found, cookies, body)

    async def sign_in(self, staff: str, place: str = "dealer", pin: str = "") -> Answer:
        return await self.post("/api/sign-in", {"staff": staff, "place": place, "pin": pin})

    async def press(self, key: str, place: str = "dealer", **args: Any) -> Answer:
        return await self.post("/api/command", {"name": key, "place": place, "args": args})


class Served(NamedTuple):
    """A table and its screens."""

    table: SimulatedTable
    server: WebServer
    levers: Levers

    def client(self) -> Client:
        return Client(self.server)

    async def until(self, condition: Any, seconds: float = ANSWER_S) -> None:
        async def hold() -> None:
            while not condition():
                await pause(0.005)

        await within(seconds, hold())


def with_real_device(config: TableConfig) -> TableConfig:
    """The same table as if its wheel were real."""
    wheel = msgspec.structs.replace(config.devices["wheel"], simulated=False)
    return msgspec.structs.replace(config, devices={**config.devices, "wheel": wheel})


@contextlib.asynccontextmanager
async def served(
    folder: Path,
    *,
    real: bool = False,
    speed: float = 20.0,
    play: bool = False,
    config: TableConfig | None = None,
    certificate: tuple[str, str] = ("", ""),
) -> AsyncIterator[Served]:
    """A simulated table behind its screens; `real` makes the screens believe in a real device."""
    clock = PacedClock(asyncio.get_running_loop(), speed)
    table = SimulatedTable(config or default_config(), folder / "table.db", clock, 1)
    table.people.stand_back(not play)
    table.start()
    levers = find(table.config.table.game).levers(table, 1, None)
    settings = WebSettings(
        port=0,
        certificate=certificate[0],
        key=certificate[1],
        pairings=str(folder / "screens.json"),
        staff=str(folder / "staff.json"),
    )
    door = Doorkeeper(table.runtime, folder / "staff.json") if real else None
    if door is not None:
        door.start()
    seen = with_real_device(table.config) if real else table.config
    server = await serve(table.runtime, seen, bench=None if real else levers, settings=settings, door=door)
    try:
        yield Served(table, server, levers)
    finally:
        await server.stop()
        clock.pause()
        if door is not None:
            door.stop()
        table.stop()
