"""So many machines under one floor and one broker, all of them on this computer."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from controller.fleet.messages import Kind
from controller.fleet.steward import Kept
from controller.journal.cosignature import make_witness_key
from lab.fleet.machine import OwnMachine
from lab.fleet.table import PlayedTable
from lab.floor.house import STAFF_TOML
from lab.floor.server import NatsServer

COMMAND = [sys.executable, "-c", "from controller.commands import main; main()"]
TOML = """
[floor]
name = "Fleet"
web = "127.0.0.1:0"
practice = true

[broker]
servers = ["{url}"]
"""
BOTH = ("--by", "F2", "--by", "F3")
ASK_S = 120


class FleetHouse:
    """A broker, a floor, and tables that are played, each on a machine of its own made from one image."""

    def __init__(self, folder: Path, image: OwnMachine, count: int, loop: asyncio.AbstractEventLoop) -> None:
        self.folder = folder
        self.broker = NatsServer(folder / "broker")
        self.broker.start()
        key = make_witness_key(folder / "floor.key", "tablectl-floor/fleet", os.urandom(32))
        self.tables = [
            PlayedTable(image.copied(folder / f"m{number}"), number, self.broker.url, key.public, loop)
            for number in range(1, count + 1)
        ]
        self._file = folder / "floor.toml"
        self._file.write_text(TOML.format(url=self.broker.url) + STAFF_TOML, "utf-8")
        lines = [f"{one.key.public(one.origin).text()}\n" for one in self.tables]
        (folder / "tables.keys").write_text("".join(lines), "utf-8")
        self._floor: subprocess.Popen[bytes] | None = None
        self.start_floor()

    def start_floor(self) -> None:
        with (self.folder / "floor.log").open("ab") as said:
            words = [*COMMAND, "floor", "run", "--config", str(self._file)]
            self._floor = subprocess.Popen(words, stdout=said, stderr=said)

    def kill_floor(self) -> None:
        if self._floor is not None:
            self._floor.kill()
            self._floor.wait(20)

    async def fleet(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What somebody types at the floor's machine."""
        command = [*COMMAND, "fleet", words[0], "--config", str(self._file), *words[1:]]
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
        if self._floor is not None:
            self._floor.terminate()
            self._floor.wait(20)
        self.broker.stop()


def asked(machine: OwnMachine, kind: Kind = "program") -> Kept | None:
    """What a machine's steward was asked for last, and how far it is, looked at from outside."""
    try:
        kept = msgspec.json.decode(machine.kept.read_bytes(), type=dict[Kind, Kept])
    except (OSError, msgspec.MsgspecError):
        return None
    return kept.get(kind)
