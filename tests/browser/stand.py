"""A whole simulated table with its screens on this test's own loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from controller.config import default_config
from controller.levers import WheelLevers
from controller.paced import PacedClock
from controller.simulation import SimulatedTable
from controller.web.server import WebServer, WebSettings, serve


class Stand:
    """The table and the address of its screens."""

    def __init__(self, table: SimulatedTable, server: WebServer) -> None:
        self.table = table
        self.runtime = table.runtime
        self.server = server

    @property
    def url(self) -> str:
        return self.server.url


@contextlib.asynccontextmanager
async def stand(folder: Path, speed: float = 1.0, seed: int = 1, port: int = 0) -> AsyncIterator[Stand]:
    """A table that runs on real time, `speed` times as fast."""
    clock = PacedClock(asyncio.get_running_loop(), speed)
    table = SimulatedTable(default_config(), folder / "table.db", clock, seed)
    table.start()
    table.runtime.drivers["wheel"].desire({"live_rate": 20})
    settings = WebSettings(port=port, access=str(folder / "screens.json"))
    server = await serve(table.runtime, table.config, bench=WheelLevers(table, seed), settings=settings)
    try:
        yield Stand(table, server)
    finally:
        await server.stop()
        table.stop()
