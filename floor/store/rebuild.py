"""Begins the store anew from the stream: what was projected goes, what people and the witness did stays."""

from __future__ import annotations

from sqlalchemy import Engine, func, select, update

from controller.journal.chain import GENESIS
from floor.store.schema import HELD, JOURNALS, POSITION, PROJECTED, ROWS


def forget(engine: Engine) -> int:
    """Forget every row and all that was made of them; how many rows that were."""
    with engine.begin() as connection:
        count = connection.execute(select(func.count()).select_from(ROWS)).scalar() or 0
        for table in (*PROJECTED, ROWS, HELD, POSITION):
            connection.execute(table.delete())
        counted = (
            "size",
            "head",
            "removed",
            "last_at",
            "round",
            "open_round",
            "rounds",
            "handle",
            "win",
            "unread",
            "opened",
            "ended",
        )
        fresh = {**dict.fromkeys(counted, 0), "hash": GENESIS, "peaks": b"\x90", "broken": "", "dealer": ""}
        connection.execute(update(JOURNALS).values(**fresh))
    return int(count)
