"""The clock of many tables in one process: they play what time has passed since the last turn, and tell real time."""

from __future__ import annotations

import asyncio
import heapq
import time

from firmware_specs.clock import VirtualClock

TURN_S = 0.02
"""How often they play; a timer of its own for each thing that falls due would cost more than the play itself."""
LONG_S = 0.02
"""The longest that other work of the loop waits for them at once."""
BEHIND_S = 1.0
"""Tables that are hurried and fall further behind leave it at that; at their real pace they make up for all of it."""


class HouseClock(VirtualClock):
    """Virtual time that follows the machine's, `speed` times as fast."""

    def __init__(self, speed: float = 1.0) -> None:
        super().__init__(round(time.time() * 1000))
        self._speed = speed
        self._began = time.monotonic()

    async def run(self) -> None:
        """Until it is cancelled; building many tables takes a while, which they need not play afterwards."""
        self._epoch_ms, self._began = round(time.time() * 1000 - self._now * 1000), time.monotonic() - self._now
        while True:
            await asyncio.sleep(0.0 if self._turn() else TURN_S)

    def _turn(self) -> bool:
        """Play what fell due; whether there is more of it."""
        until, target = time.monotonic() + LONG_S, (time.monotonic() - self._began) * self._speed
        heap = self._heap
        while heap and heap[0][0] <= target:
            if time.monotonic() > until:
                self._leave(target)
                return True
            if heap[0][2] is None:  # called off; what comes after it may lie beyond
                heapq.heappop(heap)
            else:
                self.step()
        self._now = max(self._now, target)
        return False

    def _leave(self, target: float) -> None:
        """Hurried tables that cannot be hurried so much play as fast as they can."""
        behind = (target - self._now) / self._speed
        if self._speed != 1.0 and behind > BEHIND_S:
            self._began += behind - BEHIND_S
