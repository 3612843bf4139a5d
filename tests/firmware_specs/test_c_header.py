"""The C header against the Python codec: the same bytes, the same values, the same refusals, both ways."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import firmware_specs
from controller.commands.spec import spec as spec_command
from firmware_specs import link
from firmware_specs.c_header import _snake, c_header
from firmware_specs.declaration import SCALARS, Declaration, Field, MessageDeclaration, load
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.messages import cards, chips, shoe, shuffler, wheel
from firmware_specs.spec import BadMessage, Message
from tests.c_compiler import STRICT, compiled, needs_compiler
from tests.drivers.linked import BELL, bell, declared

HERE = Path(firmware_specs.__file__).parent
MODULES = {"shoe": shoe, "wheel": wheel, "chips": chips, "shuffler": shuffler, "cards": cards, "bell": bell}
HEADS = {link.EVENT: 6, link.COMMAND: 6, link.RESULT: 6, link.LIVE: 2, link.SET: 3}

# A program that reads lines "MESSAGE HEX" and says what it makes of each: the values, or the refusal.
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "device.h"

static uint8_t octets[8192];
static size_t octets_of(const char *hex)
{
    size_t n = 0;
    unsigned byte;
    while (sscanf(hex + 2 * n, "%2x", &byte) == 1)
        octets[n++] = (uint8_t)byte;
    return n;
}
static void print_hex(const uint8_t *bytes, size_t length)
{
    while (length--)
        printf("%02x", *bytes++);
}
static void print_frame(size_t length)
{
    static uint8_t frame[4096];
    print_hex(frame, tl_frame(frame, sizeof frame, octets, length));
}
static void feed(size_t length)
{
    static uint8_t content[1100];
    static tl_receiver receiver;
    size_t n;
    tl_receiver_init(&receiver, content, 1024 + 4);
    for (n = 0; n < length; n++) {
        size_t whole = tl_receive(&receiver, octets[n]);
        if (whole) {
            print_hex(content, whole);
            printf(" ");
        }
    }
    printf("bad=%lu", (unsigned long)(receiver.damaged + receiver.overlong));
}
static void hello(size_t length)
{
    tl_hello message;
    uint8_t again[32];
    int wrong = tl_hello_decode(&message, octets, length);
    if (wrong) { printf("refused"); return; }
    print_hex(again, (size_t)tl_hello_encode(&message, again, sizeof again));
}
static void ack(size_t length)
{
    tl_ack message;
    uint8_t again[32];
    int wrong = tl_ack_decode(&message, octets, length);
    if (wrong) { printf("refused"); return; }
    print_hex(again, (size_t)tl_ack_encode(&message, again, sizeof again));
}
static void identity(size_t length)
{
    tl_identity message;
    uint8_t again[TL_IDENTITY_MOST];
    int wrong = tl_identity_decode(&message, octets, length);
    if (wrong) { printf("refused"); return; }
    print_hex(again, (size_t)tl_identity_encode(&message, again, sizeof again));
}
MESSAGES
int main(void)
{
    static char line[16384], name[64], hex[16384];
    while (fgets(line, sizeof line, stdin)) {
        size_t length;
        hex[0] = 0;
        if (sscanf(line, "%63s %16383s", name, hex) < 1)
            continue;
        length = octets_of(hex);
        if (!strcmp(name, "frame")) print_frame(length);
        else if (!strcmp(name, "feed")) feed(length);
        else if (!strcmp(name, "hello")) hello(length);
        else if (!strcmp(name, "ack")) ack(length);
        else if (!strcmp(name, "identity")) identity(length);
DISPATCH
        printf("\\n");
    }
    return 0;
}
"""


def _messages(declaration: Declaration) -> list[MessageDeclaration]:
    found = [*declaration.events, *declaration.live]
    for command in declaration.commands:
        found += [command.message, command.result]
    return [*found, declaration.outputs_message] if declaration.outputs else found


def _printing(field: Field) -> str:
    signed = field.base.startswith("i")
    cast, form = ("(long long)", "%lld") if signed else ("(unsigned long long)", "%llu")
    if field.fixed:
        return f'printf("{field.name}={form} ", {cast}message.{field.name});'
    return (
        f'printf("{field.name}=["); for (n = 0; n < message.{field.name}_count; n++) '
        f'printf("{form},", {cast}message.{field.name}[n]); printf("] ");'
    )


def _program(declaration: Declaration) -> str:
    functions, branches = [], []
    for message in _messages(declaration):
        name = f"{declaration.kind}_{_snake(message.name)}"
        index = "" if all(field.fixed for field in message.fields) else "size_t n;"
        functions.append(
            f"static void try_{name}(size_t length)\n{{\n"
            f"    static {name} message; static uint8_t again[1024]; int wrong, back; {index}\n"
            f"    wrong = {name}_decode(&message, octets, length);\n"
            f'    if (wrong) {{ printf("refused"); return; }}\n'
            f"    {' '.join(_printing(field) for field in message.fields)}\n"
            f"    back = {name}_encode(&message, again, sizeof again);\n"
            f"    if (back != (int)length || {name}_encode(&message, again, length) != back)\n"
            f'        printf("encode %d ", back);\n'
            f"    if (length && {name}_encode(&message, again, length - 1) != TL_NO_ROOM)\n"
            f'        printf("no room not told ");\n'
            f"    print_hex(again, (size_t)back);\n}}"
        )
        branches.append(f'        else if (!strcmp(name, "{message.name}")) try_{name}(length);')
    return MAIN.replace("MESSAGES", "\n".join(functions)).replace("DISPATCH", "\n".join(branches))


def declaration_of(kind: str) -> Declaration:
    return declared(BELL) if kind == "bell" else load(HERE / f"{kind}.toml")


Ask = Callable[[list[tuple[str, bytes]]], list[str]]


@pytest.fixture(scope="module", params=sorted(MODULES))
def device(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Ask]:
    """A device's kind and a compiled program that answers for its header."""
    kind = request.param
    needs_compiler()
    folder = tmp_path_factory.mktemp(kind)
    declaration = declaration_of(kind)
    (folder / "device.h").write_text(c_header(declaration), "utf-8")
    (folder / "main.c").write_text(_program(declaration), "utf-8")
    program = compiled(folder / "main.c", folder / "main", "-O1")

    def ask(lines: list[tuple[str, bytes]]) -> list[str]:
        told = subprocess.run(
            [str(program)],
            input="\n".join(f"{name} {octets.hex()}" for name, octets in lines) + "\n",
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return told.stdout.splitlines()

    return kind, ask


def _plain(value: Any) -> str:
    if isinstance(value, bytes | tuple):
        return "[" + "".join(f"{int(each)}," for each in value) + "]"
    if isinstance(value, str):
        return _plain(value.encode())
    return str(int(value))


def _as_python_has_it(kind: type[Message], body: bytes) -> str:
    try:
        message = kind.decode(body)
    except BadMessage:
        return "refused"
    values = "".join(f"{name}={_plain(getattr(message, name))} " for name in kind.__struct_fields__)
    return values + message.encode().hex()


def _value(
    field: Field, chance: random.Random, enums: dict[str, list[int]], longest: bool, pair: int | None = None
) -> Any:
    def one() -> int:
        if field.base in enums:
            return chance.choice(enums[field.base])
        return chance.choice((field.low, field.high, chance.randint(field.low, field.high)))

    count = field.limit if longest else chance.randint(0, field.limit)
    if pair is not None and chance.random() < 0.8:
        count = pair  # else the message is one that both must refuse
    match field.shape:
        case "bytes":
            return chance.randbytes(count)
        case "text":
            return ("é€x𝄞" * count).encode()[:count].decode(errors="ignore")
        case "list" | "enum list":
            return tuple(one() for _ in range(count))
        case _:
            return one()


def _octets(message: MessageDeclaration, values: dict[str, Any]) -> bytes:
    """A body laid out here, without the codec under test."""
    body = b""
    for field in message.fields:
        value = values[field.name]
        if isinstance(value, str):
            value = value.encode()
        signed = SCALARS[field.base][2] < 0 if field.base in SCALARS else False
        if not field.fixed:
            body += len(value).to_bytes(field.count_size, "little")
        for each in (value,) if field.fixed else value:
            body += int(each).to_bytes(field.width, "little", signed=signed)
    return body


def test_random_messages_and_their_distortions_mean_the_same_in_c_and_python(device: tuple[str, Ask]) -> None:
    kind, ask = device
    declaration = declaration_of(kind)
    enums = {enum.name: [value for _, value, _ in enum.values] for enum in declaration.enums}
    chance = random.Random(8)
    lines: list[tuple[str, bytes]] = []
    for message in _messages(declaration):
        for turn in range(12):
            values: dict[str, Any] = {}
            for field in message.fields:
                pair = len(values[field.as_many_as]) if field.as_many_as else None
                values[field.name] = _value(field, chance, enums, turn == 0, pair)
            body = _octets(message, values)
            lines += [(message.name, body), (message.name, body + b"\0"), (message.name, body[:-1])]
            for _ in range(8 if body else 0):
                spoilt = bytearray(body)
                spoilt[chance.randrange(len(body))] = chance.choice((0, 1, 2, 3, 127, 128, 254, 255))
                lines.append((message.name, bytes(spoilt)))
    answers = ask(lines)
    refused = answers.count("refused")
    assert 0 < refused < len(answers)
    for (name, body), answer in zip(lines, answers, strict=True):
        assert answer == _as_python_has_it(getattr(MODULES[kind], name), body), f"{name} {body.hex()}"


def test_every_golden_frame_is_read_and_written_by_c(device: tuple[str, Ask]) -> None:
    kind, ask = device
    if kind == "bell":
        cases = json.loads((HERE / "vectors" / "link.json").read_text("utf-8"))["frames"]
    else:
        cases = json.loads((HERE / "vectors" / f"{kind}.json").read_text("utf-8"))["frames"]
    cases = [case for case in cases if "content" in case and "frame" in case]
    contents = [bytes.fromhex(case["content"]) for case in cases]
    assert len(cases) > 5
    assert ask([("frame", content) for content in contents]) == [case["frame"] for case in cases]
    fed = ask([("feed", bytes.fromhex(case["frame"])) for case in cases])
    assert fed == [f"{case['content']} bad=0" for case in cases]
    if kind != "bell":
        bodies = [
            (case["message"], content[HEADS[content[0]] :]) for case, content in zip(cases, contents, strict=True)
        ]
        expected = [_as_python_has_it(getattr(MODULES[kind], name), body) for name, body in bodies]
        assert "refused" not in expected
        assert ask(bodies) == expected


def test_what_must_be_dropped_is_dropped_by_c(device: tuple[str, Ask]) -> None:
    _, ask = device
    cases = json.loads((HERE / "vectors" / "link.json").read_text("utf-8"))
    octets = [bytes.fromhex(case["octets"]) + encode_frame(b"\x86") for case in cases["dropped"]]
    assert set(ask([("feed", each) for each in octets])) == {"86 bad=1"}
    names = {link.HELLO: "hello", link.ACK: "ack", link.IDENTITY: "identity"}
    contents = [bytes.fromhex(case["content"]) for case in cases["refused"]]
    assert set(ask([(names[content[0]], content) for content in contents])) == {"refused"}


def test_the_links_own_messages_are_the_same_in_c(device: tuple[str, Ask]) -> None:
    _, ask = device
    identity = link.Identity(
        nonce=7, code=3, spec_version=2, digest=bytes(range(8)), capabilities=5, boot=9, epoch=77, oldest=4, next=9,
        serial="S-1é", firmware="2.0",
    )  # fmt: skip
    good = {
        "hello": [
            link.Hello(7, 0, 0).encode(),
            link.Hello(2**32 - 1, 2**31, 5, 9).encode(),
            link.Hello(7, 1, 2, challenge=bytes(range(16))).encode(),
        ],
        "ack": [link.encode_ack(5, 4, 4), link.encode_ack(2**32 - 1, 2**32 - 1, 1, True)],
        "identity": [identity.encode()],
    }
    for name, contents in good.items():
        assert ask([(name, content) for content in contents]) == [content.hex() for content in contents]
    wrong: list[tuple[str, bytes]] = [("hello", link.HEAD_SET.pack(link.HELLO, 1))]
    wrong.append(("hello", good["hello"][0][:2] + bytes(4) + good["hello"][0][6:]))
    wrong.append(("ack", link.encode_ack(5, 3, 4)))
    wrong.append(("ack", link.encode_ack(5, 4, 4)[:-1] + b"\2"))
    whole = identity.encode()
    wrong += [("identity", whole[:cut]) for cut in range(1, len(whole))]
    wrong += [("identity", whole.replace("é".encode(), b"\xc3\x28"))]
    assert set(ask(wrong)) == {"refused"}
    for more in (1, 18, 32, 40):  # of a later version: what is known of it stays what it was
        assert ask([("identity", whole + b"x" * more)]) == [whole.hex()]
        first = good["hello"][0] + bytes(16)
        assert ask([("hello", first + b"x" * more)]) == [good["hello"][0].hex()]
        assert ask([("hello", good["hello"][2] + b"x" * more)]) == [good["hello"][2].hex()]


@pytest.mark.parametrize("device", ["bell"], indirect=True)  # the frames are the same part of every header
def test_frames_of_every_length_and_damage_are_told_alike(device: tuple[str, Ask]) -> None:
    _, ask = device
    chance = random.Random(9)
    contents = [
        bytes(chance.choice((0, 1, 255)) for _ in range(n)) for n in (*range(1, 20), *range(240, 270), 1023, 1024)
    ]
    contents += [bytes([7]) * n for n in (253, 254, 255, 507, 508, 509, 1024)]
    assert ask([("frame", content) for content in contents]) == [encode_frame(content).hex() for content in contents]
    streams = []
    for _ in range(150):
        stream = bytearray(b"".join(encode_frame(chance.choice(contents[:40])) for _ in range(3)))
        for _ in range(chance.randrange(3)):
            stream[chance.randrange(len(stream))] = chance.choice((0, 1, 5, 255))
        streams.append(bytes(stream))
    for octets, answer in zip(streams, ask([("feed", octets) for octets in streams]), strict=True):
        decoder = FrameDecoder()
        expected = "".join(f"{content.hex()} " for content in decoder.feed(octets))
        assert answer == f"{expected}bad={decoder.damaged + decoder.overlong}", octets.hex()
    assert ask([("feed", b"\5" * 3000 + b"\0" + encode_frame(b"\x86"))]) == ["86 bad=1"]


@pytest.mark.parametrize("kind", ["shoe", "wheel", "chips", "shuffler", "cards"])
def test_the_command_writes_the_header_that_is_kept_in_the_tree(kind: str, tmp_path: Path) -> None:
    kept = (HERE / "headers" / f"{kind}.h").read_text("utf-8")
    assert CliRunner().invoke(spec_command, ["header", kind]).output == kept
    written = tmp_path / "out.h"
    assert CliRunner().invoke(spec_command, ["header", kind, "--output", str(written)]).exit_code == 0
    assert written.read_text("utf-8") == kept


def test_an_unknown_device_is_refused_with_the_known_ones() -> None:
    told = CliRunner().invoke(spec_command, ["header", "sheo"])
    assert told.exit_code == 2
    assert "shoe" in told.output


def test_headers_of_several_devices_fit_into_one_strict_file(tmp_path: Path) -> None:
    source = tmp_path / "all.c"
    includes = "".join(f'#include "{HERE}/headers/{kind}.h"\n' for kind in ("wheel", "shoe", "chips", "shuffler"))
    source.write_text(includes + "int main(void) { return 0; }\n", "utf-8")
    for level in ("-O0", "-Os"):
        compiled(source, tmp_path / "all", level, "-Wconversion", "-Wshadow")
    assert "-Werror" in STRICT
