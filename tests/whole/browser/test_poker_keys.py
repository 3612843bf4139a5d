"""Poker's keys with arguments, entered on the dealer's screen in a real browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.games.poker.game import PokerGame
from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.whole.browser.stand import sign_in, stand

pytestmark = pytest.mark.browser


@pytest.mark.clause("melbourne-poker", "6.10", "7.3")
def test_a_change_of_game_and_of_commission_is_entered_on_the_screen(tmp_path: Path, chromium: str) -> None:
    async def change() -> None:
        async with stand(tmp_path, config=default_config("poker")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(f"{at.url}dealer")
            await sign_in(page, "S3")
            await page.touch("[data-key=open]")
            await at.until(lambda: at.runtime.table.state.life == "open")
            game = at.runtime.table.game
            assert isinstance(game, PokerGame)
            await page.touch("[data-key=more]")
            await page.touch("[data-pick=change_game]")
            await page.until("document.querySelector('input[name=blinds]')")
            await page.touch("[data-choice=omaha_hilo]")
            await page.touch("[data-choice=pot_limit]")
            await page.type("input[name=blinds]", "10 20")
            await page.touch(".sheet .go")
            await at.until(lambda: game.state.coming is not None)
            assert game.state.coming is not None
            terms = game.state.coming.terms
            assert (terms.game.name, terms.structure.kind) == ("Omaha Hi-Lo Eight Qualifier", "pot")
            assert terms.blinds == (1_000, 2_000)
            await page.touch("[data-key=more]")
            await page.touch("[data-pick=change_commission]")
            await page.touch("[data-choice=per_person]")
            await page.type("input[name=fee]", "2.50")
            await page.touch(".sheet .go")
            await at.until(lambda: game.state.terms.commission.method == "per_person")
            assert game.state.terms.commission.fee == 250
            assert page.problems == []

    asyncio.run(change())
