"""A dead shoe and a dead mat, played on by touch alone: declared in the pit, dealt and paid at the dealer's screen."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.core.effects import Settled
from controller.core.runtime import Told
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from simulators.faults import Fault
from tests.whole.browser.stand import Stand, sign_in, stand
from tests.whole.browser.war_hands import open_table, view

pytestmark = pytest.mark.browser
FOR_THE_NIGHT = 100_000.0


async def dies(at: Stand, place: str) -> None:
    at.table.devices.plan(Fault.of({"device": place, "fault": "unplug", "seconds": FOR_THE_NIGHT}))
    await at.until(lambda: f"{place}:down" in at.runtime.table.state.faults)


async def declared(at: Stand, pit: Page, place: str) -> None:
    """The key, the device, what is wrong with it: four touches."""
    await pit.touch("[data-key=powers]")
    await pit.touch("[data-pick=by_hand]")
    await pit.touch(f"[data-choice='{place}']")
    await pit.touch(".sheet .choices.small .key:nth-child(1)")
    await pit.touch(".sheet .go")
    await at.until(lambda: place in at.runtime.table.state.by_hand)


async def next_card(at: Stand, dealer: Page, card: str) -> None:
    drawn = len(view(at)["cards"])
    await dealer.touch("[data-key=next_card]")
    await dealer.touch(f"[data-rank='{card[0]}']")
    await dealer.touch(f"[data-suit='{card[1]}']")
    await dealer.touch(".sheet .go")
    await at.until(lambda: len(view(at)["cards"]) > drawn)


async def laid(at: Stand, dealer: Page, area: str) -> None:
    staked = len(view(at)["stakes"])
    await dealer.touch("[data-key=chips_laid]")
    await dealer.touch(f"[data-choice='{area}']")
    await dealer.touch(".sheet .choices.small .key:nth-child(1)")
    await dealer.type(".sheet [name=cents]", "20")
    await dealer.touch(".sheet .go")
    await at.until(lambda: len(view(at)["stakes"]) > staked)


def test_a_round_is_played_on_by_touch_without_shoe_and_mat_and_another_after_it(tmp_path: Path, chromium: str) -> None:
    settled: list[tuple[str, str, int]] = []

    def watch(told: Told) -> None:
        for effect in told.effects:
            if isinstance(effect, Settled):
                settled.extend((one.bet, one.result, one.pays) for one in effect.results)

    async def run() -> None:
        async with stand(tmp_path, config=default_config("war")) as at, browser(chromium) as chrome:
            at.runtime.watchers.append(watch)
            dealer, pit = await chrome.page(800, 480), await chrome.page(800, 480)
            await open_table(at, dealer)
            at.pull("place", area="box 1 main", dollars=20, player="")
            await at.until(lambda: len(view(at)["stakes"]) == 1)
            await dealer.touch("[data-key=no_more_bets]")
            await dies(at, "shoe")
            await pit.goto(at.url + "pit")
            await sign_in(pit, "S2")
            await declared(at, pit, "shoe")
            await next_card(at, dealer, "KS")
            await next_card(at, dealer, "QD")
            await at.until(lambda: at.state == "interim")
            await dies(at, "chips")
            await declared(at, pit, "chips")
            await dealer.touch("[data-key=taken_and_paid]")
            await dealer.touch("[data-key=settled]")
            await at.until(lambda: at.state == "over")
            await dealer.touch("[data-key=place_bets]")
            await at.until(lambda: at.state == "betting")
            await pit.until("document.querySelector('[data-round]')?.innerText.includes('by hand: no')")
            await laid(at, dealer, "1")
            await dealer.touch("[data-key=no_more_bets]")
            await dealer.until("document.querySelector('[data-key=next_card]')")
            await dealer.picture(tmp_path / "by_hand.png")
            await dealer.touch("[data-key=next_card]")
            await dealer.until("document.querySelector('.sheet [data-suit=S]')")
            await dealer.picture(tmp_path / "next_card.png")
            await dealer.touch("[data-rank='2']")
            await dealer.touch("[data-suit='H']")
            await dealer.touch(".sheet .go")
            await next_card(at, dealer, "9D")
            await dealer.touch("[data-key=taken_and_paid]")
            await dealer.touch("[data-key=settled]")
            await at.until(lambda: at.state == "over")
            sign = await chrome.page(800, 480)
            await sign.goto(at.url + "sign")
            await sign.until("document.body.innerText.includes('Played without the card shoe and the chip mat')")
            await sign.picture(tmp_path / "sign.png")
            await pit.picture(tmp_path / "pit.png")
            await pit.touch("[data-round] .open-record")
            story = await pit.until("document.querySelector('.record .story')?.innerText")
            assert "Keyed by hand, 3 times, by Alex: KS, QD." in story
            assert (
                await pit.run("document.querySelector('.record .rows').innerText.match(/keyed by hand/g).length") == 3
            )
            assert dealer.problems == pit.problems == sign.problems == []

    asyncio.run(run())
    assert settled == [("main 1", "win", 2000), ("main 1", "lose", 0)]
