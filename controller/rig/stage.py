"""A rig as the stage of a scenario: the same case, with whatever is real in place."""

from __future__ import annotations

from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.rig.bench import RigBench, RigDevices
from controller.runtime import Runtime
from controller.scenario.stage import Stage
from controller.wiring import SimulatedDevices
from simulators.people.chips import Bank


class RigStage(Stage):
    """One case on the lines of a rig, in real time."""

    def __init__(self, bench: RigBench) -> None:
        self.clock = bench.clock
        self._bench = bench
        self._devices: RigDevices | None = None

    def devices(self, config: TableConfig, bank: Bank) -> SimulatedDevices:
        for place in self._bench.rig.real:
            if place not in config.devices:
                raise ConfigError(
                    f"rig {self._bench.rig.name}: the case has no device '{place}'; it has {', '.join(config.devices)}"
                )
        self._devices = RigDevices(self._bench, config, self.clock, bank)
        return self._devices

    def ready(self, runtime: Runtime) -> None:
        if self._devices is not None:
            self._devices.follow(runtime)
