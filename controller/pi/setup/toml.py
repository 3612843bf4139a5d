"""Plain values as TOML: tables, lists, text, numbers; read back they are what was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def written(values: Mapping[str, Any]) -> str:
    """A whole file."""
    return "\n".join(_table(values, ())).lstrip("\n") + "\n"


def _table(values: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[str]:
    plain = {key: value for key, value in values.items() if not isinstance(value, Mapping)}
    if at and (plain or not values):
        yield f"\n[{'.'.join(map(_key, at))}]"
    for key, value in plain.items():
        yield f"{_key(key)} = {value_text(value)}"
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _table(value, (*at, key))


def value_text(value: Any) -> str:
    """One value as it stands behind an equals sign."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return str(value)
        case str():
            # JSON's text is TOML's, but for the one control character that JSON lets stand.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Mapping():
            return "{" + ", ".join(f"{_key(key)} = {value_text(each)}" for key, each in value.items()) + "}"
    return "[" + ", ".join(value_text(each) for each in value) + "]"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else value_text(key)
