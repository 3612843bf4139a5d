"""The one clock that everything which waits is given: virtual for simulation and tests, real beside a table.

Both ends of a wire measure their deadlines with it, so it lives with the wire's contract.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable
from typing import Any, Protocol

Action = Callable[..., object]
FIRST_MORNING_MS = 1_767_225_600_000
"""When virtual time begins: the first of January 2026, UTC."""


class Timer(Protocol):
    """Something scheduled that can still be called off."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """Seconds for waiting, milliseconds since the epoch for the record."""

    def now(self) -> float: ...

    def wall(self) -> int: ...

    def call_at(self, when: float, action: Action, *args: Any) -> Timer: ...

    def call_later(self, delay: float, action: Action, *args: Any) -> Timer: ...


class Deadlock(RuntimeError):
    """Nothing is scheduled any more, so what is waited for can never happen."""


class DeadlineMissed(RuntimeError):
    """What was waited for did not happen in time."""


class _Entry(list[Any]):
    """A heap entry [when, sequence, action, args]; a cancelled one has no action."""

    __slots__ = ()

    def cancel(self) -> None:
        self[2] = None


class VirtualClock:
    """A heap of actions in time order; equal times keep the order in which they were asked for."""

    def __init__(self, epoch_ms: int = FIRST_MORNING_MS) -> None:
        self._now = 0.0
        self._sequence = 0
        self._heap: list[_Entry] = []
        self._epoch_ms = epoch_ms

    def now(self) -> float:
        return self._now

    def wall(self) -> int:
        return self._epoch_ms + round(self._now * 1000)

    def call_at(self, when: float, action: Action, *args: Any) -> Timer:
        self._sequence += 1
        entry = _Entry((when if when > self._now else self._now, self._sequence, action, args))
        heapq.heappush(self._heap, entry)
        return entry

    def call_later(self, delay: float, action: Action, *args: Any) -> Timer:
        self._sequence += 1
        entry = _Entry((self._now + delay if delay > 0 else self._now, self._sequence, action, args))
        heapq.heappush(self._heap, entry)
        return entry

    def step(self) -> bool:
        """Run the next action; False when there is none."""
        heap = self._heap
        while heap:
            when, _, action, args = heapq.heappop(heap)
            if action is None:
                continue
            self._now = when
            action(*args)
            return True
        return False

    def run_for(self, seconds: float) -> None:
        """Let this much time pass."""
        until = self._now + seconds
        heap = self._heap
        while heap and heap[0][0] <= until:
            if heap[0][2] is None:  # called off; what comes after it may lie beyond the end
                heapq.heappop(heap)
            else:
                self.step()
        self._now = max(self._now, until)

    def run_until(self, condition: Callable[[], bool], deadline: float) -> None:
        """Run until the condition holds; `deadline` seconds at most."""
        until = self._now + deadline
        heap, take = self._heap, heapq.heappop
        while not condition():
            action = None
            while action is None:  # one called off is passed over
                if not heap:
                    raise Deadlock("nothing is scheduled any more, and what is waited for has not happened")
                entry = take(heap)
                when, _, action, args = entry
            if when > until:
                heapq.heappush(heap, entry)
                raise DeadlineMissed(f"not within {deadline:g} s of virtual time")
            self._now = when
            action(*args)


class RealClock:
    """The loop's own time, optionally sped up for a simulated table that a person watches."""

    def __init__(self, loop: asyncio.AbstractEventLoop, speed: float = 1.0) -> None:
        self._loop = loop
        self._speed = speed
        self.speed = speed
        self._start = loop.time()
        self._wall_start = time.time()

    def now(self) -> float:
        return (self._loop.time() - self._start) * self._speed

    def wall(self) -> int:
        if self._speed == 1.0:
            return round(time.time() * 1000)
        return round((self._wall_start + self.now()) * 1000)

    def call_at(self, when: float, action: Action, *args: Any) -> Timer:
        return self._loop.call_at(self._start + when / self._speed, action, *args)

    def call_later(self, delay: float, action: Action, *args: Any) -> Timer:
        return self._loop.call_later(max(delay, 0.0) / self._speed, action, *args)
