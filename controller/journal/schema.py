"""What a journal's database must hold, by the number of its schema, and nothing besides."""

from __future__ import annotations

import secrets
import sqlite3
from pathlib import Path

from controller.journal.tree import STORED

SCHEMA = 4
"""Of what is written here: 2 since rows carry the number of their form, 3 since there is a tree over them, 4 since
they lie packed in the file."""
TREE_SCHEMA = 3
READABLE = (1, 2, 3, 4)
"""Of what can be read; the first row added to an older one makes it one of this schema."""

_META = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
_ENTRIES = "CREATE TABLE entries (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL)"
_SNAPSHOTS = "CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, body BLOB NOT NULL, seal BLOB NOT NULL)"
TREE = (
    "CREATE TABLE tree (height INTEGER NOT NULL, place INTEGER NOT NULL, hash BLOB NOT NULL, "
    "PRIMARY KEY (height, place)) WITHOUT ROWID"
)
_TABLES = {
    1: (_META, _ENTRIES, _SNAPSHOTS),
    2: (_META, _ENTRIES, _SNAPSHOTS),
    3: (_META, _ENTRIES, _SNAPSHOTS, TREE),
    4: (_META, _ENTRIES, _SNAPSHOTS, TREE),
}


META_KEYS = frozenset({"schema", "table", "id", "removed", "restores"})
"""What is said of a journal besides its rows."""


class JournalTrouble(Exception):
    """The journal cannot be used: what, where, and what to do."""


def no_damage(trouble: Exception) -> bool:
    """Whether it could merely not be read now: somebody makes room in it, or this program has no file left to open."""
    cause = trouble if isinstance(trouble, sqlite3.Error) else trouble.__cause__
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    passing = code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN)
    return passing or (isinstance(cause, sqlite3.OperationalError) and "locked" in str(cause))


def new_id() -> str:
    """What tells this journal from every other, also of a table of the same name."""
    return secrets.token_hex(8)


def prepare(connection: sqlite3.Connection, path: Path, table: str) -> None:
    """Make the tables of a new journal; an existing one must be this table's, and nothing may be hidden in it."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        check_schema(connection, path)
        check_tables(connection, path)
        found = connection.execute("SELECT value FROM meta WHERE key = 'table'").fetchone()
        if found is None or found[0] != table:
            raise JournalTrouble(
                f"{path}: the journal of {found[0] if found else 'no table'}, and this is {table}: keep it as "
                "evidence, and give every table a journal of its own"
            )
        return
    # In one transaction: a journal is there whole or not at all, whenever the power goes.
    connection.executescript(
        f"""
        BEGIN;
        {";".join(_TABLES[SCHEMA])};
        INSERT INTO meta VALUES ('schema', '{SCHEMA}'), ('table', {_quoted(table)}), ('id', '{new_id()}');
        COMMIT;
        """
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is no journal, or one of a version unknown here."""
    try:
        found = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        raise JournalTrouble(f"{path}: a database, but not a journal of this program; check the path") from error
    version = found[0] if found else "none"
    if version not in map(str, READABLE):
        raise JournalTrouble(
            f"{path}: journal schema {version}, this program knows {READABLE[0]} to {SCHEMA}; use the version that "
            "wrote it, or a newer one"
        )


def check_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a journal with anything in it that this program did not make: a trigger could swallow every row."""
    (version,) = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    made = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    expected = {sql.split()[2]: sql for sql in _TABLES[int(version)]}
    for name in sorted(made.keys() | expected.keys()):
        if made.get(name) != expected.get(name):
            how = "was added" if name not in expected else "is missing" if name not in made else "was altered"
            raise _hidden(path, f"{name} {how}")
    for key, value in connection.execute("SELECT key, value FROM meta"):
        if key not in META_KEYS:
            raise _hidden(path, f"{str(key)[:40]!r} was added to what is said of the journal")
        if key == "restores" and not (str(value).isascii() and str(value).isdigit()):
            raise _hidden(path, "the count of restores was altered")


def check_places(connection: sqlite3.Connection, path: Path, first: int, last: int) -> None:
    """Refuse rows where no row of a journal from `first` to `last` can be: no chain and no tree would lead to them.

    A table that goes on writing may have come further by now.
    """
    last = max(last, connection.execute("SELECT max(seq) FROM entries").fetchone()[0] or 0)
    if connection.execute("SELECT 1 FROM snapshots WHERE seq > ? LIMIT 1", (last,)).fetchone():
        raise _evidence(path, f"event {last + 1} is missing: a snapshot was taken after it")
    beside = [f"entries WHERE seq < {first}", "snapshots WHERE seq < 1"]
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'tree'").fetchone():
        beside += [f"tree WHERE height NOT IN {STORED}"]
        beside += [f"tree WHERE height = {height} AND (place < 0 OR place >= {last >> height})" for height in STORED]
    for where in beside:
        if connection.execute(f"SELECT 1 FROM {where} LIMIT 1").fetchone():
            raise _hidden(path, f"{where.partition(' ')[0]} holds what is no part of it")


def _hidden(path: Path, what: str) -> JournalTrouble:
    return _evidence(path, f"{what} in the database")


def _evidence(path: Path, what: str) -> JournalTrouble:
    then = "do not play on this journal: keep it as evidence and call the supervisor, then start a new one"
    return JournalTrouble(f"{path}: {what}; {then}")
