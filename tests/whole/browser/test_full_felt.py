"""A table with all its places taken is read whole: no text over another, cut, or with its letters under one another."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.web import guard
from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.whole.browser.full_felt import full_felt
from tests.whole.browser.geometry import ARM, FINGER, looked_at
from tests.whole.browser.stand import stand
from tests.whole.browser.told import SIZES, at_its_desk

pytestmark = pytest.mark.browser
BETS_LIE = {("betting",), ("dealing",), ("interim",), ("choosing",), ("final",)}
WIDE = (1920, 1080)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "GETS_AT_ONCE", 1_000_000.0)


@pytest.mark.parametrize("book", ["melbourne-war", pytest.param("perth-war", marks=pytest.mark.slow)])
def test_nine_boxes_with_several_wagers_each_are_read_whole_on_every_page(
    book: str, tmp_path: Path, chromium: str
) -> None:
    async def look() -> None:
        kinds = full_felt(book, tmp_path)
        assert kinds.keys() >= BETS_LIE
        found = {}
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            for place in ("dealer", "pit", ""):
                script = looked_at(ARM, FINGER) if place == "dealer" else looked_at(0, 0)
                for size in (*SIZES, WIDE):
                    page = await chrome.page(*size)
                    told = await at_its_desk(page, at.url, place)
                    for kind in BETS_LIE:
                        await told.tell(kinds[kind])
                        if wrong := await page.run(script):
                            found[(place, *kind, *size)] = wrong
        assert found == {}

    asyncio.run(look())


def test_the_box_that_is_dealt_to_is_in_sight_on_a_small_panel(tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        sections = full_felt("melbourne-war", tmp_path)[("dealing",)]
        sections["game"]["next"] = "box9"
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            told = await at_its_desk(page, at.url, "dealer")
            await told.tell(sections)
            below = "document.querySelector('.card-box.next').getBoundingClientRect().bottom"
            assert await page.run(
                f"{below} <= document.querySelector('.card-table').getBoundingClientRect().bottom + 1"
            )

    asyncio.run(look())
