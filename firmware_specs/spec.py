"""What generated messages are made of: a message, what makes one bad, and the spec of a whole device."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, ClassVar, Self

import msgspec


class BadMessage(ValueError):
    """A message whose bytes or values do not fit its declaration; never acted on."""

    def __init__(self, message: str, field: str, value: object, allowed: str) -> None:
        super().__init__(f"{message}.{field} is {value!r}, allowed is {allowed}")
        self.message = message
        self.field = field
        self.value = value
        self.allowed = allowed


class Message(msgspec.Struct, frozen=True, gc=False, tag_field="message", tag=True):
    """One declared message; generated classes fill in the fields and the codec."""

    ID: ClassVar[int] = 0
    ENUMS: ClassVar[Mapping[str, type[IntEnum]]] = {}

    def encode(self) -> bytes:
        raise NotImplementedError

    @classmethod
    def decode(cls, body: bytes) -> Self:
        raise NotImplementedError

    @classmethod
    def build(cls, values: Mapping[str, Any], base: Self | None = None) -> Self:
        """A message from plain values by field name, enums by their names; what is missing comes from `base`."""
        merged: dict[str, Any] = {} if base is None else {f: getattr(base, f) for f in cls.__struct_fields__}
        for field, value in values.items():
            if field not in cls.__struct_fields__:
                raise BadMessage(cls.__name__, field, value, f"one of {', '.join(cls.__struct_fields__)}")
            enum = cls.ENUMS.get(field)
            if enum is not None:
                value = _members(cls.__name__, field, enum, value)
            elif isinstance(value, list):
                value = tuple(value)
            merged[field] = value
        missing = [f for f in cls.__struct_fields__ if f not in merged]
        if missing:
            raise BadMessage(cls.__name__, missing[0], None, "a value; it is missing")
        try:
            made = msgspec.convert({"message": cls.__name__, **merged}, cls)
            made.encode()  # ranges are checked where bytes are made
        except msgspec.ValidationError as error:
            raise BadMessage(cls.__name__, "fields", dict(values), str(error)) from error
        return made

    def plain(self) -> dict[str, Any]:
        """Field values by name, enums as their lower-case names; the inverse of `build`."""
        values: dict[str, Any] = {}
        for field in self.__struct_fields__:
            value = getattr(self, field)
            if isinstance(value, IntEnum):
                value = value.name.lower()
            elif isinstance(value, tuple):
                value = [v.name.lower() if isinstance(v, IntEnum) else v for v in value]
            values[field] = value
        return values


def _members(message: str, field: str, enum: type[IntEnum], value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(_members(message, field, enum, v) for v in value)
    if isinstance(value, str):
        member = enum.__members__.get(value.upper())
        if member is None:
            names = ", ".join(name.lower() for name in enum.__members__)
            raise BadMessage(message, field, value, f"one of {names}")
        return member
    return value


class DeviceSpec(msgspec.Struct, frozen=True):
    """Everything both ends must agree on about one kind of device."""

    kind: str
    code: int
    version: int
    digest: bytes
    title: str
    beat_ms: int
    silence_ms: int
    capabilities: dict[str, int]
    events: dict[int, type[Message]]
    live: dict[int, type[Message]]
    commands: dict[int, type[Message]]
    results: dict[int, type[Message]]
    outputs: type[Message]
    safe: Message
    hold_ms: dict[str, int]

    def command_named(self, name: str) -> type[Message]:
        """The command of this name; BadMessage when the device has none such."""
        for command in self.commands.values():
            if command.__name__ == name:
                return command
        names = ", ".join(command.__name__ for command in self.commands.values()) or "none"
        raise BadMessage(self.kind, "command", name, f"one of {names}")


class NoOutputs(Message, frozen=True, gc=False):
    """A device that has nothing to set."""

    def encode(self) -> bytes:
        return b""

    @classmethod
    def decode(cls, body: bytes) -> NoOutputs:
        if body:
            raise BadMessage("NoOutputs", "length", len(body), "0 bytes")
        return cls()


# The rest is what generated codecs call for fields of varying length.


def counted(size: int, count: int, limit: int, octets: bytes, message: str, field: str) -> bytes:
    """A one- or two-byte count and what is counted."""
    if count > limit:
        raise BadMessage(message, field, count, f"at most {limit} long")
    return count.to_bytes(size, "little") + octets


def read_count(body: bytes, at: int, size: int, limit: int, message: str, field: str) -> tuple[int, int]:
    """The count at this place and where what is counted begins."""
    end = at + size
    if end > len(body):
        raise BadMessage(message, field, body[at:], "a length; the message ends here")
    count = int.from_bytes(body[at:end], "little")
    if count > limit:
        raise BadMessage(message, field, count, f"at most {limit} long")
    return count, end


def read_bytes(body: bytes, at: int, size: int, limit: int, message: str, field: str) -> tuple[bytes, int]:
    """Counted bytes and where they end."""
    count, start = read_count(body, at, size, limit, message, field)
    end = start + count
    if end > len(body):
        raise BadMessage(message, field, len(body) - start, f"{count} bytes; the message ends here")
    return body[start:end], end


def read_text(body: bytes, at: int, size: int, limit: int, message: str, field: str) -> tuple[str, int]:
    """Counted UTF-8 and where it ends."""
    octets, end = read_bytes(body, at, size, limit, message, field)
    try:
        return octets.decode(), end
    except UnicodeDecodeError:
        raise BadMessage(message, field, octets, "UTF-8 text") from None


def read_list(
    body: bytes, at: int, size: int, limit: int, code: str, width: int, message: str, field: str
) -> tuple[tuple[int, ...], int]:
    """Counted integers of one width and where they end."""
    count, start = read_count(body, at, size, limit, message, field)
    end = start + count * width
    if end > len(body):
        raise BadMessage(message, field, len(body) - start, f"{count * width} bytes; the message ends here")
    return struct.unpack_from(f"<{count}{code}", body, start), end


def check_list(values: tuple[int, ...], low: int, high: int, message: str, field: str) -> None:
    """Raise for the first value outside its range."""
    if values and not (low <= min(values) and max(values) <= high):
        worst = next(value for value in values if not low <= value <= high)
        raise BadMessage(message, field, worst, f"{low} to {high}")
