"""A moving picture made of still ones: an animated PNG, which every browser shows and which needs no library."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MILLISECONDS = 1000


class Frame(NamedTuple):
    """A PNG, and how long it is shown."""

    png: bytes
    milliseconds: int


def moving(frames: Sequence[Frame]) -> bytes:
    """These pictures one after the other, for ever; all must be of one size and kind."""
    told = list(_told_once(frames))
    header = _header(told[0].png)
    parts = [SIGNATURE, _chunk(b"IHDR", header), _chunk(b"acTL", struct.pack(">II", len(told), 0))]
    number = 0
    for place, frame in enumerate(told):
        if _header(frame.png) != header:
            raise ValueError("the pictures of a moving one must all be of one size and kind")
        shown = struct.pack(
            ">IIIIIHHBB", number, *struct.unpack(">II", header[:8]), 0, 0, frame.milliseconds, MILLISECONDS, 0, 0
        )
        parts.append(_chunk(b"fcTL", shown))
        number += 1
        for body in _bodies(frame.png, b"IDAT"):
            if place == 0:
                parts.append(_chunk(b"IDAT", body))
            else:
                parts.append(_chunk(b"fdAT", struct.pack(">I", number) + body))
                number += 1
    return b"".join((*parts, _chunk(b"IEND", b"")))


def _told_once(frames: Sequence[Frame]) -> Iterator[Frame]:
    """A picture that stays is one frame that is shown longer."""
    held: Frame | None = None
    for frame in frames:
        if held is not None and frame.png == held.png:
            held = Frame(held.png, held.milliseconds + frame.milliseconds)
            continue
        if held is not None:
            yield held
        held = frame
    if held is not None:
        yield held


def _header(png: bytes) -> bytes:
    return next(_bodies(png, b"IHDR"))


def _bodies(png: bytes, wanted: bytes) -> Iterator[bytes]:
    at = len(SIGNATURE)
    while at < len(png):
        (size,) = struct.unpack_from(">I", png, at)
        if png[at + 4 : at + 8] == wanted:
            yield png[at + 8 : at + 8 + size]
        at += size + 12


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
