"""The chip mat's golden frames: the generated codec against bytes laid out by the page alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import firmware_specs
from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.messages import chips
from firmware_specs.spec import BadMessage, Message

VECTORS = Path(firmware_specs.__file__).parent / "vectors" / "chips.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text("utf-8"))["frames"]
HEADS = {link.EVENT: 6, link.COMMAND: 6, link.RESULT: 6, link.LIVE: 2, link.SET: 3}


def octets(kind: str, value: Any) -> bytes:
    """A field as the page describes it."""
    if kind.endswith("[]"):
        return bytes([len(value)]) + b"".join(octets(kind[:-2], each) for each in value)
    if kind == "bool":
        return bytes([value])
    return int(value).to_bytes(int(kind[1:]) // 8, "little")


def message_of(case: dict[str, Any]) -> tuple[type[Message], bytes]:
    return getattr(chips, case["message"]), bytes.fromhex(case["content"])[HEADS[case["kind"]] :]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_a_golden_frame_is_its_fields_one_after_the_other(case: dict[str, Any]) -> None:
    content = bytes([case["kind"]]) + b"".join(octets(field["type"], field["value"]) for field in case["fields"])
    assert content.hex() == case["content"]
    assert encode_frame(content).hex() == case["frame"]
    assert FrameDecoder().feed(bytes.fromhex(case["frame"])) == [content]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_the_generated_codec_reads_and_writes_the_golden_frame(case: dict[str, Any]) -> None:
    kind, body = message_of(case)
    message = kind.decode(body)
    fields = {field["name"]: field["value"] for field in case["fields"]}
    for name in kind.__struct_fields__:
        value = getattr(message, name)
        assert (list(value) if isinstance(value, tuple) else value) == fields[name]
    assert message.encode() == body


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_a_golden_frame_cut_short_or_drawn_out_is_refused(case: dict[str, Any]) -> None:
    kind, body = message_of(case)
    for wrong in (body[:-1], body + b"\0"):
        with pytest.raises(BadMessage):
            kind.decode(wrong)


def test_every_message_of_the_mat_has_a_golden_frame() -> None:
    spec = chips.SPEC
    declared = {
        each.__name__ for table in (spec.events, spec.live, spec.commands, spec.results) for each in table.values()
    }
    assert {case["message"] for case in CASES} == {*declared, "Outputs"}
