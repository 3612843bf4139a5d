"""What open pages are told: each table's line when it changes, and a beat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from typing import Any

import msgspec
from sqlalchemy import Engine

from controller.web.waiting import pause, within
from floor.presence import Presence
from floor.web.glance import tables, urgency

FRAME_S = 0.25
"""At most this often is the store asked for all pages together, and for the tables that have said something."""
BEAT_S = 1.0

_encode = msgspec.json.Encoder().encode


class Board:
    """Keeps every table's line as it was last sent; a page owes nothing but the numbers it has not seen."""

    def __init__(self, engine: Engine, presence: Presence, trouble: Callable[[], str]) -> None:
        self._engine, self._presence, self._trouble = engine, presence, trouble
        self._lines: dict[str, tuple[int, bytes]] = {}
        self._revision = 0
        self._urgency: dict[str, tuple[int, str]] = {}
        self._order: tuple[str, ...] = ()
        self._stale = self._all = True
        self._touched: set[str] = set()
        self._refreshed = asyncio.Event()
        self.pages = 0

    def changed(self, tables: Collection[str] | None = None) -> None:
        """Something is in the store that was not: of these tables, or of any."""
        self._stale = True
        self._all = self._all or tables is None
        self._touched.update(tables or ())

    async def run(self) -> None:
        """Look at the store as long as somebody looks at the page; until it is cancelled."""
        while True:
            await pause(FRAME_S)
            if self.pages and self._stale:
                self._stale = False
                await self.refresh()

    async def refresh(self) -> None:
        only = None if self._all else self._touched
        self._all, self._touched = False, set()
        try:
            lines = await asyncio.to_thread(self._read, only)
        except BaseException:
            self._all = True
            raise
        self._revision += 1
        if only is None:
            self._urgency = {}
        for line in lines:
            body, self._urgency[line["slug"]] = _encode(line), urgency(line)
            if self._lines.get(line["slug"], (0, b""))[1] != body:
                self._lines[line["slug"]] = (self._revision, body)
        self._order = tuple(sorted(self._urgency, key=self._urgency.__getitem__))
        done, self._refreshed = self._refreshed, asyncio.Event()
        done.set()

    def _read(self, only: Collection[str] | None) -> list[dict[str, Any]]:
        with self._engine.connect() as connection:
            return tables(connection, self._presence, only)

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
