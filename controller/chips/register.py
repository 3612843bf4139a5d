"""The chip register: a million tags in a file that opens at once, of which only what is asked for enters memory.

The file is sorted by tag and mapped, never read whole: a digest over all of it is checked when it is opened. Layout,
little-endian: `TCHIPS1\\n`, 32 bytes BLAKE2b of the rest, u32 length of the head, the head (JSON, padded with
blanks to 8 bytes), then u64 tags in order, u16 class of each, u8 state of each.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from controller.tomlread import ConfigError

MAGIC = b"TCHIPS1\n"
KINDS = ("cash", "colour", "token", "tournament")
STATES = ("live", "retired", "missing")
DENOMINATIONS = (100, 200, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000)
"""What cash chips and tokens are worth, in cents, unless a register names its own."""
LARGEST_TAG = (1 << 64) - 1
MOST_CLASSES = 1 << 16

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
            with self.path.open("rb") as file:
                digest = _check_start(self.path, file.read(len(MAGIC) + _DIGEST))
                _check_digest(self.path, digest, iter(lambda: file.read(_CHUNK), b""))
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            remedy = "make one with 'tablectl chips import'"
            raise ConfigError(f"{self.path}: there is no such chip register; {remedy}") from None
        except OSError as trouble:
            remedy = "check the path and its permissions"
            raise ConfigError(f"{self.path}: cannot be read ({trouble.strerror}); {remedy}") from None
        self.head, start = self._read_head()
        view = memoryview(self._map)
        count = self.head.tags
        if len(view) != start + 11 * count:
            raise _damaged(self.path, f"{count} tags are announced and other than that follows")
        self._tags = view[start : start + 8 * count].cast("Q")
        self._classes = view[start + 8 * count : start + 10 * count].cast("H")
        self._states = view[start + 10 * count :]

    def _read_head(self) -> tuple[Head, int]:
        at = len(MAGIC) + _DIGEST
        try:
            (length,) = struct.unpack_from("<I", self._map, at)
            head = msgspec.json.decode(self._map[at + 4 : at + 4 + length], type=Head)
        except (struct.error, msgspec.DecodeError) as trouble:
            raise _damaged(self.path, f"its head cannot be read, {trouble}") from None
        return head, at + 4 + length

    def __len__(self) -> int:
        return self.head.tags

    def entry(self, tag: int) -> Entry | None:
        """What the register says of this tag; None when it does not know it."""
        place = bisect_left(self._tags, tag)
        if place == len(self._tags) or self._tags[place] != tag:
            return None
        return self._entry(place)

    def _entry(self, place: int) -> Entry:
        chip = self.head.classes[self._classes[place]]
        return Entry(self._tags[place], chip, STATES[self._states[place]])

    def __iter__(self) -> Iterator[Entry]:
        return (self._entry(place) for place in range(len(self)))

    def counts(self) -> dict[tuple[ChipClass, str], int]:
        """How many tags there are of each class and state, in the order of the classes."""
        found = Counter(zip(self._classes, self._states, strict=True))
        return {(self.head.classes[number], STATES[state]): count for (number, state), count in sorted(found.items())}

    def close(self) -> None:
        """Let go of the file."""
        for view in (self._tags, self._classes, self._states):
            view.release()


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
    path = Path(path)
    new = path.with_name(path.name + ".new")
    with new.open("wb") as file:
        file.write(MAGIC + hashlib.blake2b(body, digest_size=_DIGEST).digest())
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


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
