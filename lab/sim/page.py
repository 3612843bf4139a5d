"""The pages of a simulated table: the table's own, and the bench behind which its simulators stand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.config.types import TableConfig
from controller.core.runtime import Runtime
from controller.people.door import Doorkeeper
from controller.web.annex import Guarded
from controller.web.answers import Turned, body_of
from controller.web.server import WebServer, WebSettings, WebTrouble, settings_of
from controller.web.server import serve as serve_screens
from lab.sim.bench import BadPull, Bench

Word = Annotated[str, Meta(max_length=64)]


class Pulled(msgspec.Struct, forbid_unknown_fields=True):
    """A lever of the bench."""

    name: Word
    args: dict[Word, Any] = {}


class Played(msgspec.Struct, forbid_unknown_fields=True):
    """A case of a scenario file."""

    case: dict[str, Any]


class BenchPage:
    """The page on which a person takes hold of the simulators."""

    place = "bench"
    label = "Bench"
    static = Path(__file__).parent / "static"

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def routes(self, guarded: Guarded) -> list[BaseRoute]:
        return [
            Route("/api/bench", guarded(self.levers)),
            Route("/api/bench/scenario", guarded(self.scenario)),
            Route("/api/bench/pull", guarded(self.pull), methods=["POST"]),
            Route("/api/bench/play", guarded(self.play), methods=["POST"]),
        ]

    async def levers(self, request: Request) -> Response:
        body = msgspec.json.encode({"levers": self._bench.levers(), "bench": self._bench.status()})
        return Response(body, media_type="application/json")

    async def scenario(self, request: Request) -> Response:
        return Response(msgspec.json.encode(self._bench.scenario()), media_type="application/json")

    async def pull(self, request: Request) -> Response:
        pulled = await body_of(request, Pulled)
        try:
            said = self._bench.pull(pulled.name, pulled.args)
        except BadPull as bad:
            raise Turned(400, str(bad)) from bad
        return JSONResponse({"said": said, "bench": self._bench.status()})

    async def play(self, request: Request) -> Response:
        case = (await body_of(request, Played)).case
        try:
            return JSONResponse({"said": self._bench.play(case)})
        except BadPull as bad:
            raise Turned(400, str(bad)) from bad


async def serve(
    runtime: Runtime,
    config: TableConfig,
    *,
    bench: Bench | None = None,
    settings: WebSettings | None = None,
    door: Doorkeeper | None = None,
) -> WebServer:
    """Serve the screens of a simulated table; on loopback nobody needs a PIN there."""
    settings = settings or settings_of(config)
    simulated = all(device.simulated for device in config.devices.values())
    if bench is not None and not simulated:
        raise WebTrouble("The bench exists only where every device is simulated; this table has a real one.")
    annex = BenchPage(bench) if bench is not None else None
    practice = simulated and settings.loopback
    return await serve_screens(runtime, config, settings=settings, door=door, annex=annex, practice=practice)
