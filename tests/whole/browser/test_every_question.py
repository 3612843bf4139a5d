"""Every question that a game can ask is put by what people and devices did, and is answered by touch on the page."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.build import build_table
from controller.core.effects import Asked
from controller.core.runtime import Runtime
from controller.rules.rulebook import load_rulebook, rulebook_ids
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.stand import sign_in, until
from tests.whole.browser.walked import GAMES, enter, screens, walks

pytestmark = pytest.mark.browser

SHEETS = 6
"""So many sheets follow an answer at most: its form, its reason, who signs it."""


def subjects(game: str) -> set[str]:
    """What tables of this game ask, in any house."""
    books = [book for book in rulebook_ids() if load_rulebook(book).game == game]
    return {
        question.subject
        for book in books
        for question in build_table(default_config(game, rulebook=book)).game.questions
    }


async def answer(page: Page, runtime: Runtime, asked: Asked) -> None:
    """Touch the answer that is proposed, or the first, and whatever sheets ask for then."""
    option = next((one for one in asked.options if one.answer == asked.proposal), asked.options[0])
    asks = tuple(runtime.table.game.asks(asked, option.answer))
    await page.touch(f".prompt[data-prompt='{asked.prompt}'] [data-answer='{option.answer}']")
    entered = False
    for _ in range(SHEETS):
        await page.until(
            f"document.querySelector('.sheet') || !document.querySelector(\"[data-prompt='{asked.prompt}']\")"
        )
        if asked.prompt not in runtime.table.state.desk.prompts:
            return
        if await page.run("Boolean(document.querySelector('.sheet [data-staff]'))"):
            await page.touch(".sheet [data-staff]")
        elif asks and not entered:
            entered = True
            await enter(page, asks)
            if await page.run("Boolean(document.querySelector('.sheet .go'))"):
                await page.touch(".sheet .go")
        elif await page.run("Boolean(document.querySelector('.sheet'))"):
            await page.touch(".sheet .choices .key, .sheet [data-key=all-the-same]")
    await until(lambda: asked.prompt not in runtime.table.state.desk.prompts)


@pytest.mark.parametrize("game", GAMES)
def test_every_question_of_a_game_is_answered_on_its_page(game: str, tmp_path: Path, chromium: str) -> None:
    assert walks(game).keys() == subjects(game)

    async def play() -> None:
        async with browser(chromium) as chrome:
            page = await chrome.page(1280, 800)
            for subject, walk in walks(game).items():
                async with screens(walk, tmp_path / subject) as (runtime, server):
                    open_ = runtime.table.state.desk.prompts.values()
                    asked = next(one for one in open_ if one.subject.partition(":")[0] == subject)
                    await page.goto(server.url + "dealer")
                    await sign_in(page, f"S{len(runtime.table.house.rulebook.ranks)}")
                    await answer(page, runtime, asked)
                    await page.goto("about:blank")  # else it looks for its table while that goes down
            assert page.problems == []

    asyncio.run(play())
