"""Nothing is cut, covered or outside its card, on any page, in any kind of moment of any game, at four sizes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lab.needs import CHINESE
from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.needed import needed
from tests.whole.browser.geometry import looked_at
from tests.whole.browser.moments import FILES, moments, one_table_after_the_other
from tests.whole.browser.stand import stand
from tests.whole.browser.told import SIZES, at_its_desk

pytestmark = pytest.mark.browser

ARM = 20.5
"""Type of which capitals are 16 arc minutes high at 60 cm on a seven-inch panel of 800 pixels, in pixels."""
FINGER = 47.5
"""9 mm of such a panel."""
PICTURED = {
    ("asked", subject)
    for subject in ("near", "spin", "touched", "late_change", "choice", "sequence", "surplus", "two_opened")
}
"""Questions about something that lies there: the compartment, the cards, the chips."""
PICTURE = "Boolean(document.querySelector('.prompt .subject :is(.stand, .playing, .chip)'))"


@pytest.mark.parametrize("game", FILES)
@pytest.mark.parametrize(
    "place",
    [
        pytest.param("dealer", id="dealer"),
        pytest.param("pit", id="pit", marks=pytest.mark.slow),
        pytest.param("", id="status", marks=pytest.mark.slow),
    ],
)
def test_every_text_lies_whole_inside_its_place(game: str, place: str, tmp_path: Path, chromium: str) -> None:
    measure(game, place, "", tmp_path, chromium)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["dealer", "pit"])
@pytest.mark.parametrize("game", FILES)
def test_every_text_lies_whole_inside_its_place_in_chinese(
    game: str, place: str, tmp_path: Path, chromium: str
) -> None:
    needed(CHINESE, "the pages were not measured in Chinese")
    measure(game, place, "?language=zh", tmp_path, chromium)


def measure(game: str, place: str, language: str, tmp_path: Path, chromium: str) -> None:
    """Tell a page every kind of moment at every size, and look at it."""

    async def look() -> None:
        kinds = moments(game)
        assert len(kinds) > 20
        async with stand(tmp_path, config=default_config(game)) as at, browser(chromium) as chrome:
            found = {}
            for size in SIZES:
                page = await chrome.page(*size)
                told = await at_its_desk(page, at.url, place, language)
                for kind in one_table_after_the_other(kinds):
                    await told.tell(kinds[kind])
                    script = looked_at(ARM, FINGER) if place == "dealer" else looked_at(0, 0)
                    if kind[1:] in PICTURED and not await page.run(PICTURE):
                        found[(*kind, *size)] = ["does not show what it is about"]
                    if wrong := await page.run(script):
                        found[(*kind, *size)] = wrong
                assert page.problems == []
            assert found == {}

    asyncio.run(look())
