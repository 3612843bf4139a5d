"""`tablectl redteam`: attacks on a table's doors, with a report."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from controller import log


@click.command()
@click.option("--seconds", default=60.0, show_default=True, type=click.FloatRange(0.5, 3600), help="For each attack.")
@click.option("--only", multiple=True, help="This step only; may be given again.")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="A later run goes on with it.")
def redteam(seconds: float, only: tuple[str, ...], report: Path | None) -> None:
    """Attack a simulated table of this machine as strangers and failing parts would, and say what held.

    Attacks go to 127.0.0.1 only and end by themselves. A key must answer within 100 ms, and no planted secret may be
    written down. Exit status 1 unless all held.
    """
    from lab.proofs.redteam.campaign import campaign, steps

    for name in only:
        if name not in steps(seconds):
            raise click.UsageError(f"there is no step {name!r}; there are {', '.join(steps(seconds))}")
    log.setup(level="error")
    fell = []
    for found in campaign(report, seconds, only):
        facts = ", ".join(f"{name} {value}" for name, value in found.facts.items())
        click.echo(f"{'held' if found.held else 'FELL':<5} {found.step:<18} {facts}")
        if not found.held:
            fell.append(found.step)
    sys.exit(1 if fell else 0)
