"""Poker's keys with arguments, entered on the dealer's screen in a real browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.games.poker.game import PokerGame
from controller.people import Person
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.stand import Stand, sign_in, stand

pytestmark = pytest.mark.browser


@pytest.mark.clause("melbourne-poker", "6.10", "7.3")
def test_a_change_of_game_and_of_commission_is_entered_on_the_screen(tmp_path: Path, chromium: str) -> None:
    async def change() -> None:
        async with stand(tmp_path, config=default_config("poker")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(f"{at.url}dealer")
            await sign_in(page, "S3")
            await page.touch("[data-key=open]")
            await at.until(lambda: at.runtime.table.state.life == "open")
            game = at.runtime.table.game
            assert isinstance(game, PokerGame)
            await page.touch("[data-key=more]")
            await page.touch("[data-pick=change_game]")
            await page.until("document.querySelector('input[name=blinds]')")
            await page.touch("[data-choice=omaha_hilo]")
            await page.touch("[data-choice=pot_limit]")
            await page.type("input[name=blinds]", "10 20")
            await page.touch(".sheet .go")
            await at.until(lambda: game.state.coming is not None)
            assert game.state.coming is not None
            terms = game.state.coming.terms
            assert (terms.game.name, terms.structure.kind) == ("Omaha Hi-Lo Eight Qualifier", "pot")
            assert terms.blinds == (1_000, 2_000)
            await page.touch("[data-key=more]")
            await page.touch("[data-pick=change_commission]")
            await page.touch("[data-choice=per_person]")
            await page.type("input[name=fee]", "2.50")
            await page.touch(".sheet .go")
            await at.until(lambda: game.state.terms.commission.method == "per_person")
            assert game.state.terms.commission.fee == 250
            assert page.problems == []

    asyncio.run(change())


async def at_the_table(at: Stand, page: Page) -> PokerGame:
    """An open table where two have sat down."""
    await page.goto(f"{at.url}dealer")
    await sign_in(page, "S3")
    await page.touch("[data-key=open]")
    await at.until(lambda: at.runtime.table.state.life == "open")
    game = at.runtime.table.game
    assert isinstance(game, PokerGame)
    for seat in (1, 2):
        at.runtime.command("sit", Person("S1", 1), {"seat": seat, "player": f"P{seat}", "amount": 100_000})
    await at.until(lambda: len(game.state.seats) == 2)
    return game


@pytest.mark.clause("melbourne-poker", "8.9.5")
def test_who_changes_seats_is_told_on_the_screen_with_whether_the_lap_is_paid(tmp_path: Path, chromium: str) -> None:
    async def move() -> None:
        async with stand(tmp_path, config=default_config("poker")) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            game = await at_the_table(at, page)
            await page.touch("[data-key=more]")
            await page.touch("[data-pick=move]")
            await page.until("document.querySelector('.sheet [data-choice=yes]')")
            seats = "document.querySelectorAll('.sheet [aria-label=Seat] [data-choice]')"
            assert await page.run(f"[...{seats}].map((one) => one.innerText.trim())") == ["Seat 1 · P1", "Seat 2 · P2"]
            assert await page.run("document.querySelector('.sheet [aria-label=To] [data-choice=\"2\"]')") is None
            await page.touch(".sheet [aria-label=Seat] [data-choice='2']")
            await page.touch(".sheet [aria-label=To] [data-choice='5']")
            await page.touch(".sheet [data-choice=yes]")
            await page.touch(".sheet .go")
            await at.until(lambda: set(game.state.seats) == {1, 5})
            assert game.state.seats[5].player == "P2"
            assert page.problems == []

    asyncio.run(move())


@pytest.mark.clause("melbourne-poker", "6.18.1")
def test_a_raise_is_suggested_by_its_size_and_told_for_a_seat_out_of_turn(tmp_path: Path, chromium: str) -> None:
    async def speak() -> None:
        config = default_config("poker")
        async with stand(tmp_path, speed=60.0, play=True, config=config) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            game = at.runtime.table.game
            assert isinstance(game, PokerGame)

            def three_to_act() -> bool:
                return game.machine.state == "bet1" and sum(one.owes for one in game.hand.betting.players) > 2

            await at.hold_when(three_to_act)
            at.table.people.stand_back(True)
            await page.goto(f"{at.url}dealer")
            await sign_in(page, "S3")
            betting = game.hand.betting
            early = next(
                one for place, one in enumerate(betting.players) if one.owes and one.live and place != betting.turn
            )
            await page.touch("[data-key=more]")
            await page.touch("[data-pick=raise]")
            await page.touch(".sheet .choices.small .key")
            await page.touch(f".sheet [data-choice='{early.seat}']")
            await page.touch(".sheet .go")
            await at.until(lambda: any(held.seat == early.seat for held in game.hand.held))
            [held] = game.hand.held
            assert held.amount == game.hand.betting.high + betting.structure.minimum - early.in_round
            assert page.problems == []

    asyncio.run(speak())
