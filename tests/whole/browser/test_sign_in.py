"""Screens of a table with a real device: paired once, then staff by card and PIN, in a real browser."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from controller.config.types import DeviceSection
from controller.people import Person
from controller.people.door import Doorkeeper
from controller.people.staff import Member, Staff, with_pin, write_staff
from controller.web.access import PairingFile
from controller.web.server import WebServer, WebSettings
from controller.web.waiting import pause, within
from drivers.swipe import pseudonym
from lab.pictures.browser import Page, browser
from lab.sim.config import default_config
from lab.sim.devices import SIMULATED_KEY
from lab.sim.paced import PacedClock
from lab.sim.page import serve
from lab.sim.table import SimulatedTable
from simulators.swipe import card

pytestmark = pytest.mark.browser

CARD = "6007010000000002"


@contextlib.asynccontextmanager
async def guarded(folder: Path) -> AsyncIterator[tuple[SimulatedTable, WebServer]]:
    """A table with a card reader beside the dealer's screen; its screens believe that the wheel is real."""
    config = default_config()
    config = msgspec.structs.replace(
        config, devices={**config.devices, "dealer": DeviceSection("swipe", simulated=True)}
    )
    manager = Member("4711", "Max", {"melbourne-wheel": "AM"}, pseudonym(SIMULATED_KEY, CARD))
    write_staff(folder / "staff.json", with_pin(Staff({"4711": manager}), "4711", "2580", bytes(16)))
    table = SimulatedTable(config, folder / "table.db", PacedClock(asyncio.get_running_loop()), 1)
    table.people.stand_back(True)
    table.start()
    door = Doorkeeper(table.runtime, folder / "staff.json")
    door.start()
    wheel = msgspec.structs.replace(config.devices["wheel"], simulated=False)
    seen = msgspec.structs.replace(config, devices={**config.devices, "wheel": wheel})
    settings = WebSettings(port=0, pairings=str(folder / "screens.json"), staff=str(folder / "staff.json"))
    server = await serve(table.runtime, seen, settings=settings, door=door)
    try:
        yield table, server
    finally:
        await server.stop()
        door.stop()
        table.stop()


async def type_digits(page: Page, digits: str) -> None:
    for digit in digits:
        await page.touch(f"[data-digit='{digit}']")


def standing(table: SimulatedTable) -> dict[str, Person]:
    return table.runtime.table.state.people.standing


def test_a_screen_is_paired_and_staff_sign_in_on_its_keypad_and_by_card(tmp_path: Path, chromium: str) -> None:
    async def act() -> None:
        async with guarded(tmp_path) as (table, server), browser(chromium) as chrome:
            token = PairingFile(tmp_path / "screens.json").pair("dealer")
            page = await chrome.page(800, 480, dark=True)
            await page.goto(server.url + "dealer")
            await page.until("location.pathname === '/pair' && document.querySelector('.sheet')")
            await page.type("[name=token]", token)
            await page.touch(".actions .key")
            await page.until("location.pathname === '/dealer' && document.querySelector('.who')")

            await page.touch(".who")
            await type_digits(page, "4711")
            await page.touch("[data-digit=next]")
            await type_digits(page, "2580")
            await page.touch(".sheet .go")
            await page.until("document.querySelector('.who b')?.innerText === 'Max'")
            await page.touch(".who")
            await page.until("document.querySelector('.who').innerText === 'Sign in'")

            await _until(lambda: table.runtime.table.state.devices["dealer"] == "up")
            table.devices.readers["dealer"].swipe(card(CARD))
            await page.until("document.querySelector('.sheet h2')?.innerText === 'PIN of 4711'")
            await type_digits(page, "2580")
            await page.touch(".sheet .go")
            await page.until("document.querySelector('.who b')?.innerText === 'Max'")
            assert standing(table) == {"dealer": Person("4711", 3)}
            table.devices.readers["dealer"].swipe(card(CARD))  # drawn through again: gone
            await page.until("document.querySelector('.who').innerText === 'Sign in'")
            assert page.problems == []

    async def _until(condition: object) -> None:
        async def hold() -> None:
            while not condition():  # type: ignore[operator]
                await pause(0.01)

        await within(20, hold())

    asyncio.run(act())
