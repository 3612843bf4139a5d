"""`tablectl redteam`: attacks on a table's doors, disk and evidence, with a report that is gone on with."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from controller import log


@click.command()
@click.option("--kills", default=10_000, show_default=True, type=click.IntRange(1), help="In the process, in all.")
@click.option("--real-kills", default=500, show_default=True, type=click.IntRange(1), help="Of processes, in all.")
@click.option("--cuts", default=1_000, show_default=True, type=click.IntRange(0), help="Power cuts a failed sync.")
@click.option(
    "--seconds", default=60.0, show_default=True, type=click.FloatRange(0.5, 3600), help="For each kind of stranger."
)
@click.option("--days", default=2, show_default=True, type=click.IntRange(1), help="Soaked days a table, bad disk.")
@click.option("--quick", is_flag=True, help="A little of everything, in a minute or two.")
@click.option("--minutes", type=click.FloatRange(min=0), help="Begin nothing after this time; a later run goes on.")
@click.option("--only", multiple=True, help="This step only, or all whose names begin so; may be given again.")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="A later run goes on with it.")
def redteam(
    kills: int,
    real_kills: int,
    cuts: int,
    seconds: float,
    days: int,
    quick: bool,
    minutes: float | None,
    only: tuple[str, ...],
    report: Path | None,
) -> None:
    """Attack a simulated table of this machine as strangers, forgers and failing parts would, and say what held.

    Attacks go to 127.0.0.1 only and end by themselves. Kills of controllers and devices may lose, double or change
    nothing; a failed sync and a power cut after it may lose nothing that was acknowledged; whoever owns disk and key is
    found by the head outside; a key answers within 100 ms, whoever is at the door; no planted secret is written down;
    soaked days on a bad disk show no lie on a page. With --report, what was found is kept as it comes, and the next run
    goes on where this one stopped. Exit status 1 unless all held.
    """
    from lab.proofs.redteam.campaign import QUICK, Found, Size, campaign, steps

    size = QUICK if quick else Size(kills=kills, real_kills=real_kills, cuts=cuts, seconds=seconds, days=days)
    for name in only:
        if not any(step == name or step.startswith(f"{name}-") for step in steps(size)):
            raise click.UsageError(f"there is no step {name!r}; there are {', '.join(steps(size))}")
    log.setup(level="error")
    until = time.monotonic() + 60 * minutes if minutes is not None else float("inf")
    last: Found | None = None
    fell = []
    for found in campaign(report, size, only, lambda: time.monotonic() < until):
        if last is not None and last.step != found.step:
            click.echo(_line(last))
        elif not found.over and sys.stderr.isatty():
            click.echo(f"\r{_line(found)}"[:120], err=True, nl=False)
        last = found
        fell += [] if found.held else [found.step]
    if last is not None:
        click.echo(_line(last))
    sys.exit(1 if fell else 0)


def _line(found: object) -> str:
    """A finding as people read it."""
    from lab.proofs.redteam.campaign import Found

    assert isinstance(found, Found)
    facts = ", ".join(f"{name} {value}" for name, value in found.facts.items())
    return f"{'FELL' if not found.held else 'held' if found.over else 'so far':<6} {found.step:<20} {facts}"
