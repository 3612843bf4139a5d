"""A roll-out to a house of machines that are played, with a bad version, some off and power cuts: what was lost."""

from __future__ import annotations

import asyncio
import contextlib
import random
import resource
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from controller.web.waiting import pause
from lab.bundle import source
from lab.fleet.house import FleetHouse, asked
from lab.fleet.machine import OwnMachine
from lab.fleet.packed import whole
from lab.fleet.table import PlayedTable

FIRST, BAD, GOOD = "1.0", "2.0", "3.0"
RUN = "controller/commands/run.py"
GOAL_S = 600.0
LOOK_S = 2.0
CUT_S = (0.0, 30.0)
"""A machine's power goes so long after its steward heard of the new version."""
DARK_S = (0.0, 10.0)
Say = Callable[[str], None]


class Figures(msgspec.Struct):
    """What came out."""

    machines: int
    off: int
    cuts: int = 0
    cut_switching: int = 0
    """How many of them while the machine was installing."""
    rounds: int = 0
    rounds_lost: int = 0
    bad_halted_s: float = 0.0
    roll_out_s: float = 0.0
    install_cpu_s: float = 0.0
    cpu_s_a_machine: float = 0.0
    versions: dict[str, int] = {}
    problems: list[str] = []

    @property
    def ok(self) -> bool:
        return not self.problems and self.versions == {GOOD: self.machines}


class NotReached(Exception):
    """Something did not come about in time: what, and how everything stood."""


def run(folder: Path, count: int, seed: int, say: Say) -> Figures:
    """Make the house, roll a bad and a good version out to it, and hold every journal against what was played."""
    return asyncio.run(_Campaign(folder, count, seed, say).run())


class _Campaign:
    def __init__(self, folder: Path, count: int, seed: int, say: Say) -> None:
        self._folder, self._say, self._dice = folder, say, random.Random(seed)
        self._figures = Figures(count, count // 3)
        self._cut_at: dict[PlayedTable, float] = {}
        self._deadline_s = 300.0 + 60.0 * count

    async def run(self) -> Figures:
        figures = self._figures
        bundles = {FIRST: whole(self._folder, FIRST), GOOD: whole(self._folder, GOOD)}
        bundles[BAD] = whole(self._folder, BAD, {RUN: _never_ready()})
        image = self._image()
        self._house = FleetHouse(self._folder, image, figures.machines, asyncio.get_running_loop())
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(figures.machines + 8))
        self._playing = playing = [asyncio.ensure_future(one.play()) for one in self._house.tables]
        cutting = asyncio.ensure_future(self._cutting())
        try:
            await self._all_on()
            self._off = self._dice.sample(self._house.tables, figures.off)
            for one in self._off:
                one.machine.off()
            await self._bad(bundles[BAD])
            await self._good(bundles[GOOD])
            await self._played_on()
        finally:
            for task in (*playing, cutting):
                task.cancel()
            await asyncio.gather(*playing, cutting, return_exceptions=True)
            self._house.close()
        return self._judged()

    def _image(self) -> OwnMachine:
        self._say(f"the first version is installed, and {self._figures.machines} cards are made from it")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        image = OwnMachine.installed(self._folder / "image", self._folder / f"tablectl-{FIRST}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self._figures.install_cpu_s = round(spent, 1)
        return image

    async def _all_on(self) -> None:
        for one in self._house.tables:
            one.machine.on()
        await self._until("every machine is heard", self._all_heard)
        await self._until("every table plays", self._all_open)

    async def _all_heard(self) -> bool:
        return len((await self._house.status())["machines"]) == self._figures.machines

    async def _all_open(self) -> bool:
        shown = [one.see() for one in self._house.tables]
        return all(one is not None and one.life == "open" for one in shown)

    async def _bad(self, bundle: Path) -> None:
        self._say(f"{self._figures.off} are off; a version that never becomes ready is rolled out")
        begun = time.monotonic()
        await self._begin(bundle, "a bad one")
        await self._until("the bad version is halted", self._is("halted"))
        self._figures.bad_halted_s = round(time.monotonic() - begun, 1)
        self._say((await self._house.plan())["text"])
        wrong = [one.name for one in self._house.tables if one.machine.version != FIRST]
        self._figures.problems += [f"{one}: left its version for a bad one" for one in wrong]

    async def _good(self, bundle: Path) -> None:
        self._say("a good version is rolled out; the power of each machine is cut once while it is asked for it")
        for one in self._house.tables:
            self._cut_at[one] = 0.0
        begun = time.monotonic()
        await self._begin(bundle, "a good one", "--stages", "1,10,all")
        await self._until("who is on has it", self._have_it)
        for one in self._off:
            one.machine.on()
        await self._until("the roll-out is over", self._is("over"))
        self._figures.roll_out_s = round(time.monotonic() - begun, 1)

    async def _begin(self, bundle: Path, why: str, *words: str) -> None:
        done = await self._house.roll_out(bundle, why, "--settle", "0", *words)
        if done.returncode:
            raise NotReached(f"no roll-out begun: {done.stderr}")

    def _is(self, state: str) -> Callable[[], Awaitable[bool]]:
        async def so() -> bool:
            return bool((await self._house.plan())["state"] == state)

        return so

    async def _have_it(self) -> bool:
        return all(one.machine.version == GOOD for one in self._house.tables if one not in self._off)

    async def _played_on(self) -> None:
        """Every table ends a round with the new version, and whatever its devices held is told."""
        self._cut_at.clear()
        before = {one: one.crew.rounds for one in self._house.tables}

        async def one_more() -> bool:
            return all(one.crew.rounds > rounds for one, rounds in before.items())

        await self._until("every table has played on", one_more)
        for one in self._house.tables:
            one.rest()

        async def all_rest() -> bool:
            return all(one.rests for one in self._house.tables)

        async def all_told() -> bool:
            return not any(one.holds for one in self._house.tables)

        await self._until("every table has ended its round", all_rest)
        # Machines are switched off next, and what a device still held then would be missing through no fault of theirs.
        await self._until("every device has told what it held", all_told)

    async def _cutting(self) -> None:
        """Each machine loses its power once, at a moment by lot after it has heard of the good version."""
        while True:
            for one, at in list(self._cut_at.items()):
                kept = asked(one.machine)
                if not one.machine.is_on or kept is None or kept.want.name != GOOD:
                    continue
                if not at:
                    self._cut_at[one] = time.monotonic() + self._dice.uniform(*CUT_S)
                elif time.monotonic() > at:
                    del self._cut_at[one]
                    await self._cut(one, kept.doing.state == "switching")
            await pause(0.2)

    async def _cut(self, table: PlayedTable, switching: bool) -> None:
        self._figures.cuts += 1
        self._figures.cut_switching += switching
        table.machine.off()
        asyncio.get_running_loop().call_later(self._dice.uniform(*DARK_S), table.machine.on)

    async def _until(self, what: str, holds: Callable[[], Awaitable[bool]]) -> None:
        ends = time.monotonic() + self._deadline_s
        self._say(f"until {what}")
        while not await holds():
            for ended in (one for one in self._playing if one.done()):
                raise ended.exception() or NotReached("people stopped playing by themselves")
            if time.monotonic() > ends:
                raise NotReached(f"not reached: {what}. {await self._stands()}")
            await pause(LOOK_S)

    async def _stands(self) -> str:
        done = await self._house.fleet("status")
        tables = [
            f"{one.name}: {one.crew.rounds} rounds, {one.see()}, {one.last_trouble}" for one in self._house.tables
        ]
        return "\n".join([done.stdout, done.stderr, *tables])

    def _judged(self) -> Figures:
        figures, tables = self._figures, self._house.tables
        self._say("every journal is held against what was played")
        for one in tables:
            with contextlib.suppress(OSError):
                figures.versions[one.machine.version] = figures.versions.get(one.machine.version, 0) + 1
            lost = one.lost_rounds()
            figures.problems += lost + one.problems()
            figures.rounds_lost += len(lost)
        figures.rounds = sum(one.crew.rounds for one in tables)
        figures.cpu_s_a_machine = round(sum(one.machine.cpu_s for one in tables) / len(tables), 1)
        return figures


def _never_ready() -> bytes:
    """The command that runs a table, ending before it is ready."""
    text = (source() / RUN).read_text("utf-8")
    return (
        text.replace('"""', '"""Of a bad version: ', 1).encode()
        + b"\n\nraise SystemExit('a version that never gets ready')\n"
    )
