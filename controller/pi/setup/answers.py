"""Who answers the questions of a set-up: a person at the terminal, or a file."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

import click

from controller.config.tomlread import ConfigError, Document, Keys, load, nearest
from controller.pi.setup.toml import value_text

LEAVE_OUT = "-"


class Answers(Protocol):
    """Gives the answer to each question; `None` where there is none."""

    by_person: bool

    def choose(self, keys: Keys, question: str, choices: Sequence[str], usual: str | None) -> str:
        """One of these."""

    def value(self, keys: Keys, question: str, usual: Any) -> Any:
        """A value as TOML has it; None leaves it out."""

    def secret(self, keys: Keys, question: str) -> str:
        """What is never shown; empty for none."""

    def more(self, keys: Keys, question: str) -> bool:
        """Whether there is one more entry of a list."""

    def document(self, values: dict[str, Any], text: str, name: str) -> Document:
        """What was answered, so that whatever is wrong is told where it was answered."""


class FromTerminal:
    """A person at the terminal: Enter takes what stands in brackets, `-` leaves it out."""

    by_person = True

    def choose(self, keys: Keys, question: str, choices: Sequence[str], usual: str | None) -> str:
        if len(choices) == 1:
            return choices[0]
        return str(click.prompt(question, type=click.Choice(choices), default=usual))

    def value(self, keys: Keys, question: str, usual: Any) -> Any:
        shown = LEAVE_OUT if usual is None else value_text(usual).strip('"')
        while True:
            typed = str(click.prompt(question, default=shown)).strip()
            if typed == LEAVE_OUT:
                return None
            if typed == shown:
                return usual
            try:
                return _read(typed, usual)
            except ValueError as why:
                click.echo(f"  {why}")

    def secret(self, keys: Keys, question: str) -> str:
        return str(click.prompt(question, hide_input=True, default="", show_default=False))

    def more(self, keys: Keys, question: str) -> bool:
        return click.confirm(question, default=not keys[-1])

    def document(self, values: dict[str, Any], text: str, name: str) -> Document:
        return Document(name, text)


def _read(typed: str, usual: Any) -> Any:
    """What was typed, as the kind of value that is usual here."""
    if isinstance(usual, str) or usual is None:
        return typed
    if isinstance(usual, list | tuple) and not typed.startswith("["):
        words = typed.replace(",", " ").split()
        return [_read(word, usual[0] if usual else "") for word in words]
    try:
        value = tomllib.loads(f"value = {typed}", parse_float=Decimal)["value"]
    except (tomllib.TOMLDecodeError, ValueError):
        value = None
    numbers = (int, Decimal)
    if isinstance(usual, bool) != isinstance(value, bool):
        value = None
    if isinstance(value, type(usual)) or (isinstance(value, numbers) and isinstance(usual, numbers)):
        return value
    raise ValueError(f"'{typed}' cannot stand here; something such as {value_text(usual)} can")


class FromFile:
    """A file in the form of `table.toml`, with devices by serial number, staff and screens; what it leaves out is
    left out, and what nobody asked for is a typo."""

    by_person = False

    def __init__(self, path: Path) -> None:
        self._document = load(path)
        self._path = path
        self._read: set[Keys] = set()
        if path.stat().st_mode & 0o077 and any("pin" in one or "card" in one for one in self._staff()):
            raise ConfigError(f"{path}: it holds PINs or cards and other users may read it; run 'chmod 600 {path}'")

    def _staff(self) -> list[dict[str, Any]]:
        entries = self._document.values.get("staff", [])
        return [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []

    def _at(self, keys: Keys) -> Any:
        value: Any = self._document.values
        for key in keys:
            try:
                value = value[key]
            except (KeyError, IndexError, TypeError):
                return None
        self._read.add(keys)
        return value

    def choose(self, keys: Keys, question: str, choices: Sequence[str], usual: str | None) -> str:
        answer = self._at(keys)
        if answer is None and len(choices) == 1:
            return choices[0]
        if answer is None:
            raise self._document.error(keys, f"does not say '{keys[-1]}'", f"choose {', '.join(choices)}")
        if answer not in choices:
            raise self._document.error(keys, f"'{keys[-1]}' cannot be '{answer}'", nearest(str(answer), list(choices)))
        return str(answer)

    def value(self, keys: Keys, question: str, usual: Any) -> Any:
        return self._at(keys)

    def secret(self, keys: Keys, question: str) -> str:
        answer = self._at(keys)
        return "" if answer is None else str(answer)

    def more(self, keys: Keys, question: str) -> bool:
        return self._at(keys) is not None

    def document(self, values: dict[str, Any], text: str, name: str) -> Document:
        document = load(self._path)
        document.values = values
        return document

    def refuse_unread(self) -> None:
        """What stands in the file and was never asked for."""
        for keys in _leaves(self._document.values, ()):
            if not any(keys[: len(read)] == read for read in self._read if not self._is_table(read)):
                raise self._document.error(keys, f"'{keys[-1]}' is not asked for at this table", "correct or remove it")

    def _is_table(self, keys: Keys) -> bool:
        """An entry that was looked for, whose parts are answers of their own."""
        return isinstance(keys[-1], int)


def _leaves(value: Any, at: Keys) -> list[Keys]:
    if isinstance(value, dict) and value:
        return [keys for key, each in value.items() for keys in _leaves(each, (*at, key))]
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        return [keys for number, each in enumerate(value) for keys in _leaves(each, (*at, number))]
    return [at]
