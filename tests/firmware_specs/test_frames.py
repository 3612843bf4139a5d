"""Frames on the wire: what they look like byte for byte, and what becomes of damaged ones."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_specs
from firmware_specs import link
from firmware_specs.frames import MAX_CONTENT, FrameDecoder, FrameTooLong, encode_frame
from firmware_specs.sealing import Seal, sealed_proof
from firmware_specs.spec import BadMessage

VECTORS = Path(firmware_specs.__file__).parent / "vectors" / "link.json"
ALL: dict[str, list[dict[str, Any]]] = json.loads(VECTORS.read_text("utf-8"))


# A second implementation, written from the description alone and as plainly as possible.


def plain_crc32(octets: bytes) -> int:
    """The reflected CRC-32 with polynomial EDB88320, one bit at a time."""
    crc = 0xFFFFFFFF
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def plain_cobs(octets: bytes) -> bytes:
    """Each block: one byte telling how far the next zero is, then the bytes before it."""
    stuffed = bytearray()
    block = bytearray()
    ended_full = False
    for octet in octets:
        ended_full = False
        if octet == 0:
            stuffed += bytes([len(block) + 1]) + block
            block.clear()
        else:
            block.append(octet)
            if len(block) == 254:
                stuffed += b"\xff" + block
                block.clear()
                ended_full = True
    if not ended_full:
        stuffed += bytes([len(block) + 1]) + block
    return bytes(stuffed)


def plain_frame(content: bytes) -> bytes:
    return plain_cobs(content + plain_crc32(content).to_bytes(4, "little")) + b"\0"


def vectors() -> list[dict[str, Any]]:
    return ALL["frames"]


@given(st.binary(min_size=1, max_size=MAX_CONTENT))
def test_the_codec_and_a_plain_reading_of_the_description_agree(content: bytes) -> None:
    assert encode_frame(content) == plain_frame(content)
    assert FrameDecoder().feed(plain_frame(content)) == [content]


@pytest.mark.parametrize("length", [1, 249, 250, 251, 253, 254, 255, 503, 504, 505, 1023, 1024])
@pytest.mark.parametrize("octet", [0, 1, 255])
def test_lengths_around_a_block_of_stuffing_survive(length: int, octet: int) -> None:
    content = bytes([octet]) * length
    assert encode_frame(content) == plain_frame(content)
    assert FrameDecoder().feed(encode_frame(content)) == [content]


@pytest.mark.parametrize("case", vectors(), ids=lambda case: str(case["name"]))
def test_golden_frames_are_what_the_description_says(case: dict[str, Any]) -> None:
    """The kind, then the fields one after the other with their widths, then the check sum, then stuffing."""
    content = bytes([case["kind"]])
    for field in case["fields"]:
        value = field["value"]
        match field["type"]:
            case "u8" | "u16" | "u32":
                content += value.to_bytes(int(field["type"][1:]) // 8, "little")
            case "str":
                content += bytes([len(value.encode())]) + value.encode()
            case _:
                content += bytes.fromhex(value)
    assert content.hex() == case["content"]
    assert plain_frame(content).hex() == case["frame"]
    assert encode_frame(content).hex() == case["frame"]
    assert link.KIND_NAMES[case["kind"]] == case["name"].split()[0]


def test_golden_frames_cover_every_kind_and_are_understood() -> None:
    cases = {case["name"]: bytes.fromhex(case["content"]) for case in vectors()}
    assert {name.split()[0] for name in cases} == set(link.KIND_NAMES.values())
    hello = link.Hello.decode(cases["HELLO resuming"])
    assert (hello.nonce, hello.epoch, hello.number) == (0x11223344, 0xA1B2C3D4, 57)
    assert hello.encode() == cases["HELLO resuming"]
    assert link.decode_ack(cases["ACK"]) == (0xA1B2C3D4, 60, 57, 0)
    assert link.encode_ack(0xA1B2C3D4, 60, 57) == cases["ACK"]
    assert link.decode_ack(cases["ACK asking to resend"])[3] == 1
    identity = link.Identity.decode(cases["IDENTITY"])
    assert (identity.serial, identity.firmware, identity.oldest, identity.next) == ("W-0042", "1.4.2", 58, 61)
    assert identity.encode() == cases["IDENTITY"]
    assert link.unpack_event(cases["EVENT"]) == (link.EVENT, 58, 2)
    assert link.decode_reason(cases["RESULT refused"][6:]) == "no card"
    assert link.HEAD_SET.unpack(cases["APPLIED"]) == (link.APPLIED, 7)
    assert cases["BEAT"] == link.BEAT_CONTENT


@pytest.mark.parametrize("case", ALL["dropped"], ids=lambda case: str(case["name"]))
def test_octets_that_hold_no_frame_are_dropped_and_the_next_frame_is_whole(case: dict[str, Any]) -> None:
    decoder = FrameDecoder()
    assert decoder.feed(bytes.fromhex(case["octets"]) + encode_frame(link.BEAT_CONTENT)) == [link.BEAT_CONTENT]
    assert decoder.damaged + decoder.overlong == 1


@pytest.mark.parametrize("case", ALL["refused"], ids=lambda case: str(case["name"]))
def test_a_sound_frame_with_a_message_that_is_none_is_dropped(case: dict[str, Any]) -> None:
    content = bytes.fromhex(case["content"])
    assert FrameDecoder().feed(bytes.fromhex(case["frame"])) == [content]
    read = {link.HELLO: link.Hello.decode, link.ACK: link.decode_ack, link.IDENTITY: link.Identity.decode}
    with pytest.raises(BadMessage):
        read[content[0]](content)


def test_sealed_golden_frames_are_opened_with_the_key_of_their_session() -> None:
    cases = {case["name"]: bytes.fromhex(case["content"]) for case in vectors()}
    key = cases["PAIR"][5:]
    asked, challenge = cases["HELLO asking for proof"][14:], cases["IDENTITY with proof"][-32:-16]
    assert cases["PROOF that demands sealed frames"][5:] == sealed_proof(key, asked, challenge)
    host, device = (Seal(key, asked, challenge, host=host) for host in (True, False))
    assert host.close(cases["ACK"]) == cases["SEALED ACK from the host"]
    assert device.close(cases["EVENT"]) == cases["SEALED EVENT from the device"]
    assert device.open(cases["SEALED ACK from the host"]) == cases["ACK"]
    assert host.open(cases["SEALED EVENT from the device"]) == cases["EVENT"]


@given(st.lists(st.binary(min_size=1, max_size=80), max_size=20), st.randoms(use_true_random=False))
def test_frames_come_out_whole_however_the_bytes_are_cut(contents: list[bytes], chance: random.Random) -> None:
    stream = b"".join(encode_frame(content) for content in contents)
    decoder = FrameDecoder()
    got: list[bytes] = []
    while stream:
        cut = chance.randrange(1, 20)
        got += decoder.feed(stream[:cut])
        stream = stream[cut:]
    assert got == contents
    assert (decoder.good, decoder.damaged, decoder.overlong) == (len(contents), 0, 0)


@given(st.binary(min_size=1, max_size=100), st.data())
def test_any_one_wrong_bit_is_noticed_and_the_next_frame_is_whole(content: bytes, data: st.DataObject) -> None:
    frame = bytearray(encode_frame(content))
    bit = data.draw(st.integers(0, 8 * len(frame) - 1))
    frame[bit // 8] ^= 1 << bit % 8
    decoder = FrameDecoder()
    got = decoder.feed(bytes(frame) + b"\0" + encode_frame(b"next"))
    assert got == [b"next"]
    assert decoder.damaged >= 1


@given(st.lists(st.binary(max_size=300)))
def test_noise_is_never_raised_about_and_never_piles_up(pieces: list[bytes]) -> None:
    decoder = FrameDecoder()
    for piece in pieces:
        decoder.feed(piece)
        assert len(decoder._partial) <= 1100


def test_a_line_stuck_without_zeros_costs_no_memory_and_recovers() -> None:
    decoder = FrameDecoder()
    for _ in range(10_000):
        assert decoder.feed(b"\x55" * 64) == []
    assert len(decoder._partial) <= 1100
    assert decoder.overlong == 1
    assert decoder.feed(b"\x55\0" + encode_frame(b"hello")) == [b"hello"]


def test_a_frame_that_claims_more_than_any_may_hold_is_counted() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(plain_frame(bytes(range(256)) * 5)) == []
    assert decoder.overlong == 1


def test_zeros_between_frames_mean_nothing() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(b"\0\0" + encode_frame(b"a") + b"\0\0\0" + encode_frame(b"b") + b"\0") == [b"a", b"b"]
    assert decoder.damaged == 0


def test_a_half_frame_is_forgotten_when_the_port_is_opened_again() -> None:
    decoder = FrameDecoder()
    decoder.feed(encode_frame(b"before")[:4])
    decoder.reset()
    assert decoder.feed(encode_frame(b"after")) == [b"after"]


@pytest.mark.parametrize("content", [b"", b"x" * (MAX_CONTENT + 1)])
def test_nothing_and_too_much_cannot_be_sent(content: bytes) -> None:
    with pytest.raises(FrameTooLong, match=str(len(content))):
        encode_frame(content)
