"""Which amounts the chips really in the float can make, and with which chips."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

Chips = Mapping[int, int]
"""How many chips there are of each denomination in cents."""


def chips_for(cents: int, chips: Chips) -> dict[int, int] | None:
    """Chips that make exactly this amount, large ones first; None when these chips cannot."""
    reach = _Reach(cents, chips)
    return reach.chips(cents) if reach.makes(cents) else None


def payable(cents: int, chips: Chips) -> bool:
    """Whether these chips make exactly this amount."""
    return _Reach(cents, chips).makes(cents)


def next_payable(cents: int, chips: Chips) -> int | None:
    """The least amount of at least this much that these chips make; None when all of them are not enough."""
    # Whoever has enough chips can stop within one chip's value of the amount.
    most = cents + max((value for value, count in chips.items() if count > 0), default=0)
    return _Reach(most, chips).at_least(cents)


def last_payable(cents: int, chips: Chips) -> int:
    """The greatest amount of at most this much that these chips make; 0 is always one."""
    return _Reach(cents, chips).at_most(cents)


class _Reach:
    """Every amount up to `most` that can be made: bit n of a number stands for n units."""

    def __init__(self, most: int, chips: Chips) -> None:
        if any(value <= 0 or count < 0 for value, count in chips.items()):
            raise ValueError("chips have a value above nothing and are counted from nothing on")
        self.unit = gcd(*(value for value, count in chips.items() if count)) or 1
        mask = (1 << (max(most, 0) // self.unit + 1)) - 1
        reach = 1
        self._steps: list[tuple[int, int, int]] = []
        for value in sorted(chips):
            left = chips[value]
            bundle = 1
            # Bundles of 1, 2, 4, … chips give every count up to all of them.
            while left:
                taken = min(bundle, left)
                self._steps.append((value, taken, reach))
                reach |= reach << (taken * value // self.unit) & mask
                left -= taken
                bundle *= 2
        self._reach = reach

    def makes(self, cents: int) -> bool:
        return cents >= 0 and cents % self.unit == 0 and bool(self._reach >> (cents // self.unit) & 1)

    def at_least(self, cents: int) -> int | None:
        start = -(-max(cents, 0) // self.unit)
        above = self._reach >> start
        if not above:
            return None
        return (start + (above & -above).bit_length() - 1) * self.unit

    def at_most(self, cents: int) -> int:
        below = self._reach & ((1 << (max(cents, 0) // self.unit + 1)) - 1)
        return (below.bit_length() - 1) * self.unit

    def chips(self, cents: int) -> dict[int, int]:
        found: dict[int, int] = {}
        left = cents
        for value, count, before in reversed(self._steps):
            worth = value * count
            after = left - worth
            if after >= 0 and before >> (after // self.unit) & 1:
                found[value] = found.get(value, 0) + count
                left = after
        return found
