"""A configuration as journal and snapshots keep it: plain values, the game's section under the game's name."""

from __future__ import annotations

from typing import Any

import msgspec

from controller import games
from controller.config.types import AnyTable, TableConfig


def plain(config: TableConfig) -> dict[str, Any]:
    """Everything a table was told, to be kept."""
    values: dict[str, Any] = msgspec.to_builtins(config)
    values[config.table.game] = values.pop("play")
    return values


def from_plain(values: dict[str, Any]) -> TableConfig:
    """What was kept; journals of earlier versions name every game and say nothing under the others."""
    known = games.names()
    shared = msgspec.convert({key: value for key, value in values.items() if key not in known}, AnyTable)
    play = msgspec.convert(values.get(shared.table.game) or {}, games.find(shared.table.game).section)
    return TableConfig(play=play, **{name: getattr(shared, name) for name in AnyTable.__struct_fields__})
