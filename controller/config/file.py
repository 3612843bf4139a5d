"""The configuration of one table out of its file, checked against its rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from controller import games
from controller.config.checks import problems, warnings
from controller.config.tomlread import ConfigError, Document, convert, load, nearest
from controller.config.types import AnyTable, Problem, TableConfig


def config_in(document: Document) -> TableConfig:
    """What a file says, with the section of the game that its table plays."""
    sections, known = document.values, games.names()
    for key in sections:
        if key not in (*AnyTable.__struct_fields__, *known):
            remedy = nearest(key, sorted((*AnyTable.__struct_fields__, *known)))
            raise document.error((key,), f"unknown key '{key}'", remedy)
    shared = convert(document, AnyTable, {key: value for key, value in sections.items() if key not in known})
    played = shared.table.game
    if played not in known:
        raise document.error(("table", "game"), f"'game' cannot be the text '{played}'", nearest(played, list(known)))
    for other in known:
        if other != played and other in sections:
            what = f"section [{other}] belongs to another game; this table plays {played}"
            raise document.error((other, ""), what, "remove it, or change game in [table]")
    game = games.find(played)
    if played not in sections and game.section_holds:
        raise document.error((played,), f"section [{played}] is missing", game.section_holds)
    play = convert(document, game.section, sections.get(played, {}), (played,))
    return TableConfig(play=play, **{name: getattr(shared, name) for name in AnyTable.__struct_fields__})


def check_config(path: str | Path) -> TableConfig:
    """The table's configuration from this file, checked against its rulebook; ConfigError when it is wrong."""
    return check_config_with_warnings(path)[0]


def check_config_with_warnings(path: str | Path) -> tuple[TableConfig, list[str]]:
    """As `check_config`, with what is allowed but deserves a look."""
    document = load(path)
    config = _checked(document)
    name = document.name
    notes = [f"{name}:{document.line(note.keys)}: {note.what}; {note.remedy}" for note in warnings(config)]
    placed = _beside(config, Path(path).parent)
    for problem in missing_files(placed):
        raise document.error(problem.keys, problem.what, problem.remedy)
    return placed, notes


def check_away(path: str | Path) -> TableConfig:
    """As `check_config`, for the file of another machine: the files that it names lie there."""
    return _checked(load(path))


def _checked(document: Document) -> TableConfig:
    config = config_in(document)
    for problem in problems(config):
        raise document.error(problem.keys, problem.what, problem.remedy)
    return config


def read_config(path: str | Path, folder: Path) -> TableConfig:
    """What a file says, unchecked and with paths meant from `folder`: what it names may not lie there yet."""
    return _beside(config_in(load(path)), folder)


def missing_files(config: TableConfig) -> Iterator[Problem]:
    """Files that chips and cards are known from and that are not there; without them the table would not start."""
    register, players, key = config.chips.register, config.people.players, config.key_file()
    if register and not Path(register).is_file():
        what = f"there is no chip register at {register}"
        yield Problem(("chips", "register"), what, "make one with 'tablectl chips import'")
    if players and not Path(players).is_file():
        yield Problem(("people", "players"), f"there is no list of player cards at {players}", "check the path")
    for name in ("nkey", "ca") if config.uplink is not None else ():
        if (path := getattr(config.uplink, name)) and not Path(path).is_file():
            remedy = "make it: tablectl evidence broker-key" if name == "nkey" else "take it from the floor"
            yield Problem(("uplink", name), f"there is no file at {path}", remedy)
    if config.metrics is not None and config.metrics.token and not Path(config.metrics.token).is_file():
        what = f"there is no file at {config.metrics.token}"
        yield Problem(("metrics", "token"), what, "put a long random word into it, or remove the line")
    reader = next((place for place, one in config.devices.items() if one.kind == "swipe" and not one.simulated), None)
    if not key.is_file() and (reader or players):
        what = f"cards cannot be told apart without a key, and there is none at {key}"
        place = ("devices", reader) if reader else ("people", "players")
        yield Problem(place, what, "'tablectl staff add --card' makes one, beside the staff register")


_PATHS = ("journal", "certificate", "certificate_key", "signing_key", "heads")


def _beside(config: TableConfig, folder: Path) -> TableConfig:
    """Paths in a file are meant from where the file lies."""
    paths = {name: getattr(config.table, name) for name in _PATHS}
    beside = {name: str(folder / path) for name, path in paths.items() if path}
    table = msgspec.structs.replace(config.table, **beside)
    names = {name: getattr(config.play, name) for name in games.find(config.table.game).files}
    play = msgspec.structs.replace(config.play, **{name: str(folder / path) for name, path in names.items() if path})
    chips, people = config.chips, config.people
    if chips.register:
        chips = msgspec.structs.replace(chips, register=str(folder / chips.register))
    named = {name: str(folder / path) for name, path in msgspec.structs.asdict(people).items() if path}
    people = msgspec.structs.replace(people, **named)
    uplink = config.uplink
    if uplink is not None:
        files = {name: str(folder / path) for name in ("nkey", "ca") if (path := getattr(uplink, name))}
        uplink = msgspec.structs.replace(uplink, **files)
    metrics = config.metrics
    if metrics is not None and metrics.token:
        metrics = msgspec.structs.replace(metrics, token=str(folder / metrics.token))
    return msgspec.structs.replace(
        config, table=table, play=play, chips=chips, people=people, uplink=uplink, metrics=metrics
    )


def require_right(config: TableConfig, where: str) -> TableConfig:
    """Check a configuration that did not come from a file; `where` names its origin in the message."""
    for problem in problems(config):
        key = ".".join(str(key) for key in problem.keys)
        raise ConfigError(f"{where}: {key}: {problem.what}" + (f"; {problem.remedy}" if problem.remedy else ""))
    return config
