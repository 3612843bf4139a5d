"""What one transaction changes, collected first and written table by table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table, bindparam
from sqlalchemy.dialects import sqlite

from floor.store.schema import METADATA

Values = dict[str, Any]
_ORDER = {table: number for number, table in enumerate(METADATA.sorted_tables)}


class Writes:
    """New rows, and rows that take the place of what stood under their key; the last word counts."""

    def __init__(self) -> None:
        self._new: dict[Table, list[Values]] = {}
        self._put: dict[Table, dict[tuple[Any, ...], Values | None]] = {}

    def add(self, table: Table, **values: Any) -> None:
        """A row that is new for certain."""
        self._new.setdefault(table, []).append(values)

    def put(self, table: Table, **values: Any) -> None:
        """A row in place of the one with its key, if there is one."""
        self._put.setdefault(table, {})[_key(table, values)] = values

    def drop(self, table: Table, **key: Any) -> None:
        """No row with this key any more."""
        self._put.setdefault(table, {})[_key(table, key)] = None

    def write(self, connection: Connection) -> None:
        """All of it, what others refer to first."""
        for table in sorted({*self._new, *self._put}, key=lambda each: _ORDER[each]):
            put = self._put.get(table, {})
            if gone := [_named(table, key) for key, row in put.items() if row is None]:
                connection.execute(_delete(table), gone)
            if rows := [row for row in put.values() if row is not None]:
                connection.execute(_instead(table, connection.dialect.name), rows)
            if rows := self._new.get(table, []):
                connection.execute(table.insert(), rows)


@cache  # a statement takes longer to make than to carry out
def _instead(table: Table, dialect: str) -> Any:
    """An insert that takes the place of what has the same key."""
    insert: Any = sqlite.insert(table)
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql

        insert = postgresql.insert(table)
    keys = [column.name for column in table.primary_key.columns]
    change = {column.name: insert.excluded[column.name] for column in table.columns if column.name not in keys}
    return insert.on_conflict_do_update(index_elements=keys, set_=change)


def _key(table: Table, values: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(values[column.name] for column in table.primary_key.columns)


def _named(table: Table, key: tuple[Any, ...]) -> Values:
    return {f"key_{column.name}": value for column, value in zip(table.primary_key.columns, key, strict=True)}


@cache
def _delete(table: Table) -> Any:
    delete = table.delete()
    for column in table.primary_key.columns:
        delete = delete.where(column == bindparam(f"key_{column.name}"))
    return delete
