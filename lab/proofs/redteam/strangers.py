"""Strangers on the socket of the screens, and how fast a dealer's key answers meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from controller.web.waiting import now, pause
from lab.proofs.redteam.stand import Screen, Screens, stand_apart

PINS = {"S1": "83915027", "S2": "71493826", "S3": "60285173"}
GAP_S = 0.1


WARM = 0.1
"""The part of an attack after which memory must be flat: by then all who may come are there."""
LONGEST_WARM_S = 60.0


async def attacked(folder: Path, attack: str, seconds: float) -> dict[str, float]:
    """A dealer presses a key ten times a second while this goes on: how long it took, and how memory grew."""
    async with stand_apart(folder, PINS) as table:
        dealer = await table.screen("dealer")
        answer = await dealer.sign_in("S1", PINS["S1"])
        assert answer.status == 200, answer
        task = asyncio.ensure_future(ATTACKS[attack](table, dealer, now() + seconds))
        await pause(max(min(1.0, seconds / 2), min(WARM * seconds, LONGEST_WARM_S)))
        took, refused, memory = [], 0, table.memory_kb()
        most = memory
        while not task.done():
            most = max(most, table.memory_kb())
            pressed = await dealer.press()
            refused += pressed.status not in (200, 409)
            took.append(pressed.seconds)
            await pause(GAP_S)
        if task.exception() is not None:
            raise RuntimeError(f"the attack {attack} itself failed") from task.exception()
        took.sort()
        return {
            "presses": len(took),
            "refused": refused,
            "median_ms": round(took[len(took) // 2] * 1000, 1),
            "slowest_ms": round(took[-1] * 1000, 1),
            "memory_kb": most,
            "grown_kb": most - memory,
        }


async def _silent(table: Screens, dealer: Screen, until: float) -> None:
    """Hundreds who connect and say nothing, again and again."""
    await _hold(table, b"", 260, until)


async def _half(table: Screens, dealer: Screen, until: float) -> None:
    """The same with half a request each."""
    await _hold(table, b"GET / HTTP/1.1\r\nHost: x\r\n", 260, until)


async def _live(table: Screens, dealer: Screen, until: float) -> None:
    """A thousand live pages with the dealer's own token, none of which reads."""
    await _hold(table, dealer.request("GET", "/api/live?place=dealer"), 1000, until)


async def _flood(table: Screens, dealer: Screen, until: float) -> None:
    """Requests without a token, as fast as they go."""
    stranger = table.stranger()
    while now() < until:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await stranger.ask("GET", "/api/state?place=dealer")
        await pause(0)
    stranger.hang_up()


async def _garbage(table: Screens, dealer: Screen, until: float) -> None:
    """What is no HTTP at all."""
    await _hold(table, b"\x16\x03\x01\x02\x00 no HTTP\r\n\r\n", 100, until)


async def _hold(table: Screens, said: bytes, count: int, until: float) -> None:
    held: list[asyncio.StreamWriter] = []
    while now() < until:
        with contextlib.suppress(OSError):
            held.append((await table.call(said))[1])
        if len(held) >= count:
            held.pop(0).transport.abort()
            await pause(0.005)
    for writer in held:
        writer.transport.abort()


async def _slow(table: Screens, dealer: Screen, until: float) -> None:
    """Requests that come one byte at a time, from a hundred at once."""
    held: list[asyncio.StreamWriter] = []
    said = b"GET /api/state?place=dealer HTTP/1.1\r\nHost: x\r\n"
    at = 0
    while now() < until:
        with contextlib.suppress(OSError):
            if len(held) < 100:
                held.append((await table.call())[1])
        for writer in held:
            if not writer.is_closing():
                writer.write(said[at : at + 1])
        held = [writer for writer in held if not writer.is_closing()]
        at = (at + 1) % len(said)
        await pause(0.05)
    for writer in held:
        writer.transport.abort()


ONE_BY_ONE = {"silent": _silent, "half": _half, "slow": _slow, "live": _live, "flood": _flood, "garbage": _garbage}


async def _all(table: Screens, dealer: Screen, until: float) -> None:
    """All of them at once, each from a machine of its own; one of them has the dealer's token."""
    each = enumerate(ONE_BY_ONE.values(), 2)
    await asyncio.gather(*(attack(table.from_elsewhere(number), dealer, until) for number, attack in each))


ATTACKS = {**ONE_BY_ONE, "all": _all}
