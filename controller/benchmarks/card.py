"""What a round costs the memory card: bytes really written, and bytes kept."""

from __future__ import annotations

from collections.abc import Iterator

from controller.benchmarks.latency import BareJournal
from controller.benchmarks.measure import Line, bytes_written, line, scratch
from controller.benchmarks.play import Shift
from controller.config.file import default_config


def run(quick: bool) -> Iterator[Line]:
    """Durable play, counted by the kernel; the floor is as many bare durable writes."""
    rounds = 15 if quick else 40
    with scratch() as folder:
        path = folder / "table.sqlite"
        shift = Shift(default_config("wheel"), path, durable=True)
        shift.play(3)
        written, events = bytes_written(), shift.table.shift.events
        shift.play(rounds)
        written, events = bytes_written() - written, shift.table.shift.events - events
        bodies = [row.body for row in shift.table.runtime.journal.rows(4)]
        shift.end()
        bare = BareJournal(folder / "bare.sqlite")
        bare_written = bytes_written()
        bare.commits(events, round(sum(map(len, bodies)) / len(bodies)))
        bare_written = bytes_written() - bare_written
        bare.close()
        kept = path.stat().st_size
    played = shift.table.shift.rounds
    yield line(
        "card_bytes", round(written / rounds), "bytes written a round", "measured, and falling", True,
        floor={"bare_writes_bytes": round(bare_written / rounds)}, ratio=written / max(bare_written, 1),
        bytes_a_commit=round(written / events), commits_a_round=round(events / rounds, 1),
        kept_bytes_a_round=round(kept / played),
    )  # fmt: skip
