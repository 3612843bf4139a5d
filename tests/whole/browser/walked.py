"""Tables that stand where a kept walk has led, with their screens, and forms filled in on the page."""

from __future__ import annotations

import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from controller.core.desk import Ask
from controller.core.guarded import GuardedTable
from controller.core.runtime import Runtime
from controller.journal.committer import Release
from controller.journal.file import Entry, JournalFile
from controller.web.server import WebServer, WebSettings
from drivers.events import DeviceEvent
from firmware_specs.clock import VirtualClock
from lab.explore.campaign import tables
from lab.explore.forms import filled
from lab.explore.hands import hands_of
from lab.explore.steps import Walk, read
from lab.explore.table import ExploredTable
from lab.pictures.browser import Page
from lab.proof_kinds import not_recorded
from lab.sim.page import serve

WALKS = Path(__file__).parent / "asked"
"""For each question the steps of a walk after which it is open."""
GAMES = ("war", "wheel", "poker")


def walks(game: str) -> dict[str, Walk]:
    return {path.stem.partition("__")[2]: read(path.read_bytes()) for path in sorted(WALKS.glob(f"{game}__*.json"))}


class StandingClock(VirtualClock):
    """Time is what the walk says; nothing falls due by itself."""

    at = 0

    def wall(self) -> int:
        return self.at


def played(walk: Walk, folder: Path) -> Runtime:
    """A table with its journal, after everything that happened in a walk."""
    table = ExploredTable(tables(walk.game, walk.rulebook)[walk.table], hands_of(walk.game))
    table.switch_on()
    for step in walk.steps:
        table.do(step)
    clock = StandingClock()
    clock.at = table.rows[0].at
    journal = JournalFile.open(folder / "table.db", table.config.table.name, durable=False)
    runtime = Runtime(clock, GuardedTable(table.config), journal, AsItCame())
    runtime.start("walked", table.config, AtOnce(journal))
    for row in table.rows[1:]:
        clock.at = row.at
        runtime.submit(row.event)
    return runtime


class AtOnce:
    """Every row is on disk before anybody hears of it, and nobody waits."""

    def __init__(self, journal: JournalFile) -> None:
        self._journal = journal

    def add(self, entry: Entry, release: Release) -> None:
        self._journal.append([entry])
        release()

    def probe(self, release: Release) -> None:
        release()

    def close(self) -> None:
        self._journal.close()


class AsItCame:
    """What a walk tells is dressed already."""

    def dress(self, event: DeviceEvent) -> list[msgspec.Struct]:
        return [event]


@contextlib.asynccontextmanager
async def screens(walk: Walk, folder: Path) -> AsyncIterator[tuple[Runtime, WebServer]]:
    folder.mkdir()
    with not_recorded():
        runtime = played(walk, folder)
    settings = WebSettings(port=0, pairings=str(folder / "screens.json"), staff=str(folder / "staff.json"))
    server = await serve(runtime, runtime.guarded.config, settings=settings)
    try:
        yield runtime, server
    finally:
        await server.stop()
        runtime.stop()


async def enter(page: Page, asks: tuple[Ask, ...]) -> None:
    """Fill a form in as somebody would who enters only what must be."""
    values = filled(asks, random.Random(1), plainly=True)
    for ask in asks:
        value = values.get(ask.name)
        if value is None:
            continue
        if ask.kind == "choice" or (ask.kind == "player" and not ask.suggested):
            chosen = " ".join(value) if isinstance(value, list) else value
            group = f'[aria-label="{ask.label}"]' if len(asks) > 1 else ""  # two things may be chosen from the same
            await page.touch(f".sheet {group} [data-choice='{chosen}']")
        elif ask.kind == "card":
            await page.touch(f".sheet [data-rank='{value[0]}']")
            await page.touch(f".sheet [data-suit={value[1]}]")
        elif ask.kind != "flag":
            text = (
                str(value / 100)
                if ask.kind == "money"
                else ", ".join(map(str, value))
                if isinstance(value, list)
                else str(value)
            )
            await page.type(f".sheet [name={ask.name}]", text)
