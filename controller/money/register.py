"""The chip register: a million tags in a file that opens at once, of which only what is asked for enters memory.

The file is sorted by tag and asked block by block: a digest over all of it is checked when it is opened, and only
the first tag of every block stays in memory.

Layout, little-endian: `TCHIPS1\\n`, 32 bytes BLAKE2b of the rest, u32 length of the head, the head (JSON, padded with
blanks to 8 bytes), then u64 tags in order, u16 class of each, u8 state of each.
"""

from __future__ import annotations

import hashlib
import operator
import os
import struct
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from controller import kept_file
from controller.config.tomlread import ConfigError

MAGIC = b"TCHIPS1\n"
KINDS = ("cash", "colour", "token", "tournament", "promotional")
STATES = ("live", "retired", "missing", "stolen", "counterfeit")
"""Kept as numbers in the file: new ones come last."""
DENOMINATIONS = (100, 200, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000)
"""What cash chips and tokens are worth, in cents, unless a register names its own."""
LARGEST_TAG = (1 << 64) - 1
MOST_CLASSES = 1 << 16
BLOCK = 512
"""Tags that are read at once."""

_DIGEST = 32
_CHUNK = 1 << 18


class ChipClass(msgspec.Struct, frozen=True):
    """What a kind of chip is: cents where it has a value of its own, set and colour where it has not.

    An empty table means good at every table of the casino.
    """

    kind: str
    cents: int = 0
    set_mark: str = ""
    colour: str = ""
    table: str = ""


class Entry(msgspec.Struct, frozen=True):
    """One tag as the register knows it."""

    tag: int
    chip: ChipClass
    state: str = "live"


class Head(msgspec.Struct, frozen=True):
    """What stands before the tags."""

    tags: int
    classes: tuple[ChipClass, ...]
    denominations: tuple[int, ...]


class RegisterFile:
    """A register on disk, open for looking up."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._file = self.path.open("rb", buffering=0)
        except FileNotFoundError:
            remedy = "make one with 'tablectl chips import'"
            raise ConfigError(f"{self.path}: there is no such chip register; {remedy}") from None
        except OSError as trouble:
            remedy = "check the path and its permissions"
            raise ConfigError(f"{self.path}: cannot be read ({trouble.strerror}); {remedy}") from None
        try:
            self._check()
        except BaseException:
            self._file.close()
            raise

    def _check(self) -> None:
        at = len(MAGIC) + _DIGEST
        digest = _check_start(self.path, self._read(0, at))
        self._file.seek(at)
        _check_digest(self.path, digest, iter(lambda: self._file.read(_CHUNK), b""))
        try:
            (length,) = struct.unpack("<I", self._read(at, 4))
            self.head = msgspec.json.decode(self._read(at + 4, length), type=Head)
        except (struct.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as trouble:
            raise _damaged(self.path, f"its head cannot be read, {trouble}") from None
        count = self.head.tags
        if count < 0:
            raise _damaged(self.path, f"{count} tags are announced")
        self._tags_at = at + 4 + length
        self._classes_at = self._tags_at + 8 * count
        self._states_at = self._classes_at + 2 * count
        if os.fstat(self._file.fileno()).st_size != self._states_at + count:
            raise _damaged(self.path, f"{count} tags are announced and other than that follows")
        firsts = (self._read(self._tags_at + 8 * place, 8) for place in range(0, count, BLOCK))
        self._firsts = array("Q", b"".join(firsts))
        if _out_of_order(self._firsts):
            raise _damaged(self.path, "its tags are not in order")

    def _read(self, at: int, octets: int) -> bytes:
        return os.pread(self._file.fileno(), octets, at)

    def __len__(self) -> int:
        return self.head.tags

    def entry(self, tag: int) -> Entry | None:
        """What the register says of this tag; None when it does not know it."""
        block = bisect_right(self._firsts, tag) - 1
        if block < 0:
            return None
        tags, classes, states = self._block(block)
        place = bisect_left(tags, tag)
        if place == len(tags) or tags[place] != tag:
            return None
        return Entry(tag, self.head.classes[classes[place]], STATES[states[place]])

    def _block(self, block: int) -> tuple[array[int], array[int], bytes]:
        start = block * BLOCK
        count = min(BLOCK, len(self) - start)
        tags = array("Q", self._read(self._tags_at + 8 * start, 8 * count))
        classes = array("H", self._read(self._classes_at + 2 * start, 2 * count))
        states = self._read(self._states_at + start, count)
        after = self._firsts[block + 1 : block + 2]
        if _out_of_order(tags + after) or max(classes) >= len(self.head.classes) or max(states) >= len(STATES):
            raise _damaged(self.path, f"tags {start + 1} to {start + count} are out of order or of no known kind")
        return tags, classes, states

    def __iter__(self) -> Iterator[Entry]:
        classes = self.head.classes
        for block in range(len(self._firsts)):
            for tag, number, state in zip(*self._block(block), strict=True):
                yield Entry(tag, classes[number], STATES[state])

    def counts(self) -> dict[tuple[ChipClass, str], int]:
        """How many tags there are of each class and state, in the order of the classes."""
        found: Counter[tuple[int, int]] = Counter()
        for block in range(len(self._firsts)):
            found.update(zip(*self._block(block)[1:], strict=True))
        return {(self.head.classes[number], STATES[state]): count for (number, state), count in sorted(found.items())}

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def write_register(
    path: str | Path, classes: Sequence[ChipClass], denominations: Sequence[int], rows: Sequence[tuple[int, int, int]]
) -> None:
    """Put a register in place of whatever stood at this path, whole or not at all; rows are (tag, class, state)."""
    tags = array("Q", (tag for tag, _, _ in rows))
    head = msgspec.json.encode(Head(len(rows), tuple(classes), tuple(denominations)))
    head += b" " * (-(len(MAGIC) + _DIGEST + 4 + len(head)) % 8)
    body = b"".join(
        (
            struct.pack("<I", len(head)),
            head,
            tags.tobytes(),
            array("H", (number for _, number, _ in rows)).tobytes(),
            bytes(state for _, _, state in rows),
        )
    )
    kept_file.replace(Path(path), MAGIC + hashlib.blake2b(body, digest_size=_DIGEST).digest() + body, 0o644)


def _out_of_order(tags: array[int]) -> bool:
    return any(map(operator.ge, tags, tags[1:]))


def _check_start(path: Path, start: bytes) -> bytes:
    if not start.startswith(MAGIC) or len(start) < len(MAGIC) + _DIGEST:
        remedy = "give the file that 'tablectl chips import' wrote, not the list it was made from"
        raise ConfigError(f"{path}: this is no chip register; {remedy}")
    return start[len(MAGIC) :]


def _check_digest(path: Path, digest: bytes, chunks: Iterator[bytes]) -> None:
    found = hashlib.blake2b(digest_size=_DIGEST)
    for chunk in chunks:
        found.update(chunk)
    if found.digest() != digest:
        raise _damaged(path, "its check sum does not fit what it holds")


def _damaged(path: Path, how: str) -> ConfigError:
    return ConfigError(f"{path}: the chip register is damaged: {how}; import it anew from its lists")
