"""Plays a table on a disk that fills, then once more with room again; prints what came of it as JSON.

Run as: python -m lab.proofs.redteam.full_disk_writer FOLDER ROUNDS, with the shim loaded and FORGETFUL_SPACE set.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

from controller.core.runtime import Told
from controller.journal.file import JournalTrouble
from lab.proofs.audit import account
from lab.proofs.redteam.deaths import Run
from lab.proofs.stage import Host


def make_room() -> None:
    """Have somebody free space on the disk."""
    ctypes.CDLL(None).forgetful_space(ctypes.c_longlong(-1))


def main(folder: Path, rounds: int) -> None:
    path = folder / "table.sqlite"
    run = Run("wheel", path, 3, rounds)
    told: list[int] = []
    try:
        host = Host(run.world, path, durable=True)
    except JournalTrouble as trouble:
        report = {"broken": str(trouble), "told": 0, "kept": 0}
    else:

        def watch(one: Told) -> None:
            told.append(one.seq)

        host.runtime.watchers.append(watch)
        host.start()
        run.clock.run_until(lambda: bool(host.runtime.broken), 600.0)
        run.clock.run_for(30.0)
        host.stop()
        make_room()
        report = {"broken": host.runtime.broken, "told": max(told, default=0), "kept": account(path).events}
        run._nothing_forgotten_too_early()
    make_room()
    assert run.live()
    outcome = run.finish()
    report["problems"] = outcome.problems
    report["settled"] = [one.outcome for one in outcome.settlements]
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
