"""Writes the Wireshark dissector (Lua) of the link and all declared devices.

A capture holds one frame of the link a packet, as `tablectl capture pcap` writes it: link type 147 (USER0), a byte 0
from the host or 1 from the device, then the frame as it passed, closing zero included.
"""

from __future__ import annotations

from pathlib import Path

from .declaration import Declaration, Field, MessageDeclaration

_LUA = {
    "u8": ("uint8", 1), "u16": ("uint16", 2), "u32": ("uint32", 4), "u64": ("uint64", 8),
    "i8": ("int8", 1), "i16": ("int16", 2), "i32": ("int32", 4), "bool": ("uint8", 1),
}  # fmt: skip

_PARTS = Path(__file__).parent / "lua"


def dissector(declarations: list[Declaration]) -> str:
    """The whole plugin as text."""
    lines = [(_PARTS / "head.lua").read_text("utf-8")]
    for declaration in declarations:
        commands = [command.message for command in declaration.commands]
        results = [command.result for command in declaration.commands]
        lines.append(f"DEVICES[{declaration.code}] = {{ -- {declaration.title}")
        for name, messages in (
            ("events", declaration.events),
            ("live", declaration.live),
            ("commands", commands),
            ("results", results),
        ):
            lines.append(f"  {name} = {{")
            lines += [f"    {_message(declaration, message)}," for message in messages]
            lines.append("  },")
        lines.append(f"  outputs = {_fields(declaration, declaration.outputs_message)},")
        lines.append("}")
    return "\n".join([*lines, (_PARTS / "tail.lua").read_text("utf-8")])


def _message(declaration: Declaration, message: MessageDeclaration) -> str:
    return f'[{message.id}] = {{"{message.name}", {_fields(declaration, message)}}}'


def _fields(declaration: Declaration, message: MessageDeclaration) -> str:
    return "{" + ", ".join(_field(declaration, field) for field in message.fields) + "}"


def _field(declaration: Declaration, field: Field) -> str:
    kind = _LUA.get(field.base, ("uint8", 1))[0]
    shape = {"scalar": "one", "enum": "one", "bytes": "bytes", "text": "text"}.get(field.shape, "list")
    words = [f'"{field.name}"', f'"{kind}"', f'"{shape}"', str(field.count_size)]
    names = next((enum.values for enum in declaration.enums if enum.name == field.base), None)
    if names is not None:
        words.append("{" + ", ".join(f'[{value}] = "{name}"' for name, value, _ in names) + "}")
    return "{" + ", ".join(words) + "}"
