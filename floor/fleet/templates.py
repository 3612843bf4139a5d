"""A configuration for many tables: one text with places, and each table's own values for them."""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.config.file import check_away
from controller.config.tomlread import ConfigError, nearest
from controller.journal.head import slug
from floor.fleet.line import FleetTrouble

_PLACE = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)\s*\}\}")
Values = dict[str, dict[str, Any]]


def read_values(path: Path) -> Values:
    """Each table's own values: `[tables.NAME]` with a line a place."""
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FleetTrouble(f"{path}: the tables' values cannot be read ({error})") from error
    tables = said.get("tables")
    if (
        set(said) != {"tables"}
        or not isinstance(tables, dict)
        or not all(isinstance(one, dict) for one in tables.values())
    ):
        raise FleetTrouble(f"{path}: write one [tables.NAME] for each table, and nothing else")
    return tables


def render(template: str, table: str, values: Mapping[str, Any]) -> str:
    """The text for one table: every place filled, every value used."""
    wanted = set(_PLACE.findall(template))
    for name in sorted(wanted - values.keys()):
        raise FleetTrouble(f"{table}: the template has a place {name}, and the table no value for it")
    for name in sorted(values.keys() - wanted):
        raise FleetTrouble(f"{table}: the template has no place {name}; {nearest(name, sorted(wanted))}")
    return _PLACE.sub(lambda place: _written(table, place[1], values[place[1]]), template)


def _written(table: str, name: str, value: object) -> str:
    """A value as TOML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # TOML's basic strings are written alike
    if isinstance(value, list):
        return "[" + ", ".join(_written(table, name, one) for one in value) + "]"
    raise FleetTrouble(f"{table}: {name} is neither text, number, yes or no, nor a list of them")


def fitted(template: str, values: Values) -> dict[str, bytes]:
    """The file of each table, checked as far as it can be away from its machine; FleetTrouble names the first that
    does not fit."""
    files = {}
    for table, own in sorted(values.items()):
        text = render(template, table, own)
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "table.toml"
            path.write_text(text, "utf-8")
            try:
                config = check_away(path)
            except ConfigError as error:
                raise FleetTrouble(f"{table}: {str(error).replace(str(path), 'its file')}") from error
        if slug(config.table.name) != table:
            raise FleetTrouble(
                f"{table}: its file is for table {config.table.name}, which is {slug(config.table.name)}"
            )
        files[table] = text.encode()
    return files
