"""`tablectl soak`: a day of play per game with errors, faults and restarts."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import click
import msgspec

from controller import log


@click.command()
@click.option(
    "--game", "tables", multiple=True, help="This table only, such as wheel or perth-war; may be given again."
)
@click.option(
    "--hours", default=24.0, show_default=True, type=click.FloatRange(min=0.05), help="Virtual hours of play."
)
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same day.")
@click.option("--honest", is_flag=True, help="People err in nothing but their hands: count what is said of those.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a table.")
def soak(tables: tuple[str, ...], hours: float, seed: int, honest: bool, as_json: bool) -> None:
    """Play a day per game while people err, devices fail and controllers stop and die; nothing may grow or be lost.

    In virtual time, with the journal in a temporary folder: a day takes a few minutes of one core. Memory, open files,
    threads, journal and processor time a round are sampled and fitted; money, chips and the chain of the journal are
    checked on the way, and at the end the whole day is decided again. Hands are sloppy in every round, one kind at a
    time; with --honest nobody errs in anything else, and in rounds in which nothing broke at most one in two hundred
    may hear an untrue word. Exit status 1 unless all is flat and right.
    """
    from lab.measurements.memory import TABLES
    from lab.proofs.soak import Day, Sample
    from lab.proofs.soak_growth import as_text, fine, growth

    for name in tables:
        if name not in TABLES:
            raise click.UsageError(f"there is no table {name!r} to soak; there are {', '.join(TABLES)}")
    log.setup(level="error")
    failed = []
    for name in tables or TABLES:
        shown = sys.stderr.isatty() and not as_json

        def tell(sample: Sample, of: str = name, shown: bool = shown) -> None:
            if shown:
                click.echo(f"\r{of}: {sample.at_s / 3600:5.2f} h, {sample.rounds:,} rounds", err=True, nl=False)

        with tempfile.TemporaryDirectory(prefix="tablectl-soak-") as folder:
            day = Day(name, Path(folder) / "table.sqlite", seed, honest=honest).play(hours, tell)
        if shown:
            click.echo("\r", err=True, nl=False)
        if as_json:
            found = [msgspec.to_builtins(one) for one in growth(day)]
            click.echo(json.dumps({**msgspec.to_builtins(day), "growth": found, "fine": fine(day)}))
        else:
            click.echo(as_text(day))
        failed += [] if fine(day) else [name]
    if failed:
        raise click.ClickException(f"not flat, or wrong: {', '.join(failed)}")
