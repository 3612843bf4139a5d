"""A floor at work: store, listener and pages, until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import structlog
from sqlalchemy import Engine
from starlette.routing import BaseRoute

from controller.journal.cosignature import WitnessKey, read_witness_key
from floor.config import FloorConfig
from floor.intake import Intake
from floor.known import Known, read_known
from floor.listen import Listener
from floor.presence import Presence
from floor.store.database import opened
from floor.web.board import Board
from floor.web.server import FloorServer

ARCHIVE_S = 3600.0
SETTLED_S = 60.0
"""A floor that has just started hears its tables before it looks at days that are over."""

log = structlog.get_logger()
Say = Callable[[str], None]


class Floor:
    """Everything one floor has in memory; `listening` runs it."""

    def __init__(self, config: FloorConfig) -> None:
        self.config = config
        self.engine: Engine = opened(config.floor.store)
        self.presence = Presence()
        self.key = key_of(config)
        self.intake = Intake(self.engine, known_tables(config), self.key, time.time)
        self.presence.expect(one.address.origin for one in self.intake.journals.values() if not one.broken)
        self.listener = Listener(self.intake, config.broker, self.presence)

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Hear the tables as long as this lasts."""
        work = (self.listener.run(), self.listener.look(), self._archiving())
        tasks = [asyncio.ensure_future(each) for each in work]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _archiving(self) -> None:
        """Write what is due for the archive every hour; until it is cancelled."""
        folder = self.config.floor.archive
        await asyncio.sleep(SETTLED_S)
        while folder:
            try:
                await asyncio.to_thread(_archive, self.engine, Path(folder))
            except Exception as error:  # a full disk, a broken store: told, and tried again in an hour
                log.error("day_not_archived", why=str(error), remedy="tablectl floor archive says more")
            await asyncio.sleep(ARCHIVE_S)

    def close(self) -> None:
        self.engine.dispose()


def _archive(engine: Engine, folder: Path) -> None:
    from floor.archive import archive  # takes a while to load

    for day in archive(engine, folder, int(time.time() * 1000)):
        log.info("day_archived", journal=day.origin, day=day.day, first=day.first, last=day.last)


def key_of(config: FloorConfig) -> WitnessKey | None:
    """The floor's own key, where it has one."""
    path = Path(config.floor.key)
    return read_witness_key(path) if path.exists() else None


def known_tables(config: FloorConfig) -> Known:
    """The tables whose keys the floor has."""
    path = Path(config.floor.tables)
    return read_known(path) if path.exists() else Known({})


def _further(config: FloorConfig, floor: Floor) -> tuple[BaseRoute, ...]:
    """What is served besides the pages."""
    if config.metrics is None:
        return ()
    from floor.metrics import route

    folder, trouble = Path(config.floor.key).parent, lambda: floor.listener.trouble
    return (route(floor.intake, floor.presence, trouble, folder, config.metrics.token),)


async def run_floor(config: FloorConfig, say: Say) -> None:
    """Listen and serve until a signal comes."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    floor = Floor(config)
    if floor.key is None:
        say(f"{config.floor.key}: no key, so nothing is countersigned; make one: tablectl floor key")
    board = Board(floor.engine, floor.presence, lambda: floor.listener.trouble)
    floor.listener.changed = board.changed
    server = FloorServer(config, floor.engine, board, floor.key, _further(config, floor))
    async with floor.listening():
        await server.start()
        say(f"Floor {config.floor.name}: hears {', '.join(config.broker.servers)}, pages at {server.url}")
        await over.wait()  # until the service manager or a person says stop
        await server.stop()
    floor.close()
