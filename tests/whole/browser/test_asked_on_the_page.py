"""What a key or an answer asks for can be told on the page: nothing that the table needs is without a field."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from controller.config.types import BooksSection
from controller.core.effects import Noted
from controller.games.war.game import WarGame
from controller.games.wheel.game import WheelGame
from controller.money.colours import Holding
from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.whole.browser.stand import Stand, sign_in, stand
from tests.whole.browser.war_hands import give, go_on, more, open_table, view

pytestmark = pytest.mark.browser


def test_a_card_that_left_while_the_shoe_could_not_see_is_entered_on_the_page(tmp_path: Path, chromium: str) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            at.pull("place", area="box 1 main", dollars=20, player="")
            await at.until(lambda: len(view(at)["stakes"]) == 1)
            await page.touch("[data-key=no_more_bets]")
            await at.until(lambda: at.state == "closed")
            at.pull("line", device="shoe", fault="reboot", seconds=1, keep_memory=False)
            await page.touch(".prompt[data-subject=unseen] [data-answer=enter]")
            await page.touch("[data-rank=A]")
            await page.touch("[data-suit=S]")
            await go_on(page)
            await at.until(lambda: view(at)["cards"][-1:] == [{"face": "AS", "to": "box1"}])
            assert page.problems == []

    asyncio.run(play())


@pytest.mark.clause("melbourne-war", "5.14")
def test_a_key_offers_the_stakes_and_cards_that_are_there_and_no_burned_face(tmp_path: Path, chromium: str) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            for box in (1, 2):
                at.pull("place", area=f"box {box} main", dollars=20, player="")
            await at.until(lambda: len(view(at)["stakes"]) == 2)
            await page.until("document.querySelector('[data-box=\"2\"]').innerText.includes('$20')")
            await more(page, "refuse_stake")
            await page.until("document.querySelector('.sheet').innerText.includes('Box 2 main · P2 · $20')")
            await page.touch(".sheet [data-choice='main 2 P2']")
            await at.until(lambda: [one["status"] for one in view(at)["stakes"]] == ["live", "refused"])
            await page.touch("[data-key=no_more_bets]")
            await at.until(lambda: at.state == "closed")
            await give(at, ["7S"], "dealing")
            await page.touch("[data-key=misread]")
            await page.until("document.querySelector('.sheet').innerText.includes('2: 7♠, box 1')")
            await page.until("document.querySelector('.sheet').innerText.includes('1: face down, shoe burn')")
            await page.touch("[data-rank=A]")
            await page.touch("[data-suit=S]")
            await go_on(page)
            await at.until(lambda: view(at)["cards"][-1:] == [{"face": "AS", "to": "box1"}])
            assert page.problems == []

    asyncio.run(play())


@pytest.mark.clause("perth-war", "2.3(b)", "3.16")
def test_a_table_with_perfect_pairs_changes_its_decks_on_the_page(tmp_path: Path, chromium: str) -> None:
    async def play() -> None:
        config = default_config("war", rulebook="perth-war")
        async with stand(tmp_path, config=config) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await more(page, "change_decks")
            await page.type(".sheet [name=decks]", "8")
            await page.touch(".sheet [data-choice='6']")
            await go_on(page)
            game = at.runtime.table.game
            assert isinstance(game, WarGame)
            await at.until(lambda: game.state.house.decks_coming is not None)
            coming = game.state.house.decks_coming
            assert coming is not None
            assert (coming.decks, coming.column) == (8, 6)
            assert page.problems == []

    asyncio.run(play())


@pytest.mark.clause("melbourne-wheel", "3.1.2(e)", "3.1.2(d)")
def test_colour_chips_are_issued_on_the_page_with_marker_and_consent(tmp_path: Path, chromium: str) -> None:
    async def play() -> None:
        config = default_config("wheel")
        chips = msgspec.structs.replace(config.chips, set_mark="W1", colours=("red", "blue"))
        async with (
            stand(tmp_path, config=msgspec.structs.replace(config, chips=chips)) as at,
            browser(chromium) as chrome,
        ):
            page = await chrome.page(800, 480)
            await page.goto(at.url + "dealer")
            await sign_in(page, "S1")
            await at.until(lambda: not at.runtime.table.state.faults)
            await page.touch("[data-key=open]")
            await at.until(lambda: at.runtime.table.state.life == "open")
            least = at.runtime.table.state.limits.least
            for player, consent in (("Ann", ""), ("Bob", "Ann")):
                await more(page, "issue_colour")
                await page.touch(".sheet [data-choice=red]")
                value = str(2 * least / 100)
                told = {"player": player, "value": value, "count": "5", "marker": value, "consent": consent}
                for name, text in told.items():
                    await page.type(f".sheet [name={name}]", text)
                await go_on(page)
                await at.until(lambda: any(line.owner == player for line in ledger(at)))  # noqa: B023
            assert [(line.owner, line.cents, line.marker) for line in ledger(at)] == [
                ("Ann", 2 * least, 2 * least),
                ("Bob", 2 * least, 2 * least),
            ]
            assert page.problems == []

    def ledger(at: Stand) -> list[Holding]:
        game = at.runtime.table.game
        assert isinstance(game, WheelGame)
        return game.state.ledger.holdings

    asyncio.run(play())


def test_what_cannot_be_taken_is_said_at_its_field_and_nothing_is_guessed(tmp_path: Path, chromium: str) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await more(page, "buy_in")
            await page.touch(".sheet .go")
            await page.until("document.querySelector('.sheet .wrong').innerText === 'This is needed.'")
            await page.type(".sheet [name=player]", "Ann")
            for typed in ("2,50", "10.005", "1e3", "abc"):
                await page.run("document.querySelector('.sheet [name=cents]').value = ''")
                await page.type(".sheet [name=cents]", typed)
                await page.touch(".sheet .go")
                await page.until("document.querySelector('.sheet .wrong')?.innerText.startsWith('Write an amount')")
            booked: list[int] = []
            at.runtime.watchers.append(
                lambda told: booked.extend(
                    effect.facts["cents"]
                    for effect in told.effects
                    if isinstance(effect, Noted) and effect.facts.get("player") == "Ann" and "cents" in effect.facts
                )
            )
            await page.run("document.querySelector('.sheet [name=cents]').value = ''")
            await page.type(".sheet [name=cents]", "1,252.50")
            await go_on(page)
            await at.until(lambda: booked == [125_250])
            assert page.problems == []

    asyncio.run(play())


def test_a_key_that_has_nothing_to_choose_from_says_so(tmp_path: Path, chromium: str) -> None:
    async def play() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await open_table(at, page)
            await more(page, "invalid_stake")
            await page.until("document.querySelector('.said')?.innerText.includes('nothing to choose')")
            assert page.problems == []

    asyncio.run(play())


def test_a_second_person_signs_a_booking_on_the_same_screen(tmp_path: Path, chromium: str) -> None:
    async def play() -> None:
        config = msgspec.structs.replace(default_config("wheel"), books=BooksSection(second_signature=("credit",)))
        async with stand(tmp_path, config=config) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(at.url + "dealer")
            await sign_in(page, "S2")
            await at.until(lambda: not at.runtime.table.state.faults)
            await page.touch("[data-key=open]")
            await at.until(lambda: at.runtime.table.state.life == "open")
            await more(page, "credit")
            await page.type(".sheet [name=cents]", "100")
            await go_on(page)
            await at.until(lambda: bool(at.runtime.table.money.state.books.waiting))
            await more(page, "sign_booking")
            await page.touch(".sheet [data-choice='1']")
            await page.touch(".sheet [data-staff=S3]")
            await at.until(lambda: bool(at.runtime.table.money.state.books.made))
            made = at.runtime.table.money.state.books.made["1"]
            assert (made.by, made.second, made.cents) == ("S2", "S3", 10_000)
            assert page.problems == []

    asyncio.run(play())
