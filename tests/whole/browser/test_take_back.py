"""A wrong key is taken back with one touch of the dealer's screen, in a real browser, at each game."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from controller.core.effects import Noted
from controller.core.runtime import Told
from controller.games.poker.game import PokerGame
from controller.games.poker.hand import Hand
from controller.people import Person
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.stand import Stand, sign_in, stand
from tests.whole.browser.war_hands import bet, open_table, view

pytestmark = pytest.mark.browser
TAKE_BACK = "[data-key=take_back]"


def at_the_screen(folder: Path, chromium: str, game: str, act: Callable[[Stand, Page], Awaitable[None]]) -> list[str]:
    """What was taken back while somebody worked at the dealer's screen."""
    found: list[str] = []

    def watch(told: Told) -> None:
        found.extend(e.facts["key"] for e in told.effects if isinstance(e, Noted) and e.what == "taken_back")

    async def run() -> None:
        async with stand(folder, config=default_config(game)) as at, browser(chromium) as chrome:
            at.runtime.watchers.append(watch)
            page = await chrome.page(800, 480)
            await act(at, page)
            assert page.problems == []

    asyncio.run(run())
    return found


def test_bets_closed_too_soon_are_open_again_and_the_round_is_played(tmp_path: Path, chromium: str) -> None:
    async def act(at: Stand, page: Page) -> None:
        await open_table(at, page)
        at.pull("place", area="box 3 main", dollars=20, player="")
        await at.until(lambda: len(view(at)["stakes"]) == 1)
        await page.touch("[data-key=no_more_bets]")
        await at.until(lambda: at.state == "closed")
        await page.until(f"document.querySelector('{TAKE_BACK}')?.innerText.includes('No more bets')")
        await page.touch(TAKE_BACK)
        await at.until(lambda: at.state == "betting")
        await page.until(f"!document.querySelector('{TAKE_BACK}')")
        at.pull("clear", area="box 3 main")
        await at.until(lambda: not view(at)["stakes"])
        await bet(at, page, ["KS", "2H", "9D"])
        assert len(view(at)["results"]) == 2

    assert at_the_screen(tmp_path, chromium, "war", act) == ["no_more_bets"]


def test_bets_called_for_by_mistake_at_the_wheel_are_taken_back(tmp_path: Path, chromium: str) -> None:
    async def act(at: Stand, page: Page) -> None:
        await page.goto(at.url + "dealer")
        await sign_in(page, "S1")
        await at.until(lambda: not at.runtime.table.state.faults)
        await page.touch("[data-key=open]")
        await at.until(lambda: at.runtime.table.state.life == "open")
        await page.touch("[data-key=place_bets]")
        await at.until(lambda: at.state == "betting_open")
        await page.touch(TAKE_BACK)
        await at.until(lambda: at.state == "idle")
        await page.touch("[data-key=place_bets]")
        await at.until(lambda: at.state == "betting_open")

    assert at_the_screen(tmp_path, chromium, "wheel", act) == ["place_bets"]


def test_the_record_of_a_round_shows_the_key_that_was_taken_back_and_who_corrected_it(
    tmp_path: Path, chromium: str
) -> None:
    async def act(at: Stand, page: Page) -> None:
        await at.until(lambda: not at.runtime.table.state.faults)
        at.runtime.command("open", Person("S1", 1), {})
        await at.until(lambda: at.runtime.table.playing)
        for key in ("place_bets", "take_back", "place_bets"):
            at.runtime.command(key, Person("S1", 1), {})
        at.runtime.command("cancel_disruption", Person("S4", 4), {"reason": "a fire alarm"})
        await page.goto(at.url + "pit")
        await page.until("document.querySelector('[data-round]')?.innerText.includes('1 key taken back')")
        await page.touch("[data-round]")
        await page.until("document.querySelectorAll('.record .rows .undone').length === 1")
        said = "document.querySelector('.record [data-part=taken-back]')?.innerText ?? ''"
        await page.until(f"({said}).startsWith('Taken back by Alex in event ')")
        await page.touch("[data-key=step]")
        await page.until(f"({said}) === ''")

    assert at_the_screen(tmp_path, chromium, "wheel", act) == ["place_bets"]


def test_a_player_seated_by_mistake_at_poker_is_taken_back_by_another_with_rank_and_reason(
    tmp_path: Path, chromium: str
) -> None:
    async def act(at: Stand, page: Page) -> None:
        await page.goto(at.url + "dealer")
        await sign_in(page, "S3")
        await page.touch("[data-key=open]")
        await at.until(lambda: at.runtime.table.state.life == "open")

        def seats() -> set[int]:
            game = at.runtime.table.game
            assert isinstance(game, PokerGame)
            return set(game.state.seats)

        for seat in (1, 2):
            at.runtime.command("sit", Person("S1", 1), {"seat": seat, "player": f"P{seat}", "amount": 100_000})
        await at.until(lambda: seats() == {1, 2})
        await page.touch(TAKE_BACK)
        await page.touch(".sheet .choices .key")
        await at.until(lambda: seats() == {1})
        await page.until(f"!document.querySelector('{TAKE_BACK}')")

    assert at_the_screen(tmp_path, chromium, "poker", act) == ["sit"]


def test_a_wrong_fold_in_the_middle_of_a_hand_is_taken_back_and_the_seat_acts_as_it_meant(
    tmp_path: Path, chromium: str
) -> None:
    async def run() -> None:
        config = default_config("poker")
        async with stand(tmp_path, speed=60.0, play=True, config=config) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)

            def hand() -> Hand:
                game = at.runtime.table.game  # another one once a key was taken back
                assert isinstance(game, PokerGame)
                return game.hand

            def live() -> list[int]:
                return [one.seat for one in hand().betting.players if one.live]

            await at.hold_when(lambda: at.state == "bet1" and len(live()) > 2)
            at.table.people.stand_back(True)
            at.clock.resume()
            await page.goto(f"{at.url}dealer")
            await sign_in(page, "S1")
            before, turn = live(), hand().betting.players[hand().betting.turn].seat
            near = ":is(.main-slot, .side-slots) [data-key=fold]"
            await page.until(f"document.querySelector('{near}, [data-key=more]')")
            if await page.run(f"Boolean(document.querySelector('{near}'))"):
                await page.touch(near)
            else:
                await page.touch("[data-key=more]")
                await page.touch("[data-pick=fold]")
            if await page.run("Boolean(document.querySelector('.sheet .go'))"):
                await page.touch(".sheet .go")
            await at.until(lambda: live() == [seat for seat in before if seat != turn])
            await page.until(f"document.querySelector('{TAKE_BACK}')?.innerText.includes('Fold')")
            await page.touch(TAKE_BACK)
            await at.until(lambda: live() == before)
            assert hand().betting.players[hand().betting.turn].seat == turn
            assert hand().phase == "bet1"
            await page.until(f"!document.querySelector('{TAKE_BACK}')")
            assert page.problems == []

    asyncio.run(run())
