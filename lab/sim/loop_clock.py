"""Real time for code that is written step by step: the loop runs only while a step waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from firmware_specs.clock import Clock, DeadlineMissed, RealClock

TURN_S = 0.002
"""How long the loop runs between two looks at what is waited for."""


class SteppedClock(Clock, Protocol):
    """A clock that a step can let run: the virtual one at once, the loop's in its time."""

    def run_for(self, seconds: float) -> None: ...

    def run_until(self, condition: Callable[[], bool], deadline: float) -> None:
        """Raises DeadlineMissed, or Deadlock where nothing can happen any more."""


class LoopClock(RealClock):
    """The loop's time, for one who is not on the loop; `speed` is for benches where nothing is real."""

    def __init__(self, loop: asyncio.AbstractEventLoop, speed: float = 1.0) -> None:
        super().__init__(loop, speed)
        self._own_loop = loop
        self._defect: BaseException | None = None
        loop.set_exception_handler(self._went_wrong)

    def run_for(self, seconds: float) -> None:
        """Let this much time pass."""
        self._turn(seconds)

    def run_until(self, condition: Callable[[], bool], deadline: float) -> None:
        """Let the loop run until the condition holds; `deadline` seconds at most."""
        until = self.now() + deadline
        while not condition():
            if self.now() > until:
                raise DeadlineMissed(f"not within {deadline:g} s")
            self._turn(TURN_S * self._speed)

    @property
    def turning(self) -> bool:
        """Whether the loop runs already, so that nobody may wait for it now."""
        return self._own_loop.is_running()

    def _turn(self, seconds: float) -> None:
        timer = self.call_later(seconds, self._own_loop.stop)
        try:
            self._own_loop.run_forever()
        finally:
            timer.cancel()
        if self._defect is not None:
            defect, self._defect = self._defect, None
            raise defect

    def _went_wrong(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What is raised in the loop is raised to whoever waits for it, who would otherwise wait to the end."""
        error = context.get("exception")
        if isinstance(error, BaseException) and self._defect is None:
            self._defect = error
            loop.stop()
        else:
            loop.default_exception_handler(context)
