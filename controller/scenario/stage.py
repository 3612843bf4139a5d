"""Where a case is played: inside the program under the virtual clock, unless a rig says otherwise."""

from __future__ import annotations

from controller.config.types import TableConfig
from controller.runtime import Runtime
from controller.scenario.outcome import Outcome
from controller.simulated.loop_clock import SteppedClock
from controller.wiring import SimulatedDevices
from firmware_specs.clock import VirtualClock
from simulators.people.chips import Bank


class Stage:
    """A clock, and devices on their lines."""

    def __init__(self) -> None:
        self.clock: SteppedClock = VirtualClock()

    def devices(self, config: TableConfig, bank: Bank) -> SimulatedDevices:
        """The devices of the table that this case is played at."""
        return SimulatedDevices(config, self.clock, 1, bank)

    def ready(self, runtime: Runtime) -> None:
        """Everything is wired; play begins next."""

    def played(self, outcome: Outcome) -> None:
        """The case is over and judged; everything stands as it was left, for one last look."""
