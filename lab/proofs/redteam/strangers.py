"""How fast a dealer's key answers while strangers are at the socket, beside the same key at a table left alone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from controller.web.waiting import now, pause, within
from lab.proofs.redteam.stand import ANSWER_S, Apart, Screen, held_up_s, stand_apart

PINS = {"S1": "83915027", "S2": "71493826", "S3": "60285173"}
GAP_S = 0.1
WARM = 0.1
"""The part of an attack after which memory must be flat: by then all who may come are there."""
LONGEST_WARM_S = 60.0

Facts = dict[str, float]


class Dealer:
    """Somebody who presses a key at one table, and how long each press took."""

    def __init__(self, table: Apart, screen: Screen) -> None:
        self.table, self.screen = table, screen
        self.took: list[float] = []
        self.own: list[float] = []
        """The same without the time in which the machine gave the table's loop, or this one, no processor."""
        self.refused = 0

    async def press(self) -> None:
        before = self.table.held_up_s() + held_up_s()
        pressed = await self.screen.press()
        self.refused += pressed.status not in (200, 409)
        self.took.append(pressed.seconds)
        self.own.append(max(0.0, pressed.seconds - (self.table.held_up_s() + held_up_s() - before)))

    def facts(self) -> Facts:
        return {
            "median_ms": _ms(self.took, 0.5),
            "p99_ms": _ms(self.took, 0.99),
            "slowest_ms": _ms(self.took, 1.0),
            "own_p99_ms": _ms(self.own, 0.99),
            "own_slowest_ms": _ms(self.own, 1.0),
        }


def _ms(took: list[float], part: float) -> float:
    return round(sorted(took)[min(len(took) - 1, int(part * len(took)))] * 1000, 1)


async def attacked(folder: Path, attack: str, seconds: float) -> Facts:
    """A dealer presses a key ten times a second, in turn at the attacked table and at one that is left alone."""
    async with _dealer(folder / "attacked") as dealer, _dealer(folder / "alone") as alone:
        strangers = await _strangers(dealer, attack, seconds)
        try:
            facts = await _while_they_are_here(strangers, dealer, alone, seconds)
        finally:
            if strangers.returncode is None:
                strangers.kill()
            code = await within(ANSWER_S, strangers.wait())
        if code:
            raise RuntimeError(f"the attack {attack} itself failed")
        assert strangers.stdout is not None
        return facts | msgspec.json.decode(await strangers.stdout.read(), type=Facts)


@contextlib.asynccontextmanager
async def _dealer(folder: Path) -> AsyncIterator[Dealer]:
    folder.mkdir()
    async with stand_apart(folder, PINS) as table:
        screen = await table.screen("dealer")
        answer = await screen.sign_in("S1", PINS["S1"])
        assert answer.status == 200, answer
        yield Dealer(table, screen)


async def _strangers(dealer: Dealer, attack: str, seconds: float) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "lab.proofs.redteam.attacks", stdin=PIPE, stdout=PIPE, start_new_session=True
    )
    assert process.stdin is not None
    told = {"host": dealer.table.host, "cookies": dealer.screen.cookies, "attack": attack, "seconds": seconds}
    process.stdin.write(json.dumps(told).encode() + b"\n")
    return process


async def _while_they_are_here(
    strangers: asyncio.subprocess.Process, dealer: Dealer, alone: Dealer, seconds: float
) -> Facts:
    await pause(max(min(1.0, seconds / 2), min(WARM * seconds, LONGEST_WARM_S)))
    began, memory = now(), dealer.table.memory_kb()
    most, ran = memory, dealer.table.ran_s()
    while strangers.returncode is None:
        most = max(most, dealer.table.memory_kb())
        await dealer.press()
        await alone.press()
        await pause(GAP_S)
    return {
        "presses": len(dealer.took),
        "refused": dealer.refused,
        **dealer.facts(),
        **{f"alone_{name}": value for name, value in alone.facts().items()},
        "processor": round((dealer.table.ran_s() - ran) / (now() - began), 2),
        "memory_kb": most,
        "grown_kb": most - memory,
    }
