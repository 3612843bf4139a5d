"""The real time that people at screens live in; a table's own clock may be hurried or stand still meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


def now() -> float:
    """Seconds for measuring how long something took."""
    return time.monotonic()


async def pause(seconds: float) -> None:
    """Let this much time pass for a page."""
    await asyncio.sleep(seconds)


async def within(seconds: float, awaited: Awaitable[T]) -> T:
    """Wait for something, this long at most; TimeoutError when it does not come."""
    async with asyncio.timeout(seconds):
        return await awaited
