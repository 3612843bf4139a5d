"""A clock for a table that people watch: real time by default, and it can be hurried, held and stepped."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from typing import Any

from firmware_specs.clock import Action, DeadlineMissed, RealClock, Timer, VirtualClock

TURN_S = 0.02
"""The longest the loop is kept from its other work at once; a simulation that needs more falls behind real time."""


class PacedClock(VirtualClock):
    """Virtual time that follows the loop's, `speed` times as fast, unless it is paused."""

    def __init__(self, loop: asyncio.AbstractEventLoop, speed: float = 1.0) -> None:
        super().__init__(RealClock(loop).wall())
        self._loop = loop
        self._speed = speed
        self._paused = False
        self._anchor_loop = loop.time()
        self._anchor = 0.0
        self._wake: asyncio.TimerHandle | None = None
        self._running = False

    # -- a person's hand ---------------------------------------------------------------------------------------

    @property
    def speed(self) -> float:
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._take_anchor()
        self._speed = speed
        self._arrange()

    @property
    def paused(self) -> bool:
        return self._paused

    def pause(self) -> None:
        self._take_anchor()
        self._paused = True
        self._arrange()

    def resume(self) -> None:
        self._take_anchor()
        self._paused = False
        self._arrange()

    def jump(self, seconds: float) -> None:
        """Let this much time pass at once, whatever the pace."""
        self._running = True
        try:
            super().run_for(seconds)
        finally:
            self._running = False
        self._take_anchor()
        self._arrange()

    # -- as a clock --------------------------------------------------------------------------------------------

    def now(self) -> float:
        if not self._running:
            self._now = max(self._now, min(self._target(), self._next_due()))
        return self._now

    def wall(self) -> int:
        self.now()
        return super().wall()

    def call_at(self, when: float, action: Action, *args: Any) -> Timer:
        self.now()
        timer = super().call_at(when, action, *args)
        if not self._running:
            self._arrange()
        return timer

    def call_later(self, delay: float, action: Action, *args: Any) -> Timer:
        return self.call_at(self.now() + delay, action, *args)

    # -- following the loop ------------------------------------------------------------------------------------

    def _target(self) -> float:
        if self._paused:
            return self._anchor
        return self._anchor + (self._loop.time() - self._anchor_loop) * self._speed

    def _next_due(self) -> float:
        heap = self._heap
        while heap and heap[0][2] is None:  # called off; what comes after it may not be due yet
            heapq.heappop(heap)
        return heap[0][0] if heap else float("inf")

    def _take_anchor(self) -> None:
        self._anchor = self.now()
        self._anchor_loop = self._loop.time()

    def _arrange(self) -> None:
        """Wake when the next action falls due."""
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        if self._heap and not self._paused:
            wait = (self._next_due() - self._target()) / self._speed
            self._wake = self._loop.call_later(max(0.0, wait), self._run_due)

    def _run_due(self) -> None:
        self._wake = None
        target = self._target()
        until = self._loop.time() + TURN_S
        self._running = True
        try:
            while not self._paused and self._next_due() <= target and self.step():
                if self._loop.time() > until:
                    self._anchor, self._anchor_loop = self._now, self._loop.time()
                    break
        finally:
            self._running = False
        self._arrange()


PUMP_S = 0.005
"""How long the loop runs between two looks at what a step waits for."""


class Interrupted(Exception):
    """Whoever watches wants something else; what was played is left where it stands."""


class PumpedClock(PacedClock):
    """Paced time for code that is written step by step: while a step waits, the loop runs and pages are served."""

    def __init__(self, loop: asyncio.AbstractEventLoop, speed: float, ended: Callable[[], bool]) -> None:
        super().__init__(loop, speed)
        self._ended = ended

    def run_for(self, seconds: float) -> None:
        until = self.now() + seconds
        while self.now() < until:
            self._pump()

    def run_until(self, condition: Callable[[], bool], deadline: float) -> None:
        until = self.now() + deadline
        while not condition():
            if self.now() > until:
                raise DeadlineMissed(f"not within {deadline:g} s")
            self._pump()

    def hold(self) -> None:
        """Serve pages until it is ended."""
        while not self._ended():
            self._turn()

    def _pump(self) -> None:
        self._turn()
        if self._ended():
            raise Interrupted

    def _turn(self) -> None:
        timer = self._loop.call_later(PUMP_S, self._loop.stop)
        try:
            self._loop.run_forever()
        finally:
            timer.cancel()
