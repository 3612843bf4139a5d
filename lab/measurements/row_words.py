"""Finds the words by which a journal's rows are packed, from rows of every game.

`python -m lab.measurements.row_words FILE`: FILE is a `controller/journal/words-N.txt` of its own number, and those
before it stay for ever.
"""

from __future__ import annotations

import re
import sys
import zlib
from pathlib import Path

from lab.measurements.measure import scratch
from lab.measurements.play import Shift
from lab.sim.config import default_config, simulated_tables

ROUNDS = 12
MOST_BYTES = 4096
"""Each row is packed alone, and every byte of the words costs time for each: from here on they save little."""


def found() -> bytes:
    """Rows of each shape that is met, those that help the others most at the end, where they are reached cheapest."""
    rows = [body for game, book in simulated_tables().values() for body in _rows(game, book)]
    shapes = {re.sub(rb"\d+", b"0", body): body for body in rows}
    sample, chosen, size = rows[::13], b"", _packed(rows[::13], b"")
    while True:
        sizes = {body: _packed(sample, body + chosen) for body in shapes.values() if len(body + chosen) <= MOST_BYTES}
        best = max(sizes, key=lambda body: (size - sizes[body]) / len(body), default=None)
        if best is None or sizes[best] >= size:
            return chosen
        chosen, size = best + chosen, sizes[best]


def _packed(rows: list[bytes], words: bytes) -> int:
    total = 0
    for row in rows:
        packer = zlib.compressobj(wbits=-zlib.MAX_WBITS, zdict=words)
        total += len(packer.compress(row) + packer.flush())
    return total


def _rows(game: str, rulebook: str) -> list[bytes]:
    with scratch() as folder:
        shift = Shift(default_config(game, rulebook=rulebook), folder / "table.sqlite")
        shift.play(ROUNDS)
        bodies = [row.body for row in shift.table.runtime.journal.rows()]
        shift.end()
    return bodies


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(found())
