"""Opens the screens in a headless Chromium, for pictures and for tests; Playwright holds its reins."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

from playwright import async_api as playwright

from controller.web.waiting import pause, within
from lab import proof_kinds
from lab.needs import CHROMIUM

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ANSWER_S = 20.0
LOOK_AGAIN_S = 0.02


class BrowserTrouble(Exception):
    """The browser is missing, or did not do what it was told."""


class Page:
    """One tab whose cookies are its own."""

    def __init__(self, tab: playwright.Page, devtools: playwright.CDPSession) -> None:
        self._tab = tab
        self._devtools = devtools
        self._clocked = False
        self.problems: list[str] = []
        """What the page complained of: uncaught errors and refused content."""
        tab.on("pageerror", lambda error: self.problems.append(str(error)))
        devtools.on("Log.entryAdded", self._note)

    def _note(self, told: dict[str, Any]) -> None:
        """A refused command is an answer, not a fault of the page."""
        entry = told["entry"]
        if entry["level"] == "error" and entry["source"] != "network":
            self.problems.append(f"{entry['text']} {entry.get('url', '')}")

    async def goto(self, url: str) -> None:
        with _troubles(url):
            await self._tab.goto(url, timeout=ANSWER_S * 1000)

    async def first(self, script: str) -> None:
        """Run this in every document of the tab before anything of its own."""
        await self._tab.add_init_script(script)

    async def resize(self, width: int, height: int) -> None:
        with _troubles(f"resizing to {width} by {height}"):
            await self._tab.set_viewport_size({"width": width, "height": height})

    async def slow_down(self, times: float) -> None:
        """Have the page's processor so many times as slow."""
        await self._devtools.send("Emulation.setCPUThrottlingRate", {"rate": times})

    async def busy(self) -> float:
        """Seconds of processor time that the page's main thread has taken so far, whoever else uses the machine."""
        if not self._clocked:
            await self._devtools.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
            await self._devtools.send("Performance.enable")
            self._clocked = True
        told = await self._devtools.send("Performance.getMetrics")
        return float(next(one["value"] for one in told["metrics"] if one["name"] == "TaskDuration"))

    async def run(self, script: str) -> Any:
        """The value of an expression in the page; promises are waited for."""
        with _troubles(script):
            return await within(ANSWER_S, self._tab.evaluate(script))

    async def until(self, condition: str, seconds: float = ANSWER_S) -> Any:
        """Wait until an expression is true in the page.

        Playwright's own wait for a function evaluates text within the page, which the pages' content policy forbids.
        """
        trouble = ""

        async def hold() -> Any:
            nonlocal trouble
            while True:
                try:
                    if found := await self.run(condition):
                        return found
                    trouble = ""
                except BrowserTrouble as raised:  # nothing is there to look at yet
                    trouble = f"; the last time: {raised}"
                await pause(LOOK_AGAIN_S)

        try:
            return await within(seconds, hold())
        except TimeoutError as late:
            raise BrowserTrouble(f"not within {seconds:g} s: {condition}{trouble}; {await self._shown()}") from late

    async def _shown(self) -> str:
        return f"the page shows: {await self.run('document.body.innerText.slice(0, 1500)')}"

    async def text(self, selector: str) -> str:
        return str(await self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    async def touch(self, selector: str, seconds: float = ANSWER_S) -> None:
        """Put a finger on an element once it is there, at rest, not busy, and nothing covers it."""
        proof_kinds.used("page")
        found = self._tab.locator(selector).first.and_(self._tab.locator(":not([aria-busy=true])"))
        try:
            await found.tap(timeout=seconds * 1000)
        except playwright.Error as error:
            raise BrowserTrouble(f"touching {selector}: {error.message}; {await self._shown()}") from error

    async def drag(self, selector: str, steps: Sequence[tuple[float, float]], pace: float = 0.02) -> None:
        """Press on the middle of an element, move to each of these places of the glass, and let go."""
        proof_kinds.used("page")
        x, y = await self.middle(selector)
        with _troubles(f"dragging {selector}"):
            mouse = self._tab.mouse
            await mouse.move(x, y)
            await mouse.down()
            for at in steps:
                await pause(pace)
                await mouse.move(*at)
            await mouse.up()

    async def middle(self, selector: str) -> tuple[float, float]:
        """Where the middle of an element lies on the glass."""
        box = await self._tab.locator(selector).first.bounding_box(timeout=ANSWER_S * 1000)
        if box is None:
            raise BrowserTrouble(f"{selector} is not shown; {await self._shown()}")
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def type(self, selector: str, text: str) -> None:
        """Write into a field as a keyboard would."""
        with _troubles(f"writing into {selector}"):
            await self._tab.locator(selector).first.focus(timeout=ANSWER_S * 1000)
            await self._tab.keyboard.insert_text(text)

    async def picture(self, path: Path | None = None) -> bytes:
        """What the page shows, as a PNG; kept where a path is given."""
        with _troubles(str(path or "a picture")):
            return await self._tab.screenshot(path=path, timeout=ANSWER_S * 1000)


class Browser:
    """A running Chromium."""

    def __init__(self, chromium: playwright.Browser) -> None:
        self._chromium = chromium

    async def page(self, width: int = 1280, height: int = 800, dark: bool = False, scale: float = 1.0) -> Page:
        """A new tab of this size on a touch screen; its pictures are `scale` times as large."""
        context = await self._chromium.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=scale,
            has_touch=True,
            color_scheme="dark" if dark else "light",
        )
        tab = await context.new_page()
        devtools = await context.new_cdp_session(tab)
        page = Page(tab, devtools)
        await devtools.send("Log.enable")
        return page

    async def frames(self, page: Page, seconds: float) -> float:
        """How many frames a second were drawn in the meantime, from the browser's own trace."""
        await self._chromium.start_tracing(page=page._tab, categories=["disabled-by-default-devtools.timeline.frame"])
        await pause(seconds)
        events = json.loads(await self._chromium.stop_tracing())["traceEvents"]
        at = sorted(one["ts"] for one in events if one["name"] == "DrawFrame")
        return (len(at) - 1) / (at[-1] - at[0]) * 1_000_000 if len(at) > 1 else 0.0


@contextlib.contextmanager
def _troubles(about: str) -> Iterator[None]:
    try:
        yield
    except playwright.Error as error:
        raise BrowserTrouble(f"{about}: {error.message}") from error


def find_browser() -> str:
    """The path of a Chromium on this machine; BrowserTrouble says how to get one."""
    if found := CHROMIUM.found():
        return found
    raise BrowserTrouble(CHROMIUM.missing)


@contextlib.asynccontextmanager
async def browser(path: str = "") -> AsyncIterator[Browser]:
    """Start Chromium, and end it with its profile."""
    program = path or find_browser()
    async with playwright.async_playwright() as reins:
        with _troubles(program):
            chromium = await reins.chromium.launch(executable_path=program, args=FLAGS, timeout=ANSWER_S * 1000)
        try:
            yield Browser(chromium)
        finally:
            await within(ANSWER_S, chromium.close())
