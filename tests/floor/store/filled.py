"""Stores that have heard a table of each game, and all that is in a store."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, select

from floor.intake import Intake
from floor.store.database import opened
from floor.store.schema import METADATA
from tests.floor.tables import CREATED, WITNESS, heard, known, played

GAMES = ("wheel", "war", "poker")


def filled(url: str) -> Intake:
    """A store that has heard a table of each game."""
    paths = [played(game)[0] for game in GAMES]
    intake = Intake(opened(url), known(*paths), WITNESS, lambda: 1_700_000_000.0)
    intake.begin(CREATED)
    for number, path in enumerate(paths):
        for one in heard(path, 23, start=1000 * number):
            intake.take([one])
    return intake


def whole(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    with engine.connect() as store:
        return {
            table.name: sorted((tuple(row) for row in store.execute(select(table))), key=repr)
            for table in METADATA.sorted_tables
        }
