"""A simulated table that needs no file."""

from __future__ import annotations

from controller import games
from controller.config.file import require_right
from controller.config.tomlread import Cents
from controller.config.types import ChipsSection, DeviceSection, LimitsSection, Person, TableConfig, TableSection
from controller.rules.rulebook import load_rulebook

_STAFF_NAMES = ("Alex", "Billie", "Casey", "Drew", "Eden", "Flynn")


def default_config(
    game: str = games.USUAL, option: int = 1, rulebook: str | None = None, source: str = "shoe"
) -> TableConfig:
    """Every device in-process, one member of staff of each rank; `option` and `source` where the game knows them."""
    playable = games.find(game)
    book = load_rulebook(rulebook or playable.rulebook)
    play = playable.usual(book.id, option=option, source=source)
    config = TableConfig(
        table=TableSection(f"Simulated {game}", game, book.id),
        limits=LimitsSection(Cents(500), Cents(50_000), Cents(500), Cents(250)),
        devices={kind: DeviceSection(kind, simulated=True) for kind in playable.usual_devices(play)},
        play=play,
        chips=ChipsSection(float_tray=playable.float_tray),
        staff=tuple(
            Person(f"S{level}", name, rank.id)
            for level, (rank, name) in enumerate(zip(book.ranks, _STAFF_NAMES, strict=False), 1)
        ),
    )
    return require_right(config, "simulated table")
