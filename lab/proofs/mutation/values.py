"""The neighbours of a rulebook file: each has one value changed, and stands in the file's place in memory only."""

from __future__ import annotations

import copy
import gc
import sys
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Literal, NamedTuple, get_args, get_origin

import msgspec

from controller import games
from controller.config.tomlread import ConfigError, Document, Keys
from controller.rules import clauses, rulebook
from controller.rules.rulebook import HEADER, Rulebook, load_rulebook

FREE_TEXT = {"id", "title", "game", "document", "version", "name", "does"}
"""Words for people; nothing is decided by them."""


class ValueChange(NamedTuple):
    """One value of a rulebook file and what stands there instead."""

    rulebook: str
    keys: Keys
    line: int
    text: str
    new: Any

    @property
    def name(self) -> str:
        return ".".join(str(key) for key in self.keys)


class Dropped(NamedTuple):
    """Stands for an entry that is left out of its list."""


def value_changes(name: str) -> list[ValueChange]:
    """Every neighbour of a rulebook file; the house's readings are words, so they are left alone."""
    document = rulebook._document(name)
    rules = type(games.find(load_rulebook(name).game).rules(name))
    found = []
    for key, value in document.values.items():
        if key in ("rulebook", "readings"):
            continue
        kind = Rulebook if key in HEADER else rules
        field = next(field for field in msgspec.structs.fields(kind) if field.encode_name == key)
        for keys, old, new in _neighbours(name, value, field.type, (key,)):
            text = f"{_words(old)} left out" if isinstance(new, Dropped) else f"{_words(old)} → {_words(new)}"
            found.append(ValueChange(name, keys, document.line(keys), text, new))
    return found


class Standing(NamedTuple):
    """What was read from a rulebook file before, wherever it is held now."""

    books: list[Rulebook]
    rules: list[msgspec.Struct]


def standing(name: str) -> Standing:
    """Find everything that holds this rulebook, so that a change reaches it too."""
    book = load_rulebook(name)
    rules = games.find(book.game).rules(name)
    objects = gc.get_objects()
    return Standing(
        [one for one in objects if type(one) is Rulebook and one == book],
        [one for one in objects if type(one) is type(rules) and one == rules],
    )


def forget_what_was_read() -> None:
    """Have every rulebook read anew."""
    load_rulebook.cache_clear()
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{games.__name__}."):
            for cached in vars(module).values():
                if hasattr(cached, "cache_clear"):
                    cached.cache_clear()


def put(change: ValueChange, held: Standing) -> str:
    """Let the change stand in this process; what reading the file says when it refuses it, else nothing."""
    original = rulebook._document(change.rulebook)
    changed = copy.copy(original)
    changed.values = _changed(original.values, change.keys, change.new)

    def _document(name: str) -> Document:
        return changed if name == change.rulebook else original_document(name)

    original_document = rulebook._document
    vars(rulebook)["_document"] = _document
    forget_what_was_read()
    try:
        book = load_rulebook(change.rulebook)
        rules = games.find(book.game).rules(change.rulebook)
    except ConfigError as refused:
        return refused.text
    for old in held.books:
        _graft(old, book)
    for one in held.rules:
        _graft(one, rules)
    return ""


def _neighbours(name: str, value: Any, kind: Any, keys: Keys) -> Iterator[tuple[Keys, Any, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _neighbours(name, inner, _inner(kind, key), (*keys, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _neighbours(name, inner, _inner(kind, number), (*keys, number))
            yield (*keys, number), inner, Dropped()
    else:
        for new in _other(name, value, kind, keys):
            yield keys, value, new


def _inner(kind: Any, key: str | int) -> Any:
    """The type of one entry of a struct, table or list."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return next(field.type for field in msgspec.structs.fields(kind) if field.encode_name == key)
    arguments = get_args(kind)
    return arguments[1] if get_origin(kind) is dict else arguments[0] if arguments else Any


def _other(name: str, value: Any, kind: Any, keys: Keys) -> Iterator[Any]:
    choices = _choices(kind)
    key = next(str(key) for key in reversed(keys) if isinstance(key, str))
    if isinstance(value, bool):
        yield not value
    elif value in choices:
        if len(choices) > 1:
            yield choices[(choices.index(value) + 1) % len(choices)]
    elif isinstance(value, int):
        yield value + 1
        yield value - 1
    elif isinstance(value, Decimal):
        step = Decimal(1).scaleb(int(value.as_tuple().exponent))
        yield value + step
        yield value - step
    elif key == "rank":
        ladder = load_rulebook(name).ladder
        at = ladder.index(value)
        yield from (ladder[near] for near in (at - 1, at + 1) if 0 <= near < len(ladder))
    elif isinstance(value, str) and key not in FREE_TEXT and value:
        if clauses.exists(name, value):
            index = [clause.clause for clause in clauses.clauses(name)]
            yield index[(index.index(value) + 1) % len(index)]
        else:
            yield f"{value}x"


def _choices(kind: Any) -> list[Any]:
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [choice for inner in get_args(kind) for choice in _choices(inner)]


def _changed(values: Any, keys: Keys, new: Any) -> Any:
    key, *rest = keys
    if isinstance(values, dict):
        return {**values, key: _changed(values[key], tuple(rest), new) if rest else new}
    if isinstance(new, Dropped) and not rest:
        return [inner for number, inner in enumerate(values) if number != key]
    there = [*values]
    there[int(key)] = _changed(values[int(key)], tuple(rest), new) if rest else new
    return there


def _graft(old: Any, new: Any) -> None:
    """Make the struct that others hold say what the new one says, however deep the change lies."""
    for field in msgspec.structs.fields(old):
        was, now = getattr(old, field.name), getattr(new, field.name)
        if was != now:
            pairs = _pairs(was, now)
            for before, after in pairs:
                _graft(before, after)
            if not pairs:
                msgspec.structs.force_setattr(old, field.name, now)


def _pairs(was: Any, now: Any) -> list[tuple[Any, Any]]:
    """The structs that stand at the same places of both; none when the two cannot be laid over each other."""
    if isinstance(was, msgspec.Struct) and type(was) is type(now):
        return [(was, now)]
    if isinstance(was, tuple) and isinstance(now, tuple) and len(was) == len(now):
        both = list(zip(was, now, strict=True))
    elif isinstance(was, dict) and isinstance(now, dict) and was.keys() == now.keys():
        both = [(was[key], now[key]) for key in was]
    else:
        return []
    fit = all(isinstance(before, msgspec.Struct) and type(before) is type(after) for before, after in both)
    return both if fit else []


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return next((str(inner) for inner in value.values()), "{}")
    return str(value)
