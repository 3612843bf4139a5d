"""A simulated table that needs no file."""

from __future__ import annotations

from controller import games
from controller.config.file import require_right
from controller.config.tomlread import Cents
from controller.config.types import ChipsSection, DeviceSection, LimitsSection, Person, TableConfig, TableSection
from controller.rules.rulebook import load_rulebook, rulebook_ids

_STAFF_NAMES = ("Alex", "Billie", "Casey", "Drew", "Eden", "Flynn")


def simulated_tables() -> dict[str, tuple[str, str]]:
    """Every game under each of its rulebooks, by the rulebook's name, or the game's own where it has but one."""
    books: dict[str, list[str]] = {}
    for rulebook in rulebook_ids():
        books.setdefault(load_rulebook(rulebook).game, []).append(rulebook)
    return {
        game if len(known) == 1 else rulebook: (game, rulebook) for game, known in books.items() for rulebook in known
    }


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
