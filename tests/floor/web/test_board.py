"""What open pages are told, when only what changed is looked at."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from controller.uplink.messages import Address
from floor.findings import Finding, tell
from floor.presence import Presence
from floor.web.board import Board
from floor.web.glance import tables
from tests.floor.tables import floor_at, heard, played


def shown(frame: bytes) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(frame.split(b"data: ", 1)[1])
    return said


def test_a_page_told_only_of_tables_that_spoke_shows_what_one_that_asks_for_all_does(tmp_path: Path) -> None:
    paths = [played(game)[0] for game in ("wheel", "war", "poker")]
    intake, presence = floor_at(tmp_path, *paths), Presence()
    board, page = Board(intake.engine, presence, lambda: ""), dict[str, Any]()

    def look() -> None:
        revision = board._revision
        asyncio.run(board.refresh())
        said = shown(board.frame(revision))
        page.update({one["slug"]: one for one in said["lines"]})
        with intake.engine.connect() as connection:
            all_of_them = tables(connection, presence)
        assert page == {one["slug"]: one for one in all_of_them}
        assert said["order"] == [one["slug"] for one in all_of_them]

    numbered = enumerate((one for path in paths for one in heard(path, 25)), 1)
    for number, one in numbered:
        intake.take([one._replace(message=number)])
        board.changed({Address.on(one.subject).table})
        look()
    with intake.engine.begin() as connection:  # what the floor finds is none of the table's rows
        tell(connection, Finding(Address.on(one.subject).origin, "rewritten", "its journal is another", ""), 1)
    board.changed()
    look()
    assert page[Address.on(one.subject).table]["need"] >= 1_000


def test_a_page_is_told_nothing_of_tables_that_said_nothing(tmp_path: Path) -> None:
    paths = [played(game)[0] for game in ("wheel", "war")]
    intake = floor_at(tmp_path, *paths)
    first, *rest = heard(paths[0], 25)
    intake.take([first, *(one._replace(message=100 + one.message) for one in heard(paths[1]))])
    board = Board(intake.engine, Presence(), lambda: "")
    asyncio.run(board.refresh())
    intake.take([one._replace(message=200 + one.message) for one in rest])
    board.changed({Address.on(first.subject).table})
    before = board._revision
    asyncio.run(board.refresh())
    assert [one["slug"] for one in shown(board.frame(before))["lines"]] == [Address.on(first.subject).table]
