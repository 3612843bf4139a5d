"""A simulated table that has played before a test begins."""

from __future__ import annotations

from pathlib import Path

from controller.config.file import check_config
from firmware_specs.clock import VirtualClock
from lab.proofs.stage import Host, World
from lab.proofs.wheel import BigWheel
from lab.sim.devices import share_key
from tests.controller.pi.days import NOON

# --- as commands -----------------------------------------------------------------------------


class Played:
    """A simulated table that has played three rounds, its wheel paired; the devices outlive the controller."""

    def __init__(self, config: Path) -> None:
        share_key(check_config(config), "wheel")
        self.config = config
        self.clock = VirtualClock(epoch_ms=NOON)
        game = BigWheel()
        game.config = check_config(config)
        self.world = World(game, self.clock, 7)
        self.crew = game.crew(self.world, 7)
        self.world.devices.start()
        self.crew.start()
        self.host = self.controller(config)
        self.play(3)

    def controller(self, config: Path) -> Host:
        """A controller on this configuration and its journal."""
        self.world.config = check_config(config)
        host = Host(self.world, Path(self.world.config.table.journal))
        host.start()
        return host

    def play(self, rounds: int) -> int:
        """Play on; the number of the last event."""
        until = self.crew.rounds + rounds
        self.clock.run_until(lambda: self.crew.rounds >= until, 900)
        return self.host.runtime.guarded.position.seq

    def stop(self) -> Path:
        self.host.stop()
        return self.config
