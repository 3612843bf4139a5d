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
from tests.whole.browser.stand import Stand, sent_as_new, stand
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
NO_CASH = {
    "-5": "is no amount of cash", "5.005": "Write an amount", "1e999999": "Write an amount", "NaN": "Write an amount",
    "99999999": "is no amount of cash", "9" * 30: "it needs an amount in dollars",
}  # fmt: skip
"""The same of a box that was counted, which may be empty."""


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
    await sent_as_new(page)
    await page.until(f"!document.querySelector('.sheet') || ({ANSWERED})")


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


def facts_of(at: Stand, *what: str) -> list[dict[str, Any]]:
    """What is noted as one of these from now on."""
    found: list[dict[str, Any]] = []

    def watch(told: Told) -> None:
        found.extend(one.facts for one in told.effects if isinstance(one, Noted) and one.what in what)

    at.runtime.watchers.append(watch)
    return found


async def refused(page: Page, key: str, words: str, **told: str) -> None:
    """Type this into the form of a key: it is answered with these words, and the form is left."""
    await more(page, key)
    await typed(page, **told)
    await sent(page)
    await page.until(f"({ANSWERED}).includes('{words.replace(chr(39), chr(92) + chr(39))}')")
    await page.run("document.querySelector('.said')?.remove()")
    if await page.run("Boolean(document.querySelector('.sheet'))"):
        await page.touch(".sheet .actions .key")


NO_LINE = "A float slip holds chips by their value"
NO_COUNTS = {
    "": "This is needed.", "25:1 25:2": "$25 stands on this slip twice", "lots": NO_LINE, "25": NO_LINE,
    "25:-1": NO_LINE, "25:1.5": NO_LINE, "25:1e3": NO_LINE, "25:99999999": NO_LINE,
}  # fmt: skip


def test_a_count_of_the_float_that_is_none_is_refused_and_a_real_one_is_taken(tmp_path: Path, chromium: str) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            counts = facts_of(at, "float_counted")
            await open_table(at, page)
            for text, words in NO_COUNTS.items():
                await refused(page, "count_float", words, float=text)
            assert counts == []
            await more(page, "count_float")
            await typed(page, float="25:1")
            await sent(page)
            await at.until(lambda: len(counts) == 1)
            await page.until("document.body.innerText.includes('of $25 1 are on the slip')")
            assert page.problems == []

    asyncio.run(play())


def test_a_count_of_the_box_and_a_correction_that_are_none_are_refused_and_nothing_is_booked(
    tmp_path: Path, chromium: str
) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            booked = facts_of(at, "booked", "booking_corrected", "box_counted")
            await open_table(at, page)
            await more(page, "buy_in")
            await typed(page, player="Ann", cents="25", slip="B 7")
            await sent(page)
            await at.until(lambda: len(booked) == 1)
            for text, words in {**NO_CASH, "": "This is needed."}.items():
                await refused(page, "count_box", words, cents=text)
            await refused(page, "count_box", "Slip b7 is booked already", cents="25", slip="b7")
            for text, words in {**NO_AMOUNTS, "0": "", "25": "comes to $25 already"}.items():
                if words:
                    await corrected(page, words, cents=text, reason="mistyped")
            await corrected(page, "This is needed.", cents="20", reason="")
            await corrected(page, "A slip's number has up to 32 letters", cents="20", reason="mistyped", slip="<B>")
            await corrected(page, "Slip B 7 is booked already", cents="20", reason="mistyped", slip="B 7")
            assert len(booked) == 1
            assert page.problems == []

    async def corrected(page: Page, words: str, **told: str) -> None:
        await more(page, "correct_booking")
        await page.touch(".sheet [data-choice='1']")
        await typed(page, **told)
        await sent(page)
        await page.until(f"({ANSWERED}).includes('{words.replace(chr(39), chr(92) + chr(39))}')")
        await page.run("document.querySelector('.said')?.remove()")
        if await page.run("Boolean(document.querySelector('.sheet'))"):
            await page.touch(".sheet .actions .key")

    asyncio.run(play())


def test_somebody_called_almost_as_somebody_who_is_there_is_asked_about_before_they_are_somebody_new(
    tmp_path: Path, chromium: str
) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            booked = bookings(at)
            await open_table(at, page)
            await page.touch("[data-key=sit]")
            await page.touch(".sheet [data-choice='3']")
            await typed(page, player="Margaret")
            await sent(page)
            await at.until(lambda: "Margaret" in at.runtime.table.game.state.players.at_box.values())  # type: ignore[attr-defined]

            # a slip of the finger: gone back, nothing is booked
            await more(page, "buy_in")
            await typed(page, player="Margret", cents="25")
            await page.touch(".sheet .go")
            await page.until("document.querySelector('.sheet')?.innerText.includes('did you mean')")
            assert "Margaret" in await page.text(".sheet")
            assert "Somebody new" in await page.text(".sheet")
            await page.touch(".sheet [data-key=safe]")
            await page.until("!document.querySelector('.sheet')")
            assert booked == []

            # and somebody who truly is called so
            await more(page, "buy_in")
            await typed(page, player="Margret", cents="25")
            await page.touch(".sheet .go")
            await page.until("document.querySelector('.sheet')?.innerText.includes('did you mean')")
            await page.touch(".sheet [data-key=all-the-same]")
            await at.until(lambda: len(booked) == 1)
            assert (booked[0]["player"], booked[0]["cents"]) == ("Margret", 2_500)
            assert page.problems == []

    asyncio.run(play())
