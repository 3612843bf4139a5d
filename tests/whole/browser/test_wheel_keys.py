"""What only people can tell at the Big Wheel is told on the page: symbols no sensor saw, late doubts, colour chips."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from controller.core.effects import Noted, Reversed
from controller.core.runtime import Told
from controller.games.wheel.game import WheelGame
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from tests.whole.browser.stand import Stand, sent_as_new, sign_in, stand

pytestmark = pytest.mark.browser
Shift = Callable[[Stand, Page], Awaitable[None]]


def played(folder: Path, chromium: str, shift: Shift) -> None:
    """An open table with colour chips, and a dealer signed in at its screen."""

    async def play() -> None:
        config = default_config("wheel")
        chips = msgspec.structs.replace(config.chips, set_mark="W1", colours=("red", "blue"))
        whole = msgspec.structs.replace(config, chips=chips)
        async with stand(folder, config=whole) as at, browser(chromium) as chrome:
            page = await chrome.page(800, 480)
            await page.goto(at.url + "dealer")
            await sign_in(page, "S1")
            await at.until(lambda: not at.runtime.table.state.faults)
            await page.touch("[data-key=open]")
            await at.until(lambda: at.runtime.table.state.life == "open")
            await shift(at, page)
            assert page.problems == []

    asyncio.run(play())


async def key(page: Page, name: str, **told: str) -> None:
    """Look a key up, fill its form in, and have it signed by whoever may."""
    await page.touch("[data-key=more]")
    await page.touch(f"[data-pick={name}]")
    for field, text in told.items():
        if field == "choose":
            await page.touch(f".sheet [data-choice={text}]")
        else:
            await page.type(f".sheet [name={field}]", text)
    await signed(page, ".sheet .go")


async def signed(page: Page, touched: str) -> None:
    await sent_as_new(page, touched, "[data-staff]:last-of-type")
    await page.until("!document.querySelector('.sheet')")


async def spun(at: Stand, page: Page) -> None:
    """Two stakes lie, the wheel is spun and comes to rest."""
    await page.touch("[data-key=place_bets]")
    await at.until(lambda: at.state == "betting_open")
    at.pull("place", area="A", dollars=10, player="p1")
    at.pull("place", area="B", dollars=10, player="p2")
    await at.until(lambda: len(game(at).wagers()) == 2)
    await page.touch("[data-key=no_more_bets]")
    await at.until(lambda: at.state == "closed_wait_spin")
    at.pull("spin", speed=1.3, sense="clockwise")
    await at.until(lambda: at.state in ("ruling", "result"))


def game(at: Stand) -> WheelGame:
    found = at.runtime.table.game
    assert isinstance(found, WheelGame)
    return found


@pytest.mark.clause("melbourne-wheel", "5.1.3", "7.1.3")
def test_a_symbol_that_no_sensor_saw_is_chosen_on_the_page(tmp_path: Path, chromium: str) -> None:
    async def shift(at: Stand, page: Page) -> None:
        at.pull("sensor", kind="dead_channel")
        await spun(at, page)
        assert game(at).state.round.seen.compartment is None
        await page.touch(".prompt[data-subject=spin] [data-answer=stands]")
        await page.touch(".sheet [data-choice=B]")
        await page.touch(".sheet .go")
        await page.touch(".sheet .choices .key")
        await page.touch("[data-staff=S2]")
        await at.until(lambda: at.state == "result")
        assert (game(at).state.round.winner, game(at).state.round.named_by) == ("B", "S2")

    played(tmp_path, chromium, shift)


@pytest.mark.clause("melbourne-wheel", "7.1.3", "7.2", "5.3")
def test_a_hand_at_the_wheel_is_told_on_the_page_once_it_rests_and_the_spin_called_off(
    tmp_path: Path, chromium: str
) -> None:
    async def shift(at: Stand, page: Page) -> None:
        await spun(at, page)
        while at.state == "ruling":
            await page.touch(".prompt .proposed")
            await page.touch("[data-staff=S2]")
            await at.until(lambda: at.state != "ruling")
        assert at.state == "result"
        await page.touch("[data-key=interference]")
        await page.touch(".sheet [data-choice=player]")
        await signed(page, ".sheet .go")
        await at.until(lambda: at.state == "ruling")
        await page.touch(".prompt[data-subject=spin] [data-answer=no_spin]")
        await at.until(lambda: at.state == "betting_open")
        assert len(game(at).wagers()) == 2

    played(tmp_path, chromium, shift)


@pytest.mark.clause("melbourne-wheel", "9.3", "9.5")
def test_which_of_two_spins_is_invalidated_is_chosen_on_the_page(tmp_path: Path, chromium: str) -> None:
    async def shift(at: Stand, page: Page) -> None:
        undone: list[Reversed] = []

        def watch(told: Told) -> None:
            undone.extend(effect for effect in told.effects if isinstance(effect, Reversed))

        at.runtime.watchers.append(watch)
        await spun(at, page)
        while at.state == "ruling":
            await page.touch(".prompt .proposed")
            await page.touch("[data-staff=S2]")
            await at.until(lambda: at.state != "ruling")
        await page.touch("[data-key=acknowledge]")
        await at.until(lambda: at.state in ("collect", "pay"))
        await page.touch("[data-key=more]")
        await page.touch("[data-pick=cancel_fraud]")
        choices = await page.run("[...document.querySelectorAll('.sheet [data-choice]')].map((e) => e.dataset.choice)")
        assert choices == ["now"]
        await page.type(".sheet [name=reason]", "marked wheel")
        await page.touch(".sheet [data-choice=now]")
        await page.touch(".sheet .go")
        told = await page.until("document.querySelector('.sheet.weighty .told-body')?.innerText")
        assert "goes back" in told  # what it will do is shown before it is done
        assert not undone
        await page.touch("[data-key=all-the-same]")
        await page.touch("[data-staff=S4]")
        await at.until(lambda: bool(undone))
        assert undone[0].clauses == ("9.3", "9.5")

    played(tmp_path, chromium, shift)


@pytest.mark.clause("melbourne-wheel", "3.1.2(c)(i)", "3.1.2(c)(ii)", "3.1.2(e)", "3.1.2(f)", "3.1.2(f)(i)")
def test_colour_chips_are_issued_extended_redeemed_and_exchanged_on_the_page(tmp_path: Path, chromium: str) -> None:
    async def shift(at: Stand, page: Page) -> None:
        noted: list[Noted] = []

        def watch(told: Told) -> None:
            noted.extend(effect for effect in told.effects if isinstance(effect, Noted))

        def seen(what: str) -> list[dict[str, object]]:
            return [one.facts for one in noted if one.what == what]

        at.runtime.watchers.append(watch)
        least = at.runtime.table.state.limits.least
        value = str(2 * least / 100)
        sale = {"choose": "red", "player": "Ann", "value": value, "count": "5", "marker": value}
        await key(page, "issue_colour", **sale)
        await at.until(lambda: len(seen("colour_issued")) == 1)
        more = str(4 * least / 100)
        extra = {**sale, "choose": "blue", "value": more, "marker": more}
        await key(page, "extra_colour", **{**extra, "wanting": "Bob"})
        await page.until("!document.querySelector('.sheet .go')")
        assert len(seen("colour_issued")) == 1  # nobody else would have a colour left
        await key(page, "extra_colour", **extra)
        await at.until(lambda: len(seen("colour_issued")) == 2)
        assert [(line.colour, line.cents, line.marker) for line in game(at).state.ledger.holdings] == [
            ("red", 2 * least, 2 * least),
            ("blue", 4 * least, 4 * least),
        ]
        await key(page, "redeem_colour", choose="red", player="Ann", count="400")
        await page.until("document.querySelector('.prompt[data-subject^=\"redeem\"]')")
        assert seen("colour_redeemed") == []
        await page.touch(".prompt[data-subject^=redeem] [data-answer=declined]")
        await at.until(lambda: len(seen("colour_not_redeemed")) == 1)
        await key(page, "redeem_colour", choose="red", player="Ann", count="5")
        await at.until(lambda: len(seen("colour_redeemed")) == 1)
        assert seen("colour_redeemed")[0]["pays"] == 10 * least
        await key(page, "exchange_colour", set="W9", count="7", lowest_minimum="2")
        await page.touch(".prompt[data-subject^=colour] [data-answer=verified]")
        await page.touch("[data-staff=S3]")
        await at.until(lambda: len(seen("colour_exchanged")) == 1)
        assert seen("colour_exchanged")[0]["pays"] == 1400

    played(tmp_path, chromium, shift)


def test_landings_are_drawn_on_the_pit_page(tmp_path: Path, chromium: str) -> None:
    async def shift(at: Stand, page: Page) -> None:
        await spun(at, page)
        await page.goto(at.url + "pit")
        await page.until("document.querySelector('[data-part=landings]')?.hidden === false")
        bars = await page.run("document.querySelectorAll('[data-part=landings] rect').length")
        tall = await page.run(
            "[...document.querySelectorAll('[data-part=landings] rect')].map((e) => +e.getAttribute('height'))"
        )
        assert (bars, sum(one > 0 for one in tall)) == (52, 1)
        assert "1 valid spins" in await page.text("[data-part=landings]")

    played(tmp_path, chromium, shift)


@pytest.mark.clause("melbourne-wheel", "7.1.3", "7.2")
def test_once_the_result_is_announced_the_page_asks_a_supervisor_to_sign_a_no_spin(
    tmp_path: Path, chromium: str
) -> None:
    async def shift(at: Stand, page: Page) -> None:
        await spun(at, page)
        while at.state == "ruling":
            await page.touch(".prompt .proposed")
            await page.touch("[data-staff=S2]")
            await at.until(lambda: at.state != "ruling")
        await page.touch("[data-key=acknowledge]")
        await at.until(lambda: at.state in ("collect", "pay"))
        await page.touch("[data-key=no_spin]")
        await page.touch(".sheet [data-choice=interference]")
        await page.touch("[data-staff=S2]")
        await at.until(lambda: at.state == "betting_open")
        assert len(game(at).wagers()) == 2

    played(tmp_path, chromium, shift)
