"""A hall with its pages beside the floor's, in the midst of an event that plays itself."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine

from floor.hall.service import HallService
from floor.hall.web import HallPages
from lab.hall.event import PlayedEvent
from lab.hall.terms import terms_for


class Enough(Exception):
    """The event has come as far as it should."""


def midway(folder: Path, game: str, tables: int, entrants: int, rounds: int, seed: int = 4) -> tuple[Path, int]:
    """The journal of an event that was left after so many rounds, and when that was."""
    path = folder / "hall.journal"
    event = PlayedEvent(terms_for(game, tables, entrants), entrants, path, seed)

    def look(event: PlayedEvent) -> None:
        if event.rounds >= rounds:
            raise Enough

    event.seen = look
    with contextlib.suppress(Enough):
        event.run()
    event.work.close()
    return path, event.at


def pages(
    path: Path, at: int = 0, opened: list[HallService] | None = None, **officers: str
) -> Callable[[Engine], HallPages]:
    """The pages of the hall with this journal, at this time."""

    def made(engine: Engine) -> HallPages:
        service = HallService(path, engine, None, lambda: at)
        if opened is not None:
            opened.append(service)
        return service.pages(officers)

    return made
