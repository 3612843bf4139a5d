"""Every key of every game is pressed on its page at a moment in which it means something, and says what it did."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from controller.core.desk import Ask, Key
from controller.core.table import Table
from lab.explore.campaign import opened, tables
from lab.explore.steps import Walk, read
from lab.explore.table import NOT_PRESSED
from lab.pictures.browser import Page, browser
from tests.whole.browser.stand import sign_in
from tests.whole.browser.walked import enter, screens

pytestmark = pytest.mark.browser
MOMENTS = Path(__file__).parent / "pressed"
BOOKS = {
    "wheel": ("melbourne-wheel",),
    "war": ("melbourne-war", "perth-war", "star-war"),
    "poker": ("melbourne-poker",),
}
ELSEWHERE = {"take_back"}
"""It has a place of its own on the page, and tests of its own."""
UNREACHED: dict[str, set[str]] = {
    "wheel": set(),
    "war": {"card_dealt"},
    "poker": {"count_float", "float_explained", "sign_booking", "strike_booking"},
}
"""No walk has led to them yet."""
ONE_OF_SEVERAL = {"change_commission", "change_game", "mispayment", "player_card", "read_cards"}
"""What each asks for may be left out, and not all of it: told nothing, the table says in words what it needs."""
MISREAD = {"bad_argument", "unknown_argument", "bad_card", "bad_words", "unknown_command"}
"""What a form of the page must never be refused for."""
SENT = """(() => {
  window.sent = [];
  const before = window.fetch;
  window.fetch = async (path, asked) => {
    const answer = await before(path, asked);
    if (path === '/api/command') {
      const told = JSON.parse(asked.body);
      const said = await answer.clone().json().catch(() => ({}));
      window.sent.push([told.name, answer.status, said.code ?? '', said.error ?? '']);
    }
    return answer;
  };
})()"""
SHEETS = 6
"""A form, what it would do, somebody of higher rank, a reason, a second person, and once more."""


def moments(game: str) -> list[Walk]:
    return [read(path.read_bytes()) for path in sorted(MOMENTS.glob(f"{game}__*.json"))]


def declared(game: str) -> set[str]:
    standing = [opened(game, book, name)[0].table for book in BOOKS[game] for name in tables(game, book)]
    return {name for table in standing for name in (*table.keys, *table.game.keys)} - NOT_PRESSED - ELSEWHERE


def offered(table: Table) -> dict[str, Key]:
    """The keys that mean something now, and of which the form can be filled in."""

    def chosen(ask: Ask) -> bool:
        return ask.kind == "choice" or (ask.kind == "player" and not ask.suggested)

    def fits(key: Key) -> bool:
        return all(ask.choices or ask.optional or not chosen(ask) for ask in key.asks)

    return {key.name: key for key in table.available() if fits(key) and key.name not in NOT_PRESSED | ELSEWHERE}


async def press(page: Page, key: Key) -> list[Any]:
    """Touch a key where the page has it, and whatever sheets it opens, until the table has answered."""
    before = await page.run("window.sent.length")
    here = f".main-slot [data-key={key.name}], .side-slots [data-key={key.name}]"
    if await page.run(f"Boolean(document.querySelector('{here}'))"):
        await page.touch(here)
    else:
        await page.touch("[data-key=more]")
        await page.touch(f"[data-pick={key.name}]")
    entered = False
    for _ in range(SHEETS):
        await page.until(
            f"window.sent.length > {before} || document.querySelector('.sheet') || document.querySelector('.said')"
        )
        if await page.run(f"window.sent.length > {before}"):
            break
        if await page.run("Boolean(document.querySelector('.sheet [data-staff]'))"):
            await page.touch(".sheet [data-staff]:last-child")
        elif await page.run("Boolean(document.querySelector('.sheet [data-key=all-the-same]'))"):
            await page.touch(".sheet [data-key=all-the-same]")
        elif await page.run("Boolean(document.querySelector('.sheet .go'))") and not entered:
            entered = True
            await enter(page, key.asks)
            await page.touch(".sheet .go")
        elif await page.run("Boolean(document.querySelector('.sheet .choices .key'))"):
            await page.touch(".sheet .choices .key")
    sent: list[Any] = await page.run(f"window.sent.slice({before})[0] ?? []")
    return sent or [key.name, 0, "not_sent", await page.run("document.querySelector('.sheet, .said')?.innerText ?? ''")]


@pytest.mark.parametrize(
    "game", ["wheel", pytest.param("war", marks=pytest.mark.slow), pytest.param("poker", marks=pytest.mark.slow)]
)
def test_every_key_of_a_game_is_pressed_on_its_page(game: str, tmp_path: Path, chromium: str) -> None:
    left, wrong, turn = declared(game) - UNREACHED[game], dict[str, Any](), 0

    async def press_all(page: Page, walk: Walk) -> None:
        """Press what is left of this moment's keys; the table stands there anew once they have led elsewhere."""
        nonlocal turn
        wanted = set(left)
        while wanted:
            turn += 1
            async with screens(walk, tmp_path / str(turn)) as (runtime, server):
                wanted &= offered(runtime.table).keys()
                await page.goto(server.url + "dealer")
                await sign_in(page, f"S{len(runtime.table.house.rulebook.ranks)}")
                while here := sorted(wanted & offered(runtime.table).keys()):
                    key = offered(runtime.table)[here[0]]
                    wanted.discard(key.name)
                    left.discard(key.name)
                    sent = await press(page, key)
                    misread = sent[2] in MISREAD and key.name not in ONE_OF_SEVERAL
                    if sent[0] != key.name or sent[1] not in (200, 403, 409) or misread:
                        wrong[key.name] = sent
                    await page.goto(server.url + "dealer")
                    await page.until("document.querySelector('.who b')")
                await page.goto("about:blank")  # else it looks for its table while that goes down

    async def play() -> None:
        async with browser(chromium) as chrome:
            page = await chrome.page(1280, 800)
            await page.first(SENT)
            for walk in moments(game):
                await press_all(page, walk)
            assert page.problems == []
        assert (left, wrong) == (set(), {})

    asyncio.run(play())
