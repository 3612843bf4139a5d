"""How long a roll-out to a house of machines takes, what it costs each, and whether anything is lost."""

from __future__ import annotations

import os

import msgspec

from lab.fleet.campaign import Say, run
from lab.measurements.measure import Line, busy, line, scratch

LONGEST_S = 600.0


def measured(tables: int, seed: int, say: Say) -> Line:
    """One campaign; where others use this computer, it is judged by what its own cores would have needed."""
    with scratch() as folder:
        figures = run(folder, tables, seed, say)
    shared, cores = busy(), os.cpu_count() or 1
    needed = figures.roll_out_s if not shared else figures.cpu_s_a_machine * tables / cores
    facts = {name: said for name, said in msgspec.to_builtins(figures).items() if name != "roll_out_s"}
    return line(
        "fleet_roll_out", figures.roll_out_s, "s", f"under {LONGEST_S:g} s, no round lost, all on a good version",
        figures.ok and needed < LONGEST_S, judged_by_cpu=shared, **facts,
    )  # fmt: skip
