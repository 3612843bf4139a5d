"""Whose chips are that were lifted a moment ago: slid by whatever hand, they are still their owner's where they lie."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

SLIDE_MS = 2_000
"""A hand that slides chips from one area to another has laid them down by then; whoever lifts them for longer has
taken them, and may stake them as their own."""


class Lifted(msgspec.Struct, frozen=True):
    """Whose a chip was where it lay last, and when it was lifted there."""

    owner: str
    at: int


class Slid(msgspec.Struct):
    """Chips that have left the layout, by tag."""

    lifted: dict[int, Lifted] = {}
    begun: int = 0  # when betting began

    def begin(self, at: int) -> None:
        """Betting begins: chips that were lifted before were taken, and whoever lays them now stakes their own."""
        self.lifted, self.begun = {}, at

    def lift(self, owners: Iterable[tuple[int, str]], at: int) -> None:
        """These chips left areas where somebody owned them."""
        self.lifted = {tag: one for tag, one in self.lifted.items() if at - one.at <= SLIDE_MS}
        if at >= self.begun:
            self.lifted |= {tag: Lifted(owner, at) for tag, owner in owners if owner}

    def owner(self, tag: int, at: int) -> str:
        """Whose the chip still is that is laid down now; nobody's that was lifted for good."""
        known = self.lifted.pop(tag, None)
        return known.owner if known is not None and at - known.at <= SLIDE_MS else ""
