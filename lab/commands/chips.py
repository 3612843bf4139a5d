"""`tablectl chips prove`: thieves, late bettors and careless dealers against the chip accounts."""

from __future__ import annotations

import json

import click
import msgspec

from controller import log
from lab.proofs.chips import prove as run_proof


@click.command()
@click.option("--rounds", default=300, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=1, show_default=True)
@click.option("--misses", default=0.0, show_default=True, help="Chips a minute that the antennas lose for a moment.")
@click.option("--json", "as_json", is_flag=True)
def prove(rounds: int, seed: int, misses: float, as_json: bool) -> None:
    """Play with thieves, late bettors and careless dealers; every wrong must be found, or the reason be known.

    Exit status 1 when a wrong was missed, something was said without cause, or the books did not balance.
    """
    log.setup(level="error")
    proof = run_proof(rounds, seed, misses_per_minute=misses)
    click.echo(json.dumps({"ok": proof.ok, **msgspec.to_builtins(proof)}) if as_json else proof.text())
    if not proof.ok:
        raise SystemExit(1)
