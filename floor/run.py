"""A floor at work: store, listener and pages, until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator, Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import Engine
from starlette.routing import BaseRoute

from controller.journal.cosignature import WitnessKey, read_witness_key
from controller.journal.head import HeadTrouble
from controller.report.days import HouseDays
from floor.acts import ActTrouble, known, read_acts
from floor.config import FloorConfig
from floor.intake import Intake
from floor.known import Known
from floor.listen import Listener
from floor.presence import Presence
from floor.store.database import opened
from floor.web.board import Board
from floor.web.server import FloorServer

if TYPE_CHECKING:
    from floor.fleet.shepherd import Shepherd
    from floor.fleet.web import FleetPages
    from floor.hall.service import HallService

ARCHIVE_S = 3600.0
SETTLED_S = 60.0
"""A floor that has just started hears its tables before it looks at days that are over."""
Say = Callable[[str], None]
HALL_LOOKS_S = 0.5
"""A move or a level reaches people within a second."""
log = structlog.get_logger()


class Floor:
    """Everything one floor has in memory; `listening` runs it."""

    def __init__(self, config: FloorConfig) -> None:
        self.config = config
        self.engine: Engine = opened(config.floor.store)
        self.presence = Presence()
        self.key = key_of(config)
        self.intake = Intake(self.engine, known_to(config, self.key), self.key, time.time)
        self.presence.expect(one.address.origin for one in self.intake.journals.values() if not one.broken)
        self.listener = Listener(self.intake, config.broker, self.presence)
        self._keys_at = self._stamp()
        self.listener.looked = self._look_at_keys
        self.shepherd = self._shepherd()

    def _stamp(self) -> tuple[float, ...]:
        files = (Path(self.config.floor.tables), Path(self.config.floor.acts))
        return tuple(path.stat().st_mtime if path.exists() else 0.0 for path in files)

    def _look_at_keys(self) -> None:
        """Know what was changed about keys since the last look; what cannot be read is told, and the old holds."""
        stamp = self._stamp()
        if stamp == self._keys_at:
            return
        self._keys_at = stamp
        try:
            self.intake.know(known_to(self.config, self.key))
        except (ActTrouble, HeadTrouble) as trouble:
            log.error("keys_not_read", why=str(trouble))

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Hear the tables as long as this lasts."""
        work = [self.listener.run(), self.listener.look(), self._archiving()]
        if self.shepherd is not None:
            work.append(self.shepherd.run())
        tasks = [asyncio.ensure_future(each) for each in work]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _shepherd(self) -> Shepherd | None:
        """Who follows what is rolled out to the tables' machines; a floor without a key can want nothing of them."""
        key = self.key
        if key is None:
            return None
        from floor.fleet.shepherd import Shepherd

        return Shepherd(self.config.broker, key, lambda: known_to(self.config, key), self.config.revisions)

    async def _archiving(self) -> None:
        """Write what is due for the archive every hour; until it is cancelled."""
        folder = self.config.floor.archive
        await asyncio.sleep(SETTLED_S)
        while folder:
            try:
                await asyncio.to_thread(_archive, self.engine, Path(folder), self.config.floor.days)
            except Exception as error:  # a full disk, a broken store: told, and tried again in an hour
                log.error("day_not_archived", why=str(error), remedy="tablectl floor archive says more")
            await asyncio.sleep(ARCHIVE_S)

    def close(self) -> None:
        self.engine.dispose()


def _archive(engine: Engine, folder: Path, days: HouseDays) -> None:
    from floor.archive import archive  # takes a while to load

    for day in archive(engine, folder, int(time.time() * 1000), days):
        log.info("day_archived", journal=day.origin, day=day.day, first=day.first, last=day.last)


def key_of(config: FloorConfig) -> WitnessKey | None:
    """The floor's own key, where it has one."""
    path = Path(config.floor.key)
    return read_witness_key(path) if path.exists() else None


def known_to(config: FloorConfig, key: WitnessKey | None) -> Known:
    """The tables' keys, by the file of the set-up and all acts since."""
    return known(Path(config.floor.tables), read_acts(Path(config.floor.acts), key.public if key is not None else None))


def _further(config: FloorConfig, floor: Floor) -> tuple[BaseRoute, ...]:
    """What is served besides the pages."""
    if config.metrics is None:
        return ()
    from floor.metrics import route

    folder, trouble = Path(config.floor.key).parent, lambda: floor.listener.trouble
    shepherd = floor.shepherd
    if shepherd is None:
        return (route(floor.intake, floor.presence, trouble, folder, config.metrics.token),)
    from floor.fleet.numbers import FleetNumbers

    fleet = FleetNumbers(lambda: shepherd.fleet)
    return (route(floor.intake, floor.presence, trouble, folder, config.metrics.token, fleet),)


def _hall(config: FloorConfig, floor: Floor) -> HallService | None:
    """The tournament that is run here, if any."""
    if config.hall is None:
        return None
    from floor.hall.service import HallService

    return HallService(Path(config.hall.journal), floor.engine, floor.key, lambda: int(time.time() * 1000))


def _fleet(floor: Floor) -> FleetPages | None:
    """The page of the tables' machines, where somebody follows them."""
    shepherd = floor.shepherd
    if shepherd is None:
        return None
    from floor.fleet.web import FleetPages

    return FleetPages(lambda: shepherd.fleet, lambda: shepherd.trouble)


async def _follow(hall: HallService, said: asyncio.Event) -> None:
    """Bring the hall what its tables have said, as soon as the store has it."""
    while True:
        await asyncio.to_thread(hall.pull)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(said.wait(), HALL_LOOKS_S)
        said.clear()


async def run_floor(config: FloorConfig, say: Say) -> None:
    """Listen and serve until a signal comes."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    floor = Floor(config)
    if floor.key is None:
        say(f"{config.floor.key}: no key, so nothing is countersigned; make one: tablectl floor key")
    board = Board(floor.engine, floor.presence, lambda: floor.listener.trouble)
    said = asyncio.Event()

    def changed(tables: Collection[str] | None) -> None:
        board.changed(tables)
        said.set()

    floor.listener.changed = changed
    hall = _hall(config, floor)
    if hall is not None:
        hall.sent = floor.listener.ordered
    pages = hall.pages(config.hall.officers) if hall is not None and config.hall is not None else None
    server = FloorServer(config, floor.engine, board, floor.key, _further(config, floor), pages, _fleet(floor))
    if hall is not None:
        await asyncio.to_thread(hall.pull)  # an old copy of the hall's journal is found out before anybody acts on it
    async with floor.listening():
        following = asyncio.ensure_future(_follow(hall, said)) if hall is not None else None
        await server.start()
        say(f"Floor {config.floor.name}: hears {', '.join(config.broker.servers)}, pages at {server.url}")
        await over.wait()  # until the service manager or a person says stop
        await server.stop()
        if following is not None and hall is not None:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            hall.close()
    floor.close()
