"""`tablectl chips prove`: thieves, late bettors and careless dealers against the chip accounts; honest hands beside."""

from __future__ import annotations

import json

import click
import msgspec

from controller import log
from lab.proofs import chips, sloppy
from lab.sim.config import simulated_tables

TABLES = simulated_tables()


@click.command()
@click.option("--rounds", default=300, show_default=True, type=click.IntRange(min=1), help="Rounds at each table.")
@click.option("--seed", default=1, show_default=True)
@click.option("--misses", default=0.0, show_default=True, help="Chips a minute that the antennas lose for a moment.")
@click.option(
    "--game",
    "names",
    multiple=True,
    type=click.Choice(sorted({*TABLES, *(called for table in TABLES.values() for called in table)})),
    help="Only this game or rulebook; may be given again. All of them when left out.",
)
@click.option("--sloppy", "honest", is_flag=True, help="Honest people with sloppy hands: nobody may be accused.")
@click.option("--json", "as_json", is_flag=True, help="One object a table, each on its own line.")
def prove(rounds: int, seed: int, misses: float, names: tuple[str, ...], honest: bool, as_json: bool) -> None:
    """Play with thieves, late bettors and careless dealers; every wrong must be found, or the reason be known.

    With --sloppy, play with honest people whose hands are slow and whose chips are read badly: at most one round in two
    hundred may hear an untrue word, and no honest wager may be lost.

    Exit status 1 when a wrong was missed, something was said without cause, or the books did not balance.
    """
    log.setup(level="error")
    right = True
    for name, (game, rulebook) in TABLES.items():
        if names and not {name, game, rulebook} & set(names):
            continue
        found: sloppy.Sloppiness | chips.Proof
        if honest:
            found = sloppy.play(game, rulebook, rounds, seed)
        else:
            found = chips.prove(rounds, seed, game=game, rulebook=rulebook, misses_per_minute=misses)
        right = right and found.ok
        plain = {"table": name, "ok": found.ok, **msgspec.to_builtins(found)}
        click.echo(json.dumps(plain) if as_json else found.text())
    if not right:
        raise SystemExit(1)
