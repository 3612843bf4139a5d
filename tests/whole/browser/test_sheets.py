"""Every kind of form that a key opens is read whole, touched with a finger, and found sound by axe-core."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.core.runtime import Runtime
from controller.web import guard
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.axe import violations
from tests.whole.browser.geometry import ARM, FINGER, looked_at
from tests.whole.browser.stand import sign_in, stand
from tests.whole.browser.told import SIZES

pytestmark = pytest.mark.browser
OPENS = {"dealer": "[data-key=more]", "pit": "[data-key=powers]"}
SCRIPTS = {"dealer": looked_at(ARM, FINGER), "pit": looked_at(0, 0)}
AT_A_TURN: dict[str, tuple[tuple[int, int], ...]] = {"dealer": SIZES[:1]}


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "GETS_AT_ONCE", 1_000_000.0)


def forms(runtime: Runtime) -> list[str]:
    """One key for each kind of form: which kinds of things it asks for."""
    found: dict[tuple[str, ...], str] = {}
    for key in runtime.table.available():
        if kinds := tuple(sorted({ask.kind or ask.name for ask in key.asks if not ask.kind.startswith("accept")})):
            found.setdefault(kinds, key.name)
    return list(found.values())


async def open_form(page: Page, place: str, name: str) -> bool:
    """Look for a key among all of them; False where this page has it elsewhere or there is nothing to choose now."""
    there = f"document.querySelector('[data-pick={name}]')"
    await page.touch(OPENS[place])
    await page.until("document.querySelector('.many')")
    if not await page.run(f"Boolean({there})"):
        return False
    await page.run(f"{there}.scrollIntoView({{ block: 'center' }})")
    await page.touch(f"[data-pick={name}]")
    await page.until("document.querySelector('.sheet:not(.many), .said')")
    return bool(await page.run("Boolean(document.querySelector('.sheet'))"))


async def look(game: str, folder: Path, chromium: str, sizes: dict[str, tuple[tuple[int, int], ...]]) -> None:
    found = {}
    async with (
        stand(folder, speed=30, seed=3, play=True, config=default_config(game)) as at,
        browser(chromium) as chrome,
    ):
        await at.until(lambda: len(at.server.board.rounds.summaries()) >= 1, 100)
        at.table.people.stand_back(True)
        at.clock.pause()
        opened = 0
        for place, size in ((place, size) for place, of_place in sizes.items() for size in of_place):
            page = await chrome.page(*size)
            await page.goto(at.url + place)
            await sign_in(page, "S4")
            for name in forms(at.runtime):
                if await open_form(page, place, name):
                    opened += 1
                    wrong = [*await page.run(SCRIPTS[place]), *await violations(page)]
                    if wrong:
                        found[(place, size, name)] = wrong
                await page.goto(at.url + place)
                await page.until("document.querySelector('.who b')")
            assert page.problems == []
    assert opened > 10
    assert found == {}


@pytest.mark.parametrize("game", ["wheel", "war", "poker"])
def test_every_kind_of_form_is_whole_and_sound(game: str, tmp_path: Path, chromium: str) -> None:
    asyncio.run(look(game, tmp_path, chromium, AT_A_TURN))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["wheel", "war", "poker"])
def test_every_kind_of_form_is_whole_and_sound_at_every_size(game: str, tmp_path: Path, chromium: str) -> None:
    asyncio.run(look(game, tmp_path, chromium, dict.fromkeys(OPENS, SIZES)))
