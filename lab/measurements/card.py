"""What a round costs the memory card: bytes really written, syncs, bytes kept, and how long a card lasts with that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.config.types import TableConfig
from controller.core.effects import Noted
from controller.journal import row as record
from controller.journal.file import Entry, Row
from lab.measurements.latency import BareJournal
from lab.measurements.measure import Line, bytes_written, line, scratch
from lab.measurements.play import Shift
from lab.sim.config import default_config

TABLES: dict[str, tuple[str, str | None]] = {
    "card_bytes": ("wheel", None),
    "card_bytes_war": ("war", "perth-war"),
    "card_bytes_poker": ("poker", None),
}


CARD_TB = 30
"""Terabytes that may be written to the card: what makers promise of a 64 GB card for cameras that never stop."""
BLOCK = 4096
"""The least that a card writes at once: a sync touches at least one block, however little it says."""
WAITS_MS = (0, 250, 500, 1000, 2000)
"""How long rows that say nothing could wait for one that does."""
HOURS_A_DAY = 16
"""How long a table plays."""


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
        commits, began, first = _counted_commits(shift), shift.clock.now(), shift.table.runtime.journal.last_seq
        shift.play(rounds)
        hours = (shift.clock.now() - began) / 3600
        rounds_a_year = rounds / hours * HOURS_A_DAY * 365
        written, events = bytes_written() - written, shift.table.shift.events - events
        rows = [row for row in shift.table.runtime.journal.rows(4) if row.seq > first]
        bodies = [row.body for row in rows]
        waited = {f"{wait} ms": round(grouped(rows, wait) / rounds, 1) for wait in WAITS_MS}
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
        bytes_a_commit=round(written / commits[0]), commits_a_round=round(commits[0] / rounds, 1),
        commits_if_quiet_rows_waited=waited,
        events_a_round=round(events / rounds, 1), kept_bytes_a_round=round(kept / played),
        kept_gb_a_year=round(kept / played * rounds_a_year / 1e9, 1),
        years_of_card=round(CARD_TB * 1e12 / (written / rounds * rounds_a_year), 1),
        card=f"{CARD_TB} TB to be written, {HOURS_A_DAY} hours of play a day, {rounds / hours:.0f} rounds an hour",
    )  # fmt: skip


def grouped(rows: Sequence[Row], wait_ms: int) -> int:
    """How many commits there would be if a row that says nothing to anybody waited so long for one that does.

    Nothing acknowledged would be weaker for it, for its device keeps the event; but pages show what is on disk, so all
    that lies on the mat, every card and every turn would be seen so much later.
    """
    commits, due, last = 0, None, None
    for row in rows:
        kept = record.read(row)
        if due is not None and row.at > due:
            commits, due = commits + 1, None
        if kept.mark is not None and all(isinstance(effect, Noted) for effect in kept.effects):
            due = row.at + wait_ms if due is None else due
        else:
            commits, due, last = commits + (row.at != last), None, row.at
    return commits + (due is not None)


def _counted_commits(shift: Shift) -> list[int]:
    """How many commits the journal makes from now on, each of which is a sync; copying the log back adds few."""
    count, journal = [0], shift.table.runtime.journal
    append = journal.append

    def counted(entries: Sequence[Entry]) -> None:
        count[0] += 1
        append(entries)

    journal.append = counted  # type: ignore[method-assign]
    return count


def text(line: Line) -> str:
    """A result for people."""
    return (
        f"{line['bench']:<18} {line['value'] / 1000:.0f} kB and {line['commits_a_round']:g} syncs a round, "
        f"no fewer than {line['commits_a_round'] * BLOCK / 1000:.0f} kB with that many syncs of a block each; "
        f"{_waits(line)}; {line['kept_bytes_a_round'] / 1000:.1f} kB kept; {line['kept_gb_a_year']:g} GB a year, "
        f"the card lasts {line['years_of_card']:g} years ({line['card']})"
    )


def _waits(line: Line) -> str:
    """What waiting would save."""
    waited = line["commits_if_quiet_rows_waited"]
    return (
        ", ".join(f"{commits:g} syncs with {wait}" for wait, commits in waited.items() if wait != "0 ms")
        + " of waiting"
    )
