"""The bench in one window: felt, dealer's keys and levers side by side, hands on the felt, and the first minute."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

import pytest

from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.axe import violations
from tests.whole.browser.geometry import looked_at
from tests.whole.browser.stand import Stand, stand
from tests.whole.browser.told import SIZES

pytestmark = pytest.mark.browser


async def _onto(page: Page, what: str, where: str) -> None:
    await page.drag(what, [await page.middle(where)] * 2)


async def _push(page: Page) -> None:
    """A finger a third of the way round the ring, in a few moments."""
    (x, y), radius = await page.middle(".wheel"), 110.0
    places = [(x + radius * math.cos(at / 10), y + radius * math.sin(at / 10)) for at in range(-4, 16, 2)]
    await page.drag(".wheel", [*places])


def _areas(table: Stand) -> dict[str, int]:
    found: dict[str, int] = table.runtime.table.game.view()["areas"]
    return found


def test_a_newcomer_plays_the_first_minute_with_hands_on_the_felt(tmp_path: Path, chromium: str) -> None:
    async def watch() -> None:
        async with stand(tmp_path, speed=20.0, play=True) as table, browser(chromium) as chrome:
            page = await chrome.page(1280, 800)
            await page.goto(table.url + "bench")
            await page.until("document.querySelectorAll('.lever .lever-hint').length > 10")
            for part in (".felt .wheel", ".main-slot", ".lever", ".first-minute"):
                x, y = await page.middle(part)
                assert (0 < x < 1280, 0 < y < 800) == (True, True), f"{part} is on the glass without scrolling"
            assert await page.run(looked_at(0, 0)) == []
            await page.touch("[data-key=begin]")
            await page.until("document.querySelector('.first-minute h2').textContent.startsWith('Step 1')", 60)
            assert await violations(page) == []
            assert (table.levers.status()["people"], table.levers.status()["speed"]) == (False, 1.0)
            before = _areas(table).get("F", 0)
            await _onto(page, "[data-chip='25']", "[data-symbol=F]")
            await table.until(lambda: _areas(table).get("F", 0) == before + 2500)
            await page.until("document.querySelector('[data-symbol=F] .amount').textContent")
            await _onto(page, "[data-symbol=F] .amount", "[data-symbol=G]")
            await table.until(lambda: _areas(table).get("F", 0) == 0 and _areas(table).get("G", 0) >= 2500)
            await _push(page)
            await page.until("document.querySelector('.first-minute h2').textContent.startsWith('Step 2')")
            assert await violations(page) == []
            await page.touch(".wheel")
            await page.until("document.querySelector('.first-minute h2').textContent.startsWith('Step 3')")
            await page.touch("[data-key=show-me]")
            await page.until("document.querySelector('.first-minute h2').textContent.startsWith('Step 4')")
            assert await violations(page) == []
            await page.touch("[data-key=show-me]")
            await page.until("document.querySelector('.first-minute h2').textContent.startsWith('Step 5')")
            assert await violations(page) == []
            await page.touch(".prompt [data-answer]")
            await page.until("document.querySelector('.sheet, .first-minute [data-key=go-on]')")
            while await page.run("Boolean(document.querySelector('.sheet'))"):
                await page.touch(".sheet [data-staff]:last-child, .sheet .choices .key")
                await page.until("!document.querySelector('.sheet') || document.querySelector('.sheet [data-staff]')")
            await page.touch("[data-key=go-on]")
            await table.until(lambda: table.levers.status()["people"])
            await page.touch("[data-key=begin]")
            step = "document.querySelector('.first-minute h2').textContent"
            await page.until(f"{step}.startsWith('Step 1')", 60)
            await _push(page)
            await page.until(f"!{step}.startsWith('Step 1')")
            assert await page.run(step) == "Step 2 of 5: Brake it", "who begins anew does every step anew"
            assert not page.problems

    asyncio.run(watch())


WHOLE = "[...document.querySelectorAll('.felt .picture, .felt .layout, .felt .tray, .main-slot, .first-minute')]"
APART = f"""(() => {{
  const between = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
  const boxes = {WHOLE}.map((node) => [node.className, node.getBoundingClientRect()]).filter(([, at]) => at.width);
  return boxes.flatMap(([name, a], place) => boxes.slice(place + 1).filter(([, b]) =>
    between(a, b, 'left', 'right') > 1 && between(a, b, 'top', 'bottom') > 1
  ).map(([other]) => `${{name}} lies over ${{other}}`));
}})()"""
ON_THE_GLASS = """['.first-minute [data-key=begin]', '.main-slot .key'].filter((part) => {
  const at = document.querySelector(part).getBoundingClientRect();
  return at.top < 0 || at.bottom > innerHeight;
})"""


@pytest.mark.parametrize("game", ["wheel", "war", "poker"])
def test_felt_keys_and_levers_lie_beside_each_other_on_every_glass(game: str, tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        config = default_config(game)
        async with stand(tmp_path, speed=50.0, play=True, config=config) as table, browser(chromium) as chrome:
            await table.until(lambda: bool(table.server.board.rounds.summaries()), 90)
            for size in SIZES:
                page = await chrome.page(*size)
                await page.goto(table.url + "bench")
                await page.until("document.querySelectorAll('.lever .lever-hint').length > 10")
                assert await page.run(APART) == [], size
                assert await page.run(ON_THE_GLASS) == [], size
                assert await page.run(looked_at(0, 0)) == [], size
                assert await violations(page) == [], size
                assert page.problems == []
            dark = await chrome.page(dark=True)
            await dark.goto(table.url + "bench")
            await dark.until("document.querySelectorAll('.lever .lever-hint').length > 10")
            assert await violations(dark) == []

    asyncio.run(look())


@pytest.mark.parametrize("game", ["wheel", "war", "poker"])
def test_every_lever_says_what_it_does(game: str, tmp_path: Path) -> None:
    async def look() -> None:
        async with stand(tmp_path, config=default_config(game)) as table:
            assert [lever.name for lever in table.levers.levers() if not lever.hint] == []

    asyncio.run(look())
