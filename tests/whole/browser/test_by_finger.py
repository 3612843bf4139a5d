"""What a finger alone needs: all keys by what they are about, letters on the glass, and a screen set light or dark."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from lab.pictures.browser import browser
from tests.whole.browser.geometry import looked_at
from tests.whole.browser.stand import sign_in, stand

pytestmark = pytest.mark.browser

GROUPS = "[...document.querySelectorAll('.group:not(.hidden) h3')].map((one) => one.textContent)"
BACK = "document.documentElement.clientHeight - document.querySelector('.back').getBoundingClientRect().bottom"


def test_keys_lie_together_by_what_they_are_about_and_are_found_by_letters_on_the_glass(
    tmp_path: Path, chromium: str
) -> None:
    async def watch() -> None:
        async with stand(tmp_path) as table, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(table.url + "dealer")
            await sign_in(page, "S4")
            await page.touch("[data-key=open]")
            await table.until(lambda: table.runtime.table.state.life == "open")
            await page.touch("[data-key=more]")
            await page.until("document.querySelector('.group')")
            assert await page.run(GROUPS) == ["The round", "Chips and wagers", "Players", "Float and cash", "The table"]
            assert await page.run(BACK) < 40, "back lies at the lower edge"
            assert await page.run(looked_at(20, 48)) == []
            await page.touch("[name=find]")
            for letter in "float":
                await page.touch(f"[data-cap='{letter}']")
            assert await page.run(GROUPS) == ["Float and cash"]
            await page.touch("[data-cap=Done]")
            await page.touch("[data-pick=fill]")
            await page.touch("[name=slip]")
            for letter in ("a", "7"):
                await page.touch(f"[data-cap='{letter}']")
            assert await page.run("document.querySelector('[name=slip]').value") == "A7"
            smallest = (
                "Math.min(...[...document.querySelectorAll('.cap')].map((one) => one.getBoundingClientRect().height))"
            )
            assert await page.run(smallest) >= 48
            await page.touch("[data-cap=Delete]")
            assert await page.run("document.querySelector('[name=slip]').value") == "A"
            assert not page.problems

    asyncio.run(watch())


def test_a_screen_set_dark_stays_dark_and_another_is_as_its_own_is_set(tmp_path: Path, chromium: str) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"

    async def watch() -> None:
        async with stand(tmp_path) as table, browser(chromium) as chrome:
            page, other = await chrome.page(800, 480), await chrome.page(800, 480)
            for each in (page, other):
                await each.goto(table.url + "dealer")
                await each.until("document.querySelector('.main-slot .key')")
            light = await page.run(ground)
            await page.touch("[data-key=screen]")
            await page.touch("[data-choice=dark]")
            await page.touch(".sheet .go")
            await page.until(f"{ground} !== '{light}'")
            await page.goto(table.url + "pit")
            await page.until("document.querySelector('.head .name').textContent !== '…'")
            assert await page.run(ground) != light
            assert await other.run(ground) == light

    asyncio.run(watch())


def test_a_screen_set_to_chinese_says_everything_in_it_and_only_it_loads_the_words(
    tmp_path: Path, chromium: str
) -> None:
    loaded = "performance.getEntriesByType('resource').some((one) => one.name.includes('/words/'))"

    async def watch() -> None:
        async with stand(tmp_path) as table, browser(chromium) as chrome:
            page, other = await chrome.page(800, 480), await chrome.page(800, 480)
            for each in (page, other):
                await each.goto(table.url + "dealer")
            await sign_in(page, "S1")
            await page.touch("[data-key=screen]")
            await page.touch("[data-choice=zh]")
            await page.touch(".sheet .go")
            await page.until("document.documentElement.lang === 'zh-Hans'")
            assert await page.until("document.querySelector('[data-key=open] .label')?.textContent") == "开台"
            await page.touch("[data-key=open]")
            await table.until(lambda: table.runtime.table.state.life == "open")
            assert await page.until("document.querySelector('[data-key=place_bets] .label')?.textContent") == "请下注"
            await page.touch("[data-key=more]")
            await page.until("document.querySelector('.group')")
            words = await page.run("document.querySelector('.sheet').innerText")
            assert not re.search("[A-Za-z]{2}", words), words
            assert "退出" in await page.text(".who")
            assert await other.text(".headline") == "Ready for the next spin"
            assert (await page.run(loaded), await other.run(loaded)) == (True, False)
            assert page.problems == []

    asyncio.run(watch())


def test_a_sentence_with_gaps_is_said_with_what_fills_them_translated_as_well(tmp_path: Path, chromium: str) -> None:
    ask = """import('/static/translate.js').then(({ catalogue, translated }) =>
      fetch('/words/zh').then((words) => words.json()).then((words) => {
        const known = catalogue(words);
        return TEXTS.map((text) => translated(text, known));
      }))"""
    texts = {
        "12 s left": "剩 12 秒",
        "Take back “Place your bets”": "撤回“请下注”",
        "Box 3, Ann: war with another $25, or surrender half?": "箱位 3，Ann：再放 $25 开战，还是半数投降？",
        "Since this was asked: chips have moved.": "提问之后：筹码移动过。",
        "Ann": "Ann",
        "$25": "$25",
    }

    async def watch() -> None:
        async with stand(tmp_path) as table, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(table.url)
            assert await page.run(ask.replace("TEXTS", json.dumps(list(texts)))) == list(texts.values())

    asyncio.run(watch())
