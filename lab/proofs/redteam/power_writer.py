"""Plays a table on a journal as durable as asked for, and says on the same disk what has been acknowledged.

Run as: python -m lab.proofs.redteam.power_writer FOLDER full|normal|off ROUNDS
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from controller.core import guarded
from controller.core.runtime import Told
from firmware_specs.clock import VirtualClock
from lab.proofs.games import GAMES
from lab.proofs.stage import Host, World


def main(folder: Path, synchronous: str, rounds: int) -> None:
    guarded.SNAPSHOT_EVERY = 20
    game = GAMES["wheel"]()
    clock = VirtualClock()
    world = World(game, clock, 1)
    crew = game.crew(world, 1)
    host = Host(world, folder / "journals" / "table.sqlite", durable=True)
    if synchronous != "full":
        host.runtime.journal._connection.execute(f"PRAGMA synchronous={synchronous}")
    # Often enough that a short run shows checkpoints, too.
    host.runtime.journal._connection.execute("PRAGMA wal_autocheckpoint=40")
    acks = os.open(folder / "acks", os.O_WRONLY | os.O_CREAT)

    def acknowledge(told: Told) -> None:
        os.write(acks, b"%d" % told.seq)

    host.runtime.watchers.append(acknowledge)
    world.devices.start()
    host.start()
    crew.start()
    clock.run_until(lambda: crew.rounds >= rounds, 600.0)
    host.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
