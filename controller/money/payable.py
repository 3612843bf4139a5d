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
