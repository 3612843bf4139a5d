"""A poker crew whose hands move chips and cards, and whose every key is touched on the dealer's page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from controller.core.events import Command
from controller.core.runtime import Told
from controller.web.waiting import within
from lab.pictures.browser import Page
from lab.scenarios.poker.levers import PokerLevers
from simulators.people.poker_screen import Wanted
from tests.whole.browser.stand import Stand, sent_as_new, sign_in

PRESSED_S = 60.0
"""So long hands may be at work before a key is due."""


def view(at: Stand) -> dict[str, Any]:
    return at.runtime.table.game.view()


async def open_table(at: Stand, page: Page, stacks: dict[int, int]) -> None:
    """From a closed table to players with so many dollars at these seats."""
    await page.goto(at.url + "dealer")
    await sign_in(page, "S1")
    await at.until(lambda: not at.runtime.table.state.faults)
    await page.touch("[data-key=open]")
    await at.until(lambda: at.runtime.table.state.life == "open")
    for number, (seat, dollars) in enumerate(stacks.items(), 1):
        await page.touch("[data-key=sit]")
        await page.touch(f".sheet [data-choice='{seat}']")
        await page.type(".sheet [name=player]", f"P{seat}")
        await page.type(".sheet [name=amount]", str(dollars))
        await sent_as_new(page)
        await at.until(lambda: len(view(at)["seats"]) == number)  # noqa: B023


class Fingers:
    """What the crew would press is touched instead; `acts` says what the player in turn does."""

    def __init__(self, at: Stand, page: Page, players: int, acts: Callable[[int], str]) -> None:
        assert isinstance(at.levers, PokerLevers)
        self._at, self._page, self._acts = at, page, acts
        self.crew = crew = at.levers.poker
        self._due: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        crew.habits = msgspec.structs.replace(crew.habits, players=players)
        crew.screen.press = self._wanted  # type: ignore[method-assign]
        crew._do["action"] = self._action
        self._pressed = 0
        at.runtime.watchers.append(self._hear)

    def _hear(self, told: Told) -> None:
        self._pressed += isinstance(told.event, Command)

    def _wanted(self, key: str, rank: int, args: Any = None) -> None:
        """The crew waits until a finger has been there."""
        self.crew.stand_back(True)
        self._due.put_nowait((key, dict(args or {})))

    def _action(self, wanted: Wanted) -> None:
        self._wanted(self._acts(wanted.seats[0]), 1, {"player": wanted.seats[0]})

    async def until(self, over: Callable[[], bool]) -> None:
        """Play on by touch."""
        if self._due.empty():
            self.crew.stand_back(False)
        while not over():
            key, args = await within(PRESSED_S, self._due.get())
            before = self._pressed
            await self._touch(key, args)
            await self._at.until(lambda: self._pressed > before)  # noqa: B023
            if "player" in args and key != "fold":
                self._lay_chips(args["player"])
            self.crew.stand_back(False)

    def _lay_chips(self, seat: int) -> None:
        """The player puts forward what was said."""
        if owed := self.crew.screen.owes(seat):
            self.crew.felt.put(owed, seat)

    async def _touch(self, key: str, args: dict[str, Any]) -> None:
        page = self._page
        await page.until("document.querySelector('.main-slot') && !document.querySelector('.sheet')")
        near = f":is(.main-slot, .side-slots) [data-key={key}]"
        if await page.run(f'Boolean(document.querySelector("{near}"))'):
            await page.touch(near)
        else:
            await page.touch("[data-key=more]")
            await page.touch(f"[data-pick={key}]")
        if "seat" in args and await page.run("Boolean(document.querySelector('.sheet'))"):
            await page.touch(f".sheet [data-choice='{args['seat']}']")
        if await page.run("Boolean(document.querySelector('.sheet .go'))"):
            await page.touch(".sheet .go")
