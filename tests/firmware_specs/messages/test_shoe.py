"""The golden frames of shoe and shuffler: the generated codecs against bytes laid out by their pages alone."""

from __future__ import annotations

import json
import types
from pathlib import Path
from typing import Any

import pytest

import firmware_specs
from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.messages import shoe, shuffler
from firmware_specs.spec import BadMessage, Message

VECTORS = Path(firmware_specs.__file__).parent / "vectors"
HEADS = {link.EVENT: 6, link.COMMAND: 6, link.RESULT: 6, link.LIVE: 2, link.SET: 3}
DEVICES: dict[str, types.ModuleType] = {"shoe": shoe, "shuffler": shuffler}
CASES: list[tuple[str, dict[str, Any]]] = [
    (device, case)
    for device in DEVICES
    for case in json.loads((VECTORS / f"{device}.json").read_text("utf-8"))["frames"]
]
every_frame = pytest.mark.parametrize(
    ("device", "case"), CASES, ids=lambda part: part if isinstance(part, str) else part["name"]
)


def octets(kind: str, value: Any) -> bytes:
    """A field as the page describes it."""
    if kind.endswith("[]"):
        return bytes([len(value)]) + b"".join(octets(kind[:-2], each) for each in value)
    if kind == "bool":
        return bytes([value])
    return int(value).to_bytes(int(kind[1:]) // 8, "little")


def message_of(device: str, case: dict[str, Any]) -> tuple[type[Message], bytes]:
    return getattr(DEVICES[device], case["message"]), bytes.fromhex(case["content"])[HEADS[case["kind"]] :]


@every_frame
def test_a_golden_frame_is_its_fields_one_after_the_other(device: str, case: dict[str, Any]) -> None:
    content = bytes([case["kind"]]) + b"".join(octets(field["type"], field["value"]) for field in case["fields"])
    assert content.hex() == case["content"]
    assert encode_frame(content).hex() == case["frame"]
    assert FrameDecoder().feed(bytes.fromhex(case["frame"])) == [content]


@every_frame
def test_the_generated_codec_reads_and_writes_the_golden_frame(device: str, case: dict[str, Any]) -> None:
    kind, body = message_of(device, case)
    message = kind.decode(body)
    fields = {field["name"]: field["value"] for field in case["fields"]}
    for name in kind.__struct_fields__:
        value = getattr(message, name)
        assert (list(value) if isinstance(value, tuple) else value) == fields[name]
    assert message.encode() == body


@every_frame
def test_a_golden_frame_cut_short_or_drawn_out_is_refused(device: str, case: dict[str, Any]) -> None:
    kind, body = message_of(device, case)
    for wrong in (body[:-1], body + b"\0") if body else (b"\0",):
        with pytest.raises(BadMessage):
            kind.decode(wrong)


@pytest.mark.parametrize("device", DEVICES)
def test_every_message_has_a_golden_frame(device: str) -> None:
    spec = DEVICES[device].SPEC
    declared = {
        each.__name__ for part in (spec.events, spec.live, spec.commands, spec.results) for each in part.values()
    }
    assert {case["message"] for of, case in CASES if of == device} == {*declared, "Outputs"}


@pytest.mark.parametrize("device", DEVICES)
def test_both_devices_tell_a_card_in_the_same_words(device: str) -> None:
    for name in ("CardOut", "TwoOut", "PushedBack", "ConditionChanged", "Outputs"):
        assert getattr(DEVICES[device], name).__struct_fields__ == getattr(shoe, name).__struct_fields__
    for name in ("Reading", "Lamp"):
        assert dict(getattr(DEVICES[device], name).__members__) == dict(getattr(shoe, name).__members__)


@pytest.mark.parametrize(("field", "value"), [("card", 53), ("confidence", 101), ("draw", 0), ("look", 0)])
def test_a_card_that_cannot_be_is_never_sent_nor_taken(field: str, value: int) -> None:
    good: dict[str, Any] = {"at": 0, "draw": 1, "look": 1, "reading": "card", "card": 1, "confidence": 99}
    good |= {"second": 0, "second_confidence": 0, "face_up": False, "forced": False}
    shoe.CardOut.build(good)
    with pytest.raises(BadMessage, match=field):
        shoe.CardOut.build({**good, field: value})
