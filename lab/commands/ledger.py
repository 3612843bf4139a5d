"""`tablectl ledger`: three gaming days whose books a second ledger follows from the chips alone."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from controller import log
from controller.money.amounts import dollars

if TYPE_CHECKING:
    from lab.proofs.ledger_held import Held


@click.command()
@click.option(
    "--game", type=click.Choice(["wheel", "war", "poker", "stand-alone poker"]), default="wheel", show_default=True
)
@click.option("--seed", default=1, show_default=True)
@click.option("--short", is_flag=True, help="Play in the morning, over midnight and over the day's end only.")
@click.option("--journal", type=click.Path(path_type=Path, dir_okay=False), help="Keep the journal there.")
@click.option("--json", "as_json", is_flag=True)
def ledger(game: str, seed: int, short: bool, journal: Path | None, as_json: bool) -> None:
    """Hold the books of three gaming days against a ledger made of nothing but the chips that hands moved.

    A simulated table stays open over midnight and over the day's end, is closed once, restarted and killed; people
    fill, sell, steal, key wrong amounts and correct them, and play with colour chips at the wheel; at poker they pay
    commission by every method and side wagers, buy in, have chips brought and leave. Exit status 1 where opening or
    closing chips, fills, credits, cash, what was explained, play, commission, players' chips or win differ by a cent.
    """
    from lab.proofs.ledger_held import prove

    log.setup(level="error")
    if journal is not None and journal.exists():
        raise click.UsageError(f"{journal} is there already; name a new file")
    with tempfile.TemporaryDirectory() as folder:
        held = prove(journal or Path(folder) / "table.db", seed, breaks=short, game=game)
    if as_json:
        click.echo(json.dumps({"ok": held.ok, **msgspec.to_builtins(held)}))
    else:
        for line in _lines(held):
            click.echo(line)
    sys.exit(0 if held.ok else 1)


def _lines(held: Held) -> Iterator[str]:
    for day in held.days:
        figures = {
            "float": f"{dollars(day.opening)} to {dollars(day.closing)}",
            "fills": dollars(day.fills),
            "credits": dollars(day.credits),
            "drop": dollars(day.drop),
            "win": dollars(day.win),
        }
        if day.commission:
            figures |= {"commission": dollars(day.commission), "brought by players": dollars(day.brought)}
        said = "; ".join(day.differences) or "both ledgers agree to the cent"
        yield f"{day.day}: {day.rounds} rounds, {', '.join(f'{n} {v}' for n, v in figures.items())}: {said}"
    acts = ", ".join(f"{times} x {act.replace('_', ' ')}" for act, times in held.acts.items())
    yield f"{held.moves:,} chips moved, {held.events:,} events, {held.restarts} restarts, {held.kills} kills; {acts}"
