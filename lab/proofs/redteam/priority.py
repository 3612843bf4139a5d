"""Whose turn it is on this machine: a table before everybody else, as on a machine of its own, attackers last."""

from __future__ import annotations

from pathlib import Path

FIRST = -15
LAST = 5
"""Behind whatever else runs here, and yet with enough turns to be a nuisance."""


def give_turn(nice: int) -> bool:
    """This process and the others of its session; False where the machine does not let it."""
    try:
        Path("/proc/self/autogroup").write_text(str(nice))
    except OSError:
        return False
    return True
