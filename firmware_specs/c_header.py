"""Writes the C99 header of a declared device for whoever writes its firmware: types, codec, ranges, frames.

The part that all devices share is `table_link.h`; every header carries it, so that one file is all a firmware needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .declaration import HEADER, SCALARS, Declaration, EnumDeclaration, Field, MessageDeclaration, Output

_TYPES = {
    "u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t",
    "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "bool": "bool",
}  # fmt: skip
_SUFFIX = {"u32": "u", "u64": "ull"}
_INDENT = "    "


def link_part() -> str:
    """What all devices share, as C."""
    return (Path(__file__).parent / "table_link.h").read_text("utf-8")


def c_header(declaration: Declaration) -> str:
    """The whole header as text."""
    return "\n".join(_Header(declaration).lines()) + "\n"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _words(text: str) -> str:
    """A text that can stand in a C comment."""
    return re.sub(r"\s+", " ", text).replace("*/", "* /").replace("/*", "/ *").strip()


def _comment(text: str, indent: str = "") -> Iterator[str]:
    """A comment, wrapped where it would run out of the page."""
    line = f"{indent}/*"
    for word in _words(text).split(" "):
        if len(line) + 1 + len(word) > 115:
            yield line
            line = f"{indent} *"
        line += f" {word}"
    yield f"{line} */"


class _Header:
    """One device on its way into C."""

    def __init__(self, declaration: Declaration) -> None:
        self.declaration = declaration
        self.prefix = declaration.kind
        self.upper = declaration.kind.upper()
        self.enums = {enum.name: enum for enum in declaration.enums}

    def lines(self) -> Iterator[str]:
        declaration = self.declaration
        guard = f"TABLE_{self.upper}_H"
        yield from _comment(
            f"{declaration.title}: the messages on its wire. Generated from firmware_specs/{declaration.kind}.toml by "
            f"tablectl spec header {declaration.kind}; do not edit."
        )
        yield f"#ifndef {guard}"
        yield f"#define {guard}"
        yield ""
        yield link_part()
        yield from self.facts()
        for enum in declaration.enums:
            yield from self.enum(enum)
        for message in (*declaration.events, *declaration.live):
            yield from self.message(message)
        for command in declaration.commands:
            yield from self.message(command.message)
            yield from self.message(command.result)
        if declaration.outputs:
            yield from self.message(declaration.outputs_message)
            yield from self.safe(declaration.outputs)
        yield f"#endif /* {guard} */"

    # --- what the device is ------------------------------------------------------------------

    def facts(self) -> Iterator[str]:
        declaration = self.declaration
        digest = ", ".join(f"0x{byte:02X}" for byte in declaration.digest)
        yield f"/* --- {_words(declaration.title)} {'-' * max(3, 94 - len(declaration.title))} */"
        yield ""
        for note in declaration.notes:
            yield from _comment(note)
        yield f"#define {self.upper}_CODE {declaration.code}u"
        yield f"#define {self.upper}_SPEC_VERSION {declaration.version}u"
        yield f"#define {self.upper}_SPEC_DIGEST {{{digest}}}"
        yield f"#define {self.upper}_BEAT_MS {declaration.beat_ms}u"
        yield f"#define {self.upper}_SILENCE_MS {declaration.silence_ms}u"
        yield "/* it holds at least so many events, or so many bytes of them (message id and fields) */"
        yield f"#define {self.upper}_LEAST_EVENTS {declaration.least_events}u"
        yield f"#define {self.upper}_LEAST_BYTES {declaration.least_bytes}u"
        for name, bit, meaning in declaration.capabilities:
            yield f"#define {self.upper}_CAN_{name.upper()} 0x{1 << bit:08X}u /* {_words(meaning)} */"
        commands = [command.message for command in declaration.commands]
        for what, messages in (("EVENT", declaration.events), ("LIVE", declaration.live), ("COMMAND", commands)):
            for message in messages:
                yield f"#define {self.upper}_{what}_{_snake(message.name).upper()} {message.id}u"
        results = [command.result for command in declaration.commands]
        # Whatever the device, its IDENTITY (135) and PAIR (37) must fit too.
        sizes = [HEADER + message.longest for message in (*declaration.events, *declaration.live, *results)]
        heard = [HEADER + message.longest for message in commands]
        heard += [37, 3 + declaration.outputs_message.longest]
        yield "/* the longest contents that are sent (refusals apart) and heard, to size buffers by */"
        yield f"#define {self.upper}_LONGEST_SENT {max([*sizes, 135])}u"
        yield f"#define {self.upper}_LONGEST_HEARD {max(heard)}u"
        yield "/* the longest result's fields, to size what is remembered of a command by */"
        yield f"#define {self.upper}_LONGEST_RESULT {max([0, *(message.longest for message in results)])}u"
        yield ""

    def enum(self, enum: EnumDeclaration) -> Iterator[str]:
        name = f"{self.prefix}_{_snake(enum.name)}"
        yield from _comment(enum.meaning)
        for member, value, meaning in enum.values:
            yield f"#define {name.upper()}_{member.upper()} {value}u /* {_words(meaning)} */"
        yield ""
        yield f"static inline bool {name}_known(uint8_t value)"
        yield "{"
        values = sorted(value for _, value, _ in enum.values)
        if values == list(range(len(values))):
            test = f"value <= {values[-1]}u" if values[-1] < 255 else "((void)value, true)"
        else:
            test = " || ".join(f"value == {value}u" for value in values)
        yield f"    return {test};"
        yield "}"
        yield ""

    # --- one message -------------------------------------------------------------------------

    def message(self, message: MessageDeclaration) -> Iterator[str]:
        name = f"{self.prefix}_{_snake(message.name)}"
        yield from _comment(message.meaning)
        yield "typedef struct {"
        if not message.fields:
            yield "    uint8_t nothing; /* C wants a member; it is not sent */"
        for field in message.fields:
            yield from self.members(field)
        yield f"}} {name};"
        yield ""
        yield f"#define {name.upper()}_LONGEST {message.longest}u"
        yield ""
        yield from self.encode(message, name)
        yield from self.decode(message, name)

    def members(self, field: Field) -> Iterator[str]:
        unit = f"[{field.unit}] " if field.unit else ""
        note = f"{unit}{field.meaning}"
        kind = _TYPES.get(field.base, "uint8_t")
        declared = f"{_INDENT}{kind} {field.name}{'' if field.fixed else f'[{field.limit}]'};"
        if not field.fixed:
            yield f"{_INDENT}uint16_t {field.name}_count;"
        if field.as_many_as:
            note += f"; as many as {field.as_many_as}"
        if field.shape in ("enum", "enum list"):
            note += f" ({self.prefix.upper()}_{_snake(field.base).upper()}_...)"
        if len(declared) + len(_words(note)) > 108:
            yield from _comment(note, _INDENT)
            yield declared
        else:
            yield f"{declared} /* {_words(note)} */"

    def encode(self, message: MessageDeclaration, name: str) -> Iterator[str]:
        """Returns the length, or why not."""
        yield f"static inline int {name}_encode(const {name} *from, uint8_t *body, size_t room)"
        yield "{"
        if not message.fields:
            yield from ("    (void)from;", "    (void)body;", "    (void)room;", "    return 0;", "}", "")
            return
        yield "    uint8_t *to = body;"
        varying = [field for field in message.fields if not field.fixed]
        if varying:
            yield f"    size_t length = {sum(self.least(field) for field in message.fields)}u;"
        if self.needs_index(message):
            yield "    size_t n;"
        for field in varying:
            yield f"    if (from->{field.name}_count > {field.limit}u)"
            yield "        return TL_OUT_OF_RANGE;"
            width = f" * {field.width}u" if field.width > 1 else ""
            yield f"    length += (size_t)from->{field.name}_count{width};"
        yield from self.paired(message, "from->")
        yield f"    if (room < {'length' if varying else f'{message.longest}u'})"
        yield "        return TL_NO_ROOM;"
        for field in message.fields:
            yield from self.encode_field(field)
        yield "    return (int)(to - body);"
        yield "}"
        yield ""

    @staticmethod
    def paired(message: MessageDeclaration, owner: str) -> Iterator[str]:
        for field in message.fields:
            if field.as_many_as:
                yield f"    if ({owner}{field.name}_count != {owner}{field.as_many_as}_count)"
                yield "        return TL_OUT_OF_RANGE;"

    @staticmethod
    def least(field: Field) -> int:
        return field.width if field.fixed else field.count_size

    @staticmethod
    def needs_index(message: MessageDeclaration) -> bool:
        return any(field.shape in ("list", "enum list") for field in message.fields)

    def encode_field(self, field: Field) -> Iterator[str]:
        value = f"from->{field.name}"
        if field.fixed:
            yield from self.check(field, value, _INDENT)
            yield f"    {_put(field, value)}"
            return
        yield f"    {_put_count(field, f'{value}_count')}"
        if field.shape in ("bytes", "text"):
            if field.shape == "text":
                yield f"    if (!tl_is_text({value}, {value}_count))"
                yield "        return TL_NOT_TEXT;"
            yield f"    memcpy(to, {value}, {value}_count);"
            yield f"    to += {value}_count;"
            return
        yield f"    for (n = 0; n < {value}_count; n++) {{"
        yield from self.check(field, f"{value}[n]", _INDENT * 2)
        yield f"        {_put(field, f'{value}[n]')}"
        yield "    }"

    def decode(self, message: MessageDeclaration, name: str) -> Iterator[str]:
        """Returns 0, or why not; what was decoded before that is not to be used."""
        yield f"static inline int {name}_decode({name} *to, const uint8_t *body, size_t length)"
        yield "{"
        if not message.fields:
            yield from (
                "    (void)body;",
                "    to->nothing = 0;",
                "    return length == 0 ? 0 : TL_WRONG_LENGTH;",
                "}",
                "",
            )
            return
        yield "    const uint8_t *from = body;"
        if message.fixed:
            yield f"    if (length != {message.longest}u)"
            yield "        return TL_WRONG_LENGTH;"
        else:
            yield "    const uint8_t *end = body + length;"
            if self.needs_index(message):
                yield "    size_t n;"
        fields = list(message.fields)
        while fields:
            run = _leading_fixed(fields)
            if run and not message.fixed:
                yield f"    if ((size_t)(end - from) < {sum(field.width for field in run)}u)"
                yield "        return TL_WRONG_LENGTH;"
            for field in run:
                yield from self.decode_fixed(field)
            fields = fields[len(run) :]
            if fields:
                yield from self.decode_varying(fields.pop(0))
        if not message.fixed:
            yield from self.paired(message, "to->")
            yield "    return from == end ? 0 : TL_WRONG_LENGTH;"
        else:
            yield "    return 0;"
        yield "}"
        yield ""

    def decode_fixed(self, field: Field) -> Iterator[str]:
        value = f"to->{field.name}"
        if field.base == "bool":
            yield "    if (*from > 1)"
            yield "        return TL_OUT_OF_RANGE;"
        yield f"    {value} = {_get(field)};"
        yield f"    from += {field.width};"
        yield from self.check(field, value, _INDENT)

    def decode_varying(self, field: Field) -> Iterator[str]:
        value = f"to->{field.name}"
        yield f"    if ((size_t)(end - from) < {field.count_size}u)"
        yield "        return TL_WRONG_LENGTH;"
        yield f"    {value}_count = {'tl_get16(from)' if field.count_size == 2 else '*from'};"
        yield f"    from += {field.count_size};"
        if field.limit < 256**field.count_size - 1:
            yield f"    if ({value}_count > {field.limit}u)"
            yield "        return TL_OUT_OF_RANGE;"
        width = f" * {field.width}u" if field.width > 1 else ""
        yield f"    if ((size_t)(end - from) < (size_t){value}_count{width})"
        yield "        return TL_WRONG_LENGTH;"
        if field.shape in ("bytes", "text"):
            yield f"    memcpy({value}, from, {value}_count);"
            yield f"    from += {value}_count;"
            if field.shape == "text":
                yield f"    if (!tl_is_text({value}, {value}_count))"
                yield "        return TL_NOT_TEXT;"
            return
        yield f"    for (n = 0; n < {value}_count; n++) {{"
        yield f"        {value}[n] = {_get(field)};"
        yield f"        from += {field.width};"
        yield from self.check(field, f"{value}[n]", _INDENT * 2)
        yield "    }"

    def check(self, field: Field, value: str, indent: str) -> Iterator[str]:
        """Only what the type does not say already: a comparison that is always true is a compiler's warning."""
        tests = []
        if field.base in self.enums:
            if len(self.enums[field.base].values) < 256:
                tests.append(f"!{self.prefix}_{_snake(field.base)}_known({value})")
        elif field.base != "bool":
            lowest, highest = SCALARS[field.base][2:]
            suffix = _SUFFIX.get(field.base, "")
            if field.low > lowest:
                tests.append(f"{value} < {field.low}{suffix}" if field.low != 1 or lowest else f"{value} == 0")
            if field.high < highest:
                tests.append(f"{value} > {field.high}{suffix}")
        if tests:
            yield f"{indent}if ({' || '.join(tests)})"
            yield f"{indent}    return TL_OUT_OF_RANGE;"

    # --- outputs that fall back --------------------------------------------------------------

    def safe(self, outputs: tuple[Output, ...]) -> Iterator[str]:
        name = f"{self.prefix}_outputs"
        for output in outputs:
            yield f"#define {self.upper}_HOLD_{output.field.name.upper()}_MS {output.hold_ms}u"
        yield f"#define {self.upper}_HOLD_SHORTEST_MS {min(output.hold_ms for output in outputs)}u"
        yield ""
        yield from _comment(
            "Put one output, or with UINT32_MAX all of them, to safe as far as the host's silence asks for it."
        )
        yield f"static inline void {name}_fall_back({name} *outputs, uint32_t silent_ms)"
        yield "{"
        for output in outputs:
            yield f"    if (silent_ms >= {self.upper}_HOLD_{output.field.name.upper()}_MS) {{"
            for line in self.put_safe(output.field, output.safe):
                yield f"        {line}"
            yield "    }"
        yield "}"
        yield ""
        yield from _comment(
            "How long the host may be silent before something must fall back; UINT32_MAX when all is safe."
        )
        yield f"static inline uint32_t {name}_hold_ms(const {name} *outputs)"
        yield "{"
        yield "    uint32_t hold = UINT32_MAX;"
        for output in outputs:
            hold = f"{self.upper}_HOLD_{output.field.name.upper()}_MS"
            yield f"    if (({self.unsafe(output.field, output.safe)}) && {hold} < hold)"
            yield f"        hold = {hold};"
        yield "    return hold;"
        yield "}"
        yield ""

    def put_safe(self, field: Field, safe: Any) -> Iterator[str]:
        if field.shape == "text" and safe:
            octets = safe.encode()
            yield f"outputs->{field.name}_count = {len(octets)};"
            yield f'memcpy(outputs->{field.name}, "{_escaped(octets)}", {len(octets)});'
        elif not field.fixed:
            yield f"outputs->{field.name}_count = 0;"
        else:
            yield f"outputs->{field.name} = {self.literal(field, safe)};"

    def unsafe(self, field: Field, safe: Any) -> str:
        if field.shape == "text" and safe:
            octets = safe.encode()
            same = f'memcmp(outputs->{field.name}, "{_escaped(octets)}", {len(octets)}) != 0'
            return f"outputs->{field.name}_count != {len(octets)} || {same}"
        if not field.fixed:
            return f"outputs->{field.name}_count != 0"
        return f"outputs->{field.name} != {self.literal(field, safe)}"

    def literal(self, field: Field, safe: Any) -> str:
        if field.shape == "enum":
            return f"{self.upper}_{_snake(field.base).upper()}_{safe.upper()}"
        if field.base == "bool":
            return "true" if safe else "false"
        return f"{safe}{_SUFFIX.get(field.base, '')}"


def _escaped(octets: bytes) -> str:
    return "".join(f"\\{byte:03o}" for byte in octets)


def _leading_fixed(fields: list[Field]) -> list[Field]:
    run: list[Field] = []
    for field in fields:
        if not field.fixed:
            break
        run.append(field)
    return run


def _put(field: Field, value: str) -> str:
    if field.width == 1:
        return f"*to++ = (uint8_t){value};" if field.base in ("i8", "bool") else f"*to++ = {value};"
    bits = field.width * 8
    cast = f"(uint{bits}_t)" if field.base.startswith("i") else ""
    return f"to = tl_put{bits}(to, {cast}{value});"


def _put_count(field: Field, value: str) -> str:
    return f"to = tl_put16(to, {value});" if field.count_size == 2 else f"*to++ = (uint8_t){value};"


def _get(field: Field) -> str:
    if field.base == "bool":
        return "*from == 1"
    read = "*from" if field.width == 1 else f"tl_get{field.width * 8}(from)"
    return f"({_TYPES[field.base]}){read}" if field.base.startswith("i") else read
