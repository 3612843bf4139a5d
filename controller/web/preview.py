"""What a key would do, tried on a copy of the table: nothing of it is kept, and nobody hears of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from controller.config.types import TableConfig
from controller.core.effects import Alarmed, Announced, AnyEffect, Asked, Refused, Reversed, Settled, WagerResult
from controller.core.events import Command
from controller.core.guarded import GuardedTable
from controller.money.amounts import dollars
from controller.people import Person

NOTHING = "Nothing moves at once; it is put on record."


def tried(config: TableConfig, saved: bytes, at: int, name: str, args: dict[str, Any], by: Person) -> list[str]:
    """The consequences in words when this person presses it; why it would be refused where it would."""
    table = GuardedTable(config)
    table.restore(saved)
    effects = table.apply(at, Command(name, by, args))
    return [line for effect in effects for line in _words(effect)] or [NOTHING]


def _words(effect: AnyEffect) -> Iterator[str]:
    match effect:
        case Refused():
            yield f"It would be refused: {effect.text}"
        case Settled() | Reversed():
            yield from map(_result, effect.results)
        case Announced(to, _, text, _) if to in ("dealer", "all", "console"):
            yield text
        case Asked():
            yield f"It is asked first: {effect.text}"
        case Alarmed():
            yield effect.text


def _result(one: WagerResult) -> str:
    whose = f"{one.player}, {one.bet.replace('_', ' ')}" if one.player else one.bet.replace("_", " ")
    parts = (
        f"{dollars(one.pays)} is paid" if one.pays and not one.withheld else "",
        f"{dollars(one.pays)} is withheld" if one.withheld else "",
        f"{dollars(one.stake_taken)} is taken" if one.stake_taken else "",
        f"{dollars(one.stake_returned)} goes back" if one.stake_returned else "",
    )
    return f"{whose}: {', '.join(filter(None, parts)) or 'nothing moves'}."
