"""Writes the Python module of a declared device: enums, messages with their codec, and its SPEC."""

from __future__ import annotations

import re

from .declaration import SCALARS, Declaration, EnumDeclaration, Field, MessageDeclaration

_HEAD = '''# Generated from firmware_specs/{kind}.toml by python -m firmware_specs.generate; do not edit.
# fmt: off
# ruff: noqa
"""{title}: the messages on its wire."""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import ClassVar

from firmware_specs.spec import (
    BadMessage,
    DeviceSpec,
    Message,
    NoOutputs,
    check_list,
    counted,
    read_bytes,
    read_list,
    read_text,
)
'''


def python_module(declaration: Declaration) -> str:
    """The whole module as text."""
    parts = [_HEAD.format(kind=declaration.kind, title=declaration.title)]
    parts += [_enum(enum) for enum in declaration.enums]
    for message in (*declaration.events, *declaration.live):
        parts.append(_message(message))
    for command in declaration.commands:
        parts += [_message(command.message), _message(command.result)]
    if declaration.outputs:
        parts.append(_message(declaration.outputs_message, _safe_values(declaration)))
    parts.append(_spec(declaration))
    return "\n\n".join(parts)


def _words(text: str) -> str:
    """A text that can stand in a docstring or a comment."""
    return text.replace("\\", "\\\\").replace('"""', "'''").replace("\n", " ")


def _constant(name: str) -> str:
    return "_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


def _enum(enum: EnumDeclaration) -> str:
    lines = [f"class {enum.name}(IntEnum):", f'    """{_words(enum.meaning)}"""', ""]
    lines += [f"    {name.upper()} = {value}  # {_words(meaning)}" for name, value, meaning in enum.values]
    known = ", ".join(name for name, _, _ in enum.values)
    constant = _constant(enum.name)
    lines += ["", "", f"{constant} = {{member.value: member for member in {enum.name}}}"]
    lines += [f'{constant}_NAMES = "one of {known}"', ""]
    return "\n".join(lines)


def _python_type(field: Field) -> str:
    element = "bool" if field.base == "bool" else "int" if field.base in SCALARS else field.base
    match field.shape:
        case "bytes":
            return "bytes"
        case "text":
            return "str"
        case "list" | "enum list":
            return f"tuple[{element}, ...]"
        case _:
            return element


def _safe_values(declaration: Declaration) -> dict[str, str]:
    values: dict[str, str] = {}
    for output in declaration.outputs:
        field = output.field
        if field.shape == "enum":
            values[field.name] = f"{field.base}.{output.safe.upper()}"
        elif output.safe == []:
            values[field.name] = 'b""' if field.shape == "bytes" else "()"
        else:
            values[field.name] = repr(output.safe)
    return values


def _message(message: MessageDeclaration, defaults: dict[str, str] | None = None) -> str:
    lines = [f"class {message.name}(Message, frozen=True, gc=False):", f'    """{_words(message.meaning)}"""', ""]
    lines.append(f"    ID: ClassVar[int] = {message.id}")
    enums = [f for f in message.fields if f.shape in ("enum", "enum list")]
    if enums:
        pairs = ", ".join(f'"{f.name}": {f.base}' for f in enums)
        lines.append(f"    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {{{pairs}}}")
    lines.append("")
    for field in message.fields:
        default = f" = {defaults[field.name]}" if defaults else ""
        unit = f"[{field.unit}] " if field.unit else ""
        lines.append(f"    {field.name}: {_python_type(field)}{default}  # {unit}{_words(field.meaning)}")
    if message.fields:
        lines.append("")
    runs = _runs(message.fields)
    lines += ["    def encode(self) -> bytes:", *_encode(message, runs), ""]
    lines += ["    @classmethod", f"    def decode(cls, body: bytes) -> {message.name}:", *_decode(message, runs)]
    lines += ["", ""]
    for index, run in enumerate(runs):
        if isinstance(run, list):
            layout = "<" + "".join(f.code for f in run)
            lines.append(f'{_constant(message.name)}_{index} = struct.Struct("{layout}")')
    while lines[-1] == "":
        lines.pop()
    return "\n".join([*lines, ""])


def _runs(fields: tuple[Field, ...]) -> list[list[Field] | Field]:
    """Neighbouring fields of fixed width go through one struct; the others stand alone."""
    runs: list[list[Field] | Field] = []
    for field in fields:
        if not field.fixed:
            runs.append(field)
        elif runs and isinstance(runs[-1], list):
            runs[-1].append(field)
        else:
            runs.append([field])
    return runs


def _bad(message: MessageDeclaration, field: Field, value: str, allowed: str) -> str:
    return f'raise BadMessage("{message.name}", "{field.name}", {value}, {allowed})'


def _full_range(field: Field) -> bool:
    return (field.low, field.high) == SCALARS[field.base][2:]


def _encode(message: MessageDeclaration, runs: list[list[Field] | Field]) -> list[str]:
    lines: list[str] = []
    pieces: list[str] = []
    for index, run in enumerate(runs):
        if isinstance(run, list):
            for field in run:
                if field.shape == "scalar":
                    lines.append(f"        if not {field.low} <= self.{field.name} <= {field.high}:")
                    allowed = f'"{field.low} to {field.high}"'
                    lines.append(f"            {_bad(message, field, f'self.{field.name}', allowed)}")
            arguments = ", ".join(f"self.{field.name}" for field in run)
            pieces.append(f"{_constant(message.name)}_{index}.pack({arguments})")
            continue
        where = f'"{message.name}", "{run.name}"'
        value = f"self.{run.name}"
        if run.shape == "text":
            lines.append(f"        {run.name} = {value}.encode()")
            octets, count = run.name, f"len({run.name})"
        elif run.shape == "bytes":
            octets, count = value, f"len({value})"
        else:
            count = f"len({value})"
            octets = f'struct.pack(f"<{{{count}}}{run.code}", *{value})'
            if run.shape == "list":
                lines.append(f"        check_list({value}, {run.low}, {run.high}, {where})")
        pieces.append(f"counted({run.count_size}, {count}, {run.limit}, {octets}, {where})")
    lines = [*_paired(message, "self."), *lines]
    if not pieces:
        return ['        return b""']
    if len(pieces) == 1:
        return [*lines, f"        return {pieces[0]}"]
    return [*lines, '        return b"".join((', *(f"            {piece}," for piece in pieces), "        ))"]


def _decode(message: MessageDeclaration, runs: list[list[Field] | Field]) -> list[str]:
    name = message.name
    lines: list[str] = []
    fixed = message.fixed
    if fixed:
        width = message.longest
        lines.append(f"        if len(body) != {width}:")
        lines.append(f'            raise BadMessage("{name}", "length", len(body), "{width} bytes")')
    at = "0"
    for index, run in enumerate(runs):
        if isinstance(run, list):
            width = sum(field.width for field in run)
            targets = ", ".join(_raw(field) for field in run) + ("," if len(run) == 1 else "")
            layout = f"{_constant(name)}_{index}"
            if fixed:
                lines.append(f"        {targets} = {layout}.unpack(body)")
            else:
                lines.append(f"        if len(body) < {at} + {width}:")
                lines.append(f'            raise BadMessage("{name}", "length", len(body), "more bytes")')
                lines.append(f"        {targets} = {layout}.unpack_from(body, {at})")
                lines.append(f"        at_ = {at} + {width}")
                at = "at_"
            for field in run:
                lines += _check(message, field)
            continue
        where = f'"{name}", "{run.name}"'
        read = {"bytes": "read_bytes", "text": "read_text"}.get(run.shape)
        if read:
            lines.append(f"        {run.name}, at_ = {read}(body, {at}, {run.count_size}, {run.limit}, {where})")
        else:
            lines.append(
                f"        {_raw(run)}, at_ = read_list("
                f'body, {at}, {run.count_size}, {run.limit}, "{run.code}", {run.width}, {where})'
            )
            if run.shape == "enum list":
                table = _constant(run.base)
                lines.append(f"        {run.name} = tuple({table}[v] for v in {_raw(run)} if v in {table})")
                lines.append(f"        if len({run.name}) != len({_raw(run)}):")
                lines.append(f"            {_bad(message, run, _raw(run), f'{table}_NAMES')}")
            elif not _full_range(run):
                lines.append(f"        check_list({run.name}, {run.low}, {run.high}, {where})")
        at = "at_"
    if not fixed:
        lines.append("        if at_ != len(body):")
        lines.append(f'            raise BadMessage("{name}", "length", len(body), f"{{at_}} bytes")')
    lines += _paired(message, "")
    arguments = ", ".join(_argument(field) for field in message.fields)
    return [*lines, f"        return cls({arguments})"]


def _paired(message: MessageDeclaration, owner: str) -> list[str]:
    """Lists that belong together are of equal length."""
    lines = []
    for field in message.fields:
        if field.as_many_as:
            mine, other = f"len({owner}{field.name})", f"len({owner}{field.as_many_as})"
            lines.append(f"        if {mine} != {other}:")
            allowed = f'f"{{{other}}} long, as many as {field.as_many_as}"'
            lines.append(f"            {_bad(message, field, mine, allowed)}")
    return lines


def _raw(field: Field) -> str:
    """The name of the value as it came off the wire."""
    return f"{field.name}_" if field.shape in ("enum", "enum list") or field.base == "bool" else field.name


def _argument(field: Field) -> str:
    return f"{field.name}_ == 1" if field.base == "bool" and field.shape == "scalar" else field.name


def _check(message: MessageDeclaration, field: Field) -> list[str]:
    raw = _raw(field)
    if field.shape == "enum":
        table = _constant(field.base)
        return [
            f"        {field.name} = {table}.get({raw})",
            f"        if {field.name} is None:",
            f"            {_bad(message, field, raw, f'{table}_NAMES')}",
        ]
    if field.base == "bool":
        return [f"        if {raw} > 1:", f"            {_bad(message, field, raw, chr(34) + '0 or 1' + chr(34))}"]
    if _full_range(field):
        return []
    return [
        f"        if not {field.low} <= {raw} <= {field.high}:",
        f"            {_bad(message, field, raw, chr(34) + f'{field.low} to {field.high}' + chr(34))}",
    ]


def _spec(declaration: Declaration) -> str:
    def table(messages: list[MessageDeclaration] | tuple[MessageDeclaration, ...]) -> str:
        return "{" + ", ".join(f"{message.id}: {message.name}" for message in messages) + "}"

    capabilities = ", ".join(f'"{name}": {1 << bit}' for name, bit, _ in declaration.capabilities)
    holds = ", ".join(f'"{o.field.name}": {o.hold_ms}' for o in declaration.outputs)
    outputs = "Outputs" if declaration.outputs else "NoOutputs"
    return f"""SPEC = DeviceSpec(
    kind="{declaration.kind}",
    code={declaration.code},
    version={declaration.version},
    digest=bytes.fromhex("{declaration.digest.hex()}"),
    title={declaration.title!r},
    beat_ms={declaration.beat_ms},
    silence_ms={declaration.silence_ms},
    capabilities={{{capabilities}}},
    events={table(declaration.events)},
    live={table(declaration.live)},
    commands={table([c.message for c in declaration.commands])},
    results={table([c.result for c in declaration.commands])},
    outputs={outputs},
    safe={outputs}(),
    hold_ms={{{holds}}},
)
"""
