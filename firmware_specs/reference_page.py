"""Writes the reference page of a declared device, for people who write its firmware or read its traffic."""

from __future__ import annotations

from .declaration import SCALARS, Declaration, Field, MessageDeclaration, Output


def reference_page(declaration: Declaration) -> str:
    """The whole page as Markdown."""
    d = declaration
    lines = [
        f"<!-- Generated from firmware_specs/{d.kind}.toml by python -m firmware_specs.generate; do not edit. -->",
        f"# {d.title}",
        "",
        f"Kind `{d.kind}` (code {d.code}), spec version {d.version}, digest `{d.digest.hex()}`. "
        f"Each side is heard at least every {d.beat_ms} ms; {d.silence_ms} ms without a valid frame is silence. "
        "How frames, numbering and resuming work is told in [the link](../README.md). "
        "All integers are little-endian; fields follow each other without gaps.",
        "",
        f"It holds at least {d.least_events} events, or {d.least_bytes} bytes of them (message id and fields), "
        "whichever is reached first. `at` is its own time in milliseconds since its start; it goes round after "
        "49.7 days.",
        "",
    ]
    if d.notes:
        lines += ["## What it is", "", *(f"- **N{n}** {note}" for n, note in enumerate(d.notes, start=1)), ""]
    if d.capabilities:
        lines += ["## Capabilities", "", "| bit | name | meaning |", "|---|---|---|"]
        lines += [f"| {bit} | `{name}` | {_cell(meaning)} |" for name, bit, meaning in d.capabilities]
        lines.append("")
    lines += _section("Events", "Numbered, held by the device until durable at the host.", d.events)
    lines += _section("Live", "Lossy and unnumbered; for screens only.", d.live)
    if d.commands:
        lines += ["## Commands", "", "Done once each, whatever is repeated on the wire.", ""]
        for command in d.commands:
            lines += _message(command.message)
            if command.result.fields:
                lines += ["Result when done:", "", *_fields(command.result.fields), ""]
            else:
                lines += ["The result has no fields.", ""]
    if d.outputs:
        lines += ["## Outputs", "", "The body of SET, in this order. When the host has been silent for the hold time,"]
        lines += ["the device itself puts the output to its safe value.", ""]
        lines += ["| field | type | unit | range | safe | hold | meaning |", "|---|---|---|---|---|---|---|"]
        lines += [_output(output) for output in d.outputs]
        lines.append("")
    if d.enums:
        lines += ["## Enums", "", "One byte each; any other value makes the message bad.", ""]
        for enum in d.enums:
            lines += [f"### {enum.name}", "", enum.meaning, "", "| value | name | meaning |", "|---|---|---|"]
            lines += [f"| {value} | `{name}` | {_cell(meaning)} |" for name, value, meaning in enum.values]
            lines.append("")
    while lines[-1] == "":
        lines.pop()
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _section(title: str, what: str, messages: tuple[MessageDeclaration, ...]) -> list[str]:
    if not messages:
        return []
    lines = [f"## {title}", "", what, ""]
    for message in messages:
        lines += _message(message)
    return lines


def _message(message: MessageDeclaration) -> list[str]:
    size = f"{message.longest} bytes" if message.fixed else f"at most {message.longest} bytes"
    return [f"### {message.id} {message.name}", "", f"{message.meaning} ({size})", "", *_fields(message.fields), ""]


def _fields(fields: tuple[Field, ...]) -> list[str]:
    if not fields:
        return ["No fields."]
    lines = ["| field | type | unit | range | meaning |", "|---|---|---|---|---|"]
    return [*lines, *(f"| {_what(field)} | {_cell(field.meaning)} |" for field in fields)]


def _what(field: Field) -> str:
    match field.shape:
        case "bytes" | "text":
            reach = f"u{8 * field.count_size} length, at most {field.limit} bytes"
        case "enum":
            reach = "declared values"
        case "enum list":
            reach = f"u{8 * field.count_size} count, at most {field.limit}"
        case "list":
            reach = f"u{8 * field.count_size} count, at most {field.limit}, each {_reach(field)}"
        case _:
            reach = _reach(field)
    if field.as_many_as:
        reach += f"; as many as `{field.as_many_as}`"
    return f"`{field.name}` | {field.type.replace('<', '&lt;')} | {field.unit} | {reach}"


def _reach(field: Field) -> str:
    if field.base == "bool":
        return "0 or 1"
    return "any" if (field.low, field.high) == SCALARS[field.base][2:] else f"{field.low} to {field.high}"


def _output(output: Output) -> str:
    safe = str(output.safe).lower() if isinstance(output.safe, bool) else output.safe
    return f"| {_what(output.field)} | {safe} | {output.hold_ms} ms | {_cell(output.field.meaning)} |"
