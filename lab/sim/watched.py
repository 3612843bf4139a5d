"""Simulated tables that a person watches: from the bench of one, another one or a case of a scenario file follows."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path

import msgspec

from controller import log
from controller.app import LIVE_RATE, narrator, stop_on_signal
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.core.runtime import Runtime
from controller.devices import threaded
from controller.web.server import WebServer, WebTrouble, settings_of
from lab.scenarios.file import Case
from lab.scenarios.outcome import Outcome
from lab.scenarios.play import play_case
from lab.scenarios.played import find
from lab.scenarios.stage import Stage
from lab.sim.devices import SimulatedDevices
from lab.sim.levers import Levers, Setup
from lab.sim.narration import Narration
from lab.sim.paced import Interrupted, PacedClock, PumpedClock
from lab.sim.page import serve
from lab.sim.summary import Shift, Summary
from lab.sim.table import SimulatedTable, shift_for
from simulators.people.chips import Bank

Say = Callable[[str], None]


class Watch:
    """One address, behind which one table follows the other until somebody has seen enough."""

    def __init__(self, journal: Path, rounds: int | None, speed: float, port: int, browser: bool, say: Say) -> None:
        self._journal, self._rounds, self.speed, self._browser, self._say = journal, rounds, speed, browser, say
        self.port = port
        self.wanted: Setup | None = None
        self.over = asyncio.Event()
        self.told = ""
        self._number = 0

    def run(self, setup: Setup) -> Summary:
        """Play this table, and whatever is asked for at its bench; the summary of the last."""
        with asyncio.Runner() as runner:
            stop_on_signal(runner.get_loop(), self.over)
            while True:
                summary = self._next(runner, setup)
                wanted, self.wanted = self.wanted, None
                if wanted is None:
                    return summary
                setup = wanted
                self.over.clear()

    def anew(self, setup: Setup) -> None:
        """Something else is wanted instead of what runs."""
        self.wanted = setup
        self.over.set()

    def _next(self, runner: asyncio.Runner, setup: Setup) -> Summary:
        if setup.case is None:
            return runner.run(self._table(setup))
        stage = WatchedStage(self, runner.get_loop(), setup)
        try:
            play_case(setup.case, stage)
        except Interrupted:
            pass
        except ConfigError as wrong:
            self.told = str(wrong)
            self.wanted = self.wanted or msgspec.structs.replace(setup, case=None)
        finally:
            stage.close()
        return stage.summary()

    async def _table(self, setup: Setup) -> Summary:
        loop = asyncio.get_running_loop()
        clock = PacedClock(loop, self.speed)
        self._number += 1
        journal = self._journal
        if self._number > 1:  # one journal is one table's
            journal = journal.with_name(f"{journal.stem}-{self._number}{journal.suffix}")
        table = SimulatedTable(setup.config, journal, clock, setup.seed)
        self.follow(table.runtime, setup.config)
        if self._rounds is not None:
            most = self._rounds
            table.runtime.watchers.append(lambda told: self.over.set() if table.shift.rounds >= most else None)
        table.start(threaded(table.runtime, loop))
        try:
            levers = find(setup.config.table.game).levers(table, setup.seed, self.anew)
            server = await self.serve(table.runtime, setup.config, levers)
        except WebTrouble:
            table.stop()
            raise
        await self.over.wait()  # until a signal, another table is wanted, or the rounds are played
        await server.stop()
        clock.pause()  # nobody does anything any more at a table that is gone
        table.stop()
        self.speed = clock.speed
        return table.shift.summary(clock.now())

    def follow(self, runtime: Runtime, config: TableConfig) -> None:
        """Tell and log what this table concludes, and have its wheel shown while it turns."""
        log.place.table = config.table.name
        runtime.watchers.append(narrator())
        Narration(runtime, self._say)
        if "wheel" in runtime.drivers:
            runtime.drivers["wheel"].desire({"live_rate": LIVE_RATE})

    async def serve(self, runtime: Runtime, config: TableConfig, levers: Levers) -> WebServer:
        """The pages of a table, at the address they were at before."""
        levers.told, self.told = self.told, ""
        settings = msgspec.structs.replace(settings_of(config), port=self.port)
        server = await serve(runtime, config, bench=levers, settings=settings)
        first, self.port = self._browser, int(server.url.rstrip("/").rpartition(":")[2])
        self._browser = False
        self._say(
            f"{config.table.name}: it plays by itself, every device simulated. Look at {server.url}bench, and follow "
            "its first minute: spin, brake, bet late, pull a plug, rule on it. Ctrl-C ends it."
        )
        if first and _on_a_desktop():
            await asyncio.get_running_loop().run_in_executor(None, webbrowser.open, server.url + "bench")
        return server


class WatchedStage(Stage):
    """A case that is played at a person's pace, with pages; afterwards it stands there to be looked at."""

    def __init__(self, watch: Watch, loop: asyncio.AbstractEventLoop, setup: Setup) -> None:
        assert setup.case is not None
        self._watch, self._loop, self._setup = watch, loop, setup
        self._case: Case = setup.case
        self._pace = PumpedClock(loop, watch.speed, watch.over.is_set)
        self.clock = self._pace
        self._shift = Shift()
        self._made: SimulatedDevices | None = None
        self._runtime: Runtime | None = None
        self._server: WebServer | None = None
        self._levers: Levers | None = None
        self._played = False

    def devices(self, config: TableConfig, bank: Bank) -> SimulatedDevices:
        self._made = super().devices(config, bank)
        return self._made

    def ready(self, runtime: Runtime) -> None:
        assert self._made is not None
        self._stop_serving()  # of a controller that a case restarts
        self._runtime, config = runtime, runtime.guarded.config
        self._shift = shift_for(config)
        runtime.watchers.append(self._shift.watch)
        self._watch.follow(runtime, config)
        self._levers = Levers(config, self._made, self.clock, self._setup.seed, self._watch.anew)
        self._levers.add_lines_and_time()
        self._watch.told = f"Case {self._case.id} is played."
        self._server = self._loop.run_until_complete(self._watch.serve(runtime, config, self._levers))

    def played(self, outcome: Outcome) -> None:
        assert self._levers is not None
        found = "everything was as expected" if outcome.ok else "; ".join(outcome.errors)
        self._levers.told = f"Case {self._case.id} is over: {found}."
        self._pace.hold()
        self._stop_serving()
        self._played = True

    def summary(self) -> Summary:
        return self._shift.summary(self.clock.now())

    def close(self) -> None:
        """Whatever the case has left open is closed."""
        self._stop_serving()
        self._pace.pause()
        self._watch.speed = self._pace.speed
        if self._runtime is not None and self._made is not None and not self._played:
            self._runtime.stop()
            self._made.stop()

    def _stop_serving(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            self._loop.run_until_complete(server.stop())


def _on_a_desktop() -> bool:
    """Whether a browser would open a window, and not take over this terminal."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
