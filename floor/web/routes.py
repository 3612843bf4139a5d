"""The floor's addresses and the JSON interface behind them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import Meta
from sqlalchemy import Connection, Engine, select, update
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from controller.journal.cosignature import WitnessKey
from controller.report.days import HouseDays
from controller.web import routes as table_routes
from controller.web.answers import Channel, Files, Turned, body_of, query_of
from controller.web.callers import Callers, home
from floor.orders import Giver, OrderTrouble, give
from floor.store.schema import ALARMS, FINDINGS, TAKEN
from floor.web import lookup, statistics
from floor.web.access import LADDER, Access, Denied, Session
from floor.web.board import Board
from floor.web.downloads import Downloads
from floor.web.lookup import NoSuchTable, Wanted

if TYPE_CHECKING:
    from floor.fleet.web import FleetPages
    from floor.hall.web import HallPages

HERE = Path(__file__).parent
SHARED = Path(table_routes.__file__).parent / "static"
PAGES = {"/": "tables", "/table/{slug}": "table", "/alarms": "alarms", "/rounds": "rounds", "/results": "results",
         "/sign-in": "sign-in"}  # fmt: skip
CHANNELS_MOST = 24
SUPERVISOR, MANAGER = LADDER.index("supervisor") + 1, LADDER.index("manager") + 1

Word = Annotated[str, Meta(max_length=128)]
Handler = Callable[[Request], Awaitable[Response]]


class SignIn(msgspec.Struct, forbid_unknown_fields=True):
    """Staff number and PIN; shows neither."""

    staff: Word
    pin: Word = ""

    def __repr__(self) -> str:
        return "SignIn(…)"


class TakenAlarm(msgspec.Struct, forbid_unknown_fields=True):
    """An alarm of a table that somebody takes upon themselves."""

    journal: int
    code: Word
    since: int


class TakenFinding(msgspec.Struct, forbid_unknown_fields=True):
    """What the floor found, taken by somebody; or seen to, so that it is over."""

    id: int
    over: bool = False


class Ordered(msgspec.Struct, forbid_unknown_fields=True):
    """Something that a table shall do; amounts in cents."""

    table: Word
    kind: Word
    args: dict[Word, str | int | bool] = {}


class Results(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By what results are asked for, and of which time, in milliseconds."""

    by: str = "game"
    since: int = 0
    until: int = 0


class Since(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From when on, in milliseconds."""

    since: int = 0


A = TypeVar("A", Wanted, Results, Since)


class Pages:
    """Everything a request can reach."""

    def __init__(
        self, engine: Engine, board: Board, access: Access, callers: Callers, *, name: str, cookie: str, tls: bool,
        key: WitnessKey | None = None, further: Sequence[BaseRoute] = (), hall: HallPages | None = None,
        fleet: FleetPages | None = None, days: HouseDays = statistics.UTC_DAYS,
    ) -> None:  # fmt: skip
        self._hall, self._fleet, self._days = hall, fleet, days
        self._engine, self._board, self._access, self._callers = engine, board, access, callers
        self._name, self._cookie, self._tls, self._key, self._further = name, cookie, tls, key, further
        self._downloads = Downloads(engine, name)
        self._page = (HERE / "page.html").read_text("utf-8")

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                *(Route(path, self.page_of(name)) for path, name in PAGES.items()),
                Route("/favicon.ico", self._icon),
                Route("/static/{name}", Files(SHARED).show),
                Route("/floor-static/{name}", Files(HERE / "static").show),
                Route("/api/me", self.answer(self.me)),
                Route("/api/sign-in", self.answer(self.sign_in), methods=["POST"]),
                Route("/api/sign-out", self.answer(self.sign_out), methods=["POST"]),
                Route("/api/live", self.answer(self.seen(self.live))),
                Route("/api/table/{slug}", self.answer(self.seen(self.table))),
                Route("/api/alarms", self.answer(self.seen(self.alarms))),
                Route("/api/rounds", self.answer(self.seen(self.rounds))),
                Route("/api/results", self.answer(self.seen(self.results))),
                Route("/api/fairness", self.answer(self.seen(self.fairness))),
                Route("/api/openapi.json", self.answer(self.seen(self.openapi))),
                Route("/api/export/{what}", self.answer(self.seen(self._downloads.export))),
                Route("/api/take-alarm", self.answer(self.seen(self.take_alarm)), methods=["POST"]),
                Route("/api/take-finding", self.answer(self.seen(self.take_finding)), methods=["POST"]),
                Route("/api/order", self.answer(self.seen(self.order)), methods=["POST"]),
                *self._further,
                *(self._hall.routes(self) if self._hall is not None else ()),
                *(self._fleet.routes(self) if self._fleet is not None else ()),
            ]
        )

    # -- who asks ----------------------------------------------------------------------------------------------

    def signed_in(self, scope: Scope) -> str:
        """For the guard: those who are signed in spend from a bucket of their own."""
        return "floor" if self._access.knows(self._token(Request(scope))) else ""

    def _token(self, request: Request) -> str:
        return request.cookies.get(self._cookie, "")

    def answer(self, handler: Handler) -> Handler:
        async def guarded(request: Request) -> Response:
            try:
                return await handler(request)
            except Turned as turned:
                return JSONResponse(turned.body, turned.status)
            except Denied as denied:
                self._callers.refused.count("denied")
                return JSONResponse({"error": str(denied)}, 403)
            except OrderTrouble as trouble:
                return JSONResponse({"error": str(trouble)}, 409)
            except NoSuchTable as unknown:
                return JSONResponse({"error": f"There is no such table: {unknown}."}, 404)

        return guarded

    def seen(self, handler: Callable[[Request, Session], Awaitable[Response]]) -> Handler:
        """Only for somebody who is signed in."""

        async def seen(request: Request) -> Response:
            session = self._access.session(self._token(request))
            if session is None:
                raise Turned(401, "Sign in first.")
            self._callers.belongs(request.scope.get("client"), "floor")
            return await handler(request, session)

        return seen

    def page_of(self, name: str) -> Handler:
        page = self._page.replace("{page}", name).replace("{title}", self._name)

        async def show(request: Request) -> Response:
            if name != "sign-in" and self._access.session(self._token(request)) is None:
                return RedirectResponse("/sign-in", 303)
            return HTMLResponse(page)

        return show

    async def _icon(self, request: Request) -> Response:
        return RedirectResponse("/static/icon.svg", 308)

    async def me(self, request: Request) -> Response:
        session = self._access.session(self._token(request))
        person = session.facts() if session is not None else None
        said = {"person": person, "staff": self._access.names(), "pin": not self._access.practice, "floor": self._name,
                "hall": self._hall is not None, "fleet": self._fleet is not None}  # fmt: skip
        return JSONResponse(said)

    async def sign_in(self, request: Request) -> Response:
        who = await body_of(request, SignIn)
        client = request.client
        token, session = await self._access.sign_in(who.staff, who.pin, home(client.host) if client else "")
        response = JSONResponse({"person": session.facts()})
        response.set_cookie(
            self._cookie, token, max_age=12 * 3600, httponly=True, samesite="strict", secure=self._tls, path="/"
        )
        return response

    async def sign_out(self, request: Request) -> Response:
        self._access.sign_out(self._token(request))
        response = JSONResponse({"person": None})
        response.delete_cookie(self._cookie, path="/")
        return response

    # -- looking -----------------------------------------------------------------------------------------------

    async def live(self, request: Request, session: Session) -> Response:
        if self._board.pages >= CHANNELS_MOST:
            raise Turned(503, "Too many pages are open; close one.")
        self._board.pages += 1

        def left() -> None:
            self._board.pages -= 1

        return Channel(self._frames(session), left)

    async def _frames(self, session: Session) -> AsyncGenerator[bytes, None]:
        """What changes, as long as whoever opened the page may see it."""
        with self._access.watching(session) as may:
            async with contextlib.aclosing(self._board.frames()) as frames:
                async for frame in frames:
                    if not may():
                        return
                    yield frame

    async def table(self, request: Request, session: Session) -> Response:
        return await self._found(lambda store: lookup.table(store, request.path_params["slug"]))

    async def alarms(self, request: Request, session: Session) -> Response:
        return await self._found(lookup.alarms)

    async def rounds(self, request: Request, session: Session) -> Response:
        wanted = query_of(request, Wanted)
        return await self._found(lambda store: {"rounds": lookup.rounds(store, wanted), "most": lookup.MOST})

    async def results(self, request: Request, session: Session) -> Response:
        asked = query_of(request, Results)
        if asked.by not in statistics.BY:
            raise Turned(400, f"Results are shown by {', '.join(statistics.BY)}.")
        span = asked.since, asked.until
        return await self._found(
            lambda store: {"by": asked.by, "results": statistics.results(store, asked.by, *span, self._days)}
        )

    async def fairness(self, request: Request, session: Session) -> Response:
        asked = query_of(request, Since)
        return await self._found(lambda store: {"wheels": statistics.fairness(store, asked.since)})

    async def openapi(self, request: Request, session: Session) -> Response:
        from floor.web.openapi import openapi

        return JSONResponse(openapi(metadata.version("tablectl-floor")))

    async def _found(self, find: Callable[[Connection], Any]) -> Response:
        """What the store says, asked beside the loop."""

        def ask() -> bytes:
            with self._engine.connect() as connection:
                return msgspec.json.encode(find(connection))

        return Response(await asyncio.to_thread(ask), media_type="application/json")

    # -- doing -------------------------------------------------------------------------------------------------

    async def take_alarm(self, request: Request, session: Session) -> Response:
        taken = await body_of(request, TakenAlarm)
        _may(session, SUPERVISOR, "takes an alarm")
        await asyncio.to_thread(self._take_alarm, taken, session.id)
        self._board.changed()
        return JSONResponse({"person": session.id})

    def _take_alarm(self, taken: TakenAlarm, person: str) -> None:
        key = msgspec.structs.asdict(taken)
        with self._engine.begin() as store:
            standing = [ALARMS.c[name] == value for name, value in key.items()]
            if store.execute(select(ALARMS.c.code).where(ALARMS.c.over == 0, *standing)).first() is None:
                raise Turned(409, "This alarm has ended meanwhile.")
            before = store.execute(select(TAKEN.c.person).where(*(TAKEN.c[name] == key[name] for name in key))).first()
            if before is not None:
                raise Turned(409, f"{before.person} has taken it already.")
            store.execute(TAKEN.insert().values(**key, at=int(time.time() * 1000), person=person))

    async def order(self, request: Request, session: Session) -> Response:
        wanted = await body_of(request, Ordered)
        _may(session, SUPERVISOR, "orders anything of a table")
        giver, at = Giver(session.id, session.rank, session.ranks), int(time.time() * 1000)
        order = await asyncio.to_thread(
            give, self._engine, self._key, wanted.table, wanted.kind, giver, dict(wanted.args), at
        )
        self._board.changed()
        return JSONResponse({"id": order.id})

    async def take_finding(self, request: Request, session: Session) -> Response:
        taken = await body_of(request, TakenFinding)
        _may(session, MANAGER if taken.over else SUPERVISOR, "closes it" if taken.over else "takes it")
        await asyncio.to_thread(self._take_finding, taken, session.id)
        self._board.changed()
        return JSONResponse({"person": session.id})

    def _take_finding(self, taken: TakenFinding, person: str) -> None:
        with self._engine.begin() as store:
            found = store.execute(select(FINDINGS).where(FINDINGS.c.id == taken.id, FINDINGS.c.open)).first()
            if found is None:
                raise Turned(409, "It is over already.")
            if found.person and not taken.over:
                raise Turned(409, f"{found.person} has taken it already.")
            change = {"person": person, "taken_at": int(time.time() * 1000), "open": not taken.over}
            store.execute(update(FINDINGS).where(FINDINGS.c.id == taken.id).values(**change))


def _may(session: Session, rank: int, what: str) -> None:
    if session.rank < rank:
        raise Denied(f"Only a {LADDER[rank - 1]} {what}; you are signed in as {LADDER[session.rank - 1]}.")
