"""Begins the store anew: what was made from rows goes, what people and the witness did stays."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine, func, select, update

from controller.journal.chain import GENESIS
from controller.journal.cosignature import WitnessKey
from floor.archive import messages
from floor.follow import Broken
from floor.intake import Intake
from floor.known import Known
from floor.store.database import StoreTrouble
from floor.store.schema import HELD, JOURNALS, POSITION, PROJECTED, ROWS


def from_archive(engine: Engine, known: Known, key: WitnessKey | None, folder: str) -> tuple[int, int]:
    """Forget everything, and take the archived days again; how many rows that were, each."""
    forgotten, again = forget(engine), 0
    intake = Intake(engine, known, key)
    for address, rows in messages(Path(folder)) if folder else ():
        try:
            intake.take_archived(address, rows)
        except Broken as broken:
            raise StoreTrouble(f"the archive of {address.origin}: {broken.text}; {broken.remedy}") from broken
        again += len(rows.rows)
    return forgotten, again


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
