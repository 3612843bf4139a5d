"""A whole simulated table with its screens on the test's own loop; its people stand back unless they are asked."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from controller.config.types import TableConfig
from controller.core.runtime import Told
from controller.devices import inline
from controller.money.dress import ChipRegister
from controller.web.server import WebServer, WebSettings
from controller.web.waiting import pause, within
from lab.pictures.browser import Page
from lab.scenarios.played import find
from lab.sim.config import default_config
from lab.sim.devices import drivers_for, opened
from lab.sim.paced import PacedClock
from lab.sim.page import serve
from lab.sim.table import SimulatedTable, sign_that_shows

LIVE_RATE = 20


class Stand:
    """The table, the address of its screens, and the levers on its simulators."""

    def __init__(self, folder: Path, config: TableConfig, speed: float, seed: int, port: int, play: bool) -> None:
        self.folder = folder
        self.clock = PacedClock(asyncio.get_running_loop(), speed)
        self.table = SimulatedTable(config, folder / "table.db", self.clock, seed)
        self.table.people.stand_back(not play)
        self.runtime = self.table.runtime
        self.levers = find(self.table.config.table.game).levers(self.table, seed, None)
        self.server: WebServer
        self._port = port

    async def start(self) -> None:
        self.table.start()
        await self._serve()

    async def _serve(self) -> None:
        if "wheel" in self.runtime.drivers:
            self.runtime.drivers["wheel"].desire({"live_rate": LIVE_RATE})
        settings = WebSettings(
            port=self._port, pairings=str(self.folder / "screens.json"), staff=str(self.folder / "staff.json")
        )
        self.server = await serve(self.runtime, self.table.config, bench=self.levers, settings=settings)
        self._port = int(self.server.url.rstrip("/").rpartition(":")[2])

    async def go_down(self) -> None:
        """The controller ends; the devices stay as they are."""
        await self.server.stop()
        self.runtime.stop()

    async def come_up(self) -> None:
        """A new controller on the same journal, the same devices and the same address."""
        devices, config = self.table.devices, self.table.config
        register = ChipRegister(devices.bank.register)
        self.runtime = opened(config, self.folder / "table.db", self.clock, register, False)
        drivers_for(self.runtime, config, {place: wire.host for place, wire in devices.wires.items()})
        sign_that_shows(self.runtime, self.clock)
        self.runtime.start("test", config, inline(self.runtime))
        await self._serve()

    async def stop(self) -> None:
        await self.server.stop()
        self.clock.pause()
        self.runtime.stop()
        self.table.devices.stop()

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def state(self) -> str:
        return self.runtime.table.game.machine.state

    def pull(self, lever: str, **args: Any) -> None:
        self.levers.pull(lever, args)

    async def until(self, condition: Callable[[], bool], seconds: float = 30.0) -> None:
        """Wait for something at the table."""
        await until(condition, seconds)

    async def hold_when(self, condition: Callable[[], bool], seconds: float = 30.0) -> None:
        """Wait for something at the table, and let its time stand still there.

        A finger then comes down in time however busy this machine is; `clock.resume()` lets the table go on.
        """

        def look(told: Told) -> None:
            durable = told.seq == self.runtime.guarded.position.seq  # else pages wait for what is still to be written
            if durable and condition():
                self.clock.pause()

        self.runtime.watchers.append(look)
        try:
            await self.until(lambda: self.clock.paused, seconds)
        finally:
            self.runtime.watchers.remove(look)


async def until(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for something that this loop brings about."""

    async def hold() -> None:
        while not condition():
            await pause(0.01)

    await within(seconds, hold())


@contextlib.asynccontextmanager
async def stand(
    folder: Path,
    speed: float = 10.0,
    seed: int = 1,
    port: int = 0,
    play: bool = False,
    config: TableConfig | None = None,
) -> AsyncIterator[Stand]:
    """A table that runs `speed` times as fast as real time."""
    built = Stand(folder, config or default_config(), speed, seed, port, play)
    await built.start()
    try:
        yield built
    finally:
        await built.stop()


async def sign_in(page: Page, staff: str) -> None:
    """Touch the key and the name."""
    await page.touch(".who")
    await page.touch(f"[data-staff={staff}]")
    await page.until("document.querySelector('.who b')")


_SENT = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/api/command'))"


async def sent_as_new(page: Page, go: str = ".sheet .go", signs: str = "[data-staff]") -> None:
    """Send what was filled in, signed by somebody where that is asked; whoever is named and not here yet is new."""
    before = await page.run(f"{_SENT}.length")
    sent, wrong = f"{_SENT}.length > {before}", "document.querySelector('.sheet .wrong')"
    await page.touch(go)
    await page.until(f"{sent} || document.querySelector('[data-staff], .weighty') || {wrong}")
    if await page.run("Boolean(document.querySelector('[data-staff]'))"):
        await page.touch(signs)
        await page.until(f"{sent} || {wrong}")
    if await page.run(f"{sent} && {_SENT}.at(-1).responseStatus === 409"):
        asked = "document.querySelector('.sheet [data-key=all-the-same]')"
        await page.until(f"{asked} || document.querySelector('.said')")
        if await page.run(f"Boolean({asked}) && document.querySelector('.sheet').innerText.includes('Somebody new')"):
            await page.touch(".sheet [data-key=all-the-same]")
