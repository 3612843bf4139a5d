"""Bad amounts and slips typed into the page's own forms: each is refused in words, and nothing is booked."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from controller.core.effects import Noted
from controller.core.runtime import Told
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.stand import Stand, stand
from tests.whole.browser.war_hands import more, open_table

pytestmark = pytest.mark.browser
ANSWERED = "document.querySelector('.sheet .wrong')?.innerText || document.querySelector('.said')?.innerText || ''"
NO_AMOUNTS = {
    "": "This is needed.", "-5": "above nothing", "0": "above nothing", "5.005": "Write an amount",
    "1e999999": "Write an amount", "0x10": "Write an amount", "NaN": "Write an amount", "٥": "Write an amount",
    "0.01": "No chips of this float make $0.01", "99999999": "more than anybody brings to one table",
    "9" * 30: "it needs an amount in dollars",
}  # fmt: skip
"""What is typed, and words of what is answered."""


def bookings(at: Stand) -> list[dict[str, Any]]:
    """What is booked from now on."""
    found: list[dict[str, Any]] = []

    def watch(told: Told) -> None:
        found.extend(one.facts for one in told.effects if isinstance(one, Noted) and one.what == "booked")

    at.runtime.watchers.append(watch)
    return found


async def typed(page: Page, **told: str) -> None:
    for name, text in told.items():
        await page.run(f"document.querySelector('.sheet [name={name}]').value = ''")
        if text:
            await page.type(f".sheet [name={name}]", text)


async def sent(page: Page) -> None:
    """Send what was typed; somebody of rank signs, where the page lets it go."""
    await page.touch(".sheet .go")
    await page.until(f"!document.querySelector('.sheet') || document.querySelector('[data-staff]') || ({ANSWERED})")
    if await page.run("Boolean(document.querySelector('[data-staff]'))"):
        await page.touch("[data-staff]")


@pytest.mark.parametrize("key", ["fill", "credit", "buy_in"])
def test_amounts_that_are_none_are_refused_and_nothing_is_booked(tmp_path: Path, chromium: str, key: str) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            booked = bookings(at)
            await open_table(at, page)
            for text, words in NO_AMOUNTS.items():
                await more(page, key)
                await typed(page, cents=text, **({"player": "Ann"} if key == "buy_in" else {}))
                await sent(page)
                await page.until(f"({ANSWERED}) !== ''")
                answered = await page.run(ANSWERED)
                assert words in answered
                await page.run("document.querySelector('.said')?.remove()")
                if await page.run("Boolean(document.querySelector('.sheet'))"):
                    await page.touch(".sheet .actions .key")
            assert booked == []
            assert page.problems == []

    asyncio.run(play())


def test_a_slip_is_booked_once_however_its_number_is_typed_and_its_chips_come_to_its_amount(
    tmp_path: Path, chromium: str
) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            booked = bookings(at)
            await open_table(at, page)
            for slip, chips, words in (
                ("F 100", "25:1 5:5", "come to $50, and its amount is $25"),
                ("F 100", "25:1.5", "A float slip holds chips by their value"),
                ("F 100", "25:-1", "A float slip holds chips by their value"),
                ("F<100>", "", "A slip's number has up to 32 letters"),
                ("F 100", "25:1", ""),
                ("f100", "25:1", "Slip f100 is booked already"),
                (" F 1 0 0 ", "", "is booked already"),
            ):
                await more(page, "fill")
                await typed(page, cents="25", slip=slip, chips=chips)
                await sent(page)
                if words:
                    await page.until(f"({ANSWERED}).includes('{words.replace(chr(39), chr(92) + chr(39))}')")
                else:
                    await at.until(lambda: len(booked) == 1)
                await page.run("document.querySelector('.said')?.remove()")
                if await page.run("Boolean(document.querySelector('.sheet'))"):
                    await page.touch(".sheet .actions .key")
            assert [(one["kind"], one["cents"], one["slip"]) for one in booked] == [("fill", 2_500, "F 100")]
            assert page.problems == []

    asyncio.run(play())
