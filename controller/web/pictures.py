"""Makes the pictures of every screen that the documentation shows, from a table played for the purpose."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

from controller.config import default_config
from controller.paced import PacedClock
from controller.people import Person
from controller.simulation import SimulatedTable
from controller.web.chromium import Browser, Page, browser
from controller.web.server import WebServer, WebSettings, serve
from controller.web.waiting import pause, within
from controller.wheel_levers import WheelLevers

SPEED = 20.0
SETTLING_S = 0.4
SCENE_S = 60.0
BESIDE = (800, 480)
TABLET = (1280, 800)


class Scene:
    """A simulated table whose people can be stood back, so that a picture shows what it is meant to."""

    def __init__(self, folder: Path) -> None:
        self.clock = PacedClock(asyncio.get_running_loop(), SPEED)
        self.table = SimulatedTable(default_config(), folder / "table.db", self.clock, seed=7)
        self.levers = WheelLevers(self.table, seed=7)
        self.server: WebServer
        self._folder = folder

    async def start(self) -> None:
        self.table.start()
        self.table.runtime.drivers["wheel"].desire({"live_rate": 20})
        settings = WebSettings(
            port=0, pairings=str(self._folder / "screens.json"), staff=str(self._folder / "staff.json")
        )
        self.server = await serve(self.table.runtime, self.table.config, bench=self.levers, settings=settings)

    async def stop(self) -> None:
        await self.server.stop()
        self.table.stop()

    @property
    def state(self) -> str:
        return self.table.runtime.table.game.machine.state

    @property
    def wagers(self) -> int:
        return len(self.table.runtime.table.game.view()["wagers"])

    async def until(self, condition: Callable[[], bool]) -> None:
        async def hold() -> None:
            while not condition():
                await pause(0.005)

        await within(SCENE_S, hold())


class Album:
    """Where the pictures go."""

    def __init__(self, folder: Path, said: Callable[[str], None]) -> None:
        self._folder = folder
        self._said = said

    async def take(self, page: Page, name: str) -> None:
        await pause(SETTLING_S)
        path = self._folder / f"{name}.png"
        await page.picture(path)
        self._said(str(path))


async def take_pictures(folder: Path, said: Callable[[str], None] = lambda path: None, chromium: str = "") -> None:
    """Write one PNG a screen into this folder; BrowserTrouble when there is no browser."""
    folder.mkdir(parents=True, exist_ok=True)
    album = Album(folder, said)
    with tempfile.TemporaryDirectory(prefix="tablectl-pictures-") as scratch:
        async with browser(chromium) as chrome:
            scene = Scene(Path(scratch))
            await scene.start()
            try:
                await _play(scene, chrome, album)
            finally:
                await scene.stop()


async def _play(scene: Scene, chrome: Browser, album: Album) -> None:
    pages = {}
    for name, place, size, dark in (
        ("status", "", TABLET, False),
        ("pit", "pit", TABLET, False),
        ("pit-dark", "pit", TABLET, True),
        ("bench", "bench", TABLET, False),
        ("sign", "sign", TABLET, True),
    ):
        pages[name] = page = await chrome.page(*size, dark=dark)
        await page.goto(scene.server.url + place)
    await scene.until(lambda: len(scene.server.board.rounds.summaries()) >= 4)
    await _turn(scene)
    for name in ("status", "pit", "pit-dark", "bench", "sign"):
        await album.take(pages[name], name)
    await pages["pit"].touch("tr.link")
    await pages["pit"].until("document.querySelector('.record')")
    for _ in range(9):
        await pages["pit"].touch("[data-key=step]")
    await album.take(pages["pit"], "record")
    scene.clock.speed = SPEED
    scene.levers.pull("people", {"play": True})
    await _dealer(scene, await chrome.page(*BESIDE, dark=True), album)


async def _turn(scene: Scene) -> None:
    """Have a strong spin under way at a person's pace."""
    await scene.until(lambda: scene.state == "betting_open" and scene.wagers > 2)
    scene.clock.speed = 1.0
    scene.levers.pull("people", {"play": False})
    scene.levers.pull("spin", {"speed": 1.4})
    await scene.until(lambda: scene.state == "spin_open")
    scene.table.runtime.command("no_more_bets", Person("S1", 1))
    await pause(2.5)


async def _dealer(scene: Scene, page: Page, album: Album) -> None:
    await page.goto(scene.server.url + "dealer")
    await page.touch(".who")
    await album.take(page, "dealer-sign-in")
    await page.touch("[data-staff=S1]")
    await scene.until(lambda: scene.state == "pay")
    scene.clock.pause()
    await album.take(page, "dealer-pay")
    scene.clock.resume()
    await scene.until(lambda: scene.state == "betting_open" and scene.wagers > 2)
    scene.levers.pull("people", {"play": False})
    await album.take(page, "dealer-betting")
    scene.levers.pull("spin", {"speed": 0.5})
    await scene.until(lambda: scene.state == "spin_open")
    scene.table.runtime.command("no_more_bets", Person("S1", 1))
    await page.until("document.querySelector('.prompt')")
    await album.take(page, "dealer-ruling")
    await page.size(*BESIDE, dark=False)
    scene.levers.pull("line", {"device": "wheel", "fault": "unplug", "seconds": 60})
    await page.until("document.querySelector('.alarm.suspends')")
    await album.take(page, "dealer-fault")
