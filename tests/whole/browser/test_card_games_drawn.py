"""Card games as the screens draw them, from what the games themselves tell."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.core.desk import Limits
from controller.core.events import Command
from controller.core.table import Table
from controller.games.war.cards import parse
from controller.games.war.config import WarConfig, house_of
from controller.games.war.events import CardCame, StakeLaid
from controller.games.war.game import WarGame
from controller.people import Person
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.stand import stand

pytestmark = pytest.mark.browser

DRAW = """(async (state) => {
    const game = (await import('/game.js'));
    const picture = new game.Picture(), layout = game.layout();
    picture.update(state);
    layout.update(state);
    document.body.replaceChildren(picture.node, layout.node);
    return game.headline(state).title;
})"""


class War:
    """A table of Casino War without devices."""

    def __init__(self) -> None:
        self.table = Table(house_of("melbourne-war"), Limits(1000, 50000, 0, 250), frozenset(), sign_needed=False)
        self.table.game = self.game = WarGame(self.table, WarConfig(decks=6))
        self._seq = 0
        self.press("open")

    def take(self, event: msgspec.Struct) -> None:
        self._seq += 1
        self.table.apply(self._seq, self._seq * 1000, event)

    def press(self, key: str, **args: Any) -> None:
        self.take(Command(key, Person("S4", 4), args))

    def cards(self, *faces: str) -> None:
        for face in faces:
            self.take(CardCame(parse(face).face))

    def state(self) -> dict[str, Any]:
        return {
            "table": {"places": 7, "ranks": []},
            "game": {"game": "war", "state": self.game.machine.state, **self.game.view()},
        }

    def up_to_a_tie(self) -> None:
        self.press("check_cards", how="by hand")
        self.press("shuffled")
        if self.game.machine.state == "uncut":
            asked = self.game.asked("cut")
            assert asked is not None
            self.press("answer", prompt=asked.prompt, answer="cut")
        while self.game.machine.state == "burning":
            self.cards("2S")
        self.take(StakeLaid("a", "<b>Ann</b>", 1, "main", 2500))
        self.take(StakeLaid("b", "Bo", 3, "main", 5000))
        self.press("no_more_bets")
        self.cards("KS", "9H", "9C")


async def draw(page: Page, state: dict[str, Any]) -> str:
    plain = json.loads(msgspec.json.encode(state))
    return str(await page.run(f"{DRAW}({json.dumps(plain)})"))


def test_a_war_table_shows_boxes_with_cards_and_chips_and_hides_what_was_burned(tmp_path: Path, chromium: str) -> None:
    async def look() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(at.url)
            war = War()
            war.up_to_a_tie()
            title = await draw(page, war.state())
            shown = "document.querySelector('{}')?.innerText.replace(/\\s+/g, '')"
            assert "K♠" in await page.run(shown.format('[data-box="1"]'))
            assert "$25<b>Ann</b>" in await page.run(shown.format('[data-box="1"]'))
            assert "9♥" in await page.run(shown.format('[data-box="3"]'))
            assert "9♣" in await page.run(shown.format(".card-dealer"))
            assert war.game.machine.state in ("choosing", "interim"), war.game.machine.state
            assert title in ("War or surrender?", "Take and pay")
            assert "2♠" not in await page.run("document.body.innerText.replace(/\\s+/g, '')")
            assert page.problems == []

    asyncio.run(look())


def test_a_poker_table_shows_seats_board_and_pots_and_no_hole_card_even_when_told(
    tmp_path: Path, chromium: str
) -> None:
    async def look() -> None:
        async with stand(tmp_path, config=default_config("poker")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(at.url)
            seats = [
                {"seat": 1, "player": "Ann", "stack": 20_000, "bet": 500, "cards": ["AS", "AD"], "hole": ["AS", "AD"]},
                {"seat": 4, "player": "Bo", "stack": 31_000, "folded": True, "cards": ["7C", "2H"]},
            ]
            view = {
                "state": "flop",
                "board": ["KS", "9H", "2D"],
                "pots": [{"amount": 4_200}],
                "seats": seats,
                "turn": 4,
            }
            await draw(page, {"table": {"seats": 9}, "game": view})
            text = await page.run("document.body.innerText.replace(/\\s+/g, '')")
            assert "K♠9♥2♦" in text
            assert "Ann$200$5" in text
            assert "Pot$42" in text
            assert not any(hole in text for hole in ("A♠", "A♦", "7♣", "2♥"))
            assert await page.run("document.querySelectorAll('.playing b').length") == 3

    asyncio.run(look())


def test_a_poker_table_that_is_played_shows_board_and_tabled_hands_and_only_backs_before(
    tmp_path: Path, chromium: str
) -> None:
    async def look() -> None:
        config = default_config("poker")
        async with stand(tmp_path, speed=20, seed=3, play=True, config=config) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(at.url + "dealer")
            game = at.runtime.table.game
            await at.hold_when(lambda: len(game.view()["board"]) >= 3, 60)
            await page.until("document.querySelectorAll('.poker-middle .playing b').length >= 3")
            assert await page.run("document.querySelectorAll('.seat .playing.back').length") >= 4
            assert await page.run("document.querySelectorAll('.seat .playing b').length") == 0
            at.clock.resume()
            await at.hold_when(lambda: bool(game.view().get("tabled")), 60)
            await page.until("document.querySelectorAll('.seat .playing b').length >= 2")
            assert page.problems == []

    asyncio.run(look())
