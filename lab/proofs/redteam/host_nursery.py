"""Brings up real controllers one after the other, each a process of its own that may be killed.

Everything is imported once; each line on standard input (JSON: config, journal, screen, speed) forks a controller
whose process id is printed. The controller speaks to its devices over the ports of its configuration and to the
dealer's screen over a socket: it shows a line a conclusion and takes a line a key.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import structlog

from controller.config.kept import from_plain
from controller.core.runtime import Runtime
from controller.devices import real_ports, threaded
from controller.money.dress import ChipRegister
from controller.people import Person
from firmware_specs.clock import RealClock
from lab.proofs.games import GAMES
from lab.proofs.stage import StagedGame, glance
from lab.sim.devices import drivers_for, opened
from lab.sim.table import sign_that_shows

VALUE_SHIFT = 24


class ByTag(Mapping[int, int]):
    """A register for chips that carry their value in their tag."""

    def __getitem__(self, tag: int) -> int:
        return tag >> VALUE_SHIFT

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        return 0


def shown(game: StagedGame, runtime: Runtime) -> bytes:
    """The dealer's screen as a line."""
    now = glance(game, runtime)
    wagers = [[player, symbol, cents] for (player, symbol), cents in now.wagers.items()]
    plain = {name: getattr(now, name) for name in ("life", "state", "questions", "dues", "details")}
    return msgspec.json.encode({**plain, "wagers": wagers}) + b"\n"


async def live(order: dict[str, Any]) -> None:
    """One controller, until its screen goes away; from its drivers to its start nothing else may have a turn."""
    reader, writer = await asyncio.open_unix_connection(order["screen"])
    loop = asyncio.get_running_loop()
    clock = RealClock(loop, order["speed"])
    config = from_plain(order["config"])
    runtime = opened(config, Path(order["journal"]), clock, ChipRegister(ByTag()))
    drivers_for(runtime, config, real_ports(config, loop))
    sign_that_shows(runtime, clock)
    game = GAMES[config.table.game]()
    # The screen shows what is on disk: people must act on nothing that dies with the controller.
    coming: dict[int, bytes] = {}
    submit = runtime.submit

    def prepare(event: msgspec.Struct, **rest: Any) -> None:
        submit(event, **rest)
        coming[runtime.guarded.position.seq] = shown(game, runtime)

    runtime.submit = prepare  # type: ignore[method-assign]
    runtime.watchers.append(lambda told: writer.write(coming.pop(told.seq)))
    runtime.start("proof", config, threaded(runtime, loop))
    while line := await reader.readline():
        pressed = json.loads(line)
        runtime.command(pressed["key"], Person(f"rank{pressed['rank']}", pressed["rank"]), pressed["args"])
    runtime.stop()
    writer.close()


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            asyncio.run(live(json.loads(line)))
            os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    main()
