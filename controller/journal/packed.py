"""How rows and snapshots lie in the file: packed by words that rows keep saying, for a card wears with every byte.

Hashes, proofs and exports are over what was packed, never over how. A number says by which words: these stay as they
are for as long as a journal packed by them may be read.
"""

from __future__ import annotations

import functools
import zlib
from pathlib import Path
from typing import Any

NUMBER = 1
"""Of the words things are packed by now; their first byte. What is not packed is text, which begins with another."""
MOST_BYTES = 1 << 24
"""No row or snapshot is as long as this; what says it is was put there."""
_RAW = -13
"""Bare, and with a window that holds the words and a row or two: a greater one takes longer to set up."""
_FIRST = bytes([NUMBER])


@functools.cache
def _words(number: int) -> bytes:
    return (Path(__file__).parent / f"words-{number}.txt").read_bytes()


@functools.cache
def _packer() -> zlib._Compress:
    """One that has read the words; a copy of it begins faster than one that must read them."""
    return zlib.compressobj(level=4, wbits=_RAW, memLevel=5, zdict=_words(NUMBER))


def pack(text: bytes) -> bytes:
    """As it is to lie in the file; equal texts lie there equally."""
    packer = _packer().copy()
    packed = _FIRST + packer.compress(text) + packer.flush()
    return packed if len(packed) < len(text) or text[:1] == _FIRST else text


def unpack(lying: Any) -> Any:
    """What was packed; whatever else the database holds comes back as it lies there, for the chain to refuse."""
    if not isinstance(lying, bytes) or lying[:1] != _FIRST:
        return lying
    unpacker = zlib.decompressobj(wbits=_RAW, zdict=_words(NUMBER))
    try:
        text = unpacker.decompress(lying[1:], MOST_BYTES)
    except zlib.error:
        return lying
    return text if unpacker.eof and not unpacker.unused_data else lying
