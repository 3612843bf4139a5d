"""`tablectl bench`: every number we hold ourselves to, measured on this machine."""

from __future__ import annotations

import json
import sys
import time

import click


@click.group()
def bench() -> None:
    """Measure; JSON lines with the machine's own limits beside them."""


@bench.command()
@click.option("--spins", default=2000, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def wheel(spins: int, seed: int, as_json: bool) -> None:
    """The wheel's motion analysis against the simulator's truth: wrong winners, missed short spins, detection."""
    from controller.wheel_bench import run_wheel_bench

    if sys.stderr.isatty():
        with click.progressbar(length=spins, label="spins", file=sys.stderr) as bar:
            result = run_wheel_bench(spins, seed, progress=lambda n: bar.update(100), stopwatch=time.perf_counter)
    else:
        result = run_wheel_bench(spins, seed, stopwatch=time.perf_counter)
    click.echo(json.dumps(result.plain()) if as_json else result.text())
    if result.wrong_winners or result.missed_short:
        raise SystemExit(1)


@bench.command("all")
@click.option("--quick", is_flag=True, help="Smaller counts, for a first look.")
def all_(quick: bool) -> None:
    """All benchmarks, one JSON object a line, each with its floor from the same run and a verdict."""
    from controller.benchmarks import run_all

    missed = False
    for line in run_all(quick):
        click.echo(json.dumps(line))
        missed = missed or not line["ok"]
    if missed:
        raise SystemExit(1)
