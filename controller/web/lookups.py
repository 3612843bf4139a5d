"""Looking things up in the journal on a thread of its own, one after the other: the table never waits for a record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

WAITING_MOST = 4
LOOKUP_S = 20.0


class TooManyLookups(Exception):
    """Others wait for their records already."""


class Lookups:
    """A thread, made when it is needed first, and the few who may wait for it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "lookups")
        self._waiting = 0

    async def beside(self, look: Callable[[], T]) -> T:
        """What `look` finds, without holding up the loop; it must not touch what the loop changes."""
        if self._waiting >= WAITING_MOST:
            raise TooManyLookups("Other records are being looked up; try again in a moment.")
        self._waiting += 1
        try:
            async with asyncio.timeout(LOOKUP_S):
                return await asyncio.get_running_loop().run_in_executor(self._thread, look)
        except TimeoutError as late:
            raise TooManyLookups("The record could not be read in time; try again in a moment.") from late
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
