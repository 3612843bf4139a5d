"""The chips of a simulated table: in the float tray, on the felt, and outside it in pockets and at the cage."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Protocol

DENOMINATIONS = (100_000, 50_000, 10_000, 2_500, 500, 250, 100)
TRAY = 0
AT_REST = 40
"""Chips of one value that stay outside before any of them is used again."""
STOCK = {100_000: 24, 50_000: 20, 10_000: 40, 2_500: 60, 500: 80, 250: 40, 100: 80}
"""Chips of each value in a full tray; other values as the smallest."""


class Mat(Protocol):
    """The felt over the antennas."""

    def place(self, tags: list[int], area: int) -> None: ...

    def remove(self, tags: list[int]) -> None: ...


class Bank:
    """Every chip there is: those in the tray by value, and those outside the table, which are used again."""

    def __init__(self, first_tag: int = 0xC0DE_0000_0000) -> None:
        self.register: dict[int, int] = {}
        self.tray: dict[int, list[int]] = {}
        self.standard: tuple[int, ...] = ()
        self._free: dict[int, deque[int]] = defaultdict(deque)
        self._next = first_tag

    def stock(self, mat: Mat, smallest: int) -> None:
        """Lay a full float into the tray, of chips that the smallest one divides."""
        values = {value for value in DENOMINATIONS if value % smallest == 0 and value >= smallest} | {smallest}
        self.standard = tuple(sorted(values, reverse=True))
        self.tray = {value: [self._one(value) for _ in range(_full(value))] for value in self.standard}
        mat.place([tag for tags in self.tray.values() for tag in tags], TRAY)

    def make(self, cents: int) -> list[int]:
        """Chips from outside worth exactly this much, in as few pieces as possible."""
        tags = []
        for value in DENOMINATIONS:
            while cents >= value:
                cents -= value
                tags.append(self._one(value))
        if cents:
            tags.append(self._one(cents))
        return tags

    def pieces(self, values: Iterable[int]) -> list[int]:
        """Chips from outside of just these values."""
        return [self._one(value) for value in values]

    def _one(self, value: int) -> int:
        # The chips longest outside come back first: one that was lifted a moment ago is still in its owner's hand.
        if len(self._free[value]) > AT_REST:
            return self._free[value].popleft()
        self._next += 1
        self.register[self._next] = value
        return self._next

    def take_back(self, tags: list[int]) -> None:
        """These chips leave the table."""
        for tag in tags:
            self._free[self.register[tag]].append(tag)

    def worth(self, tags: Iterable[int]) -> int:
        return sum(map(self.register.__getitem__, tags))

    # -- the tray ----------------------------------------------------------------------------------------------

    def lay_in(self, tags: list[int]) -> None:
        """These chips go into the tray."""
        for tag in tags:
            self.tray.setdefault(self.register[tag], []).append(tag)

    def lift_out(self, cents: int) -> list[int]:
        """Chips of the tray worth exactly this much; none when it cannot make the amount."""
        chosen: list[tuple[int, int]] = []
        for value in sorted(self.tray, reverse=True):
            count = min(cents // value, len(self.tray[value]))
            if count:
                chosen.append((value, count))
                cents -= count * value
        if cents:
            return []
        return [self.tray[value].pop() for value, count in chosen for _ in range(count)]

    def too_few(self) -> list[int]:
        """Chips from outside that bring every value that runs low back to a full tray."""
        short = {value: _full(value) - len(self.tray.get(value, ())) for value in self.standard}
        return [self._one(value) for value, few in short.items() if few > _full(value) // 2 for _ in range(few)]

    def too_many(self) -> list[int]:
        """Chips of the tray that it has no use for."""
        surplus = []
        for value, tags in self.tray.items():
            keep = _full(value) if value in self.standard else 0
            if len(tags) > max(2 * keep, 20):
                surplus += tags[keep:]
                del tags[keep:]
        return surplus


def _full(value: int) -> int:
    return STOCK.get(value, STOCK[100])


class Felt:
    """Which chips lie where, as people see it; without a stocked tray, payments come from nowhere, takings go there."""

    def __init__(self, mat: Mat, bank: Bank) -> None:
        self.mat = mat
        self.bank = bank
        self.areas: dict[int, list[int]] = defaultdict(list)

    @property
    def has_tray(self) -> bool:
        return bool(self.bank.standard)

    # -- players' hands ----------------------------------------------------------------------------------------

    def put(self, cents: int, area: int) -> list[int]:
        """A player lays this much on an area."""
        tags = self.bank.make(cents)
        self.lay(tags, area)
        return tags

    def lay(self, tags: list[int], area: int) -> None:
        """A player lays these chips on an area."""
        self.areas[area] += tags
        self.mat.place(tags, area)

    def clear(self, area: int) -> int:
        """Somebody takes everything off an area and keeps it; what it was worth."""
        tags = list(self.areas[area])
        self.take(tags, area)
        return self.bank.worth(tags)

    def take(self, tags: list[int], area: int) -> None:
        """Somebody takes these chips off an area and keeps them."""
        if tags:
            self._off(tags, area)
            self.mat.remove(tags)
            self.bank.take_back(tags)

    def slide(self, tags: list[int], area: int, to: int) -> None:
        """Move these chips to another area."""
        self._off(tags, area)
        self.areas[to] += tags
        self.mat.place(tags, to)

    def _off(self, tags: list[int], area: int) -> None:
        gone = set(tags)
        self.areas[area] = [tag for tag in self.areas[area] if tag not in gone]

    # -- the dealer's hands ------------------------------------------------------------------------------------

    def collect(self, area: int, cents: int | None = None) -> int:
        """Take so much (everything when not told) from an area into the tray, giving change where needed; what came."""
        tags = list(self.areas[area])
        lying = self.bank.worth(tags)
        wanted = lying if cents is None else min(cents, lying)
        chosen = tags if wanted == lying else worth_exactly(tags, wanted, self.bank.register)
        if chosen is None:
            self.sweep(tags, area)
            self.pay(lying - wanted, area)
        else:
            self.sweep(chosen, area)
        return wanted

    def sweep(self, tags: list[int], area: int) -> None:
        """Take these chips from an area into the tray."""
        if not tags:
            return
        if not self.has_tray:
            self.take(tags, area)
            return
        self._off(tags, area)
        self.bank.lay_in(tags)
        self.mat.place(tags, TRAY)

    def pay(self, cents: int, area: int) -> list[int]:
        """Lay so much from the tray on an area; none when the tray cannot make it."""
        if not self.has_tray:
            return self.put(cents, area)
        tags = self.bank.lift_out(cents)
        if tags:
            self.areas[area] += tags
            self.mat.place(tags, area)
        return tags

    def fill(self, cents: int = 0) -> int:
        """Chips come from the cage into the tray: what runs low, and so much on top; what they are worth."""
        tags = self.bank.too_few() + (self.bank.make(cents) if cents else [])
        if tags:
            self.bank.lay_in(tags)
            self.mat.place(tags, TRAY)
        return self.bank.worth(tags)

    def credit(self) -> int:
        """Chips that the tray has no use for go to the cage; what they are worth."""
        tags = self.bank.too_many()
        if tags:
            self.mat.remove(tags)
            self.bank.take_back(tags)
        return self.bank.worth(tags)


def worth_exactly(tags: list[int], cents: int, worth: dict[int, int]) -> list[int] | None:
    """Some of these chips that make exactly this amount."""
    made: dict[int, list[int]] = {0: []}
    for tag in tags:
        for so_far, chosen in list(made.items()):
            total = so_far + worth[tag]
            if total <= cents and total not in made:
                made[total] = [*chosen, tag]
    return made.get(cents)
