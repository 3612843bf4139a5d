"""Opens the store: its engine, brought to the schema of this program, or refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

MIGRATIONS = Path(__file__).parent / "migrations"


class StoreTrouble(Exception):
    """The store cannot be used: what, where, and what to do."""


def opened(url: str) -> Engine:
    """The store at this address, made or brought up to date where needed."""
    try:
        engine = _engine(url)
        with engine.begin() as connection:
            _upgrade(connection)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreTrouble(
            f"store = {url!r} is no store ({error}); write sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME, and "
            "for PostgreSQL install 'tablectl-floor[postgresql]'"
        ) from error
    except CommandError as error:
        raise StoreTrouble(
            f"the store {_shown(url)} was made by a newer version ({error}); install that version, or restore the "
            "backup from before it"
        ) from error
    except SQLAlchemyError as error:
        raise StoreTrouble(f"the store {_shown(url)} cannot be opened ({_why(error)}); {REMEDY}") from error
    return engine


REMEDY = "check that it is there, has room, and may be written by this user"


def _why(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def _shown(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)


def _engine(url: str) -> Engine:
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _settle_sqlite)
    return engine


def _settle_sqlite(connection: Any, _: object) -> None:
    """Readers never wait for the writer, and what was committed is on disk."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def _upgrade(connection: Connection) -> None:
    config = _config()
    newest = ScriptDirectory.from_config(config).get_current_head()
    if MigrationContext.configure(connection).get_current_revision() != newest:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
