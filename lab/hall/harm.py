"""What goes wrong in an event's house: controllers and the hall killed, lines to the floor cut and mended."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.hall.whole import WholeEvent

LATEST = 0.9
"""By when of an event everything has gone wrong that is to; the rest shows that nothing came of it."""
CUT_S = (20.0, 900.0)
"""A line stays cut for so long: beyond the age at which a table turns an order away."""


class Harm:
    """Breaks something so many times, spread over the event as chance has it; counts what it did."""

    def __init__(self, seed: int, times: int) -> None:
        self._rng = random.Random(seed)
        self._due = sorted((self._rng.uniform(0.0, LATEST) for _ in range(times)), reverse=True)
        self.tables = self.halls = self.cuts = 0

    def __call__(self, event: WholeEvent) -> None:
        """Whenever people at the hall look up while a session is played: everything that is due by then.

        An event of a few hands is over at once; what is left of it goes wrong while tables are closed and set free.
        """
        phase = event.hall.state.phase
        if phase not in ("running", "awarded"):
            return
        reached = event.reached() if phase == "running" else 1.0
        while self._due and self._due[-1] <= reached:
            self._due.pop()
            self._rng.choice((self._kill_table, self._kill_hall, self._cut))(event)

    def missing(self) -> list[str]:
        """What was asked for and never came about."""
        return [f"{len(self._due)} more were to go wrong, and the event was over before"] if self._due else []

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
