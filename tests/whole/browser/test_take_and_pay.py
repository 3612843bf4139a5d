"""Take and pay on the glass: the list follows the chips, and what is wrong is told when it happens."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.whole.browser import war_hands
from tests.whole.browser.stand import stand
from tests.whole.browser.wheel_hands import answer_until_result, open_table

pytestmark = pytest.mark.browser

STEP = "document.querySelector('.step[data-bet=\"{}\"]')"
STAKES = (("A", 25, "P1"), ("B", 10, "P2"), ("E", 120, "P1"), ("G", 50, "P3"))
AREAS = "ABCDEFG"
ALL_INSIDE = """(() => {
  const box = document.querySelector('.scroll').getBoundingClientRect();
  const rows = [...document.querySelectorAll('.step')].map((row) => row.getBoundingClientRect());
  return rows.length > 0 && rows.every((row) => row.top >= box.top && row.bottom <= box.bottom + 1);
})()"""


def said(bet: str) -> str:
    return STEP.format(bet) + "?.innerText.replace(/\\s+/g, ' ')"


def test_losers_come_first_in_the_order_of_the_layout_and_each_row_follows_its_chips(
    tmp_path: Path, chromium: str
) -> None:
    async def pay() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await page.touch("[data-key=place_bets]")
            await at.until(lambda: at.state == "betting_open")
            for area, dollars, player in STAKES:
                at.pull("place", area=area, dollars=dollars, player=player)
            view = at.runtime.table.game.view
            await at.until(lambda: len([one for one in view()["wagers"] if one["owner"]]) == len(STAKES))
            at.pull("spin", speed=1.2)
            await at.hold_when(lambda: at.state == "spin_open")
            await page.touch("[data-key=no_more_bets]")
            at.clock.resume()
            await answer_until_result(at, page)
            planned = await page.until("[...document.querySelectorAll('.step')].map((row) => row.dataset.bet)")
            await page.touch("[data-key=acknowledge]")
            await at.until(lambda: at.state == "collect")
            winner = view()["winner"]
            losers = [area for area in AREAS if area != winner and area in view()["areas"]]
            rows = await page.until(
                "document.querySelectorAll('.step').length"
                " && [...document.querySelectorAll('.step')].map((row) => row.dataset.bet)"
            )
            won = [winner] if winner in view()["areas"] else []
            assert rows == planned == [*losers, *won]
            assert await page.run("[...document.querySelectorAll('.steps h2')][0].innerText.toUpperCase()") == "TAKE"
            # one stake is taken: its row is done and steps back behind the open ones
            at.pull("collect", area=losers[0])
            await page.until(f"{STEP.format(losers[0])}.classList.contains('done')")
            first = await page.run("document.querySelector('.step').dataset.bet")
            assert first == losers[1]
            for area in losers[1:]:
                at.pull("collect", area=area)
            await at.until(lambda: at.state in ("pay", "idle"))
            if won:
                due = next(one["pays"] for one in view()["results"] if one["bet"] == winner) // 100
                at.pull("pay", area=winner, dollars=due - 5)
                await page.until(f"{said(winner)}.includes('$5 short')")
                at.pull("pay", area=winner, dollars=15)
                await page.until(f"{said(winner)}.includes('$10 too much')")
                assert at.state == "pay"  # told before anybody says that it is paid
            assert page.problems == []

    asyncio.run(pay())


def test_alarms_shrink_to_one_line_and_leave_the_list_on_the_screen(tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        config = default_config("war")
        async with stand(tmp_path, config=config) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await war_hands.open_table(at, page)
            await war_hands.bet(at, page, ["4S", "5H", "KD"])  # both lose
            await page.until("document.querySelectorAll('.step').length === 2")
            for dollars in (100, 25):
                at.pull("pay", area="box 1 main", dollars=dollars)  # nobody won anything there
            await page.until("document.querySelector('.step.wrong')")
            await page.touch("[data-key=settled]")
            await page.touch(".sheet .safe")
            await page.until("document.querySelector('.alarms .brief')")
            lines = await page.run("document.querySelector('.alarms').offsetHeight")
            assert lines <= 52
            inside = await page.run(ALL_INSIDE)
            assert inside
            await page.touch(".alarms .brief")
            await page.until("document.querySelector('.sheet .alarm')")

    asyncio.run(look())


def test_why_it_is_paid_is_one_touch_away_with_stake_arithmetic_and_rule(tmp_path: Path, chromium: str) -> None:
    async def ask() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await war_hands.open_table(at, page)
            await war_hands.bet(at, page, ["KS", "5H", "9D"])
            await page.touch(".step[data-kind=pay]")
            text = await page.until("document.querySelector('.sheet.told')?.innerText")
            assert "$20 staked" in text
            assert "$20 at 1 to 1 pays $20" in text
            assert await page.run("document.querySelectorAll('.meanings dd').length > 0")

    asyncio.run(ask())


def test_opening_the_bets_again_never_stands_where_the_close_was(tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await war_hands.open_table(at, page)
            for box in (1, 2):
                at.pull("place", area=f"box {box} main", dollars=20, player="")
            await page.until("document.querySelector('[data-box=\"2\"]').innerText.includes('$20')")
            await page.touch("[data-key=no_more_bets]")
            await at.until(lambda: at.state == "closed")
            await page.until("document.querySelector('.side-slots [data-key=place_bets]')")
            assert not await page.run("document.querySelector('.main-slot [data-key=place_bets]')")

    asyncio.run(look())
