"""The store in PostgreSQL: the same rows and answers as in SQLite, and nothing lost when the server is killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from floor.exports.sheets import SHEETS, Part, lines
from floor.intake import Intake
from floor.presence import Presence
from floor.store.check import checked
from floor.store.database import StoreTrouble, opened
from floor.store.rebuild import forget
from floor.store.schema import METADATA
from floor.web import lookup, statistics
from floor.web.glance import tables
from floor.web.lookup import Wanted
from tests.floor.store.filled import GAMES, filled, whole
from tests.floor.store.postgres import Postgres
from tests.floor.tables import CREATED, WITNESS, heard, known, played


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    made = Postgres()
    made.start()
    yield made
    made.stop()


def asked(engine: Engine) -> dict[str, Any]:
    """Everything that pages and exports ask of a store."""
    with engine.connect() as store:
        one = lookup.rounds(store, Wanted(table="the-war-1"))[0]
        search = [
            Wanted(), Wanted(dealer=one["dealer"]), Wanted(clause=one["clauses"][0]), Wanted(staked=one["staked"]),
            Wanted(player=one["wagers"][0]["player"]), Wanted(since=one["ended"], until=one["ended"]),
        ]  # fmt: skip
        return {
            "glance": tables(store, Presence()),
            "tables": [lookup.table(store, f"the-{game}-1") for game in GAMES],
            "alarms": lookup.alarms(store),
            "rounds": [lookup.rounds(store, wanted) for wanted in search],
            "results": [statistics.results(store, by) for by in statistics.BY],
            "fairness": statistics.fairness(store),
            "sheets": [[line for part in lines(store, name, Part()) for line in part] for name in SHEETS],
        }


def test_it_keeps_and_answers_the_same_as_sqlite(server: Postgres, tmp_path: Path) -> None:
    here, there = filled(f"sqlite:///{tmp_path / 'floor.db'}"), filled(server.url)
    assert whole(there._engine) == whole(here._engine)
    assert asked(there._engine) == asked(here._engine)
    assert [one.wrong for one in checked(there._engine)] == [""] * 3
    with there._engine.connect() as store:
        assert compare_metadata(MigrationContext.configure(store), METADATA) == []
    before = whole(there._engine)
    assert forget(there._engine) == sum(one.followed.size for one in there.journals.values())
    there._engine.dispose()
    again = filled(server.url)
    assert whole(again._engine) == before
    for intake in (here, again):
        intake._engine.dispose()


def test_a_server_killed_between_two_messages_has_the_first_and_takes_the_second_later() -> None:
    server = Postgres()
    server.start()
    path, _ = played("wheel")
    intake = Intake(opened(server.url), known(path), WITNESS, lambda: 1.0)
    intake.begin(CREATED)
    messages = list(heard(path))
    intake.take(messages[:2])
    server.kill()
    with pytest.raises(SQLAlchemyError):
        intake.take(messages[2:4])
    with pytest.raises(StoreTrouble, match="cannot be opened"):
        opened(server.url)
    server.start()
    again = Intake(opened(server.url), known(path), WITNESS, lambda: 1.0)
    assert again.position == 2
    again.take(messages[2:])
    assert [one.wrong for one in checked(again._engine)] == [""]
    intake.take([])  # the one that lived through it goes on, too
    for each in (intake, again):
        each._engine.dispose()
    server.stop()
