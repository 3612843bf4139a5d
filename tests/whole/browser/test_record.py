"""The record of a round tells its story first, whole at every size: what lay and came, who decided what and why."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.whole.browser.geometry import looked_at
from tests.whole.browser.stand import sign_in, stand
from tests.whole.browser.told import SIZES

pytestmark = pytest.mark.browser
ROUNDS = 3
AT_THE_TOP = "document.querySelector('.record-scroll').scrollTop === 0"
DECIDED = "document.querySelector('.record [data-part=decided]')?.innerText.replace(/\\s+/g, ' ')"
STEP = "document.querySelector('.record .num').innerText"


@pytest.mark.parametrize("game", ["wheel", "war", "poker"])
def test_the_record_of_a_round_opens_with_its_story_and_is_read_whole(game: str, tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        config = default_config(game)
        async with stand(tmp_path, speed=30, seed=3, play=True, config=config) as at, browser(chromium) as chrome:
            log = at.server.board.rounds
            await at.until(lambda: len(log.summaries()) >= ROUNDS, 120)
            at.clock.pause()
            round_ = max(log.summaries(), key=lambda one: (one.rulings, one.wagers)).round
            found = {}
            for size in SIZES:
                page = await chrome.page(*size)
                await page.goto(at.url + "pit")
                await sign_in(page, "S3")
                await page.touch(f"[data-round='{round_}'] .open-record")
                await page.until("document.querySelector('.record .story')")
                assert await page.run(AT_THE_TOP)
                if wrong := await page.run(looked_at(0, 0)):
                    found[size] = wrong
                assert page.problems == []
            assert found == {}
            await page.touch("[data-key=film]")
            await page.until(f"!{STEP}.startsWith('1 of')")
            await page.touch("[data-key=film]")
            assert await page.run("document.querySelector('[data-key=film]').getAttribute('aria-pressed')") == "false"

    asyncio.run(look())


def test_each_decision_is_told_with_question_answer_name_title_and_what_its_rule_asks(
    tmp_path: Path, chromium: str
) -> None:
    async def look() -> None:
        config = default_config("war")
        async with stand(tmp_path, speed=30, seed=3, play=True, config=config) as at, browser(chromium) as chrome:
            await at.until(lambda: len(at.server.board.rounds.summaries()) >= 1, 120)
            at.clock.pause()
            page = await chrome.page(1280, 800)
            await page.goto(at.url + "pit")
            await sign_in(page, "S3")
            await page.touch("[data-round='1'] .open-record")
            told = await page.until(DECIDED)
            assert "Cards checked: How: by hand · Alex, Dealer" in told
            assert "Cut, at least a deck from both ends · Alex, Dealer" in told
            assert "4.2.3 Remind that the cut must be roughly one deck or more from both ends" in told

    asyncio.run(look())
