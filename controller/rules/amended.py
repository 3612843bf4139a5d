"""Amended rulebooks that lie with a table: which is in force, which is coming, and taking in another one."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from controller import games, kept_file, rules
from controller.config.checks import problems
from controller.config.tomlread import ConfigError, load
from controller.config.types import TableConfig
from controller.rules import clauses
from controller.rules.rulebook import Amendment, Rulebook, load_rulebook


class Amended(NamedTuple):
    """One amended edition."""

    name: str
    book: Rulebook
    act: Amendment

    @property
    def effective(self) -> int:
        """From when on it is played by, in milliseconds."""
        return round(self.act.effective.timestamp() * 1000)

    @property
    def said(self) -> str:
        return (
            f"{self.book.id} version {self.book.rulebook.version} ({self.act.reference}, approved by "
            f"{self.act.approved_by} on {self.act.approved}), in force from {self.act.effective:%Y-%m-%d %H:%M %Z}"
        )


class Choice(NamedTuple):
    """What a table plays by, and the amended edition that waits for its time or for the table to be closed."""

    config: TableConfig
    waiting: Amended | None = None


def folder(config: TableConfig) -> Path:
    """Where amended rulebooks of a table lie: with its journal, so that they move with it."""
    return Path(config.table.journal).parent / rules.FOLDER


def read(path: Path, rulebook: str) -> Amended:
    """The amended edition in a file; ConfigError when it is none, or another rulebook's."""
    document = load(path)
    named = document.values.get("rulebook")
    theirs = named.get("id") if isinstance(named, dict) else None
    if theirs != rulebook:
        what = f"this is no edition of {rulebook}, by which the table plays"
        raise document.error(("rulebook", "id"), what, "take the file that was approved for this game and house")
    name = rules.hold(rulebook, path.read_text(encoding="utf-8"))
    try:
        return _amended(name)
    except ConfigError as error:
        raise ConfigError(error.text.replace(f"{name}.toml", str(path), 1)) from None


def _amended(name: str) -> Amended:
    book = load_rulebook(name)
    assert book.amendment is not None  # by the check of its header
    games.find(book.game).rules(name)
    return Amended(name, book, book.amendment)


def _in_order(found: list[Amended]) -> list[Amended]:
    """In the order in which they come into force."""
    return sorted(found, key=lambda one: (one.effective, one.name))


def lying(config: TableConfig) -> list[Amended]:
    """Every amended edition that lies with the table."""
    rulebook = rules.carried(config.table.rulebook)
    return _in_order([read(path, rulebook) for path in folder(config).glob("*.toml")])


def under(config: TableConfig, rulebook: str) -> TableConfig:
    """The table under another edition of its rulebook; ConfigError where its own settings are not allowed by it."""
    changed = _renamed(config, rulebook)
    for problem in problems(changed):
        key = ".".join(str(key) for key in problem.keys)
        book = load_rulebook(rulebook).rulebook
        raise ConfigError(f"under {book.id} version {book.version}: {key}: {problem.what}; {problem.remedy}")
    return changed


def at_start(config: TableConfig, playing: str, closed: bool, now: int) -> Choice:
    """What a table plays by from now on: the newest edition in force; one that stands open stays with its own.

    `playing` is the edition it played by last, `now` is in milliseconds.
    """
    known = lying(config)
    if rules.is_amended(playing) and all(one.name != playing for one in known):
        known = _in_order([*known, _amended(playing)])  # what was in force once is not undone by removing a file
    due = [one for one in known if one.effective <= now]
    right = due[-1].name if due else config.table.rulebook
    if not closed and rules.carried(playing) == rules.carried(right) and playing != right:
        return Choice(_renamed(config, playing), due[-1] if due else None)
    coming = next((one for one in known if one.effective > now), None)
    return Choice(under(config, right) if due else config, coming)


def _renamed(config: TableConfig, rulebook: str) -> TableConfig:
    return msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, rulebook=rulebook))


def take_in(config: TableConfig, path: Path) -> Amended:
    """Have the table play by this edition from its time on; nothing is written where anything is wrong with it."""
    new = read(path, rules.carried(config.table.rulebook))
    under(config, new.name)
    for one in lying(config):
        if one.name != new.name and one.effective == new.effective:
            raise ConfigError(f"{path}: {one.said} lies there already, from the same moment on; which is it to be?")
    place = folder(config)
    kept_file.make_folder(place)
    kept_file.replace(place / f"{new.book.id}-{new.name.partition(rules.MARK)[2]}.toml", path.read_bytes(), 0o640)
    return new


def differences(old: str, new: str) -> Iterator[str]:
    """What two editions say differently, value by value, and which clauses are worded anew."""
    before, after = _values(old), _values(new)
    for key in sorted(before.keys() | after.keys()):
        if key.startswith("amendment."):
            continue
        if key not in after:
            yield f"{key}: {before[key]} is gone"
        elif key not in before:
            yield f"{key}: {after[key]} is new"
        elif before[key] != after[key]:
            yield f"{key}: {before[key]} becomes {after[key]}"
    for clause, does in rules.amended_clauses(new).items():
        was = "worded anew" if clauses.exists(rules.carried(new), clause) else "new"
        yield f"clause {clause}, {was}: {does}"


def _values(rulebook: str) -> dict[str, str]:
    return dict(_flat("", tomllib.loads(rules.text_of(rulebook))))


def _flat(place: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(f"{place}.{key}" if place else key, item)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for number, item in enumerate(value, 1):
            yield from _flat(f"{place}.{number}", item)
    else:
        yield place, str(value)
