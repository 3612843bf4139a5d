"""The chips of a simulated table: bought, staked, taken and paid, every tag with its value."""

from __future__ import annotations

from collections import defaultdict
from typing import Protocol

DENOMINATIONS = (100_000, 50_000, 10_000, 2_500, 500, 250, 100)


class Mat(Protocol):
    """The felt over the antennas."""

    def place(self, tags: list[int], area: int) -> None: ...

    def remove(self, tags: list[int]) -> None: ...


class Bank:
    """Makes chips when they are needed and takes them back, so that their number stays small."""

    def __init__(self, first_tag: int = 0xC0DE_0000_0000) -> None:
        self.register: dict[int, int] = {}
        self._free: dict[int, list[int]] = defaultdict(list)
        self._next = first_tag

    def make(self, cents: int) -> list[int]:
        """Chips worth exactly this much, in as few pieces as possible."""
        tags = []
        for value in DENOMINATIONS:
            while cents >= value:
                cents -= value
                tags.append(self._one(value))
        if cents:
            tags.append(self._one(cents))
        return tags

    def _one(self, value: int) -> int:
        if self._free[value]:
            return self._free[value].pop()
        self._next += 1
        self.register[self._next] = value
        return self._next

    def take_back(self, tags: list[int]) -> None:
        for tag in tags:
            self._free[self.register[tag]].append(tag)


class Felt:
    """Which chips lie where, as people see it."""

    def __init__(self, mat: Mat, bank: Bank) -> None:
        self.mat = mat
        self.bank = bank
        self.areas: dict[int, list[int]] = defaultdict(list)

    def put(self, cents: int, area: int) -> list[int]:
        """Lay this much on an area."""
        tags = self.bank.make(cents)
        self.areas[area] += tags
        self.mat.place(tags, area)
        return tags

    def clear(self, area: int) -> int:
        """Take everything off an area; what it was worth."""
        tags, self.areas[area] = self.areas[area], []
        if tags:
            self.mat.remove(tags)
            self.bank.take_back(tags)
        return sum(self.bank.register[tag] for tag in tags)

    def take(self, tags: list[int], area: int) -> None:
        """Take these chips off an area."""
        self.areas[area] = [tag for tag in self.areas[area] if tag not in tags]
        self.mat.remove(tags)
        self.bank.take_back(tags)

    def slide(self, tags: list[int], area: int, to: int) -> None:
        """Move these chips to another area."""
        self.areas[area] = [tag for tag in self.areas[area] if tag not in tags]
        self.mat.remove(tags)
        self.areas[to] += tags
        self.mat.place(tags, to)
