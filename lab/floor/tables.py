"""Several simulated tables in one process, each with its own journal, key, uplink and connection.

`python -m lab.floor.tables PLAN` plays what a plan says until it is told to stop.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from pathlib import Path

import msgspec

from controller import log
from controller.config.types import TableConfig, UplinkSection
from controller.devices import inline
from controller.journal.head import Head, Note, TableKey
from controller.uplink import following
from lab.floor.pace import HouseClock
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable


class Planned(msgspec.Struct, frozen=True):
    """One table to play: its name, what it plays, from which seed, and the seed of its key."""

    name: str
    game: str
    rulebook: str
    seed: int
    key: bytes


class Plan(msgspec.Struct, frozen=True):
    """What one process plays, where it keeps its journals, and the uplink they all have."""

    folder: str
    uplink: UplinkSection
    speed: float
    tables: tuple[Planned, ...]


def config_of(planned: Planned) -> TableConfig:
    """The simulated table of this name."""
    config = default_config(planned.game, rulebook=planned.rulebook)
    return msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, name=planned.name))


def journal_of(folder: Path, planned: Planned) -> Path:
    return folder / f"{planned.seed:04}.sqlite"


class FloorTable:
    """A simulated table that signs its heads and sends its rows."""

    def __init__(self, plan: Plan, planned: Planned, clock: HouseClock) -> None:
        self.table = SimulatedTable(
            config_of(planned), journal_of(Path(plan.folder), planned), clock, planned.seed, durable=False
        )
        self._key = TableKey(planned.key)
        self._note: Note | None = None
        runtime = self.table.runtime
        runtime.journal.took = self._sign
        runtime.newest_head = lambda: self._note
        self.uplink = following(runtime, plan.uplink, self._key)

    def _sign(self, head: Head) -> None:
        self._note = self._key.sign(head)

    def start(self) -> None:
        self.table.start(inline(self.table.runtime))


class Uplinks:
    """The uplinks of all tables here on one thread beside theirs."""

    def __init__(self, tables: list[FloorTable]) -> None:
        self._tables = tables
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="uplinks", daemon=True)

    async def _run(self) -> None:
        await asyncio.gather(*(one.uplink.run() for one in self._tables))

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        for one in self._tables:
            one.uplink.stop()
        self._thread.join(10.0)


async def play(plan: Plan) -> None:
    """Play every table of a plan until a signal comes."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    clock = HouseClock(plan.speed)
    tables = [FloorTable(plan, planned, clock) for planned in plan.tables]
    for one in tables:
        one.start()
    uplinks = Uplinks(tables)
    uplinks.start()
    playing = asyncio.ensure_future(clock.run())
    await over.wait()  # until whoever started this says stop
    playing.cancel()
    for one in tables:
        one.table.stop()
    uplinks.stop()


def main() -> None:
    log.setup(level="warning")
    asyncio.run(play(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Plan)))


if __name__ == "__main__":
    main()
