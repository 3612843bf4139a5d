"""Everybody can use the pages: axe-core finds nothing on any page, in light and dark, with and without a sheet."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.whole.browser.axe import violations
from tests.whole.browser.moments import FILES, moments, one_table_after_the_other
from tests.whole.browser.stand import sign_in, stand
from tests.whole.browser.told import ToldPage

pytestmark = pytest.mark.browser

SHOWN = 10
"""How many kinds of moments of each page are looked at, evenly chosen; each takes axe half a second."""


@pytest.mark.parametrize(
    "dark", [pytest.param(False, id="light"), pytest.param(True, id="dark", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("game", FILES)
def test_axe_finds_nothing_on_any_page(game: str, dark: bool, tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        kinds = moments(game)
        chosen = one_table_after_the_other(kinds)[:: max(1, len(kinds) // SHOWN)]
        async with stand(tmp_path, config=default_config(game)) as at, browser(chromium) as chrome:
            for place in ("dealer", "pit", "sign", ""):
                told = ToldPage(await chrome.page(800 if place == "dealer" else 1280, 800, dark), at.url + place)
                for kind in chosen:
                    await told.tell(kinds[kind])
                    assert await violations(told.page) == [], (place, kind)

    asyncio.run(look())


def test_axe_finds_nothing_on_sheets_and_records(tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        async with stand(tmp_path, speed=50, play=True) as at, browser(chromium) as chrome:
            await at.until(lambda: len(at.server.board.rounds.summaries()) >= 2, 90)
            at.table.people.stand_back(True)
            page = await chrome.page(1280, 800)
            await page.goto(at.url + "pit")
            await sign_in(page, "S4")
            await page.touch("[data-key=powers]")
            assert await violations(page) == []
            await page.touch("[data-pick=limits]")
            assert await violations(page) == []
            await page.goto(at.url + "pit")
            await page.touch("tr.link .open-record")
            await page.until("document.querySelector('.record .story')")
            assert await violations(page) == []
            await page.goto(at.url + "pair")
            await page.until("document.querySelector('form')")
            assert await violations(page) == []

    asyncio.run(look())
