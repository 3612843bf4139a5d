"""The fleet's page beside the floor's: every machine at a glance, and the roll-outs."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from floor.fleet.plan import Fleet
from floor.fleet.shown import shown
from floor.hall.web import Guarded
from floor.web.access import Session


class FleetPages:
    """The routes of a floor that looks after its tables' machines; what they show is what the shepherd saw last."""

    def __init__(self, fleet: Callable[[], Fleet], trouble: Callable[[], str]) -> None:
        self._fleet, self._trouble = fleet, trouble

    def routes(self, floor: Guarded) -> list[BaseRoute]:
        return [Route("/fleet", floor.page_of("fleet")), Route("/api/fleet", floor.answer(floor.seen(self.look)))]

    async def look(self, request: Request, session: Session) -> Response:
        return JSONResponse({**shown(self._fleet()), "trouble": self._trouble()})
