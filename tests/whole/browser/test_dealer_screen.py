"""A Big Wheel table worked through the dealer's screen, in a real browser."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from controller.core.effects import Ruled, Settled
from controller.core.runtime import Told
from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.whole.browser.stand import sign_in, stand
from tests.whole.browser.wheel_hands import answer_until_result, bet_and_spin, open_table, settle

pytestmark = pytest.mark.browser

HOSTILE = "<img src onerror=document.title='owned'>"


def test_a_whole_shift_is_played_by_touching_the_dealers_screen(tmp_path: Path, chromium: str) -> None:
    async def shift() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            settled: list[Settled] = []

            def watch(told: Told) -> None:
                settled.extend(effect for effect in told.effects if isinstance(effect, Settled))

            at.runtime.watchers.append(watch)
            page = await chrome.page(800, 480, dark=True)
            await open_table(at, page)
            for spin in (1.1, 1.3, 1.5):
                await bet_and_spin(at, page, spin)
                await answer_until_result(at, page)
                await settle(at, page)
            assert [one.round for one in settled] == [1, 2, 3]
            assert all(len(one.results) == 2 for one in settled)
            await page.touch("[data-key=more]")
            await page.touch("[data-pick=close]")
            await page.touch(".sheet .go")  # without a float slip
            assert await page.text(".sheet .safe") == "Keep it open"  # the safe answer is the large one
            await page.touch("[data-key=all-the-same]")
            await page.touch("[data-staff=S2]")
            await at.until(lambda: at.runtime.table.state.life == "closed")
            assert page.problems == []

    asyncio.run(shift())


@pytest.mark.clause("melbourne-wheel", "7.1.1", "7.2")
def test_a_short_spin_is_overruled_by_a_supervisor_and_not_by_the_dealer(tmp_path: Path, chromium: str) -> None:
    async def rule() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await bet_and_spin(at, page, speed=0.5)
            await page.until("document.querySelector('.prompt[data-subject=spin]')")
            await page.touch(".prompt .rule")
            await page.until("document.querySelector('.meanings')?.innerText.includes('7.1.1')")
            assert "full turns" in await page.text(".meanings dd")
            await page.touch(".sheet .back")
            prompt = await page.run("document.querySelector('.prompt').dataset.prompt")
            refused = await page.run(
                "fetch('/api/command', {method: 'POST', headers: {'content-type': 'application/json'}, body: "
                + json.dumps(
                    json.dumps(
                        {
                            "name": "answer",
                            "place": "dealer",
                            "args": {"prompt": prompt, "answer": "stands", "reason": "I say so"},
                        }
                    )
                )
                + "}).then(async (r) => [r.status, (await r.json()).code])"
            )
            assert refused == [403, "rank_too_low"]
            assert at.state == "ruling"
            await page.touch("[data-answer=stands]")
            await page.until("document.querySelector('.sheet [name=reason]')")
            await page.touch(".sheet .choices .key")
            await page.touch("[data-staff=S2]")
            await at.until(lambda: at.state == "result")
            await page.until("document.querySelector('[data-key=acknowledge]')")

    asyncio.run(rule())


def test_money_that_does_not_add_up_is_accepted_by_a_supervisor_with_a_reason_only(
    tmp_path: Path, chromium: str
) -> None:
    async def accept() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            ruled: list[Ruled] = []

            def watch(told: Told) -> None:
                ruled.extend(effect for effect in told.effects if isinstance(effect, Ruled))

            at.runtime.watchers.append(watch)
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await bet_and_spin(at, page, 1.2)
            await answer_until_result(at, page)
            await page.touch("[data-key=acknowledge]")
            await at.until(lambda: at.state in ("collect", "pay"))
            for symbol in ("A", "B"):
                at.pull("clear", area=symbol)  # a player walks off with the stakes
            await at.until(lambda: at.state == "pay")
            await page.touch("[data-key=paid]")
            await page.until("document.querySelector('.sheet .safe')?.innerText === 'Go back and put it right'")
            large = "document.querySelector('.sheet .safe').offsetWidth"
            assert await page.run(f"{large} > document.querySelector('[data-key=all-the-same]').offsetWidth")
            await page.touch("[data-key=all-the-same]")
            await page.touch(".sheet .choices .key")
            assert at.state == "pay"
            await page.touch("[data-staff=S2]")
            await at.until(lambda: any(one.subject == "payment" for one in ruled))
            assert at.state == "idle"
            payment = next(one for one in ruled if one.subject == "payment")
            assert (payment.by, payment.answer, bool(payment.reason)) == ("S2", "accepted", True)

    asyncio.run(accept())


def test_a_reloaded_page_and_a_second_one_show_the_round_as_it_stands(tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await page.touch("[data-key=place_bets]")
            await at.until(lambda: at.state == "betting_open")
            at.pull("place", area="C", dollars=40, player="P3")
            await page.until("document.querySelector('[data-symbol=C]').innerText.includes('$40')")
            await page.goto(at.url + "dealer")
            await page.until("document.querySelector('[data-symbol=C]')?.innerText.includes('$40')")
            await page.until("document.querySelector('[data-key=no_more_bets]')")  # still signed in
            second = await chrome.page(1280, 800)
            await second.goto(at.url + "pit")
            await second.until("document.querySelector('[data-symbol=C]')?.innerText.includes('$40')")
            await second.until("document.querySelector('.headline')?.innerText === 'Place your bets'")

    asyncio.run(look())


def test_a_page_that_loses_the_table_says_so_and_catches_up_by_itself(tmp_path: Path, chromium: str) -> None:
    async def lose() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await page.touch("[data-key=place_bets]")
            await at.until(lambda: at.state == "betting_open")
            await at.go_down()
            await page.until("document.body.classList.contains('lost')")
            assert "No connection" in await page.text(".lost-bar")
            assert await page.run("getComputedStyle(document.querySelector('main')).pointerEvents") == "none"
            await at.come_up()
            await page.until("!document.body.classList.contains('lost')")
            at.pull("place", area="D", dollars=5, player="P1")
            await page.until("document.querySelector('[data-symbol=D]').innerText.includes('$5')")
            assert at.state == "betting_open"
            await page.until("document.querySelector('.headline').innerText === 'Place your bets'")
            await page.until("document.querySelector('[data-key=sign-in]')")  # a restart signs everybody out

    asyncio.run(lose())


def test_a_players_name_with_script_in_it_stays_text(tmp_path: Path, chromium: str) -> None:
    async def inject() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(1280, 800)
            await open_table(at, page)
            pit = await chrome.page(1280, 800)
            await pit.goto(at.url + "pit")
            await bet_and_spin(at, page, 1.2, player=HOSTILE)
            for one in (page, pit):
                await one.until(f"document.body.innerText.includes({json.dumps(HOSTILE)})")
                assert await one.run("document.querySelectorAll('img').length") == 0
                assert await one.run("document.title.includes('owned')") is False
                assert one.problems == []

    asyncio.run(inject())


def test_the_wheel_on_the_screen_stands_where_the_true_wheel_stands(tmp_path: Path, chromium: str) -> None:
    async def turn() -> None:
        async with stand(tmp_path) as at, browser(chromium) as chrome:
            page = await chrome.page(1280, 800)
            await open_table(at, page)
            await bet_and_spin(at, page, 1.2)
            await answer_until_result(at, page)
            wheel = at.table.devices.wheel
            await page.until("document.querySelector('.wheel .won')")
            shown = await page.run(
                "Number(document.querySelector('.wheel .ring').style.transform.match(/-?[0-9.]+/)[0])"
            )
            truth = wheel.place / 52 * 360
            assert abs((shown - truth + 180) % 360 - 180) < 360 / 52

    asyncio.run(turn())


def test_among_all_keys_one_is_found_by_its_words_and_back_stays_where_the_thumb_is(
    tmp_path: Path, chromium: str
) -> None:
    async def find() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(at.url + "dealer")
            await sign_in(page, "S1")
            await at.until(lambda: not at.runtime.table.state.faults)
            await page.touch("[data-key=open]")
            await at.until(lambda: at.runtime.table.state.life == "open")
            await page.touch("[data-key=more]")
            many = await page.until("document.querySelectorAll('.sheet [data-pick]').length")
            assert many > 20
            back = "document.querySelector('.sheet .back').getBoundingClientRect()"
            assert await page.run(f"{back}.bottom <= innerHeight && {back}.top > innerHeight / 2")
            await page.type(".sheet [name=find]", "limits")
            found = "[...document.querySelectorAll('.sheet [data-pick]')].filter((key) => key.checkVisibility())"
            assert await page.until(f"{found}.length < 5 && {found}.map((key) => key.dataset.pick)") == [
                "limits",
                "personal_limit",
            ]
            await page.touch("[data-cap=Done]")  # the letters on the glass take the room of the key below them
            await page.touch(".sheet .back")
            await page.until("!document.querySelector('.sheet')")

    asyncio.run(find())
