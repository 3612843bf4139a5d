"""Serves the floor's pages on its own loop, with the manners of a table's pages."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from sqlalchemy import Engine
from starlette.routing import BaseRoute

from controller.journal.cosignature import WitnessKey
from controller.people.staff import read_staff
from controller.web.callers import AT_ONCE, LOOK_EVERY_S, Callers, spare_buffers
from controller.web.guard import Guard
from controller.web.waiting import now, pause, within
from floor.config import FloorConfig
from floor.web.access import Access
from floor.web.board import Board
from floor.web.routes import Pages

if TYPE_CHECKING:
    from floor.fleet.web import FleetPages
    from floor.hall.web import HallPages

STOP_S = 3


class WebTrouble(Exception):
    """The pages cannot be served as configured; the message says what to change."""


class FloorServer:
    """The running pages of one floor: `await start()`, later `await stop()`."""

    def __init__(
        self, config: FloorConfig, engine: Engine, board: Board, key: WitnessKey | None = None,
        further: Sequence[BaseRoute] = (), hall: HallPages | None = None, fleet: FleetPages | None = None,
    ) -> None:  # fmt: skip
        self._further, self._hall, self._fleet = further, hall, fleet
        self._config, self._engine, self._board, self._key = config, engine, board, key
        _refuse_unsafe(config)
        self.callers = Callers(now)
        self.access = Access(config.staff, Path(config.floor.staff), config.floor.practice, now)
        self.url = ""
        self._server: uvicorn.Server
        self._tasks: list[asyncio.Future[None]] = []

    async def start(self) -> str:
        """Listen; the address of the first page."""
        section, host = self._config.floor, self._config.web_host
        listening = self._listen()
        port = listening.getsockname()[1]
        if tls := bool(section.certificate):
            spare_buffers()
        pages = Pages(
            self._engine, self._board, self.access, self.callers, name=section.name,
            cookie=f"tablectl-floor-{port}", tls=tls, key=self._key,
            further=self._further, hall=self._hall, fleet=self._fleet, days=section.days,
        )  # fmt: skip
        shown = f"[{host}]" if ":" in host else host
        names = {shown, "localhost", "127.0.0.1"} if loopback(host) else {shown, socket.gethostname().lower()}
        hosts = frozenset(f"{name}:{port}" for name in names)
        app = Guard(pages.app(), hosts, tls, now, pages.signed_in, self.callers.hold_back)
        self._server = _Server(
            uvicorn.Config(
                app, log_config=None, access_log=False, server_header=False, proxy_headers=False, lifespan="off",
                ws="none", http=self.callers.connection, loop="none", timeout_keep_alive=30,  # type: ignore[arg-type]
                timeout_graceful_shutdown=STOP_S, h11_max_incomplete_event_size=16384, backlog=AT_ONCE,
                ssl_certfile=section.certificate or None, ssl_keyfile=section.certificate_key or None,
            )
        )  # fmt: skip
        self._tasks = [
            asyncio.ensure_future(each) for each in (self._server.serve([listening]), self._board.run(), self._look())
        ]
        self.callers.count_warnings()
        self.url = f"{'https' if tls else 'http'}://{shown}:{port}/"
        return self.url

    async def _look(self) -> None:
        while True:
            await pause(LOOK_EVERY_S)
            self.callers.look()

    def _listen(self) -> socket.socket:
        host, port = self._config.web_host, self._config.web_port
        listening = self.callers.listening(socket.AF_INET6 if ":" in host else socket.AF_INET)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
        except OSError as error:
            listening.close()
            raise WebTrouble(
                f"The floor's pages cannot be served at {host}:{port} ({error.strerror}); stop what listens there, or "
                "choose another port with web in [floor]."
            ) from error
        listening.listen()
        listening.setblocking(False)
        return listening

    async def stop(self) -> None:
        """Stop listening, and end every page's channel."""
        self.callers.stop_counting()
        self._server.should_exit = True
        serving, *others = self._tasks
        for task in others:
            task.cancel()
        with contextlib.suppress(TimeoutError):
            await within(STOP_S + 2, serving)
        await asyncio.gather(*others, return_exceptions=True)


class _Server(uvicorn.Server):
    """Leaves signals to the floor, whose loop this is."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _refuse_unsafe(config: FloorConfig) -> None:
    section = config.floor
    if loopback(config.web_host):
        return
    if section.practice:
        raise WebTrouble("Practice, where nobody needs a PIN, is for loopback only; set web to 127.0.0.1.")
    if not (section.certificate and section.certificate_key):
        raise WebTrouble(
            f"The floor's pages may be seen from other machines at {section.web} only over TLS: give certificate and "
            "certificate_key, or serve on 127.0.0.1."
        )
    if not any(member.pin for member in read_staff(section.staff).members.values()):
        raise WebTrouble(
            "The floor's pages may be seen from other machines only by people with a PIN: tablectl floor staff, or "
            "serve on 127.0.0.1."
        )
