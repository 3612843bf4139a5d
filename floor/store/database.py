"""Opens the store: its engine, brought to the schema of this program, or refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

MIGRATIONS = Path(__file__).parent / "migrations"
STEPS = MIGRATIONS / "versions"


class StoreTrouble(Exception):
    """The store cannot be used: what, where, and what to do."""


def opened(url: str) -> Engine:
    """The store at this address, made or brought up to date where needed."""
    try:
        engine = _engine(url)
        with engine.begin() as connection:
            if _stands(connection) != newest():
                _upgrade(connection, url)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreTrouble(
            f"store = {url!r} is no store ({error}); write sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME, and "
            "for PostgreSQL install 'tablectl-floor[postgresql]'"
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


def newest() -> str:
    """The schema of this program: the number of the last step that made it."""
    return max(path.name for path in STEPS.glob("v*.py"))[1:].partition("_")[0]


def _stands(connection: Connection) -> str:
    """The schema of the store; nothing where there is none yet."""
    if not connection.dialect.has_table(connection, "alembic_version"):
        return ""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def _upgrade(connection: Connection, url: str) -> None:
    """Bring the store to this program's schema; what does that takes long to load, and most starts do not need it."""
    from alembic.util import CommandError

    from floor.store.upgrade import upgrade

    try:
        upgrade(connection, MIGRATIONS)
    except CommandError as error:
        raise StoreTrouble(
            f"the store {_shown(url)} was made by a newer version ({error}); install that version, or restore the "
            "backup from before it"
        ) from error
