"""The round that a table plays now, on the floor's page of that table, held against the table itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.config.kept import of_start
from controller.core.events import Started
from controller.core.guarded import GuardedTable
from controller.journal import row as record
from controller.journal.file import JournalFile
from floor.web.lookup import table
from tests.floor.tables import floor_at, heard, played


def layout_of(path: Path, rows: int) -> dict[str, int]:
    """What lies on the table's layout after so many rows, area by area."""
    journal = JournalFile.read_only(path)
    guarded: GuardedTable | None = None
    for row in journal.rows(1, rows):
        event = record.decode(row.body).event
        if isinstance(event, Started):
            guarded = guarded or GuardedTable(of_start(event))
        assert guarded is not None
        guarded.apply(row.at, event)
    journal.close()
    assert guarded is not None
    money = guarded.table.money
    found: dict[str, int] = {}
    for spot in money.state.laid.values():
        found[money.where(spot.area)] = found.get(money.where(spot.area), 0) + spot.cents
    return found


@pytest.mark.parametrize("game", ["wheel", "war", "poker"])
def test_what_lies_there_now_is_what_the_table_itself_knows(tmp_path: Path, game: str) -> None:
    path, _ = played(game, 4)
    intake = floor_at(tmp_path, path)
    shown: list[dict[str, Any]] = []
    for number, one in enumerate(heard(path, 5), 1):
        intake.take([one])
        if number % 3:
            continue
        with intake.engine.connect() as store:
            now = table(store, f"the-{game}-1")["now"]
        lies = layout_of(path, 5 * number)
        if now is not None:
            shown.append(now)
            found = {line["area"]: line["cents"] for line in now["layout"]}
            assert all(lies.get(area, 0) >= cents for area, cents in found.items()), (number, found, lies)
    intake.engine.dispose()
    assert len(shown) > 2
    assert any(now["layout"] for now in shown)
    assert any(now["lines"] for now in shown)
    assert all(now["lines"] == sorted(now["lines"], key=lambda line: -line["seq"]) for now in shown)
    if game != "wheel":
        assert any(now["cards"] for now in shown)
