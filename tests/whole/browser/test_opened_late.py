"""A page that is opened late, and a question about a world that goes on: both tell the truth."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lab.pictures.browser import browser
from tests.whole.browser.stand import stand
from tests.whole.browser.wheel_hands import answer_until_result, bet_and_spin, open_table, settle

pytestmark = pytest.mark.browser

HUB = "document.querySelector('.wheel .hub-big')?.textContent"


@pytest.mark.parametrize("speed", [1.1, 1.3, 1.45])
def test_a_page_opened_after_the_round_shows_where_the_wheel_stands_and_its_last_trace(
    tmp_path: Path, chromium: str, speed: float
) -> None:
    async def look() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await bet_and_spin(at, page, speed)
            await answer_until_result(at, page)
            won = at.runtime.table.game.view()["winner"]
            await settle(at, page)
            for place in ("dealer", "pit", ""):
                late = await chrome.page(1280, 800)
                await late.goto(at.url + place)
                await late.until(f"{HUB} === {won!r}")
                turned = await late.run(
                    "Number(document.querySelector('.wheel .ring').style.transform.match(/-?[0-9.]+/)[0])"
                )
                truth = at.table.devices.wheel.place / 52 * 360
                assert abs((turned - truth + 180) % 360 - 180) < 360 / 52
                if place == "pit":
                    await late.until("document.querySelector('.plot .seen')?.points.length > 20")
                    await late.until("document.querySelector('tr[data-round]')")

    asyncio.run(look())


def test_a_page_opened_after_a_restart_shows_the_last_trace(tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await bet_and_spin(at, page, 1.2)
            await answer_until_result(at, page)
            await at.go_down()
            await at.come_up()
            late = await chrome.page(1280, 800)
            await late.goto(at.url + "pit")
            await late.until("document.querySelector('.plot .seen')?.points.length > 20")

    asyncio.run(look())


def test_a_question_says_when_the_chips_move_while_it_is_open(tmp_path: Path, chromium: str) -> None:
    async def ask() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await bet_and_spin(at, page, speed=0.5)
            await page.until("document.querySelector('.prompt[data-subject=spin] time')?.innerText.startsWith('seen ')")
            assert not await page.run("document.querySelector('.prompt .changed')")
            at.pull("place", area="D", dollars=5, player="P1")
            await page.until("document.querySelector('.prompt .changed')?.innerText.includes('chips have moved')")

    asyncio.run(ask())


def test_too_much_too_little_and_a_wrong_unit_are_told_at_the_stake_itself(tmp_path: Path, chromium: str) -> None:
    async def lay() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await page.touch("[data-key=place_bets]")
            await at.until(lambda: at.state == "betting_open")
            at.pull("place", area="A", dollars=600, player="P1")
            at.pull("place", area="B", dollars=2.5, player="P2")
            await page.until("document.querySelector('[data-symbol=A] .off-why')?.innerText === '$100 too much'")
            await page.until("document.querySelector('[data-symbol=B] .off-why')?.innerText === 'under $5'")
            at.pull("place", area="C", dollars=7.5, player="P3")
            await page.until("document.querySelector('[data-symbol=C] .off-why')?.innerText === 'not in units of $5'")
            at.pull("clear", area="A")
            await page.until("!document.querySelector('[data-symbol=A] .off-why')")

    asyncio.run(lay())
