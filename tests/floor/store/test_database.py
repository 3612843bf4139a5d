"""The store is what its declaration says, whichever version made it; what cannot be used is refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from floor.store.database import StoreTrouble, opened
from floor.store.schema import METADATA


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
