"""The dealer's page of the game in docs/adding-a-game.md, worked by touch; run where that game can be imported."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.stand import Stand, sent_as_new, sign_in, stand

BOX = 1


def view(at: Stand) -> dict[str, Any]:
    return at.runtime.table.game.view()


async def draw(at: Stand, state: str) -> None:
    """Pull a card once the gate lets it out, and wait for where that leads."""
    await at.until(lambda: not at.table.devices.sources["shoe"].locked)
    at.pull("draw")
    await at.until(lambda: at.state == state)


async def bet(at: Stand, page: Page, dollars: int) -> None:
    """The player stakes, and betting is closed on the screen."""
    at.pull("place", area="box", dollars=dollars, player="")
    await page.until(f"document.querySelector('[data-place=player]').innerText.includes('${dollars}')")
    await page.touch("[data-key=no_more_bets]")
    await at.until(lambda: at.state == "player_card")


async def take_and_pay(at: Stand, page: Page) -> None:
    """Move the chips as the screen says, say so, and call for the next bets."""
    for due in view(at)["results"]:
        if due["stake_taken"]:
            at.pull("collect", area="box", dollars=due["stake_taken"] / 100)
        if due["pays"]:
            at.pull("pay", area="box", dollars=due["pays"] / 100)
    await at.until(lambda: not at.runtime.table.money.findings())
    await page.touch("[data-key=paid]")
    await at.until(lambda: at.state == "over")
    if view(at)["results"][0]["result"] != "lose":
        at.pull("clear", area="box")
    await at.until(lambda: not at.runtime.table.game.chip_picture())
    await page.touch("[data-key=place_bets]")
    await at.until(lambda: at.state == "betting")


async def open_table(at: Stand, page: Page, cards: list[str]) -> None:
    """From a closed table to the first bets, with these cards in the shoe and a player who was named in a form."""
    await page.goto(at.url + "dealer")
    await sign_in(page, "S1")
    await at.until(lambda: not at.runtime.table.state.faults)
    await page.touch("[data-key=open]")
    at.table.devices.sources["shoe"].load(cards)
    await at.until(lambda: at.runtime.table.state.life == "open")
    await page.touch("[data-key=shuffled]")
    await at.until(lambda: at.state == "betting")
    await page.touch("[data-key=sit]")
    await page.type(".sheet input[name=player]", "Ann")
    await sent_as_new(page)
    await at.until(lambda: view(at)["players"] == ["Ann"])


async def shift(folder: Path, chromium: str) -> None:
    """A win, a loss, a tie, an unread card that a supervisor names, a restart in mid-deal, a key at the wrong time."""
    async with stand(folder, config=default_config("highcard")) as at, browser(chromium) as chrome:
        page = await chrome.page(800, 480)
        await open_table(at, page, ["KS", "9H", "2D", "TC", "7S", "7H", "AC", "3C", "4C"])

        await bet(at, page, 25)
        await page.until("document.querySelector('.headline').innerText == 'Draw the player\\'s card'")
        await draw(at, "dealer_card")
        await page.until("document.querySelector('[data-place=player] .playing').innerText.includes('K')")
        await draw(at, "paying")
        await page.until("document.querySelector('.step[data-kind=pay]').innerText.includes('$25')")
        await take_and_pay(at, page)

        await bet(at, page, 10)
        await draw(at, "dealer_card")
        await at.go_down()
        await at.come_up()
        await page.until("document.querySelector('[data-place=player] .playing').innerText.includes('2')")
        await draw(at, "paying")
        await page.until("Boolean(document.querySelector('.step[data-kind=take]'))")
        await sign_in(page, "S1")  # whoever stood there before says so again
        await take_and_pay(at, page)

        await bet(at, page, 5)
        await draw(at, "dealer_card")
        await draw(at, "paying")
        assert view(at)["results"][0]["result"] == "standoff"
        await take_and_pay(at, page)

        await bet(at, page, 5)
        at.table.devices.sources["shoe"].spoil("unreadable")
        await draw(at, "ruling")
        await page.touch(".prompt[data-subject=card] [data-answer=enter]")
        await page.touch("[data-rank=A]")
        await page.touch("[data-suit=C]")
        await page.touch(".sheet .go")
        await page.touch("[data-staff]")  # the dealer's own rank is not enough
        await at.until(lambda: view(at)["player_card"] == "AC")
        assert not await page.run("Boolean(document.querySelector('[data-key=paid]'))")
        await page.touch("[data-key=call_off]")
        await page.type(".sheet input[name=reason]", "a drink was spilt")
        await page.touch(".sheet .go")
        await page.touch("[data-staff]")
        await at.until(lambda: at.state == "over")
        await page.until("document.querySelector('.headline').innerText == 'The round is over'")
        assert page.problems == []


if __name__ == "__main__":
    asyncio.run(shift(Path(sys.argv[1]), sys.argv[2]))
