"""A spin that somebody touched, drawn for whoever must decide: the spin, where natural ones lie, and the hand."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lab.pictures.browser import Page, browser
from tests.whole.browser.stand import Stand, stand
from tests.whole.browser.wheel_hands import answer_until_result, bet_and_spin, open_table

pytestmark = pytest.mark.browser

INSIDE = """(() => {
  const band = document.querySelector('.plot .band.natural');
  const points = [...document.querySelector('.plot .seen').points].slice(%s);
  return points.filter((p) => band.isPointInFill(p)).length / points.length;
})()"""

IN_THE_HUB = """(() => {
  const ring = document.querySelector('.wheel .turns').getBoundingClientRect();
  const [x, y, r] = [ring.left + ring.width / 2, ring.top + ring.height / 2, 0.45 * ring.width];
  return [...document.querySelectorAll('.wheel .hub-small, .wheel .hub-big')].filter((text) => {
    const at = text.getBoundingClientRect();
    const far = Math.min(Math.abs(at.top - y), Math.abs(at.bottom - y)); // the letters fill their box at this side
    return Math.hypot(at.width / 2, far) > r;
  }).map((text) => text.textContent);
})()"""


async def look_at_the_pit(at: Stand, page: Page) -> None:
    await page.goto(at.url + "pit")
    await page.until("document.querySelector('.plot .seen')?.points.length > 20")
    await page.until("document.querySelector('.plot .band.natural')?.points.length > 20")
    assert await page.run("document.querySelectorAll('[data-part=legend] li').length") == 4


@pytest.mark.clause("melbourne-wheel", "7.1.3")
def test_a_touched_spin_leaves_the_band_of_natural_ones_and_shows_where_the_hand_came(
    tmp_path: Path, chromium: str
) -> None:
    async def look() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(1280, 800)
            await open_table(at, page)
            await page.touch("[data-key=place_bets]")
            await at.until(lambda: at.state == "betting_open")
            at.pull("spin", speed=1.5, sense="anticlockwise")
            await at.hold_when(lambda: (at.runtime.table.game.view()["spin"] or {}).get("turns", 0) >= 4)
            await page.until("document.querySelector('.hub-small')?.textContent === 'anticlockwise'")
            assert await page.run(IN_THE_HUB) == [], "what the hub says lies inside its ring"
            at.pull("touch", kind="brake", strength=2.0)
            at.clock.resume()
            await at.until(lambda: at.state == "ruling")
            late = await chrome.page(1280, 800)
            await look_at_the_pit(at, late)
            assert await late.run("document.querySelectorAll('.plot .mark.hand').length") == 1
            assert "touched at turn 4" in await late.run("document.querySelector('.plot').textContent")
            assert await late.run(INSIDE % "-120, -40") < 0.5
            assert late.problems == []

    asyncio.run(look())


def test_a_natural_spin_runs_within_its_band_and_has_no_mark_of_a_hand(tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(1280, 800)
            await open_table(at, page)
            await bet_and_spin(at, page, 1.4)
            await answer_until_result(at, page)
            late = await chrome.page(1280, 800)
            await look_at_the_pit(at, late)
            assert await late.run("document.querySelectorAll('.plot .mark.hand').length") == 0
            assert await late.run(INSIDE % "60, -60") > 0.8

    asyncio.run(look())
