"""A controller that comes up on a journal and says when it was ready; run as a fresh process."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from lab.measurements.measure import cpu_time, stopwatch


def main() -> None:
    path, began, config_text = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    entered = stopwatch()
    import controller.app  # noqa: F401 - what a real table loads, its pages included
    from controller import log
    from controller.config.kept import from_plain
    from firmware_specs.clock import VirtualClock
    from lab.sim.table import SimulatedTable

    imported = stopwatch()
    log.setup(level="error")
    clock = VirtualClock()
    table = SimulatedTable(from_plain(json.loads(config_text)), path, clock, 1, durable=True)
    table.start()
    clock.run_for(0.0)  # the event that says so is on disk
    ready = stopwatch()
    table.runtime.journal.close()
    print(
        json.dumps(
            {"total": ready - began, "imports": imported - entered, "ready": ready - imported, "cpu": cpu_time()}
        )
    )


if __name__ == "__main__":
    main()
