"""A configuration as journal and snapshots keep it: plain values, the game's section under the game's name."""

from __future__ import annotations

from typing import Any

import msgspec

from controller import games, rules
from controller.config.types import AnyTable, TableConfig
from controller.core.events import Edition, Started
from controller.rules.rulebook import load_rulebook


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


def edition(rulebook: str) -> Edition:
    """The edition that goes by this name, to be kept."""
    text = rules.text_of(rulebook)
    version = load_rulebook(rulebook).rulebook.version
    return Edition(version, rules.digest(text), text, rules.is_amended(rulebook))


def of_start(event: Started) -> TableConfig:
    """The configuration that a start kept, with the amended rulebook it was played by at hand."""
    if event.edition is not None and event.edition.amended:
        rules.hold(rules.carried(event.config["table"]["rulebook"]), event.edition.text)
    return from_plain(event.config)
