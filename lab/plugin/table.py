"""A whole simulated table for a test: its journal, its people, and time that passes only when told to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.core.runtime import Told
from controller.journal import row as record
from controller.journal.file import JournalFile
from drivers.device import Device
from firmware_specs.clock import DeadlineMissed, Deadlock, VirtualClock
from lab.plugin.device import FrameTap
from lab.sim.config import default_config
from lab.sim.screen import DealerScreen
from lab.sim.table import SimulatedTable
from simulators.faults import Fault

OPEN_S = 120.0
ROUND_S = 600.0
LAST_EVENTS = 20


class TableBench:
    """Started and open; its crew stands back until `play` lets them play."""

    def __init__(self, journal: Path, game: str = "wheel", option: int = 1, seed: int = 1) -> None:
        self.journal = journal
        self.clock = VirtualClock()
        self.config = default_config(game, option)
        self.table = SimulatedTable(self.config, journal, self.clock, seed)
        self.runtime = self.table.runtime
        self.devices = self.table.devices
        self.people = self.table.people
        self.screen = DealerScreen(self.runtime, self.config)
        self.told: list[Told] = []
        self.runtime.watchers.append(self.told.append)
        self.frames: dict[str, FrameTap] = {}
        for place, driver in self.runtime.drivers.items():
            if isinstance(driver, Device):
                self.frames[place] = FrameTap(self.clock)
                driver.link.recorder = self.frames[place]
        self._stopped = False
        self.people.stand_back(True)
        self.table.start()

    def stop(self) -> None:
        if not self._stopped:
            self._stopped = True
            self.table.stop()

    def until(self, what: str, condition: Callable[[], bool], within: float = OPEN_S) -> None:
        """Let time pass until something holds; an assertion with these words when it does not."""
        try:
            self.clock.run_until(condition, within)
        except (DeadlineMissed, Deadlock) as stuck:
            state = f"table {self.screen.life()}, round {self.screen.state()}"
            raise AssertionError(f"{what} did not happen: {stuck} ({state})") from None

    def play(self, rounds: int = 1) -> None:
        """Let the crew play so many rounds."""
        self.people.stand_back(False)
        goal = self.table.shift.rounds + rounds
        self.until(f"round {goal}", lambda: self.table.shift.rounds >= goal, rounds * ROUND_S)

    def plan(self, fault: str) -> None:
        """Let something go wrong: 'wheel drop at_event=3'."""
        self.devices.plan(Fault.parse(fault))

    def last_events(self) -> list[str]:
        """Where the journal lies, and its last events."""
        self.stop()
        lines = [str(self.journal)]
        file = JournalFile.read_only(self.journal)
        try:
            for row in file.rows(max(1, file.last_seq - LAST_EVENTS + 1)):
                event = msgspec.json.encode(record.decode(row.body).event).decode()
                lines.append(f"{row.seq:6} {event[:300]}")
        finally:
            file.close()
        return lines
