"""`tablectl hall sim`: an event that plays itself, from its terms to its prizes."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import click


@click.command(name="sim")
@click.option("--game", type=click.Choice(["war", "wheel", "poker"]), default="war", show_default=True)
@click.option("--tables", default=3, show_default=True, type=click.IntRange(1, 100))
@click.option("--entrants", default=18, show_default=True, type=click.IntRange(2, 1000))
@click.option("--seed", default=1, show_default=True)
@click.option("--terms", "file", type=click.Path(path_type=Path, dir_okay=False), help="An event of your own.")
@click.option("--journal", type=click.Path(path_type=Path, dir_okay=False), help="Keep the hall's journal here.")
def hall_sim(game: str, tables: int, entrants: int, seed: int, file: Path | None, journal: Path | None) -> None:
    """Play an event in virtual time: entries, draw, sessions, moves, re-buys, ties, prizes, tables free again."""
    from controller.money.amounts import dollars
    from floor.hall.files import read_text
    from lab.hall.event import PlayedEvent
    from lab.hall.terms import terms_for

    text = read_text(file) if file is not None else terms_for(game, tables, entrants)
    began = time.process_time()
    with tempfile.TemporaryDirectory(prefix="tablectl-hall-") as scratch:
        event = PlayedEvent(text, entrants, journal or Path(scratch) / "hall.journal", seed)
        event.run()
        state, rows = event.hall.state, event.work.journal.last_seq
        event.work.close()
    for number, place in sorted(state.places.items(), key=lambda one: (one[1], one[0]))[: len(state.prizes) + 3]:
        click.echo(f"{place:4}. {number:8} {dollars(state.prizes.get(number, 0))}")
    click.echo(
        f"{event.hall.terms.id}: {len(state.places)} placed, {event.rounds} rounds, {len(state.tickets)} moves, "
        f"{dollars(state.pool)} awarded, {rows} rows in the hall's journal; {time.process_time() - began:.1f} s"
    )
