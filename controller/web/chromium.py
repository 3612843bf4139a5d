"""Drives a headless Chromium over its debugging pipe: enough for pictures and for tests, without a package for it."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from controller.web.waiting import pause, within

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
ANSWER_S = 20.0
# The browser reads commands from descriptor 3 and writes answers to 4; a small launcher puts the pipes there.
_LAUNCH = """
import os, sys, fcntl
commands, answers = (fcntl.fcntl(int(pipe), fcntl.F_DUPFD, 10) for pipe in sys.argv[1:3])
os.dup2(commands, 3)
os.dup2(answers, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


class BrowserTrouble(Exception):
    """The browser is missing, or did not do what it was told."""


def find_browser() -> str:
    """The path of a Chromium on this machine; BrowserTrouble says how to get one."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise BrowserTrouble("No Chromium on this machine; on Debian: apt install chromium")


class Page:
    """One tab."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser = browser
        self._session = session
        self._target = target
        self.problems: list[str] = []

    async def tell(self, method: str, **params: Any) -> dict[str, Any]:
        return await self._browser.tell(method, self._session, **params)

    async def goto(self, url: str) -> None:
        answer = await self.tell("Page.navigate", url=url)
        if error := answer.get("errorText"):
            raise BrowserTrouble(f"{url}: {error}")
        await self.until("document.readyState === 'complete'")

    async def run(self, script: str) -> Any:
        """The value of an expression in the page; promises are waited for."""
        answer = await self.tell("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if failed := answer.get("exceptionDetails"):
            raise BrowserTrouble(f"{script}: {failed.get('exception', {}).get('description', failed.get('text'))}")
        return answer["result"].get("value")

    async def until(self, condition: str, seconds: float = ANSWER_S) -> Any:
        """Wait until an expression is true in the page."""
        try:
            return await within(seconds, self._hold(condition))
        except TimeoutError as late:
            shown = await self.run("document.body.innerText.slice(0, 1500)")
            raise BrowserTrouble(f"not within {seconds:g} s: {condition}; the page shows: {shown}") from late

    async def _hold(self, condition: str) -> Any:
        while True:
            with contextlib.suppress(BrowserTrouble):
                found = await self.run(condition)
                if found or found == {}:  # an element comes as an empty object
                    return found
            await pause(0.02)

    async def text(self, selector: str) -> str:
        return str(await self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    async def touch(self, selector: str, seconds: float = ANSWER_S) -> None:
        """Put a finger on an element once it is there and nothing covers it."""
        find = f"""(() => {{
            const node = document.querySelector({json.dumps(selector)});
            if (!node || node.disabled || node.ariaBusy === 'true') return null;
            node.scrollIntoView({{block: 'nearest', inline: 'nearest'}});
            const box = node.getBoundingClientRect();
            const x = box.x + box.width / 2, y = box.y + box.height / 2;
            const top = document.elementFromPoint(x, y);
            return box.width && top && (node === top || node.contains(top)) ? [x, y] : null;
        }})()"""
        x, y = await self.until(find, seconds)
        await self.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        await self.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def type(self, selector: str, text: str) -> None:
        """Write into a field as a keyboard would."""
        await self.until(f"document.querySelector({json.dumps(selector)})")
        await self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        await self.tell("Input.insertText", text=text)

    async def size(self, width: int, height: int, dark: bool = False) -> None:
        await self.tell(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.tell("Emulation.setEmulatedMedia", features=[scheme])

    async def offline(self, off: bool) -> None:
        """Cut the page's network, or give it back."""
        await self.tell(
            "Network.emulateNetworkConditions", offline=off, latency=0, downloadThroughput=-1, uploadThroughput=-1
        )

    async def picture(self, path: Path, scale: float = 1.0) -> None:
        """What the page shows, as a PNG of this size."""
        width, height = await self.run("[innerWidth, innerHeight]")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
        answer = await self.tell("Page.captureScreenshot", format="png", clip=clip)
        path.write_bytes(base64.b64decode(answer["data"]))

    async def close(self) -> None:
        await self._browser.tell("Target.closeTarget", targetId=self._target)


class Browser:
    """A running Chromium with a profile of its own."""

    def __init__(self, process: asyncio.subprocess.Process, reader: asyncio.StreamReader, writer: int) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer
        self._next = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._pages: dict[str, Page] = {}
        self._listening = asyncio.create_task(self._listen())

    async def page(self, width: int = 1280, height: int = 800, dark: bool = False) -> Page:
        """A new tab whose cookies are its own."""
        context = (await self.tell("Target.createBrowserContext"))["browserContextId"]
        target = (await self.tell("Target.createTarget", url="about:blank", browserContextId=context))["targetId"]
        session = (await self.tell("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        page = self._pages[session] = Page(self, session, target)
        for domain in ("Page", "Runtime", "Network", "Log"):
            await page.tell(f"{domain}.enable")
        await page.tell("Emulation.setTouchEmulationEnabled", enabled=True)
        await page.size(width, height, dark)
        return page

    async def tell(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        self._next += 1
        message: dict[str, Any] = {"id": self._next, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[self._next] = answer
        os.write(self._writer, json.dumps(message).encode() + b"\0")
        return await within(ANSWER_S, answer)

    async def _listen(self) -> None:
        while True:
            try:
                message = json.loads((await self._reader.readuntil(b"\0"))[:-1])
            except (asyncio.IncompleteReadError, ValueError):
                for waiting in self._waiting.values():
                    if not waiting.done():
                        waiting.set_exception(BrowserTrouble("Chromium ended"))
                return
            if waiting_for := self._waiting.pop(message.get("id", 0), None):
                if waiting_for.done():
                    continue
                if "error" in message:
                    waiting_for.set_exception(BrowserTrouble(str(message["error"])))
                else:
                    waiting_for.set_result(message["result"])
            else:
                self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        """Keep what a page complains of: uncaught errors and refused content."""
        page = self._pages.get(message.get("sessionId", ""))
        if page is None:
            return
        params = message.get("params", {})
        if message["method"] == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            page.problems.append(details.get("exception", {}).get("description", details.get("text", "")))
        elif message["method"] == "Log.entryAdded" and _is_complaint(params["entry"]):
            page.problems.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")

    async def close(self) -> None:
        with contextlib.suppress(BrowserTrouble, TimeoutError, OSError):
            await self.tell("Browser.close")
        try:
            await within(5, self._process.wait())
        except TimeoutError:
            self._process.kill()
        os.close(self._writer)
        self._listening.cancel()


def _is_complaint(entry: dict[str, Any]) -> bool:
    """A refused command is an answer, not a fault of the page."""
    return bool(entry["level"] == "error" and entry["source"] != "network")


@contextlib.asynccontextmanager
async def browser(path: str = "") -> AsyncIterator[Browser]:
    """Start Chromium, and end it with its profile."""
    program = path or find_browser()
    with tempfile.TemporaryDirectory(prefix="tablectl-browser-", ignore_cleanup_errors=True) as profile:
        commands, to_browser = os.pipe()
        from_browser, answers = os.pipe()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _LAUNCH, str(commands), str(answers),
            program, *FLAGS, f"--user-data-dir={profile}", "about:blank",
            pass_fds=(commands, answers), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        os.close(commands)
        os.close(answers)
        reader = asyncio.StreamReader(limit=64 * 2**20)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(from_browser, "rb", 0)
        )
        running = Browser(process, reader, to_browser)
        try:
            yield running
        finally:
            await running.close()
            transport.close()
