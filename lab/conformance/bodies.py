"""Bodies at the limits of a declaration, and beyond them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from firmware_specs.declaration import SCALARS, Declaration, Field, MessageDeclaration

Extreme = Literal["lowest", "highest", "middle"]


class Bodies:
    """Lays out bodies by the declaration alone, apart from the codec that the table uses."""

    def __init__(self, declaration: Declaration) -> None:
        self.declaration = declaration
        self._enums = {enum.name: sorted(value for _, value, _ in enum.values) for enum in declaration.enums}

    def within(self, message: MessageDeclaration) -> Iterator[tuple[str, bytes]]:
        """Every way to be just inside: all lowest and empty, all highest and full."""
        yield "all fields lowest", self.body(message, "lowest")
        if message.fields:
            yield "all fields highest", self.body(message, "highest")

    def beyond(self, message: MessageDeclaration) -> Iterator[tuple[str, bytes]]:
        """Every way to be just outside, one at a time."""
        right = [self._octets(field, "middle") for field in message.fields]
        whole = b"".join(right)
        yield "one byte too long", whole + b"\0"
        if whole:
            yield "one byte too short", whole[:-1]
        for place, field in enumerate(message.fields):
            for what, wrong in self._wrong(field):
                yield f"{field.name} {what}", b"".join((*right[:place], wrong, *right[place + 1 :]))

    def body(self, message: MessageDeclaration, extreme: Extreme = "middle") -> bytes:
        return b"".join(self._octets(field, extreme) for field in message.fields)

    def _values(self, field: Field) -> tuple[int, int]:
        if field.base in self._enums:
            return self._enums[field.base][0], self._enums[field.base][-1]
        return field.low, field.high

    def _one(self, field: Field, value: int) -> bytes:
        return value.to_bytes(field.width, "little", signed=value < 0)

    def _octets(self, field: Field, extreme: Extreme) -> bytes:
        low, high = self._values(field)
        value = low if extreme != "highest" else high
        if field.fixed:
            return self._one(field, value)
        count = {"lowest": 0, "middle": 1, "highest": field.limit}[extreme]
        if field.shape == "text":
            value = ord("x")
        elif field.shape == "bytes":
            value = 0xFF
        return count.to_bytes(field.count_size, "little") + self._one(field, value) * count

    def _wrong(self, field: Field) -> Iterator[tuple[str, bytes]]:
        one = (1).to_bytes(field.count_size, "little") if field.count_size else b""
        for what, value in self._wrong_values(field):
            if field.shape != "bytes":
                yield what, one + self._one(field, value)
        if not field.fixed and field.limit < 256**field.count_size - 1:
            count = field.limit + 1
            yield (
                "longer than declared",
                count.to_bytes(field.count_size, "little") + self._octets(field, "middle")[field.count_size :] * count,
            )

    def _wrong_values(self, field: Field) -> Iterator[tuple[str, int]]:
        if field.shape == "text":
            yield "no UTF-8", 0xFF
        elif field.base in self._enums:
            known = self._enums[field.base]
            unknown = next((value for value in range(255, -1, -1) if value not in known), None)
            if unknown is not None:
                yield "of an unknown value", unknown
        elif field.base == "bool":
            yield "neither 0 nor 1", 2
        elif field.shape in ("scalar", "list"):
            lowest, highest = SCALARS[field.base][2:]
            if field.low > lowest:
                yield "below its range", field.low - 1
            if field.high < highest:
                yield "above its range", field.high + 1
