"""`tablectl bench`: every number we hold ourselves to, measured on this machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from controller import log
from controller.benchmarks import BENCHMARKS, run_all
from controller.benchmarks.measure import stopwatch


@click.group()
def bench() -> None:
    """Measure; JSON lines with the machine's own limits beside them."""


@bench.command()
@click.option("--spins", default=2000, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def wheel(spins: int, seed: int, as_json: bool) -> None:
    """The wheel's motion analysis against the simulator's truth: wrong winners, missed short spins, detection."""
    from controller.proving.wheel_bench import run_wheel_bench

    if sys.stderr.isatty():
        with click.progressbar(length=spins, label="spins", file=sys.stderr) as bar:
            result = run_wheel_bench(spins, seed, progress=lambda n: bar.update(100), stopwatch=stopwatch)
    else:
        result = run_wheel_bench(spins, seed, stopwatch=stopwatch)
    click.echo(json.dumps(result.plain()) if as_json else result.text())
    if result.wrong_winners or result.missed_short:
        raise SystemExit(1)


@bench.command()
@click.option("--rounds", default=100_000, show_default=True, type=click.IntRange(min=100))
@click.option("--game", "table", default="wheel", show_default=True, help="The table, such as perth-war or poker.")
@click.option("--history", "kept", type=click.Path(path_type=Path, dir_okay=False), default=Path("bench-history.jsonl"),
              show_default=True, help="Where the result is kept.")  # fmt: skip
def memory(rounds: int, table: str, kept: Path) -> None:
    """Whether memory stays flat over a long simulated shift; a hundred thousand rounds take about twenty minutes."""
    from controller.benchmarks.history import History
    from controller.benchmarks.memory import TABLES, growth

    if table not in TABLES:
        raise click.UsageError(f"--game: there is no table {table!r}; there are {', '.join(TABLES)}")
    result = History(kept, quick=False).add(growth(rounds, table))
    click.echo(json.dumps(result))
    if not result["ok"]:
        raise SystemExit(1)


@bench.command("all")
@click.option("--quick", is_flag=True, help="Smaller counts, for a first look.")
@click.option("--only", multiple=True, type=click.Choice(BENCHMARKS), help="Run this one; may be given again.")
@click.option(
    "--history",
    "kept",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("bench-history.jsonl"),
    show_default=True,
    help="Where results are kept and compared with.",
)
def all_(quick: bool, only: tuple[str, ...], kept: Path) -> None:
    """All benchmarks, one JSON object a line, each with its floor from the same run and a verdict."""
    from controller.benchmarks.history import History

    log.setup(level="error")
    history = History(kept, quick)
    missed = []
    for result in map(history.add, run_all(quick, only)):
        click.echo(json.dumps(result))
        if sys.stderr.isatty():
            click.echo(_readable(result), err=True)
        if not result["ok"]:
            missed.append(result["bench"])
    if missed:
        click.echo(f"missed: {', '.join(missed)}", err=True)
        raise SystemExit(1)


@bench.command()
@click.option("--history", "kept", type=click.Path(path_type=Path, dir_okay=False), default=Path("bench-history.jsonl"),
              show_default=True, help="Where results are taken from.")  # fmt: skip
@click.option("--measured", type=click.Path(path_type=Path, dir_okay=False), default=Path("bench/measured.jsonl"),
              show_default=True, help="Where those that are shown are kept, under version control.")  # fmt: skip
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False, exists=True), default=Path("README.md"),
              show_default=True, help="The page with the tables.")  # fmt: skip
def readme(kept: Path, measured: Path, page: Path) -> None:
    """Write the newest measured numbers into the README: ours, and beside what others offer."""
    from controller.benchmarks.shown import kept_lines, put_between_marks, read, rendered

    found = {**read(measured), **read(kept)}
    if not found:
        raise click.ClickException(f"{kept}: nothing was measured yet; run 'make bench' and 'make bench-peers' first")
    try:
        text = put_between_marks(page.read_text(encoding="utf-8"), rendered(found))
    except ValueError as error:
        raise click.ClickException(f"{page}: {error}") from error
    measured.parent.mkdir(parents=True, exist_ok=True)
    measured.write_text(kept_lines(found), encoding="utf-8")
    page.write_text(text, encoding="utf-8")
    click.echo(f"{page}: {len(found)} results")


def _readable(result: dict[str, Any]) -> str:
    """One result for a person who watches."""
    if "skipped" in result:
        return f"{'-':7}{result['bench']:24}{result['skipped']}"
    if "failed" in result:
        return f"{'BROKE':7}{result['bench']:24}{result['failed']}"
    text = f"{'ok' if result['ok'] else 'MISSED':7}{result['bench']:24}{result['value']:>12,} {result['unit']}"
    if "ratio" in result:
        text += f", {result['ratio']:g} x its floor"
    text += f"  (goal: {result['goal']})"
    if result.get("regressed"):
        text += f"  REGRESSED by {result['worse_by']:.0%}"
    return text
