"""What hangs together in a journal: rows, snapshots, what stands for removed rows, and the hashes that tie them."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, NamedTuple

import msgspec

from controller.journal.tree import Tree

GENESIS = bytes(32)


class Row(NamedTuple):
    """One journalled event with everything the table concluded from it."""

    seq: int
    at: int
    body: bytes
    hash: bytes

    def readable(self) -> bool:
        """Whether it is a row at all; a database keeps whatever it was given."""
        return isinstance(self.at, int) and isinstance(self.body, bytes)


class Snapshot(NamedTuple):
    """The whole table after the event `seq`."""

    seq: int
    body: bytes


class Stub(NamedTuple):
    """What stands for the rows removed from the beginning: the last one's hash, and where they are kept."""

    last: int
    hash: bytes
    exports: tuple[tuple[str, str, int, int], ...] = ()  # file, its sha256, first and last row
    peaks: tuple[tuple[int, bytes], ...] = ()  # of the tree over the removed rows

    def encode(self) -> str:
        peaks = [(height, hash.hex()) for height, hash in self.peaks]
        return json.dumps({"last": self.last, "hash": self.hash.hex(), "exports": self.exports, "peaks": peaks})

    @classmethod
    def decode(cls, text: str) -> Stub:
        facts = msgspec.json.decode(text, type=_Stub)
        last, hash = facts.last, bytes.fromhex(facts.hash)
        if facts.peaks is None:
            peaks = _peaks_before_there_was_a_tree(last, hash)
        else:
            peaks = tuple((height, bytes.fromhex(peak)) for height, peak in facts.peaks)
        heights = [height for height, _ in peaks]
        if len(hash) != 32 or heights != _heights(last) or any(len(peak) != 32 for _, peak in peaks):
            raise ValueError("its hashes are not those of so many events")
        return cls(last, hash, facts.exports, peaks)

    def stands_by_chain(self) -> bool:
        """Whether it was made before there was a tree, so that the chain's hash is all that stands for the rows."""
        return self.peaks == _peaks_before_there_was_a_tree(self.last, self.hash)

    def without_export(self) -> tuple[int, int] | None:
        """The first events that are gone and for which no export is named, from and to; None where each is named."""
        covered = 0
        for _, _, first, last in sorted(self.exports, key=lambda export: export[2:]):
            if first > covered + 1:
                break
            covered = max(covered, last)
        return (covered + 1, self.last) if covered < self.last else None

    def tree(self) -> Tree:
        """The tree over the rows that are gone."""
        return Tree(self.last, self.peaks)


class _Stub(msgspec.Struct):
    """A stub as it is written."""

    last: Annotated[int, msgspec.Meta(ge=1, lt=1 << 62)]
    hash: str
    exports: tuple[tuple[str, str, int, int], ...]
    peaks: tuple[tuple[int, str], ...] | None = None


def _heights(size: int) -> list[int]:
    """Of the peaks of a tree over so many rows, the highest first."""
    return [height for height in range(size.bit_length() - 1, -1, -1) if size >> height & 1]


def _peaks_before_there_was_a_tree(last: int, hash: bytes) -> tuple[tuple[int, bytes], ...]:
    """Rows that went before there was a tree are in it by the chain's hash alone."""
    return tuple((height, hashlib.sha256(b"removed%d|%b" % (height, hash)).digest()) for height in _heights(last))


class Entry(NamedTuple):
    """What is to be written: a row, and now and then a snapshot of the table right after it."""

    at: int
    body: bytes
    snapshot: bytes | None = None


class _Numbered(msgspec.Struct):
    """What a row says of the snapshot that was taken right after it; rows of old forms say nothing."""

    form: int = 1
    stood: str = ""


STOOD_FORM = 3
"""From this form on, a row names the snapshot that was taken after it."""
_numbered = msgspec.json.Decoder(_Numbered).decode


def digest(snapshot: bytes) -> str:
    """What a row says of the snapshot taken after it."""
    return hashlib.sha256(snapshot).hexdigest()


def chained(previous: bytes, seq: int, at: int, body: bytes) -> bytes:
    """The hash that ties a row to all before it."""
    return hashlib.sha256(b"%b%d|%d|%b" % (previous, seq, at, body)).digest()


def sealed(hash_at_seq: bytes, seq: int, body: bytes) -> bytes:
    """The hash that ties a snapshot to its place in the chain."""
    return hashlib.sha256(b"snapshot%b%d|%b" % (hash_at_seq, seq, body)).digest()


def stands_for(row: bytes, snapshot: bytes) -> bool:
    """Whether a row stands for the snapshot taken after it; old forms of row leave that to the seal."""
    try:
        said = _numbered(row)
    except msgspec.MsgspecError:
        return True
    return said.form < STOOD_FORM or said.stood == digest(snapshot)
