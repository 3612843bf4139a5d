"""A further page beside the table's own screens, which another program may bring; a table at the felt has none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

Handler = Callable[[Request], Awaitable[Response]]
Guarded = Callable[[Handler], Handler]
"""Lets a handler be reached only from the annex's own page, and turns what it raises into an answer."""


class Annex(Protocol):
    """A page with its own script (`<place>.js` in `static`) and routes; people sign in and press keys there too."""

    place: str
    label: str
    static: Path

    def routes(self, guarded: Guarded) -> list[BaseRoute]:
        """What can be reached besides the page itself."""
