"""The floor's pages in a real browser, over tables that were played."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from floor.findings import Finding, tell
from lab.pictures.browser import browser
from tests.floor.web.served import served
from tests.whole.browser.axe import violations

pytestmark = pytest.mark.browser
ROWS = "[...document.querySelectorAll('.lines-of tbody tr')]"
DARK = {
    "": f"{ROWS}.length === 1",
    "alarms": "document.body.innerText.includes('The floor has found nothing')",
    "table/the-wheel-1": "document.querySelector('[name=most]')",
    "rounds": f"{ROWS}.length > 1",
    "results": "document.querySelector('.bars')",
}
"""The floor's pages, and when they show what they are to show."""


def test_a_manager_signs_in_sees_what_needs_a_person_first_and_sees_to_it(tmp_path: Path, chromium: str) -> None:
    with served(tmp_path, "wheel", "war", "poker") as floor:
        with floor.intake._engine.begin() as store:
            tell(store, Finding("tablectl/the-war-1/00ff", "rolled_back", "its journal was put back", "call"), 5)

        async def act() -> None:
            async with browser(chromium) as chrome:
                page = await chrome.page()
                await page.goto(floor.server.url)
                await page.until("document.querySelector('select')")
                await page.run("document.querySelector('select').value = 'F3'")
                await page.run("document.querySelector('[data-key=sign-in]').click()")
                await page.until(f"{ROWS}.length === 3")
                assert await violations(page) == []
                assert "The war 1" in await page.run(f"{ROWS}[0].innerText")
                assert "found by the floor" in await page.run(f"{ROWS}[0].innerText")
                await page.goto(f"{floor.server.url}alarms")
                await page.until(f"{ROWS}.some(row => row.innerText.includes('journal was put back'))")
                assert await violations(page) == []
                press = "[...document.querySelectorAll('.small-key')].find(key => key.textContent === '{}')?.click()"
                await page.run(press.format("Take"))
                await page.until("document.querySelector('.small-key')?.textContent === 'Close'")
                await page.run(press.format("Close"))
                await page.until("document.body.innerText.includes('The floor has found nothing')")
                await page.goto(f"{floor.server.url}table/the-wheel-1")
                await page.until("document.body.innerText.includes('The head that both keep')")
                await page.until("document.querySelector('[data-pit]')?.innerText.includes('On the layout')")
                assert await violations(page) == []
                await page.goto(f"{floor.server.url}rounds")
                await page.until(f"{ROWS}.length > 5")
                assert await violations(page) == []
                await page.goto(f"{floor.server.url}results")
                await page.until(f"{ROWS}.length === 3")
                await page.until("document.querySelector('.bars')")
                await page.run(
                    "{ const one = document.querySelector('.bars').parentElement; one.after(one.cloneNode(true)) }"
                )
                await page.until(  # a house has many wheels, and each lies where it belongs
                    "[...document.querySelectorAll('.bars')].every(one => one.getBoundingClientRect().bottom"
                    " <= one.closest('section').getBoundingClientRect().bottom)"
                )
                assert await violations(page) == []
                assert page.problems == []

        asyncio.run(act())


def test_a_manager_orders_other_limits_on_the_table_s_page(tmp_path: Path, chromium: str) -> None:
    with served(tmp_path, "wheel") as floor:

        async def act() -> None:
            async with browser(chromium) as chrome:
                page = await chrome.page()
                await page.goto(floor.server.url)
                await page.until("document.querySelector('select')")
                await page.run("document.querySelector('select').value = 'F3'")
                await page.run("document.querySelector('[data-key=sign-in]').click()")
                await page.until(f"{ROWS}.length === 1")
                await page.goto(f"{floor.server.url}table/the-wheel-1")
                await page.until("document.querySelector('[name=most]')")
                fill = "document.querySelector('[name={}]').value = '{}'"
                await page.run(fill.format("least", "5"))
                await page.run(fill.format("most", "much"))
                await page.run("document.querySelector('[data-key=order]').click()")
                await page.until("document.body.innerText.includes('write an amount in dollars')")
                assert await violations(page) == []
                await page.run(fill.format("most", "2500.50"))
                await page.run("document.querySelector('[data-key=order]').click()")
                await page.until("document.body.innerText.includes('Signed and on its way')")
                await page.until(f"{ROWS}.some(row => row.innerText.includes('most $2,500.50'))")
                await page.until(f"{ROWS}.some(row => row.innerText.includes('waits for the table to be connected'))")
                assert await violations(page) == []
                dark = await chrome.page(dark=True)
                await dark.goto(floor.server.url)
                await dark.until("document.querySelector('select')")
                assert await violations(dark) == []
                await dark.run("document.querySelector('select').value = 'F3'")
                await dark.run("document.querySelector('[data-key=sign-in]').click()")
                for place, there in DARK.items():
                    await dark.until(f"{ROWS}.length === 1")
                    await dark.goto(f"{floor.server.url}{place}")
                    await dark.until(there)
                    assert await violations(dark) == [], place
                    await dark.goto(floor.server.url)
                assert page.problems == []

        asyncio.run(act())


def test_a_phone_shows_where_else_one_can_go_and_nothing_that_says_nothing(tmp_path: Path, chromium: str) -> None:
    shown = "[...document.querySelectorAll('{}')].filter(one => one.getBoundingClientRect().height).length"
    with served(tmp_path, "wheel") as floor:

        async def act() -> None:
            async with browser(chromium) as chrome:
                page = await chrome.page(390, 844)
                await page.goto(floor.server.url)
                await page.until("document.querySelector('select')")
                await page.run("document.querySelector('select').value = 'F3'")
                await page.run("document.querySelector('[data-key=sign-in]').click()")
                await page.until(f"{ROWS}.length === 1")
                await page.goto(f"{floor.server.url}table/the-wheel-1")
                await page.until("document.body.innerText.includes('The head that both keep')")
                assert await page.run(shown.format("nav a")) == 4
                assert await page.run(shown.format(".said")) == 0
                assert await page.run("document.documentElement.scrollWidth <= innerWidth")
                await page.goto(f"{floor.server.url}results")
                await page.until("document.querySelectorAll('.bars .bar').length === 52")
                assert await page.run(shown.format("nav a")) == 4
                assert page.problems == []

        asyncio.run(act())
