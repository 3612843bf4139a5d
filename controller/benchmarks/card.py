"""What a round costs the memory card: bytes really written, and bytes kept."""

from __future__ import annotations

from collections.abc import Iterator

from controller.benchmarks.latency import BareJournal
from controller.benchmarks.measure import Line, bytes_written, line, scratch
from controller.benchmarks.play import Shift
from controller.config.file import default_config
from controller.config.types import TableConfig
from controller.rulebook import Game

TABLES: dict[str, tuple[Game, str | None]] = {
    "card_bytes": ("wheel", None),
    "card_bytes_war": ("war", "perth-war"),
    "card_bytes_poker": ("poker", None),
}


def run(quick: bool) -> Iterator[Line]:
    """Durable play of each game, counted by the kernel; the floor is as many bare durable writes."""
    rounds = 15 if quick else 40
    for bench, (game, rulebook) in TABLES.items():
        yield _written(bench, default_config(game, rulebook=rulebook), rounds)


def _written(bench: str, config: TableConfig, rounds: int) -> Line:
    with scratch() as folder:
        path = folder / "table.sqlite"
        shift = Shift(config, path, durable=True)
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
    return line(
        bench, round(written / rounds), "bytes written a round", "measured, and falling", True,
        floor={"bare_writes_bytes": round(bare_written / rounds)}, ratio=written / max(bare_written, 1),
        bytes_a_commit=round(written / events), commits_a_round=round(events / rounds, 1),
        kept_bytes_a_round=round(kept / played),
    )  # fmt: skip
