"""What is wrong with a frame that came damaged: for the first day of a new firmware."""

from __future__ import annotations

from zlib import crc32

from cobs import cobs

from firmware_specs.frames import MAX_CONTENT


def explain(stuffed: bytes) -> str:
    """One sentence about these octets, which came before a zero and made no frame."""
    if not stuffed:
        return "more bytes than any frame has came without a zero"
    try:
        whole: bytes = cobs.decode(stuffed)
    except cobs.DecodeError as wrong:
        return f"frames arrive but their COBS stuffing does not fit ({wrong}); the last is {stuffed.hex()}"
    if len(whole) <= 4:
        return f"a frame of {len(whole)} bytes arrives, which is too short for a kind and a CRC"
    content, sent = whole[:-4], int.from_bytes(whole[-4:], "little")
    ours = crc32(content)
    if ours == sent:
        return f"a frame of {len(content)} bytes arrives, and {MAX_CONTENT} may be"
    text = (
        f"frames arrive but their CRC does not fit; ours over this content ({content.hex()}) is {ours:08x}, "
        f"the frame has {sent:08x}"
    )
    return f"{text}{_guess(content, whole, sent)}"


def _guess(content: bytes, whole: bytes, sent: int) -> str:
    ours = crc32(content)
    if int.from_bytes(whole[-4:], "big") == ours:
        return ": it is sent with its greatest byte first"
    if sent == ours ^ 0xFFFFFFFF:
        return ": the last inversion is missing"
    if sent == crc32(content[1:]):
        return ": it is made over the body without the kind"
    if sent == crc32(content, 0xFFFFFFFF):
        return ": it does not begin with all ones"
    if sent == _unreflected(content):
        return ": it is the CRC-32 that is not reflected"
    return ""


def _unreflected(octets: bytes) -> int:
    crc = 0xFFFFFFFF
    for octet in octets:
        crc ^= octet << 24
        for _ in range(8):
            crc = ((crc << 1) ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return crc ^ 0xFFFFFFFF
