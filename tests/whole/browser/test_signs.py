"""The limit sign of every rulebook at every size: everything fits, and its digits are high enough from afar."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.config.types import LimitColour, SignSection, TableConfig
from controller.games.poker.config import PokerSection, RakeSection
from controller.people import Person
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config, simulated_tables
from tests.whole.browser.stand import stand

pytestmark = pytest.mark.browser

GLASS = ((800, 480), (480, 800), (1024, 768), (768, 1024), (1280, 800), (1920, 1080), (1080, 1920))
MEASURED = """(() => {
  const box = (node) => node.getBoundingClientRect();
  const within = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1;
  const inside = (a, b) => within(a, b) && a.bottom <= b.bottom + 1;
  const beside = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
  const apart = (a, b) => beside(a, b) || beside(b, a);
  const glass = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const wrong = [];
  for (const part of document.querySelectorAll('h1, .sign-pages, .sign-past:not([hidden]), .sign-notices p, footer'))
    if (!inside(box(part), glass)) wrong.push(`${part.className || part.tagName} leaves the glass`);
  for (const page of document.querySelectorAll('.sign-page')) {
    const tiles = [...page.children];
    tiles.forEach((tile, number) => {
      if (!inside(box(tile), box(page))) wrong.push(`${tile.textContent} leaves its page`);
      for (const text of tile.children)
        if (!inside(box(text), box(tile)) || text.scrollWidth > text.clientWidth + 1)
          wrong.push(`${text.textContent} is cut`);
      for (const other of tiles.slice(number + 1))
        if (!apart(box(tile), box(other))) wrong.push(`${tile.textContent} covers ${other.textContent}`);
    });
  }
  const digits = [...document.querySelectorAll('.tile dd')].map((text) => parseFloat(getComputedStyle(text).fontSize));
  return { wrong, least: 0.7 * Math.min(...digits), pages: document.querySelectorAll('.sign-page').length };
})()"""


def tables() -> list[Any]:
    found = [pytest.param(default_config(game, rulebook=book), id=book) for game, book in simulated_tables().values()]
    base = default_config("poker")
    own = msgspec.structs.replace(
        base.own(PokerSection), straddle=True, side_wagers=True, least_buy_in=Cents(20_000), time_to_act_s=30,
        rake=RakeSection("time", fee=Cents(1_200)), extensions=2, extension_s=60, extension_fee=Cents(500),
    )  # fmt: skip
    options = [pytest.param(default_config("wheel", option), id=f"option {option}") for option in (2, 3, 4)]
    return [*found, *options, pytest.param(msgspec.structs.replace(base, play=own), id="poker with everything")]


async def measured(page: Page, size: tuple[int, int]) -> dict[str, Any]:
    await page.resize(*size)
    await page.until(f"document.querySelector('main').dataset.laid === '{size[0]}x{size[1]}'")
    found: dict[str, Any] = await page.run(MEASURED)
    return found


@pytest.mark.parametrize("config", tables())
def test_everything_fits_and_digits_are_twenty_arc_minutes_high(
    config: TableConfig, tmp_path: Path, chromium: str
) -> None:
    async def look() -> None:
        async with stand(tmp_path, config=config) as at, browser(chromium) as chrome:
            page = await chrome.page(*GLASS[0])
            await page.goto(at.url + "sign")
            for size in GLASS:
                found = await measured(page, size)
                assert found["wrong"] == [], size
                millimetres = found["least"] * config.sign.width / max(size)
                assert millimetres >= config.sign.distance * 1000 * math.tan(math.radians(20 / 60)) - 0.01, size
            assert page.problems == []

    asyncio.run(look())


def test_a_sign_read_from_afar_takes_turns_with_its_pages_and_shows_its_house_and_colour(
    tmp_path: Path, chromium: str
) -> None:
    far = SignSection("The House", 5.0, 300, (LimitColour(Cents(500), "red"), LimitColour(Cents(2500), "blue")))

    async def look() -> None:
        config = msgspec.structs.replace(default_config("war", rulebook="perth-war"), sign=far)
        async with stand(tmp_path, config=config) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(at.url + "sign")
            found = await measured(page, (800, 480))
            assert found["pages"] > 1
            assert found["wrong"] == []
            assert await page.text(".sign-place") == "The House"
            assert await page.run("document.body.dataset.limit") == "red"
            first = await page.run("[...document.querySelectorAll('.sign-page')].findIndex((p) => p.matches('.now'))")
            await page.until(
                f"[...document.querySelectorAll('.sign-page')].findIndex((p) => p.matches('.now')) !== {first}"
            )

    asyncio.run(look())


def test_poker_has_no_maximum_beside_no_limit_and_shows_blinds_and_buy_in_first(tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        async with stand(tmp_path, config=default_config("poker")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(at.url + "sign")
            await measured(page, (800, 480))
            names = await page.run("[...document.querySelectorAll('.tile dt')].map((name) => name.textContent)")
            assert names[:3] == ["Blinds", "Smallest buy-in", "Betting"]
            assert "Maximum" not in names

    asyncio.run(look())


def test_past_results_of_the_wheel_stand_on_its_sign_the_newest_first(tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        async with stand(tmp_path, speed=50, play=True) as at, browser(chromium) as chrome:
            page = await chrome.page(1280, 800)
            await page.goto(at.url + "sign")
            await at.until(lambda: len(at.server.board.rounds.summaries()) >= 3, 90)
            at.table.people.stand_back(True)
            at.clock.pause()
            newest = at.server.board.rounds.summaries()[0].outcome
            await page.until("document.querySelectorAll('.sign-past span').length >= 3")
            await page.until(f"document.querySelector('.sign-past span').textContent === {newest!r}")
            found = await measured(page, (800, 480))
            assert found["wrong"] == []
            at.runtime.command("limits", Person("S3", 3), {"least": 1000, "most": 50_000})

    asyncio.run(look())
