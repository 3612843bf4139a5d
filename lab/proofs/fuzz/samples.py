"""Right messages of every device, made from its declaration: what a wire carries when nothing is wrong."""

from __future__ import annotations

import importlib
import random
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import firmware_specs
from firmware_specs.declaration import Declaration, Field, MessageDeclaration, load
from firmware_specs.spec import DeviceSpec, Message
from lab.proofs.fuzz.campaign import Nonsense

DEVICES = ("cards", "chips", "shoe", "shuffler", "wheel")
GROUPS = ("events", "live", "commands", "results", "outputs")


@cache
def spec_of(device: str) -> DeviceSpec:
    """The generated spec of a device."""
    spec = importlib.import_module(f"firmware_specs.messages.{device}").SPEC
    assert isinstance(spec, DeviceSpec)
    return spec


@cache
def declaration_of(device: str) -> Declaration:
    """The declaration that the spec was generated from, read afresh: what it allows is asked here, not of the codec."""
    return load(Path(firmware_specs.__file__).parent / f"{device}.toml")


@cache
def kinds(device: str) -> dict[tuple[str, int], tuple[type[Message], tuple[Field, ...]]]:
    """Every message of a device with its declared fields, by group and number."""
    spec, declared = spec_of(device), declaration_of(device)
    found: dict[tuple[str, int], tuple[type[Message], tuple[Field, ...]]] = {}

    def add(group: str, one: MessageDeclaration, known: type[Message]) -> None:
        found[group, one.id] = (known, one.fields)

    for one in declared.events:
        add("events", one, spec.events[one.id])
    for one in declared.live:
        add("live", one, spec.live[one.id])
    for command in declared.commands:
        add("commands", command.message, spec.commands[command.message.id])
        if command.message.id in spec.results:
            found["results", command.message.id] = (spec.results[command.message.id], command.result.fields)
    found["outputs", 0] = (spec.outputs, tuple(output.field for output in declared.outputs))
    return found


def right_message(draw: random.Random, device: str, group: str, number: int) -> Message:
    """A message as its declaration allows it, often at the edge of what it allows."""
    known, fields = kinds(device)[group, number]
    enums = _enums(device)
    values: dict[str, Any] = {}
    for field in fields:
        if field.as_many_as:  # lists that belong together are of equal length
            field = msgspec.structs.replace(field, limit=len(values[field.as_many_as]))
            values[field.name] = _of_length(draw, field, enums)
        else:
            values[field.name] = _right_value(draw, field, enums)
    return known.build(values)


def _of_length(draw: random.Random, field: Field, enums: dict[str, list[str]]) -> tuple[Any, ...]:
    one = msgspec.structs.replace(field, shape="enum" if field.shape == "enum list" else "scalar")
    return tuple(_right_value(draw, one, enums) for _ in range(field.limit))


def _right_value(draw: random.Random, field: Field, enums: dict[str, list[str]]) -> Any:
    match field.shape:
        case "scalar":
            return bool(_number(draw, field)) if field.base == "bool" else _number(draw, field)
        case "enum":
            return draw.choice(enums[field.base])
        case "bytes":
            return draw.randbytes(_length(draw, field))
        case "text":
            return "".join(draw.choices("abcXYZ 0-9", k=_length(draw, field)))
        case "list":
            return tuple(_number(draw, field) for _ in range(_length(draw, field)))
        case "enum list":
            return tuple(draw.choice(enums[field.base]) for _ in range(_length(draw, field)))


def _number(draw: random.Random, field: Field) -> int:
    if draw.random() < 0.3:
        return draw.choice((field.low, field.high, min(field.low + 1, field.high), max(field.high - 1, field.low)))
    return draw.randint(field.low, min(field.high, field.low + 60) if draw.random() < 0.5 else field.high)


def _length(draw: random.Random, field: Field) -> int:
    return draw.choice((0, 1, min(3, field.limit), min(8, field.limit), field.limit))


@cache
def _enums(device: str) -> dict[str, list[str]]:
    return {enum.name: [name for name, _, _ in enum.values] for enum in declaration_of(device).enums}


@cache
def _enum_values(device: str) -> dict[str, set[int]]:
    return {enum.name: {value for _, value, _ in enum.values} for enum in declaration_of(device).enums}


def require_declared(device: str, message: Message, fields: tuple[Field, ...]) -> None:
    """Nonsense unless every value lies in what the declaration allows."""
    for field in fields:
        value = getattr(message, field.name)
        allowed = _enum_values(device).get(field.base)
        values = list(value) if field.shape in ("list", "enum list") else [value]
        if field.shape in ("bytes", "text", "list", "enum list"):
            length = len(value.encode()) if isinstance(value, str) else len(value)
            if length > field.limit:
                raise Nonsense(f"{type(message).__name__}.{field.name} is {length} long, declared is {field.limit}")
        if field.shape in ("bytes", "text"):
            continue
        for one in values:
            if allowed is not None and (not isinstance(one, IntEnum) or int(one) not in allowed):
                raise Nonsense(f"{type(message).__name__}.{field.name} is {one!r}, which is none of {sorted(allowed)}")
            if allowed is None and not field.low <= one <= field.high:
                raise Nonsense(f"{type(message).__name__}.{field.name} is {one}, declared {field.low} to {field.high}")
