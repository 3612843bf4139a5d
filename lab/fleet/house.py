"""So many machines under one floor and one broker, all of them on this computer."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec

from controller.fleet.messages import Kind
from controller.fleet.steward import Kept
from lab.fleet.floor import BOTH, COMMAND, FleetFloor
from lab.fleet.machine import OwnMachine
from lab.fleet.table import PlayedTable
from lab.floor.server import NatsServer

ASK_S = 120


class FleetHouse:
    """A broker, a floor, and tables that are played, each on a machine of its own made from one image."""

    def __init__(self, folder: Path, image: OwnMachine, count: int, loop: asyncio.AbstractEventLoop) -> None:
        self.folder = folder
        self.broker = NatsServer(folder / "broker")
        self.broker.start()
        self.floor = FleetFloor(folder, self.broker.url)
        self.tables = [
            PlayedTable(image.copied(folder / f"m{number}"), number, self.broker.url, self.floor.public, loop)
            for number in range(1, count + 1)
        ]
        self.floor.start(one.key.public(one.origin).text() for one in self.tables)

    async def fleet(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What somebody types at the floor's machine."""
        command = [*COMMAND, *self.floor.words(*words)]
        return await asyncio.to_thread(
            subprocess.run, command, capture_output=True, text=True, timeout=ASK_S, stdin=subprocess.DEVNULL
        )

    async def status(self) -> dict[str, Any]:
        """Every machine and roll-out, as the floor knows them; empty while the broker does not answer."""
        done = await self.fleet("status", "--json")
        found: dict[str, Any] = json.loads(done.stdout) if done.returncode == 0 else {"machines": [], "plans": []}
        return found

    async def plan(self, kind: Kind = "program") -> dict[str, Any]:
        """The newest roll-out of a kind."""
        plans = (await self.status())["plans"]
        return next((one for one in plans if one["kind"] == kind), {"state": "", "text": "", "id": ""})

    async def roll_out(self, bundle: Path, why: str, *words: str) -> subprocess.CompletedProcess[str]:
        return await self.fleet("roll-out", str(bundle), *BOTH, "--why", why, *words)

    def close(self) -> None:
        for one in self.tables:
            one.machine.off()
        self.floor.stop()
        self.broker.stop()


def asked(machine: OwnMachine, kind: Kind = "program") -> Kept | None:
    """What a machine's steward was asked for last, and how far it is, looked at from outside."""
    try:
        kept = msgspec.json.decode(machine.kept.read_bytes(), type=dict[Kind, Kept])
    except (OSError, msgspec.MsgspecError):
        return None
    return kept.get(kind)
