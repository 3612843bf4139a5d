"""What goes wrong in an event's house: controllers and the hall killed, lines to the floor cut and mended."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.hall.whole import WholeEvent

OFTEN = 0.02
"""How often, whenever people at the hall look up, something goes wrong while a session is played."""
CUT_S = (20.0, 900.0)
"""A line stays cut for so long: beyond the age at which a table turns an order away."""


class Harm:
    """Breaks something now and then, until it was done so often; counts what it did."""

    def __init__(self, seed: int, times: int, often: float = OFTEN) -> None:
        self._rng = random.Random(seed)
        self._left, self._often = times, often
        self.tables = self.halls = self.cuts = 0

    def __call__(self, event: WholeEvent) -> None:
        if event.hall.state.phase == "running" and self._left and self._rng.random() < self._often:
            self._left -= 1
            self._rng.choice((self._kill_table, self._kill_hall, self._cut))(event)

    def _kill_table(self, event: WholeEvent) -> None:
        self.tables += 1
        self._rng.choice(list(event.tables.values())).kill()

    def _kill_hall(self, event: WholeEvent) -> None:
        self.halls += 1
        event.house.kill_hall()

    def _cut(self, event: WholeEvent) -> None:
        """One table plays on alone; what it wrote comes when the line is back."""
        self.cuts += 1
        table = self._rng.choice(list(event.tables.values()))
        table.connected = False
        event.clock.call_later(self._rng.uniform(*CUT_S), setattr, table, "connected", True)

    def said(self) -> str:
        return f"{self.tables} controllers and {self.halls} halls killed, {self.cuts} lines cut"
