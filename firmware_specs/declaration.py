"""Reads a device's declaration: what it can say and be told, one line a field.

Everything is checked when it is read: an unknown key is a typing mistake and refused with the nearest known word.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import keyword
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from .frames import MAX_CONTENT

HEADER = 6  # kind, number or id (u32), message id or status: what a link frame puts before a body
SEAL = 13  # what a sealed frame puts around a content
MAX_BODY = MAX_CONTENT - SEAL - HEADER

#: name -> (struct code, bytes, lowest, highest)
SCALARS: dict[str, tuple[str, int, int, int]] = {
    "u8": ("B", 1, 0, 2**8 - 1),
    "u16": ("H", 2, 0, 2**16 - 1),
    "u32": ("I", 4, 0, 2**32 - 1),
    "u64": ("Q", 8, 0, 2**64 - 1),
    "i8": ("b", 1, -(2**7), 2**7 - 1),
    "i16": ("h", 2, -(2**15), 2**15 - 1),
    "i32": ("i", 4, -(2**31), 2**31 - 1),
    "bool": ("B", 1, 0, 1),
}

LEAST_EVENTS = 40  # more than a window, so that resuming has something to resume
LEAST_BYTES = 4096

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_TYPE_NAME = re.compile(r"[A-Z][A-Za-z0-9]*\Z")
_VARYING = re.compile(r"(bytes|str)<([0-9]+)>\Z")
_LIST = re.compile(r"([A-Za-z][A-Za-z0-9]*)\[([0-9]+)\]\Z")
_RESERVED = {
    *("message", "encode", "decode", "build", "plain", "self", "cls", "body", "struct", "counted"),
    *("len", "tuple"),
    *keyword.kwlist,
}


class BadDeclaration(ValueError):
    """A declaration that cannot be understood, with the file and the place in it."""


class Field(msgspec.Struct, frozen=True):
    """One field: `shape` says how it lies on the wire, `base` which scalar or enum it is made of."""

    name: str
    type: str
    shape: Literal["scalar", "enum", "bytes", "text", "list", "enum list"]
    base: str
    limit: int
    unit: str
    low: int
    high: int
    meaning: str
    as_many_as: str = ""  # the list before it that it belongs to, entry by entry

    @property
    def code(self) -> str:
        """The struct code of one element."""
        return SCALARS[self.base][0] if self.base in SCALARS else "B"

    @property
    def width(self) -> int:
        """Bytes of one element."""
        return SCALARS[self.base][1] if self.base in SCALARS else 1

    @property
    def fixed(self) -> bool:
        return self.shape in ("scalar", "enum")

    @property
    def count_size(self) -> int:
        """Bytes of the count in front of a field of varying length."""
        return 0 if self.fixed else 1 if self.limit <= 255 else 2

    @property
    def longest(self) -> int:
        return self.width if self.fixed else self.count_size + self.limit * self.width


class Output(msgspec.Struct, frozen=True):
    """A field the host sets, with what the device falls back to by itself and when."""

    field: Field
    safe: Any
    hold_ms: int


class MessageDeclaration(msgspec.Struct, frozen=True):
    """One message and its number."""

    name: str
    id: int
    meaning: str
    fields: tuple[Field, ...]

    @property
    def fixed(self) -> bool:
        return all(field.fixed for field in self.fields)

    @property
    def longest(self) -> int:
        return sum(field.longest for field in self.fields)


class Command(msgspec.Struct, frozen=True):
    """Something done once, and what the device answers when it is done."""

    message: MessageDeclaration
    result: MessageDeclaration


class EnumDeclaration(msgspec.Struct, frozen=True):
    """A closed list of named values, one byte on the wire."""

    name: str
    meaning: str
    values: tuple[tuple[str, int, str], ...]  # name, value, meaning


class Declaration(msgspec.Struct, frozen=True):
    """A whole device, as declared."""

    kind: str
    code: int
    version: int
    title: str
    beat_ms: int
    silence_ms: int
    capabilities: tuple[tuple[str, int, str], ...]  # name, bit, meaning
    enums: tuple[EnumDeclaration, ...]
    events: tuple[MessageDeclaration, ...]
    live: tuple[MessageDeclaration, ...]
    commands: tuple[Command, ...]
    outputs: tuple[Output, ...]
    notes: tuple[str, ...] = ()  # what a firmware author must know beyond single messages
    least_events: int = LEAST_EVENTS  # a device holds at least so many events,
    least_bytes: int = LEAST_BYTES  # or so many bytes of them, whichever is reached first

    @property
    def digest(self) -> bytes:
        """First 8 bytes of SHA-256 over all that decides what the bytes mean; wording and demands are left out."""
        canonical = json.dumps(
            _without_words(msgspec.to_builtins(self)), sort_keys=True, separators=(",", ":"), ensure_ascii=True
        )
        return hashlib.sha256(canonical.encode()).digest()[:8]

    @property
    def outputs_message(self) -> MessageDeclaration:
        return MessageDeclaration(
            "Outputs", 0, "What the host wants the outputs to be.", tuple(o.field for o in self.outputs)
        )


# A device built before these were written down speaks the same bytes: they say what a right device does anyway.
_NOT_BYTES = frozenset(("meaning", "title", "notes", "least_events", "least_bytes", "as_many_as"))


def _without_words(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _without_words(value) for key, value in tree.items() if key not in _NOT_BYTES}
    if isinstance(tree, (list, tuple)):
        # (name, value, meaning) triples of enums and capabilities keep name and value
        if len(tree) == 3 and isinstance(tree[0], str) and isinstance(tree[1], int):
            return [tree[0], tree[1]]
        return [_without_words(item) for item in tree]
    return tree


def load(path: Path) -> Declaration:
    """Read a declaration file."""
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BadDeclaration(f"{path.name}: {error}") from error
    return parse(tree, path.name)


def parse(tree: dict[str, Any], file: str) -> Declaration:
    """Understand an already loaded TOML tree; `file` is named in every complaint."""
    return _Reader(file).device(tree)


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.enums: dict[str, EnumDeclaration] = {}

    def fail(self, place: str, text: str) -> BadDeclaration:
        return BadDeclaration(f"{self.file}: {place}: {text}")

    def keys(self, place: str, table: Any, needed: Iterable[str], allowed: Iterable[str] = ()) -> None:
        if not isinstance(table, dict):
            raise self.fail(place, f"must be a table, and is {table!r}")
        needed = list(needed)
        known = [*needed, *allowed]
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(known)}"
                raise self.fail(place, f"unknown key {key!r}{hint}")
        for key in needed:
            if key not in table:
                raise self.fail(place, f"{key!r} is missing")

    def number(self, place: str, value: Any, low: int, high: int) -> int:
        if type(value) is not int or not low <= value <= high:
            raise self.fail(place, f"must be a whole number from {low} to {high}, and is {value!r}")
        return value

    def text(self, place: str, value: Any) -> str:
        if not isinstance(value, str) or (not value.strip() and not place.endswith("unit")):
            raise self.fail(place, f"must be a text, and is {value!r}")
        return value

    def name(self, place: str, value: Any) -> str:
        if not isinstance(value, str) or not _NAME.match(value) or value in _RESERVED:
            raise self.fail(place, f"must be a name in lower_case that is not reserved, and is {value!r}")
        return value

    def device(self, tree: dict[str, Any]) -> Declaration:
        sections = ("capabilities", "enums", "events", "live", "commands", "outputs")
        self.keys("top level", tree, ["device"], sections)
        head = tree["device"]
        extra = ["beat_ms", "silence_ms", "notes", "least_events", "least_bytes"]
        self.keys("[device]", head, ["kind", "code", "version", "title"], extra)
        beat = self.number("[device] beat_ms", head.get("beat_ms", 2000), 50, 60_000)
        silence = self.number("[device] silence_ms", head.get("silence_ms", 6000), 2 * beat, 600_000)
        for name, table in self.section(tree, "enums"):
            self.enums[name] = self.enum(name, table)
        declaration = Declaration(
            kind=self.name("[device] kind", head["kind"]),
            code=self.number("[device] code", head["code"], 1, 255),
            version=self.number("[device] version", head["version"], 1, 65_535),
            title=self.text("[device] title", head["title"]),
            beat_ms=beat,
            silence_ms=silence,
            capabilities=self.capabilities(tree.get("capabilities", [])),
            enums=tuple(self.enums.values()),
            events=tuple(self.message("events", n, t) for n, t in self.section(tree, "events")),
            live=tuple(self.message("live", n, t) for n, t in self.section(tree, "live")),
            commands=tuple(self.command(n, t) for n, t in self.section(tree, "commands")),
            outputs=self.outputs(tree.get("outputs", []), beat),
            notes=self.notes(head.get("notes", [])),
            least_events=self.number("[device] least_events", head.get("least_events", LEAST_EVENTS), 34, 65_535),
            least_bytes=self.number("[device] least_bytes", head.get("least_bytes", LEAST_BYTES), MAX_BODY, 2**31),
        )
        self.no_clashes(declaration)
        return declaration

    def notes(self, lines: Any) -> tuple[str, ...]:
        if not isinstance(lines, list):
            raise self.fail("[device] notes", "must be a list of texts")
        return tuple(self.text(f"[device] notes line {n}", line) for n, line in enumerate(lines, start=1))

    def section(self, tree: dict[str, Any], section: str) -> Iterable[tuple[str, Any]]:
        table = tree.get(section, {})
        if not isinstance(table, dict):
            raise self.fail(f"[{section}]", f"must hold tables such as [{section}.Name]")
        for name, inner in table.items():
            if not _TYPE_NAME.match(name):
                raise self.fail(f"[{section}.{name}]", "must be named in CamelCase")
            yield name, inner

    def triples(self, place: str, lines: Any, number: str, low: int, high: int) -> tuple[tuple[str, int, str], ...]:
        found: list[tuple[str, int, str]] = []
        for index, line in enumerate(self.lines(place, lines)):
            here = f"{place} line {index + 1}"
            self.keys(here, line, ["name", number, "meaning"])
            name = self.name(f"{here} name", line["name"])
            value = self.number(f"{here} {number}", line[number], low, high)
            if any(name == other[0] or value == other[1] for other in found):
                raise self.fail(here, f"{name} = {value} is there already")
            found.append((name, value, self.text(f"{here} meaning", line["meaning"])))
        return tuple(found)

    def lines(self, place: str, lines: Any) -> list[Any]:
        if not isinstance(lines, list):
            raise self.fail(place, "must be a list of lines such as { name = …, type = …, meaning = … }")
        return lines

    def capabilities(self, lines: Any) -> tuple[tuple[str, int, str], ...]:
        return self.triples("capabilities", lines, "bit", 0, 31)

    def enum(self, name: str, table: Any) -> EnumDeclaration:
        place = f"[enums.{name}]"
        self.keys(place, table, ["meaning", "values"])
        values = self.triples(f"{place} values", table["values"], "value", 0, 255)
        if not values:
            raise self.fail(place, "needs at least one value")
        return EnumDeclaration(name, self.text(f"{place} meaning", table["meaning"]), values)

    def message(self, section: str, name: str, table: Any) -> MessageDeclaration:
        place = f"[{section}.{name}]"
        self.keys(place, table, ["id", "meaning"], ["fields"])
        return MessageDeclaration(
            name,
            self.number(f"{place} id", table["id"], 1, 255),
            self.text(f"{place} meaning", table["meaning"]),
            self.fields(place, table.get("fields", [])),
        )

    def command(self, name: str, table: Any) -> Command:
        place = f"[commands.{name}]"
        self.keys(place, table, ["id", "meaning"], ["fields", "result"])
        table = dict(table)
        result = self.fields(f"{place} result", table.pop("result", []))
        message = self.message("commands", name, table)
        return Command(message, MessageDeclaration(f"{name}Result", message.id, f"{name} was done.", result))

    def fields(self, place: str, lines: Any) -> tuple[Field, ...]:
        found: list[Field] = []
        for index, line in enumerate(self.lines(place, lines)):
            here = f"{place} line {index + 1}"
            self.keys(here, line, ["name", "type", "meaning"], ["unit", "min", "max", "as_many_as"])
            found.append(self.field(here, line, found))
        longest = sum(field.longest for field in found)
        if longest > MAX_BODY:
            raise self.fail(place, f"can be {longest} bytes long, and a frame has room for {MAX_BODY}")
        return tuple(found)

    def field(self, place: str, line: dict[str, Any], before: list[Field]) -> Field:
        name = self.name(f"{place} name", line["name"])
        if any(name == field.name for field in before):
            raise self.fail(place, f"{name!r} is there already")
        kind = line["type"]
        if not isinstance(kind, str):
            raise self.fail(f"{place} type", f'must be a text such as "u16", and is {kind!r}')
        shape: Literal["scalar", "enum", "bytes", "text", "list", "enum list"]
        base, limit = kind, 1
        if varying := _VARYING.match(kind):
            shape, base, limit = ("bytes" if varying[1] == "bytes" else "text"), "u8", int(varying[2])
        else:
            many = _LIST.match(kind)
            if many:
                base, limit = many[1], int(many[2])
            if base in SCALARS:
                shape = "list" if many else "scalar"
            elif base in self.enums:
                shape = "enum list" if many else "enum"
            else:
                known = [*SCALARS, *self.enums, "bytes<32>", "str<32>", "u16[64]"]
                near = difflib.get_close_matches(kind, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
                raise self.fail(f"{place} type", f"unknown type {kind!r}; {hint}")
        if not 1 <= limit <= MAX_BODY or (base == "bool" and shape == "list"):
            raise self.fail(f"{place} type", f"{kind!r} cannot be carried")
        ranged = shape in ("scalar", "list") and base != "bool"
        if not ranged and ("min" in line or "max" in line):
            raise self.fail(place, f"min and max mean nothing for {kind!r}")
        lowest, highest = SCALARS[base][2:] if base in SCALARS else (0, 255)
        low = self.number(f"{place} min", line.get("min", lowest), lowest, highest)
        high = self.number(f"{place} max", line.get("max", highest), low, highest)
        unit = self.text(f"{place} unit", line.get("unit", ""))
        meaning = self.text(f"{place} meaning", line["meaning"])
        partner = self.partner(place, line, limit if shape in ("list", "enum list") else 0, before)
        return Field(name, kind, shape, base, limit, unit, low, high, meaning, partner)

    def partner(self, place: str, line: dict[str, Any], limit: int, before: list[Field]) -> str:
        """The list before this one that has as many entries."""
        named = line.get("as_many_as", "")
        lists = {field.name: field.limit for field in before if field.shape in ("list", "enum list")}
        if named and (not limit or lists.get(named) != limit):
            fitting = ", ".join(name for name, other in lists.items() if other == limit) or "none here"
            raise self.fail(f"{place} as_many_as", f"must name a list before it of the same limit ({fitting})")
        return str(named)

    def outputs(self, lines: Any, beat: int) -> tuple[Output, ...]:
        found: list[Output] = []
        for index, line in enumerate(self.lines("outputs", lines)):
            here = f"outputs line {index + 1}"
            self.keys(here, line, ["name", "type", "safe", "hold_ms", "meaning"], ["unit", "min", "max"])
            field = self.field(here, line, [output.field for output in found])
            # A hold no longer than a beat would let outputs flap on a healthy line.
            hold = self.number(f"{here} hold_ms", line["hold_ms"], beat + 1, 3_600_000)
            found.append(Output(field, self.safe(f"{here} safe", field, line["safe"]), hold))
        if sum(output.field.longest for output in found) > MAX_BODY:
            raise self.fail("outputs", f"do not fit in one frame of {MAX_BODY} bytes")
        return tuple(found)

    def safe(self, place: str, field: Field, value: Any) -> Any:
        if field.base == "bool" and field.shape == "scalar":
            if type(value) is not bool:
                raise self.fail(place, f"must be true or false, and is {value!r}")
            return value
        if field.shape == "scalar":
            return self.number(place, value, field.low, field.high)
        if field.shape == "enum":
            names = [name for name, _, _ in self.enums[field.base].values]
            if value not in names:
                raise self.fail(place, f"must be one of {', '.join(names)}, and is {value!r}")
            return value
        if field.shape == "text" and isinstance(value, str) and len(value.encode()) <= field.limit:
            return value
        if value == []:
            return value
        raise self.fail(place, f"{value!r} is no safe value for {field.type!r}; lists and bytes take []")

    def no_clashes(self, declaration: Declaration) -> None:
        """Ids are unique in their section, class names in the whole file."""
        names: set[str] = {"Outputs", "SPEC", "Message"}
        commands = [c.message for c in declaration.commands]
        results = [c.result for c in declaration.commands]
        for section, messages in (
            ("enums", ()),
            ("events", declaration.events),
            ("live", declaration.live),
            ("commands", commands),
        ):
            ids: dict[int, str] = {}
            for message in messages:
                if message.id in ids:
                    raise self.fail(f"[{section}.{message.name}]", f"id {message.id} is {ids[message.id]}'s already")
                ids[message.id] = message.name
        for name in [
            *(e.name for e in declaration.enums),
            *(m.name for m in (*declaration.events, *declaration.live, *commands, *results)),
        ]:
            if name in names:
                raise self.fail(name, "the name is taken; enums and messages of a device share one namespace")
            names.add(name)
