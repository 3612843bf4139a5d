"""A tournament at a table, in a real browser: what the sign says, and what the staff see of banks and presence."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from controller.config.types import TournamentSection
from controller.core.events import FloorOrder, Order
from controller.tournament.state import Designation, Roster, Seated
from controller.tournament.table import TournamentTable
from lab.pictures.browser import browser
from lab.sim.config import default_config
from tests.controller.tournament.stated import terms
from tests.whole.browser.stand import Stand, stand

pytestmark = pytest.mark.browser


def order(at: Stand, number: int, kind: str, payload: msgspec.Struct) -> None:
    args = {"payload": msgspec.json.encode(payload).decode()}
    made = Order(f"o{number}", "here", kind, "hall", "HDD", at.runtime.clock.wall(), args)
    at.runtime.submit(FloorOrder(made, "here", "signed"))


@pytest.mark.clause("melbourne-war", "10.2.4", "10.4.4(b)")
def test_the_sign_says_that_nothing_else_is_played_and_what_comes_and_the_pit_sees_the_banks(
    tmp_path: Path, chromium: str
) -> None:
    base = default_config("war", rulebook="melbourne-war")
    chips = msgspec.structs.replace(base.chips, float_tray=False)
    config = msgspec.structs.replace(base, tournament=TournamentSection(), chips=chips)
    said = terms("war")

    async def look() -> None:
        async with stand(tmp_path, config=config) as at, browser(chromium) as chrome:
            table = at.runtime.table
            assert isinstance(table, TournamentTable)
            order(at, 1, "tournament_designate", Designation(said))
            seats = tuple(Seated(f"P{seat}", seat) for seat in range(1, 4))
            order(at, 2, "tournament_roster", Roster(said.digest, "heat", seats, "TD", (), "AM"))
            assert table.session.phase == "set", table.state.desk
            sign = await chrome.page(1280, 720)
            await sign.goto(f"{at.url}sign")
            await sign.until("document.querySelector('.sign-notices')?.innerText.includes('no other play')")
            for words in ("Tournament Spring Cup: no other play", "compulsory wager 500", "1,000 from round 11"):
                await sign.until(f"document.body.innerText.includes('{words}')", 40)  # notices take turns
            pit = await chrome.page(1600, 1000)
            await pit.goto(f"{at.url}pit")
            await pit.until("document.querySelector('[data-part=tournament]')?.hidden === false")
            shown = await pit.run("document.querySelector('[data-part=tournament]').innerText")
            for words in ("cup-2026-11", "P1", "10,000", "TD, not present"):
                assert words in shown
            assert sign.problems == pit.problems == []

    asyncio.run(look())
