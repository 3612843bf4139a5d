"""A Casino War table worked through the dealer's screen, in a real browser; hands do what hands do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from controller.core.effects import Noted
from controller.core.runtime import Told
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.stand import stand
from tests.whole.browser.war_hands import bet, deal, next_round, open_table, take_and_pay, view

pytestmark = pytest.mark.browser


@pytest.mark.clause("melbourne-war", "7.4.2(b)", "7.4.3(a)")
def test_a_whole_casino_war_shift_is_played_by_touching_the_dealers_screen(tmp_path: Path, chromium: str) -> None:
    async def shift() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            rounds: list[dict[str, Any]] = []

            def watch(told: Told) -> None:
                rounds.extend(e.facts for e in told.effects if isinstance(e, Noted) and e.what == "round")

            at.runtime.watchers.append(watch)
            page = await chrome.page(800, 480, dark=True)
            pit = await chrome.page(1280, 800)
            await pit.goto(at.url + "pit")
            await open_table(at, page)

            # a win and a loss
            await bet(at, page, ["KS", "2H", "9D"])
            await page.until("document.querySelector('.checklist').innerText.includes('$20')")
            await pit.until("document.querySelector('[data-box=\"1\"].won .playing')?.innerText.includes('K')")
            await take_and_pay(at, page)
            await next_round(at, page)

            # two ties: one surrenders, one goes to war by laying the stake and wins
            await bet(at, page, ["7S", "7H", "7D"])
            await take_and_pay(at, page)
            assert at.state == "choosing"
            await page.touch(".prompt[data-subject^='choice:1'] [data-answer=surrender]")
            await at.until(lambda: len(view(at)["results"]) == 1)
            at.pull("collect", area="box 1 main", dollars=10)
            at.pull("place", area="box 2 war", dollars=20, player="")
            await deal(at, "final")
            await take_and_pay(at, page)
            assert at.state == "over"
            await next_round(at, page)

            # a card nobody can read is named on the screen by somebody of rank
            at.pull("place", area="box 1 main", dollars=20, player="")
            await at.until(lambda: len(view(at)["stakes"]) == 1)
            await page.touch("[data-key=no_more_bets]")
            at.pull("swap", face="AS")
            at.pull("spoil", kind="unreadable")
            await at.until(lambda: not at.levers.source.locked)  # type: ignore[attr-defined]
            at.pull("draw")
            await page.touch(".prompt[data-subject^=unknown] [data-answer=enter]")
            await page.touch("[data-rank=A]")
            await page.touch("[data-suit=S]")
            await page.touch(".sheet .go")
            await name_supervisor(page)
            await at.until(lambda: view(at)["cards"] and view(at)["cards"][-1] == {"face": "AS", "to": "box1"})
            await deal(at, "interim")
            await take_and_pay(at, page)

            assert [one["valid"] for one in rounds[:2]] == [True, True]
            results = [
                {wager.split()[0] + wager.split()[1]: how for wager, how, *_ in one["results"]} for one in rounds
            ]
            assert results[0] == {"main1": "win", "main2": "lose"}
            assert results[1]["main1"] == "surrender"
            await pit.until("document.querySelectorAll('tr.link').length >= 1")
            assert page.problems == []
            assert pit.problems == []

    async def name_supervisor(page: Page) -> None:
        """Whoever has the rank for it, if the dealer's own is not enough."""
        await page.until("!document.querySelector('.prompt') || document.querySelector('[data-staff]')")
        if await page.run("Boolean(document.querySelector('[data-staff]'))"):
            await page.touch("[data-staff]")

    asyncio.run(shift())


def test_the_record_opens_with_its_story_and_every_payment_has_its_arithmetic_and_rule(
    tmp_path: Path, chromium: str
) -> None:
    async def read() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await bet(at, page, ["KS", "5H", "9D"])
            await take_and_pay(at, page)
            await next_round(at, page)
            pit = await chrome.page(1280, 800)
            await pit.goto(at.url + "pit")
            await pit.touch("tr.link .open-record")
            story = await pit.until("document.querySelector('.record .story')?.innerText.replace(/\\s+/g, ' ')")
            for words in (
                "Box 1 main: $20 of P1",
                "Box 2: 5♥",
                "The dealer: 9♦",
                "$20 staked, win: $20 at 1 to 1 pays $20",
            ):
                assert words in story, story
            assert "{" not in await pit.text(".record")  # nothing as programs write it
            await pit.touch(".record .told-lines .rule")
            await pit.until("document.querySelectorAll('.meanings dd')[0]?.innerText.length > 10")
            await pit.touch(".sheet .back")
            await pit.touch("[data-key=film]")
            await pit.until("Number(document.querySelector('.stepper input').value) >= 3")  # it plays by itself
            await pit.touch("[data-key=film]")
            at_rest = await pit.run("document.querySelector('.stepper input').value")
            assert await pit.run("document.querySelector('[data-key=film]').getAttribute('aria-pressed')") == "false"
            await pit.touch("[data-key=step]")
            assert await pit.run("document.querySelector('.stepper input').value") == str(int(at_rest) + 1)
            link = await pit.run("document.querySelector('.record-head a').getAttribute('href')")
            again = await chrome.page(1280, 800)
            await again.goto(at.url + "pit" + link)
            await again.until("document.querySelector('.record .story')?.innerText.includes('Box 1 main: $20 of P1')")

    asyncio.run(read())
