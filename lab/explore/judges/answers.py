"""Whether a page is told what became of a key: carried out, or refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from controller.core.effects import Refused
from controller.core.events import Command
from controller.web.answers import Turned
from controller.web.routes import Screens
from lab.explore.found import Found
from lab.explore.judges import Seen

if TYPE_CHECKING:
    from lab.explore.table import ExploredTable


class AnswersAtThePage:
    """A key that changed anything was carried out, and the page that pressed it is told so."""

    def look(self, table: ExploredTable, seen: Seen) -> Iterator[Found]:
        event, effects = seen.row.event, seen.row.effects
        refused = [effect.what for effect in effects if isinstance(effect, Refused)]
        if not isinstance(event, Command) or not refused or event.name in refused:
            return
        # Something on the way was refused, and not the key itself, so that it was carried out.
        if told := _told(event, effects):
            yield Found(f"a key carried out is answered as refused: {event.name}", told)


def _told(event: Command, effects: list[Any]) -> str:
    """What the page that pressed this key is told in place of success."""
    screens = object.__new__(Screens)
    screens.runtime = SimpleNamespace(broken="", command=_answering(effects))  # type: ignore[assignment]
    pressed: Any = SimpleNamespace(name=event.name, args=event.args)
    try:
        asyncio.run(screens._press(pressed, event.by))
    except Turned as turned:
        return str(turned)
    return ""


def _answering(effects: list[Any]) -> Callable[..., None]:
    def command(name: str, by: object, args: object, reply: Callable[[Any], None]) -> None:
        reply(SimpleNamespace(effects=effects, seq=1))

    return command
