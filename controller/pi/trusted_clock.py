"""What the kernel knows of this machine's clock: whether it follows a trusted one, and how far it may be from it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from controller.core.events import ClockCompared
from firmware_specs.clock import Clock, Timer

EVERY_S = 600.0
AGAIN_S = 30.0
"""A clock that cannot be right is looked at again soon: somebody may be setting it."""
EARLIEST = datetime(2024, 1, 1, tzinfo=UTC)
"""No table with this program existed before."""
BACK_MS = 60_000
"""An event of the past may be this far ahead of a clock that was a little fast then."""
MOVED_MS = 50
"""A difference that changed by less is not told again."""
_UNSYNCHRONISED, _NANOSECONDS = 0x0040, 0x2000
_ERROR = 5
"""What the call returns while the clock follows nothing."""
_LONGS = 40
"""More than the kernel's struct timex; its first six words are modes, offset, frequency, errors and status."""


class Reading(NamedTuple):
    """The kernel's answer; `offset_us` is what it still takes out of the clock, `error_us` what it may be wrong by."""

    followed: bool
    offset_us: int
    error_us: int


def kernel() -> Reading | None:
    """Ask without changing anything; None where there is no such call."""
    import ctypes  # loaded by nothing else that a table needs

    words = (ctypes.c_long * _LONGS)()  # modes 0: nothing is set
    try:
        state = ctypes.CDLL(None).adjtimex(words)
    except (OSError, AttributeError):
        return None
    if state < 0:
        return None
    _, offset, _, error, _, status, *_ = words
    offset_us = offset // 1000 if status & _NANOSECONDS else offset
    return Reading(state != _ERROR and not status & _UNSYNCHRONISED, offset_us, error)


def compared(reading: Reading | None) -> ClockCompared:
    """The reading as the journal keeps it."""
    if reading is None or not reading.followed:
        return ClockCompared(False)
    return ClockCompared(True, round(reading.offset_us / 1000), -(-reading.error_us // 1000))


def impossible(now_ms: int, past_ms: int) -> str:
    """Why a clock that shows this cannot be right, given the last event of before; empty when it can."""
    now, past = (datetime.fromtimestamp(ms / 1000, UTC) for ms in (now_ms, past_ms))
    if now < EARLIEST:
        return f"shows {now:%Y-%m-%d}"
    return f"is behind the events of {past:%Y-%m-%d %H:%M} UTC" if now_ms < past_ms - BACK_MS else ""


class TrustedClock:
    """Tells the table at its start, and whenever what is known of its clock has changed.

    `past_ms` is when the last event was written before this start.
    """

    def __init__(
        self,
        clock: Clock,
        tell: Callable[[ClockCompared], None],
        ask: Callable[[], Reading | None] = kernel,
        past_ms: int = 0,
    ) -> None:
        self._clock, self._tell, self._ask, self._past_ms = clock, tell, ask, past_ms
        self._last: ClockCompared | None = None
        self._timer: Timer | None = None

    def start(self) -> None:
        wrong = impossible(self._clock.wall(), self._past_ms)
        found = msgspec.structs.replace(compared(self._ask()), impossible=wrong)
        if self._last is None or _differs(self._last, found):
            self._last = found
            self._tell(found)
        self._timer = self._clock.call_later(AGAIN_S if wrong else EVERY_S, self.start)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def _differs(before: ClockCompared, now: ClockCompared) -> bool:
    return (
        (before.followed, before.impossible) != (now.followed, now.impossible)
        or abs(before.ahead_ms - now.ahead_ms) > MOVED_MS
        or now.within_ms > 2 * before.within_ms + MOVED_MS
    )
