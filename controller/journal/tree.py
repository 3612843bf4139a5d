"""The Merkle tree over a journal's rows, hashed as RFC 6962 says: one hash stands for all rows up to a number.

Only the peaks are kept in memory, the greatest whole subtrees from left to right. Of all others, those of every eighth
height are stored with the rows, so that the hash of any number of rows is found from a few hundred of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

STORED = (24, 16, 8)
"""Heights of the subtrees that are stored, the greatest first."""


class Subtree(NamedTuple):
    """A whole subtree of 2**height rows, the `place`-th of its height."""

    height: int
    place: int
    hash: bytes


def leaf(seq: int, at: int, body: bytes) -> bytes:
    """The hash of a row as a leaf."""
    return hashlib.sha256(b"\x00%d|%d|%b" % (seq, at, body)).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees of one height."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """The peaks of a tree that grows at its end."""

    def __init__(self, size: int = 0, peaks: Sequence[tuple[int, bytes]] = ()) -> None:
        self.size = size
        self.peaks = list(peaks)  # height and hash, the highest first

    def copy(self) -> Tree:
        return Tree(self.size, self.peaks)

    def add(self, hash: bytes, height: int = 0) -> list[Subtree]:
        """Take a leaf, or a whole subtree where one fits; the subtrees to store that are whole by it."""
        peaks, whole = self.peaks, []
        self.size += 1 << height
        while peaks and peaks[-1][0] == height:
            hash = node(peaks.pop()[1], hash)
            height += 1
            if height in STORED:
                whole.append(Subtree(height, (self.size >> height) - 1, hash))
        peaks.append((height, hash))
        return whole

    def root(self) -> bytes:
        """The hash of all rows so far."""
        if not self.peaks:
            return hashlib.sha256(b"").digest()
        hash = self.peaks[-1][1]
        for _, left in reversed(self.peaks[:-1]):
            hash = node(left, hash)
        return hash
