"""Reads TOML into frozen structs; what is wrong is told once, with file, line, key and the remedy.

Unread keys are typos and are refused. `tomllib` gives no positions, so `tomllines` finds the line of every key.
"""

from __future__ import annotations

import difflib
import functools
import re
import tomllib
import types
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, NewType, TypeVar, Union, cast, get_args, get_origin

import msgspec

Keys = tuple[str | int, ...]
"""Where a value stands: the names of its tables and its own, numbers in lists."""

T = TypeVar("T")

Cents = NewType("Cents", int)
"""Money: written in dollars in a file, integer cents everywhere else."""

_LARGEST_DOLLARS = 100_000_000


class ConfigError(Exception):
    """A file says something the table cannot work with; the text names the place and the remedy."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Document:
    """The values of one TOML file, and the line on which each of them stands."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._text = text
        try:
            self.values: dict[str, Any] = tomllib.loads(text, parse_float=Decimal)
        except tomllib.TOMLDecodeError as trouble:
            raise ConfigError(_syntax(name, str(trouble), text)) from None
        except RecursionError:
            raise ConfigError(f"{name}: lists or tables lie too deep in one another; no file needs that") from None
        except ValueError as trouble:  # a number of thousands of digits is no syntax error to tomllib
            raise ConfigError(f"{name}: cannot be read ({trouble}); correct the value") from None

    @functools.cached_property
    def _lines(self) -> dict[Keys, int]:
        """Only a file in which something is wrong needs them."""
        from controller.config.tomllines import key_lines

        return key_lines(self._text)

    def line(self, keys: Keys) -> int:
        """The line of this key, or of the nearest table around it."""
        while keys and keys not in self._lines:
            keys = keys[:-1]
        return self._lines.get(keys, 1)

    def error(self, keys: Keys, what: str, remedy: str = "") -> ConfigError:
        """The one message for something wrong at this key."""
        place = section(keys)
        text = f"{self.name}:{self.line(keys)}: {place + ' ' if place else ''}{what}"
        return ConfigError(f"{text}; {remedy}" if remedy else text)


def load(path: str | Path) -> Document:
    """Read a TOML file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; check the path") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text; save the file as UTF-8") from None
    except PermissionError:
        raise ConfigError(f"{path}: you may not read it; run this with sudo") from None
    except OSError as trouble:
        reason = trouble.strerror or str(trouble)
        raise ConfigError(f"{path}: cannot be read ({reason}); check the path and its permissions") from None
    return Document(str(path), text)


def convert(document: Document, into: type[T], values: Any = None, keys: Keys = ()) -> T:
    """The document, or the part of it at `keys`, as this frozen struct."""
    return cast(T, _value(document, document.values if values is None else values, into, keys))


def section(keys: Keys) -> str:
    """The table a key or a list's entry lies in, as TOML writes it: `[wheel]`, `[[staff]] 2:`."""
    tables = keys[:-2] if keys and isinstance(keys[-1], int) else keys[:-1]
    if not tables:
        return ""
    if isinstance(tables[-1], int):
        name = ".".join(str(key) for key in tables[:-1] if isinstance(key, str))
        return f"[[{name}]] {tables[-1] + 1}:"
    return "[" + ".".join(str(key) for key in tables) + "]"


def nearest(word: str, known: list[str]) -> str:
    """A remedy that names the nearest right spelling, or all of them."""
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"known here: {', '.join(known)}" if known else ""


def _value(document: Document, value: Any, kind: Any, keys: Keys) -> Any:
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated and get_origin(args[0]) in (list, tuple, dict):
        built = _value(document, value, args[0], keys)
        _leaf(document, value, kind, keys)
        return built
    if origin in (Union, types.UnionType):
        members = [member for member in args if member is not type(None)]
        if len(members) == 1:
            return _value(document, value, members[0], keys)
        structs = [member for member in members if _is_struct(member)]
        if isinstance(value, dict) and len(structs) == 1:
            return _struct(document, value, structs[0], keys)
        return _leaf(document, value, kind, keys)
    if _is_struct(kind):
        return _struct(document, value, kind, keys)
    if origin in (list, tuple):
        if not isinstance(value, list):
            raise document.error(keys, f"'{_last(keys)}' must be a list, not {_words(value)}")
        items = [_value(document, item, args[0], (*keys, number)) for number, item in enumerate(value)]
        return tuple(items) if origin is tuple else items
    if origin is dict:
        if not isinstance(value, dict):
            raise document.error(keys, f"'{_last(keys)}' must be a table, not {_words(value)}")
        return {key: _value(document, item, args[1], (*keys, key)) for key, item in value.items()}
    if kind is Cents:
        return _cents(document, value, keys)
    return _leaf(document, value, kind, keys)


def _struct(document: Document, value: Any, kind: type[msgspec.Struct], keys: Keys) -> Any:
    if not isinstance(value, dict):
        raise document.error(keys, f"'{_last(keys)}' must be a table, not {_words(value)}")
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key in value:
        if key not in fields:
            raise document.error((*keys, key), f"unknown key '{key}'", nearest(key, sorted(fields)))
    given = {}
    for name, field in fields.items():
        if name in value:
            given[field.name] = _value(document, value[name], field.type, (*keys, name))
        elif field.required:
            whose = section((*keys, name)).rstrip(":")
            what = f"'{name}' is missing" + (f" from {whose}" if whose else "")
            line = document.line(keys)
            raise ConfigError(f"{document.name}:{line}: {what}; add it: {name} = …")
    try:
        return kind(**given)
    except ValueError as trouble:
        raise document.error((*keys, ""), str(trouble)) from None


def _leaf(document: Document, value: Any, kind: Any, keys: Keys) -> Any:
    if isinstance(value, Decimal):
        value = float(value)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as trouble:
        what, remedy = _explain(str(trouble), value, kind)
        if keys and isinstance(keys[-1], int):
            name = f"'{_last(keys[:-1])}' entry {keys[-1] + 1}"
            raise document.error(keys, f"{name} {what}", remedy) from None
        raise document.error(keys, f"'{_last(keys)}' {what}", remedy) from None


def _cents(document: Document, value: Any, keys: Keys) -> int:
    remedy = "write dollars, with cents as decimals, such as 5 or 2.50"
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise document.error(keys, f"'{_last(keys)}' must be an amount of money, not {_words(value)}", remedy)
    dollars = Decimal(value)
    if not dollars.is_finite() or not 0 <= dollars <= _LARGEST_DOLLARS:
        raise document.error(keys, f"'{_last(keys)}' is {value}, which no table can pay", remedy)
    cents = dollars * 100
    if cents != int(cents):
        raise document.error(keys, f"'{_last(keys)}' is {value}, which has parts of a cent", remedy)
    return int(cents)


_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text in quotes",
    "bool": "true or false",
    "object": "a table",
    "array": "a list",
}


def _explain(message: str, value: Any, kind: Any) -> tuple[str, str]:
    message = message.split(" - at `")[0]
    if found := re.fullmatch(r"Expected `(\w+)`, got `\w+`", message):
        return f"must be {_KINDS.get(found[1], found[1])}, not {_words(value)}", ""
    if found := re.fullmatch(r"Expected `\w+` (>=|<=|>|<) ([-\d.e]+)", message):
        bound = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}[found[1]]
        return f"must be {bound} {found[2]}, not {_words(value)}", ""
    if message.startswith("Invalid enum value"):
        known = [str(choice) for choice in _choices(kind)]
        return f"cannot be {_words(value)}", nearest(str(value), known)
    if message.startswith("Expected `str` matching regex"):
        return f"cannot be {_words(value)}", _described(kind)
    if found := re.fullmatch(r"Expected `(?:array|str)` of length (>=|<=)? ?(\d+)", message):
        bound = {">=": "at least ", "<=": "at most ", None: ""}[found[1]]
        return f"must have {bound}{found[2]} entries, not {len(value)}", ""
    return f"is not right: {message}", ""


def _described(kind: Any) -> str:
    """What is declared beside a pattern for people, such as "write a time such as 06:00"."""
    return next((each.description or "" for each in get_args(kind) if isinstance(each, msgspec.Meta)), "")


def _choices(kind: Any) -> tuple[Any, ...]:
    """What a Literal allows, however deep it is wrapped."""
    if get_origin(kind) in (Union, types.UnionType, Annotated):
        return tuple(choice for member in get_args(kind) for choice in _choices(member))
    return get_args(kind)


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text '{value}'"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a table"
    return str(value)


def _last(keys: Keys) -> str:
    return next((key for key in reversed(keys) if isinstance(key, str)), "file")


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _syntax(name: str, message: str, text: str) -> str:
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    line = int(found[1]) if found and found[1] else text.count("\n") + 1
    what = message[: found.start()] if found else message
    return f"{name}:{line}: not valid TOML: {what[:1].lower()}{what[1:]}; correct this line"
