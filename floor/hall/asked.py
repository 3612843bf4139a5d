"""What a form or a command sends, made into an act: every field is what it should be, or is refused by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from controller.config.tomlread import nearest
from floor.hall.acts import BY_NAME, Act, Field, fields

NAMES_SOMEBODY = ("entrant", "new", "person", "table", "to_table", "order", "agreed", "digest", "entropy")
"""Fields that hold a number or a name of somebody or something, as records bear it."""
NAME = re.compile(r"[^\W_][\w.\-]{0,127}", re.ASCII)
NAME_SAID = "letters, digits, dots and dashes"
TEXT_MOST = 2000
TERMS_MOST = 200_000
MOST = {"cents": 10**12, "level": 1000, "to_seat": 100, "number": 10**6}


class BadAct(Exception):
    """What was sent is no act: the text names the field and, where one is near, what was meant."""


def act_of(name: str, args: Mapping[str, Any]) -> Act:
    """The act of this name with what was sent; BadAct before anything is done or written."""
    kind = BY_NAME.get(name)
    if kind is None:
        raise BadAct(f"no act '{_shown(name)}'; {nearest(name, sorted(BY_NAME))}")
    asked = {field.name: field for field in fields(kind)}
    for stray in args.keys() - asked.keys():
        raise BadAct(f"{kind.words}: it asks for no '{_shown(stray)}'; {nearest(stray, list(asked))}".rstrip("; "))
    try:
        act = msgspec.convert(dict(args), kind, strict=False)
    except msgspec.ValidationError as wrong:
        raise BadAct(f"{kind.words}: {wrong}") from None
    except UnicodeEncodeError as wrong:
        raise BadAct(f"{kind.words}: {wrong.object!r} is no text that a record can bear") from None
    for field in asked.values():
        if why := _wrong(field, getattr(act, field.name)):
            raise BadAct(f"{kind.words}: {field.name}: {why}")
    return act


def _wrong(field: Field, value: Any) -> str:
    """Why this cannot stand in a field, empty where it can."""
    if field.kind == "number":
        return _too_much(field.name, value)
    if field.kind == "text":
        blank = field.optional and not value
        return "" if blank else _no_name(value) if field.name in NAMES_SOMEBODY else _no_text(field, value)
    return next((why for why in _inside(field, value) if why), "")


def _inside(field: Field, value: Any) -> Iterator[str]:
    """Of a list of names, or of a number for each name."""
    if field.kind in ("names", "pairs"):
        yield from map(_no_name, value)
        yield f"{', '.join(value)} names somebody twice" if len(set(value)) < len(value) else ""
    if field.kind == "pairs":
        yield from (_too_much(field.name, one) for one in value.values())


def _too_much(name: str, value: int) -> str:
    return "" if 0 <= value <= MOST[name] else f"{value if abs(value) < 10**20 else 'it'} is not from 0 to {MOST[name]}"


def _no_name(value: str) -> str:
    return "" if NAME.fullmatch(value) else f"'{_shown(value)}' is no name; write {NAME_SAID}, at most 128"


def _no_text(field: Field, value: str) -> str:
    most = TERMS_MOST if field.name == "text" else TEXT_MOST
    if not value.strip():
        return "nothing is said; fill it in"
    if len(value) > most:
        return f"it has {len(value)} letters; write at most {most}"
    odd = next((one for one in value if not one.isprintable() and one not in "\n\r\t"), "")
    return f"it holds {odd!r}, which no page can show; leave it out" if odd else ""


def _shown(value: str) -> str:
    """As much of it as a refusal can bear."""
    return value[:40].encode("unicode_escape").decode()
