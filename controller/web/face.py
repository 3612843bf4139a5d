"""What a page must know of a table before anything happens: its name, its people, and how the game looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from controller import games
from controller.config.types import TableConfig
from controller.core.runtime import Runtime
from controller.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from controller.web.annex import Annex


def face(runtime: Runtime, config: TableConfig, practice: bool, annex: Annex | None) -> dict[str, Any]:
    """The section that never changes while the controller runs."""
    book = load_rulebook(config.table.rulebook)
    return {
        "name": config.table.name,
        "game": config.table.game,
        "rulebook": book.rulebook.title,
        "document": f"{book.rulebook.document} {book.rulebook.version}",
        "ranks": [{"level": level, "name": rank.name} for level, rank in enumerate(book.ranks, 1)],
        "seats": config.seats.count,
        "colours": config.chips.colours,
        "sign": msgspec.to_builtins(config.sign),
        "round_word": runtime.table.house.round_word,
        "practice": practice,
        "annex": {"place": annex.place, "label": annex.label} if annex else None,
        "simulated": all(device.simulated for device in config.devices.values()),
        **games.find(config.table.game).face(config, runtime.table.game, runtime.drivers),
    }
