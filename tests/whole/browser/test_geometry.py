"""Nothing is cut, covered or outside its card, on any page, in any kind of moment of any game, at four sizes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.web import guard
from controller.web.waiting import pause
from lab.needs import CHINESE
from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.needed import needed
from tests.whole.browser.geometry import ARM, FINGER, looked_at
from tests.whole.browser.moments import FILES, moments, one_table_after_the_other
from tests.whole.browser.stand import stand
from tests.whole.browser.told import SIZES, at_its_desk

pytestmark = pytest.mark.browser

PICTURED = {
    ("asked", subject)
    for subject in ("near", "spin", "touched", "late_change", "choice", "sequence", "surplus", "two_opened")
}
"""Questions about something that lies there: the compartment, the cards, the chips."""
ANSWERS = """[...document.querySelectorAll('.prompt')].slice(0, 1).flatMap((asked) => {
  const end = document.querySelector('.scroll').getBoundingClientRect().bottom;
  const [first] = asked.querySelectorAll('.options .key');
  const box = first.getBoundingClientRect();
  return (box.top + box.bottom) / 2 > end ? [`${first.innerText}: under the edge`] : [];
})"""
"""What is proposed can be touched without looking for it."""
SETTLED_S = 0.5
AWARDED = "Boolean(document.querySelector('.checklist [data-kind=push]'))"
PICTURE = "Boolean(document.querySelector('.prompt .subject :is(.stand, .playing, .chip)'))"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """One browser loads as many pages here in a minute as a table's screens in a week: nobody is to slow it down."""
    monkeypatch.setattr(guard, "GETS_AT_ONCE", 1_000_000.0)


@pytest.mark.parametrize("game", FILES)
def test_every_text_lies_whole_inside_its_place(game: str, tmp_path: Path, chromium: str) -> None:
    measure(game, {"dealer": SIZES, "pit": (), "": ()}, "", tmp_path, chromium)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["pit", ""])
@pytest.mark.parametrize("game", FILES)
def test_every_text_lies_whole_inside_its_place_at_every_size(
    game: str, place: str, tmp_path: Path, chromium: str
) -> None:
    measure(game, {place: SIZES}, "", tmp_path, chromium)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["dealer", "pit"])
@pytest.mark.parametrize("game", FILES)
def test_every_text_lies_whole_inside_its_place_in_chinese(
    game: str, place: str, tmp_path: Path, chromium: str
) -> None:
    needed(CHINESE, "the pages were not measured in Chinese")
    measure(game, {place: SIZES}, "?language=zh", tmp_path, chromium)


def measure(
    game: str, places: dict[str, tuple[tuple[int, int], ...]], language: str, tmp_path: Path, chromium: str
) -> None:
    """Tell a page every kind of moment and look at it at these sizes; where none is named, at each in its turn."""

    async def look() -> None:
        kinds = moments(game)
        assert len(kinds) > 20
        in_order = one_table_after_the_other(kinds)
        async with stand(tmp_path, config=default_config(game)) as at, browser(chromium) as chrome:
            found = {}
            for place, sizes in places.items():
                script = looked_at(ARM, FINGER) if place == "dealer" else looked_at(0, 0)
                for number, size in enumerate(SIZES):
                    chosen = in_order if size in sizes else in_order[number :: len(SIZES)] if not sizes else []
                    page = await chrome.page(*size)
                    told = await at_its_desk(page, at.url, place, language)
                    for kind in chosen:
                        await told.tell(kinds[kind])
                        if kind[1:] in PICTURED and not await page.run(PICTURE):
                            found[(place, *kind, *size)] = ["does not show what it is about"]
                        if place and kind[1:] == ("open", "award") and not await page.run(AWARDED):
                            found[(place, *kind, *size)] = ["does not say where the pots are pushed"]
                        if place == "dealer" and await page.run(ANSWERS):
                            await pause(SETTLED_S)  # a line above may just be going
                            if under := await page.run(ANSWERS):
                                found[(place, *kind, *size)] = under
                        if wrong := await page.run(script):
                            found[(place, *kind, *size)] = wrong
                    assert page.problems == []
            assert found == {}

    asyncio.run(look())
