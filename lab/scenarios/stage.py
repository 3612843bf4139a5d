"""Where a case is played: inside the program under the virtual clock, unless a rig says otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from controller.config.types import TableConfig
from controller.core.runtime import Dresser, Runtime
from drivers.capture import Recorder
from drivers.device import Device
from firmware_specs.clock import VirtualClock
from lab.scenarios.outcome import Outcome
from lab.sim.devices import SimulatedDevices, drivers_for, opened
from lab.sim.loop_clock import SteppedClock
from simulators.decks import simulated_decks
from simulators.people.chips import Bank

if TYPE_CHECKING:
    from lab.scenarios.poker.people import PokerDealerScreen


class Stage:
    """A clock, and devices on their lines."""

    captures: Path | None = None
    """The folder in which every line is recorded."""
    recorded: Runtime | None = None

    def __init__(self) -> None:
        self.clock: SteppedClock = VirtualClock()

    def config(self, config: TableConfig) -> TableConfig:
        """The table of the case, with what this stage adds to it."""
        return config

    def bank(self) -> Bank:
        """The chips that the case is played with."""
        return Bank()

    def deck(self) -> dict[int, str]:
        """The tags of the deck that poker is dealt with, each with its card."""
        return simulated_decks()[0]

    def devices(self, config: TableConfig, bank: Bank) -> SimulatedDevices:
        """The devices of the table that this case is played at."""
        return SimulatedDevices(config, self.clock, 1, bank)

    def wired(
        self, config: TableConfig, journal: Path, bank: Bank, dresser: Dresser
    ) -> tuple[SimulatedDevices, Runtime]:
        """The table of a case with its devices, ready to begin."""
        devices = self.devices(config, bank)
        return devices, self.joined(config, journal, devices, dresser)

    def joined(self, config: TableConfig, journal: Path, devices: SimulatedDevices, dresser: Dresser) -> Runtime:
        """A controller on the lines of these devices, standing where the journal ends."""
        runtime = opened(config, journal, self.clock, dresser, False)
        self.close_captures()  # a case may take several tables, one after the other
        drivers_for(runtime, config, {place: wire.host for place, wire in devices.wires.items()}, self.captures)
        self.recorded = runtime
        self.ready(runtime)
        return runtime

    def close_captures(self) -> None:
        """Write down what is still to be written of the last table's lines."""
        for driver in self.recorded.drivers.values() if self.recorded is not None else ():
            if isinstance(driver, Device) and isinstance(driver.link.recorder, Recorder):
                driver.link.recorder.close()

    def ready(self, runtime: Runtime) -> None:
        """Everything is wired; play begins next."""

    def begun(self, runtime: Runtime) -> None:
        """The table has come up; whatever must lie there before play is laid now."""

    def poker_screen(self, runtime: Runtime, config: TableConfig) -> PokerDealerScreen:
        """What a crew that plays by itself looks at."""
        from lab.scenarios.poker.people import PokerDealerScreen

        return PokerDealerScreen(runtime, config)

    def played(self, outcome: Outcome) -> None:
        """The case is over and judged; everything stands as it was left, for one last look."""
