"""The configuration of one table, typed: what `table.toml` may say.

`check_config` reads a file and checks it against the rulebook; `default_config` is the simulated table that needs none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from controller.config.checks import Problem, problems, warnings
from controller.config.tomlread import Cents, ConfigError, convert, load
from controller.config.types import (
    RULEBOOK_OF,
    ChipsSection,
    DeviceSection,
    Kind,
    LimitsSection,
    Person,
    PokerSection,
    RakeSection,
    TableConfig,
    TableSection,
    WarSection,
    WheelSection,
)
from controller.games.war.rules import war_rules
from controller.rulebook import Game, load_rulebook, wheel_rules


class Bands(msgspec.Struct, frozen=True):
    """Fractions of a compartment from a divider: not clear up to `dead`, to be confirmed up to `near`."""

    dead: float
    near: float


def wheel_bands(config: TableConfig) -> Bands:
    """The bands in force: as configured, else from the geometry, else the rulebook's (W-A3)."""
    wheel, spin = config.the_wheel(), wheel_rules(config.table.rulebook).spin
    dead = wheel.dead_band or wheel.measured_dead_band or spin.dead_band
    return Bands(dead, wheel.near_band or dead + spin.near_margin)


def check_config(path: str | Path) -> TableConfig:
    """The table's configuration from this file, checked against its rulebook; ConfigError when it is wrong."""
    return check_config_with_warnings(path)[0]


def check_config_with_warnings(path: str | Path) -> tuple[TableConfig, list[str]]:
    """As `check_config`, with what is allowed but deserves a look."""
    document = load(path)
    config = convert(document, TableConfig)
    for problem in problems(config):
        raise document.error(problem.keys, problem.what, problem.remedy)
    name = document.name
    notes = [f"{name}:{document.line(note.keys)}: {note.what}; {note.remedy}" for note in warnings(config)]
    placed = _beside(config, Path(path).parent)
    for problem in missing_files(placed):
        raise document.error(problem.keys, problem.what, problem.remedy)
    return placed, notes


def read_config(path: str | Path, folder: Path) -> TableConfig:
    """What a file says, unchecked and with paths meant from `folder`: what it names may not lie there yet."""
    return _beside(convert(load(path), TableConfig), folder)


def missing_files(config: TableConfig) -> Iterator[Problem]:
    """Files that chips and cards are known from and that are not there; without them the table would not start."""
    register, players, key = config.chips.register, config.people.players, config.key_file()
    if register and not Path(register).is_file():
        what = f"there is no chip register at {register}"
        yield Problem(("chips", "register"), what, "make one with 'tablectl chips import'")
    if players and not Path(players).is_file():
        yield Problem(("people", "players"), f"there is no list of player cards at {players}", "check the path")
    reader = next((place for place, one in config.devices.items() if one.kind == "swipe" and not one.simulated), None)
    if not key.is_file() and (reader or players):
        what = f"cards cannot be told apart without a key, and there is none at {key}"
        place = ("devices", reader) if reader else ("people", "players")
        yield Problem(place, what, "'tablectl staff add --card' makes one, beside the staff register")


def _beside(config: TableConfig, folder: Path) -> TableConfig:
    """Paths in a file are meant from where the file lies."""
    paths = {name: getattr(config.table, name) for name in ("journal", "certificate", "certificate_key")}
    beside = {name: str(folder / path) for name, path in paths.items() if path}
    table = msgspec.structs.replace(config.table, **beside)
    wheel, poker = config.wheel, config.poker
    if wheel is not None and wheel.profile:
        wheel = msgspec.structs.replace(wheel, profile=str(folder / wheel.profile))
    if poker is not None and poker.deck:
        poker = msgspec.structs.replace(poker, deck=str(folder / poker.deck))
    if poker is not None and poker.seal_key:
        poker = msgspec.structs.replace(poker, seal_key=str(folder / poker.seal_key))
    chips, people = config.chips, config.people
    if chips.register:
        chips = msgspec.structs.replace(chips, register=str(folder / chips.register))
    named = {name: str(folder / path) for name, path in msgspec.structs.asdict(people).items() if path}
    people = msgspec.structs.replace(people, **named)
    return msgspec.structs.replace(config, table=table, wheel=wheel, poker=poker, chips=chips, people=people)


def require_right(config: TableConfig, where: str) -> TableConfig:
    """Check a configuration that did not come from a file; `where` names its origin in the message."""
    for problem in problems(config):
        key = ".".join(str(key) for key in problem.keys)
        raise ConfigError(f"{where}: {key}: {problem.what}" + (f"; {problem.remedy}" if problem.remedy else ""))
    return config


def default_ring(option: int, rulebook: str = "melbourne-wheel") -> tuple[str, ...]:
    """An even spread of an option's symbols round the wheel.

    The document's diagrams are blank, so this order is an assumption, good for simulation only: a real
    table's ring is read off its wheel. The symbols take turns in the order of the document, each spread evenly
    over the compartments that are still free.
    """
    rules = wheel_rules(rulebook)
    ring = [""] * rules.spin.compartments
    for symbol in rules.option(option).symbols:
        free = [place for place, taken in enumerate(ring) if not taken]
        for number in range(symbol.compartments):
            ring[free[number * len(free) // symbol.compartments]] = symbol.symbol
    return tuple(ring)


_SIMULATED: dict[str, tuple[Kind, ...]] = {
    "wheel": ("wheel", "chips"),
    "war": ("shoe", "chips"),
    "poker": ("shuffler", "cards", "chips"),
}


def _default_war(rulebook: str, source: Literal["shoe", "shuffler"]) -> WarSection:
    """Six decks, every zone the rulebook leaves to the house, and the first payout column that fits."""
    rules = war_rules(rulebook)
    column = next((column.number for column in rules.columns if column.decks == 6), None)
    return WarSection(source=source, zones=rules.layout.optional_zones, payout_column=column)


def _default_poker() -> PokerSection:
    """Holdem without a limit, with the usual percentage."""
    rake = RakeSection("percentage", 5, Cents(1_000))
    return PokerSection(blinds=(Cents(250), Cents(500)), least_buy_in=Cents(10_000), rake=rake)


_STAFF_NAMES = ("Alex", "Billie", "Casey", "Drew", "Eden", "Flynn")


def default_config(
    game: Game = "wheel",
    option: int = 1,
    rulebook: str | None = None,
    source: Literal["shoe", "shuffler"] = "shoe",
) -> TableConfig:
    """A simulated table that needs no file: every device in-process, one member of staff of each rank."""
    book = load_rulebook(rulebook or RULEBOOK_OF[game])
    wheel = None
    if game == "wheel":
        rules = wheel_rules(book.id)
        if option not in {known.number for known in rules.options}:
            known = ", ".join(str(known.number) for known in rules.options)
            raise ConfigError(f"{book.id} has no option {option}; it has {known} (2.1)")
        wheel = WheelSection(option, default_ring(option, book.id), rules.option(option).layout)
    kinds: tuple[Kind, ...] = (source, "chips") if game == "war" else _SIMULATED[game]
    config = TableConfig(
        table=TableSection(f"Simulated {game}", game, book.id),
        limits=LimitsSection(Cents(500), Cents(50_000), Cents(500), Cents(250)),
        devices={kind: DeviceSection(kind, simulated=True) for kind in kinds},
        wheel=wheel,
        war=_default_war(book.id, source) if game == "war" else None,
        poker=_default_poker() if game == "poker" else None,
        chips=ChipsSection(float_tray=game != "poker"),
        staff=tuple(
            Person(f"S{level}", name, rank.id)
            for level, (rank, name) in enumerate(zip(book.ranks, _STAFF_NAMES, strict=False), 1)
        ),
    )
    return require_right(config, "simulated table")
