"""A dealer reads of chips and places as people speak of them: no cents, no tag and no number of an antenna's area."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.whole.browser.moments import FILES, moments, one_table_after_the_other
from tests.whole.browser.stand import stand
from tests.whole.browser.told import at_its_desk

OF_THE_MACHINE = re.compile(
    r"\bcents?\b|\btags?\b|\bareas? -?\d+|\b0x[0-9a-f]+|(?<![\d$,.])\d{5,}(?![\d,.])"
    r"|\brank \d|\[\]|\b(?-i:(?<=[a-z] )None)\b|\bnull\b|\bundefined\b|\bNaN\b|\b[a-z]+_[a-z]+\b|[{}]",
    re.IGNORECASE,
)
"""Words and numbers that mean something to the program only; money has its dollar sign and its commas."""


@pytest.mark.parametrize(
    "text",
    [
        "paid 1250 cents",
        "tag 1001 lies",
        "0xc0de0000011a",
        "on area 4",
        "chip 212059715272986",
        "Areas 3 and 4",
        "needs rank 3 or above",
        "not []",
        "no perfect_pairs zone",
        "seat None",
        "undefined",
        "{'box': 1}",
    ],
)
def test_what_only_the_program_understands_is_known(text: str) -> None:
    assert OF_THE_MACHINE.search(text)


@pytest.mark.parametrize("text", ["$1,252.50 on box 4", "the betting area of box 1", "$100,000", "round 1200, seat 3"])
def test_what_people_say_is_let_through(text: str) -> None:
    assert not OF_THE_MACHINE.search(text)


@pytest.mark.browser
@pytest.mark.parametrize("game", FILES)
@pytest.mark.parametrize("place", ["dealer", "pit"])
def test_a_page_speaks_of_no_cents_tags_codes_or_numbers_of_the_machine(
    game: str, place: str, tmp_path: Path, chromium: str
) -> None:
    async def read() -> None:
        kinds = moments(game)
        assert len(kinds) > 20
        async with stand(tmp_path, config=default_config(game)) as at, browser(chromium) as chrome:
            page = await chrome.page(1280, 800)
            told = await at_its_desk(page, at.url, place)
            found = {}
            for kind in one_table_after_the_other(kinds):
                await told.tell(kinds[kind])
                shown = await page.run("document.body.innerText")
                assert shown.strip()
                if wrong := [line for line in shown.splitlines() if OF_THE_MACHINE.search(line)]:
                    found[kind] = wrong
            assert found == {}

    asyncio.run(read())
