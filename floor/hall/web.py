"""The hall's addresses beside the floor's: clock, Director, entrants and seats, tables, results, and what people do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, Protocol

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from controller.web.answers import body_of
from floor.hall.service import HallService
from floor.hall.state import By
from floor.orders import Giver, OrderTrouble
from floor.web.access import Session

PAGES = {"/hall": "hall", "/hall/clock": "hall-clock", "/hall/entrants": "hall-entrants", "/hall/cards": "hall-cards",
         "/hall/table/{name}": "hall-table", "/hall/results": "hall-results"}  # fmt: skip
Handler = Callable[[Request], Awaitable[Response]]
Word = Annotated[str, Meta(max_length=200_000)]


class Guarded(Protocol):
    """What the floor's own pages lend: their page, and answers for those who are signed in only."""

    def page_of(self, name: str) -> Handler: ...

    def answer(self, handler: Handler) -> Handler: ...

    def seen(self, handler: Callable[[Request, Session], Awaitable[Response]]) -> Handler: ...


class Do(msgspec.Struct, forbid_unknown_fields=True):
    """An act as a form sends it; `person` is the entrant's name, which goes into the register alone."""

    act: Word
    args: dict[str, Any] = {}
    person: Annotated[str, Meta(max_length=128)] = ""


class HallPages:
    """The routes of one hall."""

    def __init__(self, service: HallService, officers: Mapping[str, str]) -> None:
        self._service, self._officers = service, officers

    def routes(self, floor: Guarded) -> list[BaseRoute]:
        return [
            *(Route(path, floor.page_of(name)) for path, name in PAGES.items()),
            Route("/api/hall", floor.answer(floor.seen(self.look))),
            Route("/api/hall/do", floor.answer(floor.seen(self.do)), methods=["POST"]),
        ]

    def _by(self, session: Session) -> By:
        """Who they are at the hall: their own rank where the register has one, else the step of the floor's ladder."""
        terms = self._service.work.hall.state.terms
        rulebook = terms.rulebook if terms is not None else "melbourne-war"
        office = self._officers.get(session.id, "")
        try:
            return By(session.id, Giver(session.id, session.rank, session.ranks).rank_at(rulebook), office)
        except OrderTrouble:
            return By(session.id, office=office)

    async def look(self, request: Request, session: Session) -> Response:
        found = await asyncio.to_thread(self._service.view, self._by(session))
        return Response(msgspec.json.encode(found), media_type="application/json")

    async def do(self, request: Request, session: Session) -> Response:
        wanted = await body_of(request, Do)
        by = self._by(session)
        answer = await asyncio.to_thread(self._service.act, wanted.act, wanted.args, by, wanted.person)
        body = {"ok": answer.ok, "text": answer.text, "clauses": answer.clauses, "said": answer.said()}
        return JSONResponse(body, 200 if answer.ok else 409)
