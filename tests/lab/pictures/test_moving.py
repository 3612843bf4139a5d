"""A moving picture: what stays is one frame, what changes is another, and every chunk can be checked."""

from __future__ import annotations

import struct
import zlib

import pytest

from lab.pictures.moving import SIGNATURE, Frame, moving


def still(colour: int, width: int = 2) -> bytes:
    """A grey picture of one row."""
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, 1, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes([0, *[colour] * width]))),
        (b"IEND", b""),
    )
    return SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )


def chunks(png: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], len(SIGNATURE)
    while at < len(png):
        (size,) = struct.unpack_from(">I", png, at)
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", png, at + 8 + size)[0] == zlib.crc32(kind + body)
        found.append((kind, body))
        at += size + 12
    return found


def test_pictures_that_differ_are_frames_in_their_order_and_those_that_stay_are_shown_longer() -> None:
    made = chunks(moving([Frame(still(1), 200), Frame(still(1), 200), Frame(still(9), 300)]))
    assert [kind for kind, _ in made] == [b"IHDR", b"acTL", b"fcTL", b"IDAT", b"fcTL", b"fdAT", b"IEND"]
    assert struct.unpack(">II", made[1][1]) == (2, 0)
    delays = [struct.unpack(">IIIIIHHBB", body)[5] for kind, body in made if kind == b"fcTL"]
    assert delays == [400, 300]
    numbers = [struct.unpack_from(">I", body)[0] for kind, body in made if kind in (b"fcTL", b"fdAT")]
    assert numbers == [0, 1, 2]
    assert zlib.decompress(made[5][1][4:]) == bytes([0, 9, 9])


def test_pictures_of_two_sizes_make_no_moving_one() -> None:
    with pytest.raises(ValueError, match="one size"):
        moving([Frame(still(1), 200), Frame(still(1, width=3), 200)])
