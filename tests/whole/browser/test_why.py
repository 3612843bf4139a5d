"""Why a wager was paid or taken is one touch away: stake, arithmetic, what came, and what the rule asks."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.whole.browser.geometry import looked_at
from tests.whole.browser.stand import stand
from tests.whole.browser.told import SIZES

pytestmark = pytest.mark.browser
CAME = {
    "wheel": r"The wheel came to rest on [A-G], compartment \d+, after \d+\.\d\d turns",
    "war": r"box \d (10|[2-9JQKA])[♠♥♦♣] the dealer (10|[2-9JQKA])[♠♥♦♣]",
    "poker": r"Board( (10|[2-9JQKA])[♠♥♦♣]){3,5}",
}
WHY = """document.querySelector('.sheet .sum')?.closest('.sheet').innerText
    .replace(/\\s+/g, ' ').replace(/ (?=[♠♥♦♣])/g, '')"""
ASKED = "document.querySelector('.meanings dd')?.innerText.length > 10"


@pytest.mark.parametrize("game", CAME)
def test_a_touch_on_a_wager_tells_stake_arithmetic_what_came_and_the_rule(
    game: str, tmp_path: Path, chromium: str
) -> None:
    async def ask() -> None:
        config = default_config(game)
        async with stand(tmp_path, speed=20, seed=3, play=True, config=config) as at, browser(chromium) as chrome:
            view = at.runtime.table.game.view
            await at.hold_when(lambda: bool(view().get("results")), 120)
            for size in SIZES:
                page = await chrome.page(*size)
                await page.goto(at.url + "pit")
                await page.touch("[data-why]")
                told = await page.until(WHY)
                assert re.search(CAME[game], told), told
                assert re.search(r"\$\d+ staked, (win|lose)", told), told
                await page.until(ASKED)
                assert await page.run(looked_at(0, 0)) == []
                assert page.problems == []

    asyncio.run(ask())
