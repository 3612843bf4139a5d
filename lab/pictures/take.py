"""Makes the pictures of the screens that the documentation shows, from tables played for the purpose."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from controller.config.types import TableConfig
from controller.people import Person
from controller.web.server import WebServer, WebSettings
from controller.web.waiting import pause, within
from lab.floor.house import House
from lab.floor.server import free_port
from lab.pictures.browser import Browser, BrowserTrouble, Page, browser
from lab.pictures.moving import Frame, moving
from lab.scenarios.played import find
from lab.sim.config import default_config
from lab.sim.paced import PacedClock
from lab.sim.page import serve
from lab.sim.table import SimulatedTable

SPEED = 20.0
SETTLING_S = 0.4
SCENE_S = 90.0
BESIDE = (800, 480)
TABLET = (1280, 800)
FILM, FRAME_MS, LAST_MS = 70, 250, 2_000
FILMED = 4.0
"""How fast a table lives while it is filmed."""
IN_MOTION = 0.6
SMALLER = 0.75
"""How large a tablet's page is in the documentation."""
FLOOR_TABLES, FLOOR_S = 12, 300.0
"""Tables of the floor play at their real pace, so that no clock runs ahead of the floor's; it takes a while."""
FLOOR_PLAYS = "[...document.querySelectorAll('tbody tr')].filter((row) => /\\$[1-9]/.test(row.innerText)).length >= 6"
"""Half of them have settled something."""


class Scene:
    """A simulated table whose people can be stood back, so that a picture shows what it is meant to."""

    def __init__(self, folder: Path, config: TableConfig, seed: int) -> None:
        self.clock = PacedClock(asyncio.get_running_loop(), SPEED)
        self.table = SimulatedTable(config, folder / f"{config.table.game}.db", self.clock, seed)
        self.levers = find(self.table.config.table.game).levers(self.table, seed, lambda setup: None)
        self.server: WebServer
        self._folder = folder

    async def start(self) -> None:
        self.table.start()
        if "wheel" in self.table.runtime.drivers:
            self.table.runtime.drivers["wheel"].desire({"live_rate": 20})
        settings = WebSettings(
            port=0, pairings=str(self._folder / "screens.json"), staff=str(self._folder / "staff.json")
        )
        self.server = await serve(self.table.runtime, self.table.config, bench=self.levers, settings=settings)

    async def stop(self) -> None:
        await self.server.stop()
        self.clock.pause()
        self.table.stop()

    @property
    def state(self) -> str:
        return self.table.runtime.table.game.machine.state

    @property
    def wagers(self) -> int:
        return len(self.table.runtime.table.game.view()["wagers"])

    @property
    def rounds(self) -> int:
        return len(self.server.board.rounds.summaries())

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

    async def film(self, page: Page, name: str, over: Callable[[], bool]) -> None:
        """A moving picture of what the page shows until it is over, or the film is full."""
        frames: list[Frame] = []
        while len(frames) < FILM and not over():
            frames.append(Frame(await page.picture(), FRAME_MS))
            await pause(FRAME_MS / 1000)
        frames.append(Frame(await page.picture(), LAST_MS))
        path = self._folder / f"{name}.png"
        path.write_bytes(moving(frames))
        self._said(str(path))


async def take_pictures(folder: Path, said: Callable[[str], None] = lambda path: None, chromium: str = "") -> None:
    """Write the PNGs into this folder; BrowserTrouble when there is no browser."""
    folder.mkdir(parents=True, exist_ok=True)
    album = Album(folder, said)
    with tempfile.TemporaryDirectory(prefix="tablectl-pictures-") as scratch:
        async with browser(chromium) as chrome:
            async with _scene(Path(scratch), default_config("wheel"), 7) as scene:
                await _wheel(scene, chrome, album)
            async with _scene(Path(scratch) / "film", default_config("wheel"), 7) as scene:
                await _round(scene, chrome, album)
            async with _scene(Path(scratch), default_config("war"), 3) as scene:
                await _war(scene, chrome, album)
            async with _scene(Path(scratch), default_config("poker"), 3) as scene:
                await _poker(scene, chrome, album)
            await _floor(Path(scratch) / "house", chrome, album)


async def _floor(folder: Path, chrome: Browser, album: Album) -> None:
    """A dozen tables at a glance, and one of them as its pit sees it, through a real broker."""
    house = House(folder, FLOOR_TABLES, free_port())
    await asyncio.to_thread(house.start)
    try:
        page = await chrome.page(*TABLET, scale=SMALLER)
        await _floor_sign_in(page, house.url)
        await page.until(FLOOR_PLAYS, FLOOR_S)
        await album.take(page, "floor")
        await page.goto(f"{house.url}table/casino-war-2")
        await page.until("document.querySelectorAll('[data-pit] tbody tr').length > 2", SCENE_S)
        await album.take(page, "floor-table")
    finally:
        await asyncio.to_thread(house.stop)


async def _floor_sign_in(page: Page, url: str) -> None:
    async def served() -> None:
        while True:
            try:
                await page.goto(url)
                return
            except BrowserTrouble:
                await pause(SETTLING_S)  # it is still starting

    await within(SCENE_S, served())
    await page.until("document.querySelector('select')")
    await page.run("document.querySelector('select').value = 'F2'")
    await page.run("document.querySelector('[data-key=sign-in]').click()")


@contextlib.asynccontextmanager
async def _scene(folder: Path, config: TableConfig, seed: int) -> AsyncIterator[Scene]:
    folder.mkdir(exist_ok=True)
    scene = Scene(folder, config, seed)
    await scene.start()
    try:
        yield scene
    finally:
        await scene.stop()


async def _wheel(scene: Scene, chrome: Browser, album: Album) -> None:
    pages = {}
    for name, dark in (("pit", False), ("bench", False), ("sign", True)):
        pages[name] = page = await chrome.page(*TABLET, dark, SMALLER)
        await page.goto(scene.server.url + name)
    await scene.until(lambda: scene.rounds >= 4)
    await _turn(scene)
    for name, page in pages.items():
        await album.take(page, name)
    await pages["pit"].touch("tr.link")
    await pages["pit"].until("document.querySelector('.record .story')")
    await album.take(pages["pit"], "record")
    scene.clock.speed = SPEED
    scene.levers.pull("people", {"play": True})
    await _dealer(scene, await chrome.page(*BESIDE, dark=True), album)


async def _stake(scene: Scene) -> None:
    """Stand the people back as betting opens, and lay some stakes for them."""
    await scene.until(lambda: scene.state == "idle")
    await scene.until(lambda: scene.state == "betting_open")
    scene.levers.pull("people", {"play": False})
    for area, dollars, player in (("A", 25, "Ann"), ("B", 10, "Bo"), ("D", 5, "Ann"), ("G", 20, "Cal")):
        scene.levers.pull("place", {"area": area, "dollars": dollars, "player": player})
    await scene.until(lambda: scene.wagers >= 4)
    await pause(1.5 / SPEED)


async def _turn(scene: Scene) -> None:
    """Have a strong spin under way at a person's pace."""
    await _stake(scene)
    scene.clock.speed = 1.0
    scene.levers.pull("spin", {"speed": 1.4})
    await scene.until(lambda: scene.state == "spin_open")
    scene.table.runtime.command("no_more_bets", Person("S1", 1))
    await pause(2.5)


async def _sign_in(scene: Scene, page: Page) -> None:
    await page.goto(scene.server.url + "dealer")
    await page.touch(".who")
    await page.touch("[data-staff=S1]")


async def _dealer(scene: Scene, page: Page, album: Album) -> None:
    await _sign_in(scene, page)
    await scene.until(lambda: scene.state == "pay")
    scene.clock.pause()
    await album.take(page, "dealer-pay")
    scene.clock.resume()
    await _stake(scene)
    scene.levers.pull("spin", {"speed": 0.5})
    await scene.until(lambda: scene.state == "spin_open")
    scene.table.runtime.command("no_more_bets", Person("S1", 1))
    await page.until("document.querySelector('.prompt')")
    await album.take(page, "dealer-ruling")


async def _round(scene: Scene, chrome: Browser, album: Album) -> None:
    """One spin from the bets to the last chip that is paid, in motion."""
    page = await chrome.page(*BESIDE, dark=True, scale=IN_MOTION)
    await _sign_in(scene, page)
    await scene.until(lambda: scene.rounds >= 1 and scene.state == "idle")
    await scene.until(lambda: scene.state == "betting_open" and scene.wagers >= 4)
    scene.clock.speed, before = FILMED, scene.rounds
    await album.film(page, "round", lambda: scene.rounds > before)


async def _war(scene: Scene, chrome: Browser, album: Album) -> None:
    """A tie waits for its answer at the dealer's, and the war that follows is settled in the pit."""
    page, pit = await chrome.page(*BESIDE), await chrome.page(*TABLET, True, SMALLER)
    await _sign_in(scene, page)
    await pit.goto(scene.server.url + "pit")
    for state, shown, name in (("choosing", page, "war-dealer"), ("final", pit, "war-pit")):
        await scene.until(lambda: scene.rounds >= 4 and scene.state == state)  # noqa: B023 - called before the next
        scene.clock.pause()
        await album.take(shown, name)
        scene.clock.resume()


async def _poker(scene: Scene, chrome: Browser, album: Album) -> None:
    """A hand late in its course, on the dealer's screen."""
    page = await chrome.page(*BESIDE, dark=True)
    await _sign_in(scene, page)
    await scene.until(lambda: scene.rounds >= 2 and scene.state in ("bet3", "bet4"))
    scene.clock.pause()
    await album.take(page, "poker-dealer")
