"""Every question that a game can ask is put by what people and devices did, and is answered by touch on the page."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from controller.build import build_table
from controller.core.desk import Ask
from controller.core.effects import Asked
from controller.core.guarded import GuardedTable
from controller.core.runtime import Runtime
from controller.journal.committer import Release
from controller.journal.file import Entry, JournalFile
from controller.rules.rulebook import load_rulebook, rulebook_ids
from controller.web.server import WebServer, WebSettings
from drivers.events import DeviceEvent
from firmware_specs.clock import VirtualClock
from lab.explore.campaign import tables
from lab.explore.forms import filled
from lab.explore.hands import hands_of
from lab.explore.steps import Walk, read
from lab.explore.table import ExploredTable
from lab.pictures.browser import Page, browser
from lab.proof_kinds import not_recorded
from lab.sim.config import default_config
from lab.sim.page import serve
from tests.whole.browser.stand import sign_in, until

pytestmark = pytest.mark.browser

WALKS = Path(__file__).parent / "asked"
"""For each question the steps of a walk after which it is open."""
GAMES = ("war", "wheel", "poker")
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


def walks(game: str) -> dict[str, Walk]:
    return {path.stem.partition("__")[2]: read(path.read_bytes()) for path in sorted(WALKS.glob(f"{game}__*.json"))}


class StandingClock(VirtualClock):
    """Time is what the walk says; nothing falls due by itself."""

    at = 0

    def wall(self) -> int:
        return self.at


def played(walk: Walk, folder: Path) -> Runtime:
    """A table with its journal, after everything that happened in a walk."""
    table = ExploredTable(tables(walk.game, walk.rulebook)[walk.table], hands_of(walk.game))
    table.switch_on()
    for step in walk.steps:
        table.do(step)
    clock = StandingClock()
    clock.at = table.rows[0].at
    journal = JournalFile.open(folder / "table.db", table.config.table.name, durable=False)
    runtime = Runtime(clock, GuardedTable(table.config), journal, AsItCame())
    runtime.start("walked", table.config, AtOnce(journal))
    for row in table.rows[1:]:
        clock.at = row.at
        runtime.submit(row.event)
    return runtime


class AtOnce:
    """Every row is on disk before anybody hears of it, and nobody waits."""

    def __init__(self, journal: JournalFile) -> None:
        self._journal = journal

    def add(self, entry: Entry, release: Release) -> None:
        self._journal.append([entry])
        release()

    def probe(self, release: Release) -> None:
        release()

    def close(self) -> None:
        self._journal.close()


class AsItCame:
    """What a walk tells is dressed already."""

    def dress(self, event: DeviceEvent) -> list[msgspec.Struct]:
        return [event]


@contextlib.asynccontextmanager
async def screens(walk: Walk, folder: Path) -> AsyncIterator[tuple[Runtime, WebServer]]:
    folder.mkdir()
    with not_recorded():
        runtime = played(walk, folder)
    settings = WebSettings(port=0, pairings=str(folder / "screens.json"), staff=str(folder / "staff.json"))
    server = await serve(runtime, runtime.guarded.config, settings=settings)
    try:
        yield runtime, server
    finally:
        await server.stop()
        runtime.stop()


async def enter(page: Page, asks: tuple[Ask, ...]) -> None:
    """Fill a form in as somebody would who enters only what must be."""
    values = filled(asks, random.Random(1), plainly=True)
    for ask in asks:
        value = values.get(ask.name)
        if value is None:
            continue
        if ask.kind == "choice" or (ask.kind == "player" and not ask.suggested):
            chosen = " ".join(value) if isinstance(value, list) else value
            await page.touch(f".sheet [data-choice='{chosen}']")
        elif ask.kind == "card":
            await page.touch(f".sheet [data-rank='{value[0]}']")
            await page.touch(f".sheet [data-suit={value[1]}]")
        elif ask.kind != "flag":
            text = (
                str(value / 100)
                if ask.kind == "money"
                else ", ".join(map(str, value))
                if isinstance(value, list)
                else str(value)
            )
            await page.type(f".sheet [name={ask.name}]", text)


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
