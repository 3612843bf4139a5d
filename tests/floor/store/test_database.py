"""The store is what its declaration says, whichever version made it; what cannot be used is refused in words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, select, text

from floor.intake import Intake
from floor.store.database import MIGRATIONS, StoreTrouble, newest, opened
from floor.store.schema import METADATA
from floor.store.upgrade import steps
from tests.floor.store.filled import GAMES, filled, whole
from tests.floor.tables import WITNESS, played
from tests.floor.tables import known as known_keys


def test_the_migrations_make_what_the_schema_declares(tmp_path: Path) -> None:
    engine = opened(f"sqlite:///{tmp_path / 'floor.db'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        assert set(inspect(engine).get_table_names()) == {*METADATA.tables, "alembic_version"}
    engine.dispose()


def test_a_store_is_opened_again_as_it_was(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'floor.db'}"
    engine = opened(url)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO position VALUES ('ROWS', 'then', 7)"))
    engine.dispose()
    engine = opened(url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT message FROM position")).scalar() == 7
    engine.dispose()


def test_the_newest_schema_is_the_one_that_the_last_step_makes() -> None:
    assert newest() == ScriptDirectory.from_config(steps(MIGRATIONS)).get_current_head()


def test_a_store_that_is_up_to_date_is_opened_without_what_upgrades_it(tmp_path: Path) -> None:
    """A floor that was killed is back sooner."""
    url = f"sqlite:///{tmp_path / 'floor.db'}"
    opened(url).dispose()
    look = f"import sys; from floor.store.database import opened; opened({url!r}); print('alembic' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.strip() == "False"


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'floor.db'}"
    engine = opened(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreTrouble, match="made by a newer version"):
        opened(url)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "is no store"),
        ("mysql+nothing://x/y", "is no store"),
        ("sqlite:////nowhere/at/all/floor.db", "cannot be opened"),
    ],
)
def test_what_is_no_store_is_refused_with_what_to_write(url: str, words: str) -> None:
    with pytest.raises(StoreTrouble, match=words):
        opened(url)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "floor.db").write_text("not a database at all, and long enough to be looked at as one" * 20)
    with pytest.raises(StoreTrouble, match="cannot be opened"):
        opened(f"sqlite:///{tmp_path / 'floor.db'}")


def test_a_store_of_the_version_before_is_brought_up_to_date_and_its_rows_read_anew(tmp_path: Path) -> None:
    """Everything in an older store but what it could not know is made of its own rows, as a new store would have it."""
    fresh = filled(f"sqlite:///{tmp_path / 'fresh.db'}")
    with fresh.engine.connect() as store:
        kept = {
            table.name: [dict(one) for one in store.execute(select(table)).mappings()]
            for table in METADATA.sorted_tables
        }
    url = f"sqlite:///{tmp_path / 'older.db'}"
    older = create_engine(url)
    with older.begin() as connection:
        config = steps(MIGRATIONS)
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        known = inspect(connection)
        for name, rows in kept.items():
            if not known.has_table(name):
                continue
            columns = [column["name"] for column in known.get_columns(name)]
            for one in rows:
                there = {column: one[column] for column in columns}
                connection.execute(METADATA.tables[name].insert().values(there))
        connection.execute(text("UPDATE rounds SET dealer = '' "))  # as an earlier reading had it
    older.dispose()
    paths = [played(game)[0] for game in GAMES]
    intake = Intake(opened(url), known_keys(*paths), WITNESS, lambda: 1.0)
    assert whole(intake.engine) == whole(fresh.engine)
    for each in (intake, fresh):
        each.engine.dispose()
