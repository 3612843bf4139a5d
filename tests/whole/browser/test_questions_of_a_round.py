"""Questions that a dealer puts to the floor in the middle of a round are answered on the page, one after the other."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.stand import Stand, stand
from tests.whole.browser.war_hands import give, go_on, more, open_table, view

pytestmark = pytest.mark.browser

ASKED = (("void_round", ""), ("misdeal", ""), ("void_hand", "1"), ("void_player", "P1"), ("misplaced", ""))
"""Keys that a dealer presses, each with what is chosen in its form; they ask under their own names."""


async def ask(at: Stand, page: Page, key: str, chosen: str) -> None:
    """The dealer presses a key that somebody else has to rule on."""
    if await page.run(f"Boolean(document.querySelector('[data-key={key}]'))"):
        await page.touch(f"[data-key={key}]")
    else:
        await more(page, key)
    if chosen:
        await page.touch(f".sheet [data-choice='{chosen}']")
    elif key == "misplaced":
        await page.touch(".sheet .go")
    if key != "misplaced":  # what it will do is shown first
        await page.touch(".sheet [data-key=all-the-same]")
    await at.until(lambda: any(one.subject.startswith(key) for one in at.runtime.table.state.desk.prompts.values()))


async def let_stand(at: Stand, page: Page, subject: str) -> None:
    """Somebody of rank has play go on as it was."""
    await page.touch(f".prompt[data-subject^={subject}] [data-answer=stand]")
    await go_on_signed(page)
    await at.until(lambda: not at.runtime.table.state.desk.prompts)


async def go_on_signed(page: Page) -> None:
    """An answer above the dealer's rank is signed by whoever the page offers."""
    await page.until("document.querySelector('[data-staff]') || document.querySelector('.sheet .go')")
    if await page.run("Boolean(document.querySelector('[data-staff]'))"):
        await page.touch("[data-staff]")
    else:
        await go_on(page)


@pytest.mark.clause("melbourne-war", "9.4", "11.10")
def test_what_a_dealer_reports_of_a_round_is_let_stand_on_the_page_and_the_round_goes_on(
    tmp_path: Path, chromium: str
) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            for box in (1, 2):
                at.pull("place", area=f"box {box} main", dollars=20, player="")
            await at.until(lambda: len(view(at)["stakes"]) == 2)
            await page.touch("[data-key=no_more_bets]")
            await at.until(lambda: at.state == "closed")
            await give(at, ["7S"], "dealing")
            for key, chosen in ASKED:
                await ask(at, page, key, chosen)
                assert at.state == "ruling"
                await let_stand(at, page, key)
                assert at.state == "dealing"
            await give(at, ["8S", "2C"], "interim")
            assert [one["result"] for one in view(at)["results"]] == ["win", "win"]
            assert page.problems == []

    asyncio.run(play())
