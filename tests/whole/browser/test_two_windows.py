"""Whole rounds by touch alone, the dealer at the panel and the supervisor in the pit, each in a window of their own."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from lab.pictures.browser import Browser, Page, browser
from lab.sim.config import default_config
from tests.whole.browser import poker_hands, war_hands, wheel_hands
from tests.whole.browser.stand import Stand, sign_in, stand

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def windows(at: Stand, chrome: Browser) -> tuple[Page, Page]:
    dealer, pit = await chrome.page(800, 480), await chrome.page(1280, 800)
    await pit.goto(at.url + "pit")
    await sign_in(pit, "S2")
    return dealer, pit


def test_a_spin_too_short_is_called_off_by_the_supervisor_and_spun_again_by_the_dealer(
    tmp_path: Path, chromium: str
) -> None:
    async def play() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            dealer, pit = await windows(at, chrome)
            await wheel_hands.open_table(at, dealer)
            await wheel_hands.bet_and_spin(at, dealer, 0.5)
            await at.until(lambda: at.state == "ruling")
            await pit.touch(".prompt[data-subject=spin] [data-answer=no_spin]")
            await at.until(lambda: at.state != "ruling")
            await dealer.until("!document.querySelector('.prompt')")
            kept = at.runtime.table.game.view()["areas"]
            assert kept == {"A": 2500, "B": 1000}, "wagers stay"
            at.pull("spin", speed=1.4)
            await at.hold_when(lambda: at.state == "spin_open")
            await dealer.touch("[data-key=no_more_bets]")
            at.clock.resume()
            while at.state != "result":
                await at.until(lambda: at.state in ("ruling", "result"))
                if at.state == "ruling":
                    await pit.touch(".prompt .proposed")
                    await at.until(lambda: at.state != "ruling")
            await wheel_hands.settle(at, dealer)
            await pit.until("document.querySelector('[data-round]')?.innerText.includes('1 no spin')")
            assert dealer.problems == pit.problems == []

    asyncio.run(play())


def test_a_tie_goes_to_war_by_touch_and_the_supervisor_reads_why_it_was_paid(tmp_path: Path, chromium: str) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            dealer, pit = await windows(at, chrome)
            await war_hands.open_table(at, dealer)
            await war_hands.bet(at, dealer, ["8S", "KD", "8D"])
            await war_hands.take_and_pay(at, dealer)
            await at.until(lambda: at.state == "choosing")
            await dealer.until("document.querySelector('.prompt .subject .playing')")
            at.pull("place", area="box 1 war", dollars=20, player="")  # which is the answer
            await at.until(lambda: at.state in ("war_burning", "war_dealing"))
            burns = ["2C", "3C", "4C"][: at.runtime.table.game.view()["burns"]]
            await war_hands.give(at, [*burns, "KH", "9C"], "final")
            await war_hands.take_and_pay(at, dealer)
            await at.until(lambda: at.state == "over")
            await war_hands.next_round(at, dealer)
            await pit.touch("[data-round] .open-record")
            story = await pit.until("document.querySelector('.record .story')?.innerText")
            assert "K♥" in story
            assert "Alex" in story or "P1" in story
            assert dealer.problems == pit.problems == []

    asyncio.run(play())


def test_a_side_pot_is_played_for_by_touch_and_the_supervisor_sees_it_and_why_it_was_paid(
    tmp_path: Path, chromium: str
) -> None:
    """Three players go all in with $100, $500 and $300: $300 lie in the main pot, $400 beside it."""

    async def play() -> None:
        async with stand(tmp_path, config=default_config("poker")) as at, browser(chromium) as chrome:
            dealer, pit = await windows(at, chrome)
            await poker_hands.open_table(at, dealer, {1: 100, 2: 500, 3: 300})

            def acts(seat: int) -> str:
                return "all_in" if poker_hands.view(at)["options"]["raise_max"] else "call"

            fingers = poker_hands.Fingers(at, dealer, 3, acts)
            await fingers.until(lambda: at.state == "flop")
            for page in (dealer, pit):
                await page.until("document.querySelector('.pots')?.innerText.replace(/\\s+/g, ' ').includes('Side')")
                shown = await page.run("document.querySelector('.pots').innerText.replace(/\\s+/g, ' ').trim()")
                assert shown == "Main $300 Side $400"
            await fingers.until(lambda: at.state == "between_hands")
            results = poker_hands.view(at)["results"]
            assert sum(one["stake_taken"] for one in results) == sum(one["pays"] for one in results) + 1000, "the rake"
            assert sum(one["stack"] for one in poker_hands.view(at)["seats"]) == 89_000
            assert await dealer.run("!document.querySelector('.pots')?.innerText.trim()"), "no pot lingers"
            await pit.touch("[data-round] .open-record")
            story = await pit.until("document.querySelector('.record .story')?.innerText")
            assert re.search(r"gets \$29\d(\.\d\d)? of the main pot with", story)
            assert re.search(r"gets \$39\d(\.\d\d)? of side pot 1 with|gets \$400 of side pot 1 with", story)
            assert dealer.problems == pit.problems == []

    asyncio.run(play())
