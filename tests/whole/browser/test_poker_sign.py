"""What a poker table's sign shows, in a real browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.games.poker.config import PokerSection, RakeSection
from controller.games.poker.game import PokerGame
from controller.people import Person
from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.whole.browser.stand import stand

pytestmark = pytest.mark.browser


@pytest.mark.clause("melbourne-poker", "6.1.1", "6.10", "6.15.2", "7.1", "7.2.2(c)", "8.9.1")
def test_the_sign_of_a_poker_table_shows_its_terms_and_the_change_that_was_announced(
    tmp_path: Path, chromium: str
) -> None:
    base = default_config("poker")
    poker = msgspec.structs.replace(
        base.own(PokerSection), straddle=True, side_wagers=True, least_buy_in=Cents(20_000), time_to_act_s=30,
        rake=RakeSection("time", fee=Cents(1_200)), extensions=2, extension_s=60, extension_fee=Cents(500),
    )  # fmt: skip

    async def look() -> None:
        config = msgspec.structs.replace(base, play=poker)
        async with stand(tmp_path, config=config) as at, browser(chromium) as chrome:
            page = await chrome.page(1280, 720)
            await page.goto(f"{at.url}sign")
            await page.until("document.querySelectorAll('.term').length == 8")
            shown = await page.run("[...document.querySelectorAll('.term > *')].map((part) => part.textContent)")
            text = " ".join(shown).replace("\n", " ")
            for words in (
                "Smallest buy-in $200", "Betting No limit", "Commission $12 an hour for each player",
                "Time to act 30 s", "More time 60 s for $5, up to 2 times a hand",
            ):  # fmt: skip
                assert words in text
            at.runtime.command("open", Person("S3", 3))
            await at.until(lambda: at.runtime.table.state.life == "open")
            at.runtime.command("change_game", Person("S3", 3), {"game": "omaha", "blinds": "5 10"})
            game = at.runtime.table.game
            assert isinstance(game, PokerGame)
            await at.until(lambda: game.state.coming is not None)
            notice = "Announced: Omaha · Blinds: $5, $10"  # what does not change is not repeated
            await page.until(f"document.querySelector('.sign-notices').innerText.trim() == '{notice}'")
            fits = "document.querySelector('footer').getBoundingClientRect().bottom <= innerHeight"
            assert await page.run(fits)
            assert page.problems == []

    asyncio.run(look())
