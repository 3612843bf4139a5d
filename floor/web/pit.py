"""One table as its pit sees it now: the round under way with its cards, what lies on the layout, and what was said."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from controller.config.kept import of_start
from controller.config.tomlread import ConfigError
from controller.core.events import ChipsCounted, ChipsMoved, ChipsSwept, Started
from controller.journal import row as record
from controller.journal.rounds import Recall
from floor.journals import kept_row, kept_rows
from floor.store.schema import ROUNDS

LINES = 40
"""The newest of what was said and decided in the round."""


class Felt:
    """What lies on the layout of all that was laid since the last round ended."""

    def __init__(self) -> None:
        self._chips: dict[int, tuple[int, int]] = {}

    def take(self, event: msgspec.Struct) -> None:
        match event:
            case ChipsSwept(moves=moves):
                for move in moves:
                    self.take(move)
            case ChipsMoved(area=area, added=added, removed=removed):
                for tag in removed:
                    if tag in self._chips and self._chips[tag][0] == area:
                        del self._chips[tag]
                self._chips |= {chip.tag: (area, chip.cents) for chip in added}
            case ChipsCounted(areas=areas):
                self._chips = {chip.tag: (area, chip.cents) for area, chips in areas.items() for chip in chips}

    def areas(self) -> dict[int, int]:
        """Cents by area, the float left out."""
        found: dict[int, int] = defaultdict(int)
        for area, cents in self._chips.values():
            found[area] += cents if area else 0
        return {area: cents for area, cents in sorted(found.items()) if cents}


def under_way(connection: Connection, face: dict[str, Any]) -> dict[str, Any] | None:
    """What a table plays now, from the end of its last round as far as its rows have come; None while it is closed."""
    if face["life"] not in ("open", "closing", "suspended"):
        return None
    ended = select(func.max(ROUNDS.c.last)).where(ROUNDS.c.journal == face["id"])
    after = max(connection.execute(ended).scalar() or 0, face["started"])
    recall, felt, since = Recall(face["game"]), Felt(), face["last_at"]
    for row in kept_rows(connection, face["id"], after):
        try:
            kept = record.decode(row.body)
        except msgspec.MsgspecError:
            continue  # of a newer program; what it says is told as unread elsewhere
        since = min(since, row.at)
        felt.take(kept.event)
        recall.follow(((row.seq, row.at, kept),))
    played, started = recall.under_way, kept_row(connection, face["id"], face["started"])
    names = _areas(started.body) if started is not None else {}
    cards, said = (played.cards, played.lines[-LINES:]) if played is not None else ([], [])
    return {
        "since": since,
        "cards": [{"card": one["card"] or one.get("why") or "", "to": one.get("to", "")} for one in cards],
        "layout": [{"area": names.get(area, f"area {area}"), "cents": cents} for area, cents in felt.areas().items()],
        "lines": [msgspec.to_builtins(line) for line in reversed(said)],
    }


@lru_cache(maxsize=512)
def _areas(started: bytes) -> dict[int, str]:
    """What the areas of a table are called that was started so."""
    from controller.commands.layout import areas_of

    event = record.decode(started).event
    try:
        return areas_of(of_start(event)) if isinstance(event, Started) else {}
    except (ConfigError, LookupError, ValueError):
        return {}  # of a version that this one does not know
