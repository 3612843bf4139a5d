"""Rows of a growing journal, and the root of their tree as an independent library computes it."""

from __future__ import annotations

from pymerkle import InmemoryTree

from controller.journal.file import Entry

SIZES = [0, 1, 2, 3, 5, 8, 255, 256, 257, 511, 512, 700]


def entry(seq: int) -> Entry:
    return Entry(1000 + seq, b'{"event":%d}' % seq)


def judged(size: int) -> bytes:
    """The root as an independent library computes it."""
    tree = InmemoryTree(algorithm="sha256")
    for seq in range(1, size + 1):
        tree.append_entry(b"%d|%d|%b" % (seq, 1000 + seq, entry(seq).body))
    root: bytes = tree.get_root()
    return root
