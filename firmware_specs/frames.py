"""Frames: COBS between zero bytes, with a CRC-32 over what is inside.

On the wire: COBS(kind u8 | body | CRC-32 of kind and body, little-endian), then one zero byte.
COBS leaves no zero inside, so whatever was damaged, the next zero byte is a place to start afresh.
"""

from __future__ import annotations

import struct
from zlib import crc32

from cobs import cobs

MAX_CONTENT = 1024  # kind and body
_MIN_CONTENT = 1
_CRC = struct.Struct("<I")
_MAX_STUFFED = MAX_CONTENT + 4 + (MAX_CONTENT + 4) // 254 + 1

_stuff = cobs.encode
_unstuff = cobs.decode
_pack_crc = _CRC.pack
Stuffing = cobs.DecodeError


class FrameTooLong(ValueError):
    """A message does not fit in one frame; its declaration is too generous."""


def encode_frame(content: bytes) -> bytes:
    """The bytes on the wire for a content, which is the kind byte and the body."""
    if not _MIN_CONTENT <= len(content) <= MAX_CONTENT:
        raise FrameTooLong(f"a frame holds 1 to {MAX_CONTENT} bytes of kind and body, and this one has {len(content)}")
    stuffed: bytes = _stuff(content + _pack_crc(crc32(content)))
    return stuffed + b"\0"


class FrameDecoder:
    """Takes bytes in any pieces and gives back whole, checked contents; damage is counted, never raised."""

    __slots__ = ("_partial", "_skipping", "damaged", "good", "last_damaged", "overlong")

    def __init__(self) -> None:
        self._partial = b""
        self._skipping = False
        self.good = 0
        self.damaged = 0  # bad stuffing, too short, or the check sum is wrong
        self.last_damaged = b""  # as it came, for the log
        self.overlong = 0  # more bytes than any frame has without a zero

    def feed(self, octets: bytes) -> list[bytes]:
        """The contents (kind and body) that became whole with these bytes."""
        end = len(octets) - 1
        if 0 < end <= _MAX_STUFFED and octets.find(0) == end and not self._partial and not self._skipping:
            content = self._check(octets[:-1])  # one whole frame, as nearly always
            return [] if content is None else [content]
        pieces = octets.split(b"\0")
        rest = pieces.pop()
        contents: list[bytes] = []
        if pieces:
            if self._skipping:
                self._skipping = False
                del pieces[0]
            elif self._partial:
                pieces[0] = self._partial + pieces[0]
            self._partial = b""
            for piece in pieces:
                if not piece:
                    continue  # zeros between frames are allowed, to wake or flush a line
                if len(piece) > _MAX_STUFFED:
                    self.overlong += 1
                    continue
                content = self._check(piece)
                if content is not None:
                    contents.append(content)
        if rest and not self._skipping:
            partial = self._partial + rest
            if len(partial) > _MAX_STUFFED:
                self.overlong += 1
                self._skipping = True
                partial = b""
            self._partial = partial
        return contents

    def _check(self, stuffed: bytes) -> bytes | None:
        try:
            whole: bytes = _unstuff(stuffed)
        except Stuffing:
            whole = b""
        content = whole[:-4]
        if not content or _pack_crc(crc32(content)) != whole[-4:]:
            self.damaged += 1
            self.last_damaged = stuffed
            return None
        if len(content) > MAX_CONTENT:
            self.overlong += 1
            return None
        self.good += 1
        return content

    @property
    def half(self) -> bool:
        """Whether a frame has begun and not ended."""
        return bool(self._partial)

    def reset(self) -> None:
        """Forget a half-received frame, as after a port was opened again."""
        self._partial = b""
        self._skipping = False
