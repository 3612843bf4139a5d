"""A table to be attacked: simulated devices behind screens that take it for a real one, and a dealer at work."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from controller import log
from controller.people.door import Doorkeeper
from controller.people.staff import Member, Staff, with_pin, write_staff
from controller.web.access import PairingFile
from controller.web.callers import keep_what_stands
from controller.web.server import WebServer, WebSettings, serve
from controller.web.waiting import now, within
from lab.certificates import certificate
from lab.proofs.redteam.priority import FIRST, give_turn
from lab.sim.config import default_config
from lab.sim.paced import PacedClock
from lab.sim.table import SimulatedTable

HERE = "127.0.0.1"
ANSWER_S = 10.0
COMES_UP_S = 60.0
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]
RANKS = {"S1": "dealer", "S2": "GS", "S3": "AM"}


class Answer(NamedTuple):
    """What came back, and after how long."""

    status: int
    body: Any
    seconds: float


class Screen:
    """One screen with a connection that it keeps, as a browser does."""

    def __init__(self, host: str, place: str, at: str) -> None:
        self.host, self.at = host, at
        self.place = place
        self.cookies: dict[str, str] = {}
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def request(self, method: str, path: str, body: Any = None) -> bytes:
        """The octets of a request as this screen makes it."""
        octets = json.dumps(body).encode() if body is not None else b""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}"]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if octets:
            lines += [
                f"Origin: https://{self.host}",
                "Content-Type: application/json",
                f"Content-Length: {len(octets)}",
            ]
        return "\r\n".join([*lines, "", ""]).encode() + octets

    async def ask(self, method: str, path: str, body: Any = None) -> Answer:
        began = now()
        try:
            status, found = await within(ANSWER_S, self._ask(self.request(method, path, body)))
        except (OSError, asyncio.IncompleteReadError):  # a kept connection may have been ended meanwhile
            self.hang_up()
            status, found = await within(ANSWER_S, self._ask(self.request(method, path, body)))
        return Answer(status, found, now() - began)

    async def _ask(self, octets: bytes) -> tuple[int, Any]:
        if self._line is None:
            self._line = await connected(self.host, self.at)
        reader, writer = self._line
        writer.write(octets)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
        body = await reader.readexactly(int(fields.get("content-length", 0)))
        for line in head.split("\r\n"):
            if line.lower().startswith("set-cookie: "):
                name, _, value = line[12:].partition(";")[0].partition("=")
                self.cookies[name] = value.strip('"')
        with contextlib.suppress(ValueError):
            return int(head.split()[1]), json.loads(body)
        return int(head.split()[1]), body

    async def sign_in(self, staff: str, pin: str) -> Answer:
        return await self.ask("POST", "/api/sign-in", {"staff": staff, "place": self.place, "pin": pin})

    async def press(self, key: str = "open", **args: Any) -> Answer:
        return await self.ask("POST", "/api/command", {"name": key, "place": self.place, "args": args})

    def hang_up(self) -> None:
        if self._line is not None:
            self._line[1].transport.abort()
            self._line = None


def _whoever() -> ssl.SSLContext:
    """TLS with a table whose certificate nobody vouches for; sessions are not taken up again, so each one costs."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


WHOEVER = _whoever()


async def connected(host: str, at: str, tls: bool = True) -> Line:
    """A connection from this address of the machine."""
    name, _, port = host.rpartition(":")
    assert name == HERE, "attacks go to this machine only"
    return await asyncio.open_connection(name, int(port), local_addr=(at, 0), ssl=WHOEVER if tls else None)


class Screens:
    """Where the screens of an attacked table are, and who may come to them."""

    def __init__(self, host: str, at: str = HERE, calls: list[int] | None = None) -> None:
        self.host, self.at = host, at
        self.calls: list[int] = [] if calls is None else calls
        """How much was said on each connection, by everybody from here and elsewhere."""

    def from_elsewhere(self, number: int) -> Screens:
        """The same for somebody at another machine."""
        return Screens(self.host, f"127.0.0.{number}", self.calls)

    def stranger(self, place: str = "dealer") -> Screen:
        """Somebody who has no token."""
        return Screen(self.host, place, self.at)

    async def call(self, said: bytes = b"", tls: bool = True) -> Line:
        """Connect as anybody can, and say this."""
        line = await connected(self.host, self.at, tls)
        self.calls.append(len(said))
        line[1].write(said)
        return line


class Paired(Screens):
    """The same of a table whose folder is at hand, so that screens can be paired with it."""

    def __init__(self, folder: Path, host: str) -> None:
        super().__init__(host)
        self.folder = folder

    async def screen(self, place: str) -> Screen:
        """A paired screen of this place."""
        made = self.stranger(place)
        token = PairingFile(self.folder / "screens.json").pair(place)
        answer = await made.ask("POST", "/api/pair", {"token": token})
        assert answer.status == 200, answer
        return made


class Stand(Paired):
    """The attacked table itself."""

    def __init__(self, folder: Path, table: SimulatedTable, server: WebServer, door: Doorkeeper) -> None:
        super().__init__(folder, server.url.partition("://")[2].rstrip("/"))
        self.table, self.server, self.door = table, server, door


@contextlib.asynccontextmanager
async def stand(folder: Path, pins: dict[str, str], names: dict[str, str] | None = None) -> AsyncIterator[Stand]:
    """A table with a dealer (S1), a supervisor (S2) and a manager (S3) who have these PINs."""
    clock = PacedClock(asyncio.get_running_loop(), 20.0)
    table = SimulatedTable(default_config(), folder / "table.db", clock, 1)
    table.people.stand_back(True)
    table.start()
    staff = Staff()
    for id, rank in RANKS.items():
        name = (names or {}).get(id, id)
        staff = Staff({**staff.members, id: Member(id, name, {table.config.table.rulebook: rank})})
        staff = with_pin(staff, id, pins[id], id.encode() * 8)
    write_staff(folder / "staff.json", staff)
    wheel = msgspec.structs.replace(table.config.devices["wheel"], simulated=False)
    seen = msgspec.structs.replace(table.config, devices={**table.config.devices, "wheel": wheel})
    door = Doorkeeper(table.runtime, folder / "staff.json")
    door.start()
    settings = WebSettings(
        "127.0.0.1", 0, *certificate(folder), pairings=str(folder / "screens.json"), staff=str(folder / "staff.json")
    )
    server = await serve(table.runtime, seen, settings=settings, door=door)
    try:
        yield Stand(folder, table, server, door)
    finally:
        await server.stop()
        clock.pause()
        door.stop()
        table.stop()


def _turns(process: str) -> tuple[float, float]:
    """Seconds that the first thread of a process ran, and that it was ready and waited for a processor."""
    ran, waited, _ = Path(f"/proc/{process}/schedstat").read_text().split()
    return int(ran) / 1e9, int(waited) / 1e9


def held_up_s() -> float:
    """How long this process waited for a processor so far."""
    return _turns("self")[1]


class Apart(Paired):
    """An attacked table that is a process of its own, so that its memory is its own, too, and its turns are."""

    def __init__(self, folder: Path, host: str, process: int) -> None:
        super().__init__(folder, host)
        self._process = process

    def memory_kb(self) -> int:
        """What the process has in memory now."""
        return int(Path(f"/proc/{self._process}/status").read_text().partition("VmRSS:")[2].split()[0])

    def ran_s(self) -> float:
        """How long its loop ran so far."""
        return _turns(str(self._process))[0]

    def held_up_s(self) -> float:
        """How long its loop waited for a processor so far."""
        return _turns(str(self._process))[1]


@contextlib.asynccontextmanager
async def stand_apart(folder: Path, pins: dict[str, str]) -> AsyncIterator[Apart]:
    """The same table in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, str(folder), json.dumps(pins), stdin=PIPE, stdout=PIPE,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        host = (await within(COMES_UP_S, process.stdout.readline())).decode().strip()
        if not host:
            raise RuntimeError("the table to be attacked did not come up")
        yield Apart(folder, host, process.pid)
    finally:
        process.stdin.close()
        try:
            await within(ANSWER_S, process.wait())
        except TimeoutError:
            process.kill()
            await within(ANSWER_S, process.wait())


async def _stand_until_told(folder: Path, pins: dict[str, str]) -> None:
    """Be attacked until standard input ends."""
    async with stand(folder, pins) as table:
        keep_what_stands()
        print(table.host, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    log.setup(level="error", stream=sys.stderr)
    give_turn(FIRST)
    asyncio.run(_stand_until_told(Path(sys.argv[1]), json.loads(sys.argv[2])))
