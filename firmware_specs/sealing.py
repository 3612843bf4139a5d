"""Sealed sessions: every frame carries a counter and a short keyed tag, so that a cut cable can only delay."""

from __future__ import annotations

import hmac
import struct

from . import link
from .pairing import NO_CHALLENGE, keyed

SEALS = 1 << 31  # the capability of every device that can seal
TAG_BYTES = 8
OVERHEAD = 1 + 4 + TAG_BYTES  # kind, counter, tag
LAST_COUNT = 2**32 - 1
_COUNTER = struct.Struct("<I")
_LEAST = OVERHEAD + 1


def sealed_proof(key: bytes, asked: bytes, challenge: bytes) -> bytes:
    """The PROOF of a host that demands sealed frames."""
    return keyed(key, b"sealed", challenge, asked or NO_CHALLENGE)


def session_key(key: bytes, asked: bytes, challenge: bytes) -> bytes:
    """The key of one session, which both ends make from what they said to each other."""
    return b"".join(keyed(key, word, challenge, asked or NO_CHALLENGE) for word in (b"seal 1", b"seal 2"))


class Seal:
    """One end of one sealed session."""

    def __init__(self, key: bytes, asked: bytes, challenge: bytes, *, host: bool) -> None:
        self._key = session_key(key, asked, challenge)
        self._out, self._in = (b"h", b"d") if host else (b"d", b"h")
        self._kind_out, self._kind_in = (link.SEALED, link.SEALED_BACK) if host else (link.SEALED_BACK, link.SEALED)
        self.sent = 0
        self.taken = 0

    def close(self, content: bytes) -> bytes:
        """The content of the SEALED frame that carries this one."""
        if self.sent == LAST_COUNT:
            raise link.UsedUp
        self.sent += 1
        counter = _COUNTER.pack(self.sent)
        return bytes((self._kind_out,)) + counter + content + self._tag(self._out, counter, content)

    def open(self, content: bytes) -> bytes | None:
        """The content inside; None when it is not sealed, not by the other end, or not newer than the last."""
        if len(content) < _LEAST or content[0] != self._kind_in:
            return None
        counter, inner, tag = content[1:5], content[5:-TAG_BYTES], content[-TAG_BYTES:]
        if not hmac.compare_digest(self._tag(self._in, counter, inner), tag):
            return None
        count = int.from_bytes(counter, "little")
        if count <= self.taken or inner[0] in link.BARE:
            return None
        self.taken = count
        return inner

    def _tag(self, way: bytes, counter: bytes, content: bytes) -> bytes:
        return keyed(self._key, way, counter, content)[:TAG_BYTES]

    def hear(self, content: bytes) -> bytes | None:
        """What was said in the session, sealed or of the kinds that come bare; None when somebody else put it there."""
        opened = self.open(content)
        return content if opened is None and content[0] in link.BARE else opened
