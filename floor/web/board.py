"""What open pages are told: each table's line when it changes, and a beat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

import msgspec
from sqlalchemy import Engine

from controller.web.waiting import pause, within
from floor.presence import Presence
from floor.web.glance import tables

FRAME_S = 0.5
"""At most this often is the store asked for all pages together."""
BEAT_S = 1.0

_encode = msgspec.json.Encoder().encode


class Board:
    """Keeps every table's line as it was last sent; a page owes nothing but the numbers it has not seen."""

    def __init__(self, engine: Engine, presence: Presence, trouble: Callable[[], str]) -> None:
        self._engine, self._presence, self._trouble = engine, presence, trouble
        self._lines: dict[str, tuple[int, bytes]] = {}
        self._revision = 0
        self._order: tuple[str, ...] = ()
        self._stale = True
        self._refreshed = asyncio.Event()
        self.pages = 0

    def changed(self) -> None:
        """Something is in the store that was not."""
        self._stale = True

    async def run(self) -> None:
        """Look at the store as long as somebody looks at the page; until it is cancelled."""
        while True:
            await pause(FRAME_S)
            if self.pages and self._stale:
                self._stale = False
                await self.refresh()

    async def refresh(self) -> None:
        lines = await asyncio.to_thread(self._read)
        self._revision += 1
        for line in lines:
            body = _encode(line)
            if self._lines.get(line["slug"], (0, b""))[1] != body:
                self._lines[line["slug"]] = (self._revision, body)
        self._order = tuple(line["slug"] for line in lines)
        done, self._refreshed = self._refreshed, asyncio.Event()
        done.set()

    def _read(self) -> list[dict[str, Any]]:
        with self._engine.connect() as connection:
            return tables(connection, self._presence)

    def frame(self, since: int) -> bytes:
        """Lines that changed after this revision, and the order of all."""
        changed = b",".join(body for revision, body in self._lines.values() if revision > since)
        order, trouble = _encode(self._order), _encode(self._trouble())
        said = b'{"revision":%d,"order":%b,"trouble":%b,"lines":[%b]}' % (self._revision, order, trouble, changed)
        return b"event: tables\ndata: %b\n\n" % said

    async def frames(self) -> AsyncGenerator[bytes, None]:
        """Everything first, then what changes, and a beat when nothing does."""
        yield b"retry: 500\n\n"
        await self.refresh()
        seen, yielded = self._revision, self.frame(0)
        while True:
            yield yielded
            try:
                await within(BEAT_S, self._refreshed.wait())
                yielded, seen = self.frame(seen), self._revision
            except TimeoutError:
                yielded = b"event: beat\ndata: %b\n\n" % _encode(self._trouble())
