"""The hall's pages in a real browser, in the midst of an event that plays itself."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lab.pictures.browser import browser
from tests.floor.hall.pages import midway, pages
from tests.floor.web.served import served
from tests.whole.browser.axe import violations

pytestmark = pytest.mark.browser
ROWS = "[...document.querySelectorAll('.lines-of tbody tr')]"
DARK = {
    "hall": "document.querySelector('[data-act=open_dispute]')",
    "hall/clock": "document.querySelector('.big')?.textContent.includes(':')",
    "hall/entrants": f"{ROWS}.length === 24",
    "hall/cards": "document.querySelectorAll('.seat-card').length > 5",
    "hall/table/PK-1": "document.body.innerText.includes('PK-1:')",
    "hall/results": f"{ROWS}.length === 24",
}
"""The hall's pages, and when they show what they are to show."""


async def sign_in(page, floor, staff: str) -> None:
    await page.goto(floor.server.url)
    await page.until("document.querySelector('select')")
    await page.run(f"document.querySelector('select').value = '{staff}'")
    await page.run("document.querySelector('[data-key=sign-in]').click()")
    await page.until("document.querySelector('nav a[href=\"/hall\"]')")


def test_a_director_sees_clock_tables_seats_and_places_and_does_what_is_offered(tmp_path: Path, chromium: str) -> None:
    path, at = midway(tmp_path, "poker", 3, 24, 30)
    opened: list = []
    with served(tmp_path, hall=pages(path, at, opened)) as floor:

        async def act() -> None:
            async with browser(chromium) as chrome:
                page = await chrome.page()
                await sign_in(page, floor, "F3")
                await page.goto(f"{floor.server.url}hall/clock")
                await page.until("document.querySelector('.big')?.textContent.includes(':')")
                assert await violations(page) == []
                assert "Level" in await page.run("document.querySelector('.level').textContent")
                await page.goto(f"{floor.server.url}hall/entrants")
                await page.until(f"{ROWS}.length === 24")
                assert await violations(page) == []
                await page.goto(f"{floor.server.url}hall/cards")
                await page.until("document.querySelectorAll('.seat-card').length > 5")
                assert await violations(page) == []
                await page.goto(f"{floor.server.url}hall/table/PK-1")
                await page.until("document.body.innerText.includes('PK-1:')")
                assert await violations(page) == []
                await page.goto(f"{floor.server.url}hall/results")
                await page.until(f"{ROWS}.length === 24")
                assert await violations(page) == []
                await page.goto(f"{floor.server.url}hall")
                await page.until("document.querySelector('[data-act=open_dispute]')")
                assert await violations(page) == []
                await page.run("document.querySelector('[data-act=open_dispute]').click()")
                await page.until("document.querySelector('.hall-form [name=about]')")
                assert await violations(page) == []
                await page.run("document.querySelector('.hall-form [name=about]').value = 'a seat'")
                await page.run("document.querySelector('[data-key=do]').click()")
                await page.until("document.querySelector('.hall-said')?.textContent.includes('dispute 1')")
                await page.until("document.body.innerText.includes('a seat')")
                assert await violations(page) == []
                assert page.problems == []
                dark = await chrome.page(dark=True)
                await sign_in(dark, floor, "F3")
                for place, there in DARK.items():
                    await dark.goto(f"{floor.server.url}{place}")
                    await dark.until(there)
                    assert await violations(dark) == [], place

        asyncio.run(act())
    assert opened[0].work.hall.state.disputes[0].about == "a seat"
    opened[0].close()
