"""Serves the screens on the controller's own loop, and refuses to where that would be unsafe."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
import uvicorn

from controller import games
from controller.config.types import TableConfig
from controller.core.events import SignedOut
from controller.core.runtime import Runtime
from controller.people.door import Doorkeeper
from controller.people.staff import read_staff
from controller.rules.rulebook import load_rulebook
from controller.web import callers
from controller.web.access import Access, PairingFile, Session
from controller.web.board import Board
from controller.web.callers import AT_ONCE, Callers
from controller.web.guard import Guard
from controller.web.routes import Screens
from controller.web.waiting import now, within

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from controller.web.annex import Annex

STOP_S = 3
LOOK_EVERY_S = 15.0
"""How often it is looked whether somebody signed in at a screen has gone idle."""

log = structlog.get_logger()


class WebTrouble(Exception):
    """The screens cannot be served as configured; the message says what to change."""


class PortTaken(WebTrouble):
    """Something else listens at this address already."""


class WebSettings(msgspec.Struct, frozen=True):
    """Where the screens are served; `names` are further host names the pages are opened under."""

    host: str = "127.0.0.1"
    port: int = 8642
    certificate: str = ""
    key: str = ""
    pairings: str = "screens.json"
    staff: str = "staff.json"
    names: tuple[str, ...] = ()

    @property
    def tls(self) -> bool:
        return bool(self.certificate)

    @property
    def loopback(self) -> bool:
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def settings_of(config: TableConfig) -> WebSettings:
    """What the configuration says; pairings and the staff register lie beside the journal."""
    journal = Path(config.table.journal)
    return WebSettings(
        config.table.web_host,
        config.table.web_port,
        certificate=config.table.certificate,
        key=config.table.certificate_key,
        pairings=str(journal.with_name("screens.json")),
        staff=str(config.staff_file()),
    )


class WebServer:
    """The running screens of one table: `await start()`, later `await stop()`."""

    def __init__(
        self,
        runtime: Runtime,
        config: TableConfig,
        *,
        settings: WebSettings | None = None,
        door: Doorkeeper | None = None,
        annex: Annex | None = None,
        practice: bool = False,
    ) -> None:
        self.settings = settings or settings_of(config)
        self.practice = practice
        _refuse_unsafe(self.settings)
        if (annex is not None or practice) and not self.settings.loopback:
            raise WebTrouble("Practice and further pages are served on loopback only; set web to 127.0.0.1.")
        if self.settings.tls:
            _load_certificate(self.settings)
            callers.spare_buffers()
        self.url = ""
        if door is None and not self.practice:
            door = Doorkeeper(runtime, Path(self.settings.staff))
        self.access = Access(config, PairingFile(Path(self.settings.pairings)), door, self.practice, now, self._ended,
                             annex.place if annex else "")  # fmt: skip
        self.board = Board(runtime, face(runtime, config, self.practice, annex), door)
        self.board.names = self.access.names
        self._runtime = runtime
        self._config = config
        self._annex = annex
        self._screens: Screens | None = None
        self._server: _Server | None = None
        self._task: asyncio.Task[None] | None = None
        self._look: asyncio.TimerHandle | None = None
        self._look_at_callers: asyncio.TimerHandle | None = None
        self.callers = Callers(now)

    async def start(self) -> str:
        """Listen; the address of the first page."""
        listening = _listen(self.settings, self.callers)
        host, port = self.settings.host, listening.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        screens = self._screens = Screens(
            self._runtime, self.board, self.access, self._annex, f"tablectl-{port}", self.settings.tls, self.callers,
            self._further(),
        )  # fmt: skip
        names = {shown, "localhost", "127.0.0.1", "[::1]"} if self.settings.loopback else {shown, *self.settings.names}
        if self.settings.host in ("0.0.0.0", "::"):
            names |= {socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}
        default = 443 if self.settings.tls else 80
        hosts = frozenset({f"{name}:{port}" for name in names} | ({*names} if port == default else set()))
        app = Guard(screens.app(), hosts, self.settings.tls, now, screens.paired_place, self.callers.hold_back)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,  # nobody stands between, and whoever says so would have as many addresses as they like
            lifespan="off",
            ws="none",
            http=self.callers.connection,  # type: ignore[arg-type]
            loop="none",
            timeout_keep_alive=30,
            timeout_graceful_shutdown=STOP_S,
            h11_max_incomplete_event_size=16384,
            backlog=AT_ONCE,
            ssl_certfile=self.settings.certificate or None,
            ssl_keyfile=self.settings.key or None,
        )
        config.load()  # now, and not once the table is ready
        self._server = _Server(config)
        self._task = asyncio.create_task(self._server.serve([listening]), name="screens")
        self.url = f"{'https' if self.settings.tls else 'http'}://{shown}:{port}/"
        self._look_for_idle()
        self._look_for_slow()
        self.callers.count_warnings()
        log.info("screens_served", url=self.url, practice=self.practice)
        return self.url

    def _further(self) -> tuple[BaseRoute, ...]:
        """What a table serves besides its screens; of one that does not, nothing is loaded."""
        if self._config.metrics is None:
            return ()
        from controller.metrics.table import route

        return (route(self._runtime, self._config),)

    def _look_for_idle(self) -> None:
        self.access.look()
        self._look = asyncio.get_running_loop().call_later(LOOK_EVERY_S, self._look_for_idle)

    def _look_for_slow(self) -> None:
        self.callers.look()
        self._look_at_callers = asyncio.get_running_loop().call_later(callers.LOOK_EVERY_S, self._look_for_slow)

    def _ended(self, session: Session, why: str) -> None:
        self._runtime.submit(SignedOut(session.place, session.person, why))

    async def stop(self) -> None:
        """End every page's channel and stop listening."""
        self.board.close()
        if self._screens is not None:
            self._screens.lookups.close()
        for timer in (self._look, self._look_at_callers):
            if timer is not None:
                timer.cancel()
        self.callers.stop_counting()
        if self._server is not None and self._task is not None:
            self._server.should_exit = True
            with contextlib.suppress(TimeoutError):
                await within(STOP_S + 2, self._task)


class _Server(uvicorn.Server):
    """Leaves signals to the controller, whose loop this is."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(
    runtime: Runtime,
    config: TableConfig,
    *,
    settings: WebSettings | None = None,
    door: Doorkeeper | None = None,
    annex: Annex | None = None,
    practice: bool = False,
) -> WebServer:
    """Serve the screens of a started runtime; stop them with `await server.stop()`."""
    server = WebServer(runtime, config, settings=settings, door=door, annex=annex, practice=practice)
    await server.start()
    return server


def _refuse_unsafe(settings: WebSettings) -> None:
    if settings.loopback:
        return
    if not (settings.certificate and settings.key):
        raise WebTrouble(
            f"The screens may be seen from other machines at {settings.host} only over TLS: "
            "give a certificate and its key, or serve on 127.0.0.1."
        )
    paired = PairingFile(Path(settings.pairings)).read().screens
    members = read_staff(settings.staff).members.values()
    if not paired or not any(member.pin for member in members):
        raise WebTrouble(
            f"The screens may be seen from other machines at {settings.host} only with sign-in: pair a screen "
            "(tablectl screens pair) and give staff their PINs (tablectl staff pin), or serve on 127.0.0.1."
        )


def _load_certificate(settings: WebSettings) -> None:
    """Find out before anything listens whether certificate and key can be used."""
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(settings.certificate, settings.key or None)
    except (OSError, ssl.SSLError) as error:
        why = getattr(error, "reason", "") or error.strerror or str(error)
        raise WebTrouble(
            f"The certificate {settings.certificate} with the key {settings.key} cannot be used ({why}); "
            "check that both files are there, readable, in PEM form and belong together."
        ) from error


def _listen(settings: WebSettings, callers: Callers) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = callers.listening(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        kind = PortTaken if error.errno == errno.EADDRINUSE else WebTrouble
        raise kind(
            f"The screens cannot be served at {settings.host}:{settings.port} ({error.strerror}); "
            'stop what listens there, or choose another port with web = "127.0.0.1:PORT" in the table\'s file.'
        ) from error
    listening.listen()
    listening.setblocking(False)
    return listening


def face(runtime: Runtime, config: TableConfig, practice: bool, annex: Annex | None) -> dict[str, Any]:
    """What a page must know of a table before anything happens, and which never changes while the controller runs."""
    book = load_rulebook(config.table.rulebook)
    return {
        "name": config.table.name,
        "game": config.table.game,
        "rulebook": book.rulebook.title,
        "document": f"{book.rulebook.document} {book.rulebook.version}",
        "ranks": [{"level": level, "name": rank.name} for level, rank in enumerate(book.ranks, 1)],
        "seats": config.seats.count,
        "colours": config.chips.colours,
        "sign": msgspec.to_builtins(config.sign),
        "round_word": runtime.table.house.round_word,
        "practice": practice,
        "annex": {"place": annex.place, "label": annex.label} if annex else None,
        "simulated": all(device.simulated for device in config.devices.values()),
        **games.find(config.table.game).face(config, runtime.table.game, runtime.drivers),
    }
