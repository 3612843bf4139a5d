"""`tablectl bench`: every number we hold ourselves to, measured on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller import log
from lab.measurements import BENCHMARKS, run_all
from lab.measurements.measure import cpu_time, stopwatch

if TYPE_CHECKING:
    from lab.wheels.counted import Counted

MEASURED = Path("lab/measurements/measured.jsonl")


@click.group()
def bench() -> None:
    """Measure; JSON lines with the machine's own limits beside them."""


@bench.command()
@click.option("--evenings", type=click.IntRange(min=0),
              help="On each kind of wheel: 1 unless given; 0 only tells what --kept holds.")  # fmt: skip
@click.option("--spins", default=300, show_default=True, type=click.IntRange(min=60), help="An evening.")
@click.option("--seed", help="What the wheels are drawn from; the hash of the present commit unless given.")
@click.option("--kind", "only", multiple=True, help="This kind of wheel only, such as 'thin plastic'; again for more.")
@click.option("--hand", "hands", multiple=True,
              help="Lay only this hand on the wheel, such as 'nudge 1'; again for more.")  # fmt: skip
@click.option("--tuning", is_flag=True, help="Only kinds of wheels that the analysis may be changed by.")
@click.option("--kept", "paths", multiple=True, type=click.Path(path_type=Path, dir_okay=False),
              help="Go on from what this file holds, and keep what comes of it there; given again, nothing is played "
                   "and the files are added up into one statement.")  # fmt: skip
@click.option(
    "--ours", type=click.IntRange(min=1), help="Instead: so many spins of our own simulated wheel, faults too."
)
@click.option("--compiled", is_flag=True,
              help="Turn the wheels by machine code (needs mypyc and a C compiler): the same "
              "spins, sooner; the analysis stays as it runs at a table.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True)
def wheel(
    evenings: int | None,
    spins: int,
    seed: str | None,
    only: tuple[str, ...],
    hands: tuple[str, ...],
    tuning: bool,
    paths: tuple[Path, ...],
    ours: int | None,
    compiled: bool,
    as_json: bool,
) -> None:
    """The wheel's motion analysis on a population of wheels that are not ours: calibrated, then played on.

    Friction drifts by a fifth over each evening and a hand is laid on every third spin.  Exit status 1 when a winner is
    wrong, a short spin is missed, or a goal lies outside the 95 % interval of what was counted.
    """
    if ours is not None:
        _ours(ours, seed, as_json)
        return
    if compiled:
        _compiled()
    from lab.wheels import counted, report

    if len(paths) > 1 and evenings:
        raise click.UsageError("--evenings: several --kept are only added up; play on with one of them at a time")
    analysis = counted.program()
    try:
        if len(paths) > 1 or (paths and evenings == 0):
            analysis, found = counted.together(paths)
        else:
            found = _played(1 if evenings is None else evenings, spins, seed, only, hands, tuning, *paths)
    except counted.CannotAdd as trouble:
        raise click.ClickException(str(trouble)) from trouble
    click.echo(json.dumps(report.as_json(found, analysis)) if as_json else report.text(found, analysis))
    if short := report.missed(found.tallies):
        click.echo(f"missed: {'; '.join(short)}", err=True)
        raise SystemExit(1)


def _played(
    evenings: int, spins: int, seed: str | None, only: tuple[str, ...], hands: tuple[str, ...], tuning: bool,
    path: Path | None = None,
) -> Counted:  # fmt: skip
    """So many evenings more than the file holds, kept there one by one."""
    from lab.wheels import counted, report
    from lab.wheels.evening import MANY_TOUCHES, Tally, evening

    known = report.kinds(tuning)
    kinds = [kind for kind in known if not only or kind.name in only]
    if only and len(kinds) < len(only):
        raise click.UsageError(f"--kind: there are {', '.join(kind.name for kind in known)}")
    named = {f"{kind} {strength:g}": (kind, strength) for kind, strength in MANY_TOUCHES}
    if unknown := [hand for hand in hands if hand not in named]:
        raise click.UsageError(f"--hand: there is no {unknown[0]!r}; there are {', '.join(named)}")
    touches = tuple(named[hand] for hand in hands)
    seed = seed or _commit()
    found = counted.load(path) if path is not None else counted.Counted()
    for number in range(found.evenings, found.evenings + evenings):
        for kind in kinds:
            click.echo(f"evening {number + 1}: {kind.name}", err=True)
            tally = evening(kind, f"{seed} {number}", spins, stopwatch=cpu_time, touches=touches)
            found.tallies.setdefault(kind.name, Tally()).add(tally)
        found.evenings += 1
        found.drawn.append(f"{seed} {number}")
        if path is not None:
            counted.save(path, found)
    return found


def _compiled() -> None:
    from lab.wheels.compiled import CannotCompile, use

    try:
        use()
    except CannotCompile as trouble:
        raise click.ClickException(f"--compiled: {trouble}; without it the same spins are played") from trouble


def _commit() -> str:
    """The hash of the commit that is checked out: nobody chose these wheels."""
    told = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10, check=False)
    return told.stdout.strip() or "no commit"


def _ours(spins: int, seed: str | None, as_json: bool) -> None:
    from lab.proofs.wheel_bench import run_wheel_bench

    number = int(seed) if seed and seed.isdigit() else 1
    result = run_wheel_bench(spins, number, stopwatch=stopwatch)
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
    from lab.measurements.history import History
    from lab.measurements.memory import TABLES, growth

    if table not in TABLES:
        raise click.UsageError(f"--game: there is no table {table!r}; there are {', '.join(TABLES)}")
    result = History(kept, quick=False).add(growth(rounds, table))
    click.echo(json.dumps(result))
    if not result["ok"]:
        raise SystemExit(1)


@bench.command()
@click.option("--quick", is_flag=True, help="Fewer rounds, for a first look.")
@click.option("--json", "as_json", is_flag=True)
def card(quick: bool, as_json: bool) -> None:
    """What a round of each game writes to the card and keeps on it, and how many years a card lasts with that."""
    from lab.measurements.card import run, text

    log.setup(level="error")
    for result in run(quick):
        click.echo(json.dumps(result) if as_json else text(result))


@bench.command()
@click.option("--quick", is_flag=True, help="Fewer repeats, for a first look.")
def start(quick: bool) -> None:
    """What `tablectl run` loads for each game: modules, the time they take, memory with four pages open."""
    from lab.measurements.start import run

    missed = []
    for result in run(quick):
        click.echo(json.dumps(result))
        if not result["ok"]:
            missed.append(result["bench"])
    if missed:
        click.echo(f"missed: {', '.join(missed)}", err=True)
        raise SystemExit(1)


@bench.command()
@click.argument("bundle", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--events", default=1_000_000, show_default=True, type=click.IntRange(min=1000), help="In the journal.")
def upgrade(bundle: Path, events: int) -> None:
    """Seconds out of play while the table is upgraded with BUNDLE (make bundle ARCH=x86_64), and the cost of its start.

    The real installer and launcher, in a root of their own; files, megabytes and syncs are what a card has to take.
    """
    from lab.measurements.upgrade import run

    log.setup(level="error")
    missed = False
    for result in run(bundle, events):
        click.echo(json.dumps(result))
        missed |= not result["ok"]
    raise SystemExit(int(missed))


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
    from lab.measurements.history import History

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


@bench.command(name="floor")
@click.option("--tables", default=1000, show_default=True, type=click.IntRange(1, 2000), help="At their real pace.")
@click.option("--seconds", default=60.0, show_default=True, type=click.FloatRange(min=8))
def floor_(tables: int, seconds: float) -> None:
    """A broker, a floor and simulated tables: what it costs a table, how late the floor's page shows a row, and how
    fast it catches up.

    One JSON object a line. Exit status 1 when a goal is missed.
    """
    from lab.floor.house import end_in_order
    from lab.measurements import floor, uplink

    log.setup(level="error")
    end_in_order()
    missed = False
    for result in (*uplink.run(False), *floor.run(False, tables, seconds)):
        click.echo(json.dumps(result))
        missed |= not result["ok"]
    raise SystemExit(int(missed))


@bench.command(name="fleet")
@click.option("--tables", default=50, show_default=True, type=click.IntRange(2, 100), help="Each a machine of its own.")
@click.option("--seed", default=1, show_default=True, help="Who is off, and when whose power is cut.")
def fleet_(tables: int, seed: int) -> None:
    """A roll-out to so many machines that are played, each with the real installer in mounts of its own: a bad version,
    a third of them off, the power of each cut once.

    One JSON object. Exit status 1 when a round is lost, a table ends on another version than the good one, or it takes
    longer than ten minutes; where others use this computer, what its cores had to do for the machines is judged.
    """
    from lab.fleet.campaign import NotReached
    from lab.fleet.machine import Unhoused
    from lab.measurements.fleet import measured

    log.setup(level="error")
    try:
        result = measured(tables, seed, lambda text: click.echo(text, err=True))
    except (NotReached, Unhoused) as trouble:
        raise click.ClickException(str(trouble)) from trouble
    click.echo(json.dumps(result))
    raise SystemExit(int(not result["ok"]))


@bench.command()
@click.option("--history", "kept", type=click.Path(path_type=Path, dir_okay=False), default=Path("bench-history.jsonl"),
              show_default=True, help="Where results are taken from.")  # fmt: skip
@click.option("--measured", type=click.Path(path_type=Path, dir_okay=False), default=MEASURED,
              show_default=True, help="Where those that are shown are kept, under version control.")  # fmt: skip
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False, exists=True), default=Path("README.md"),
              show_default=True, help="The page with the tables.")  # fmt: skip
def readme(kept: Path, measured: Path, page: Path) -> None:
    """Write the newest measured numbers into the README: ours, and beside what others offer."""
    from lab.measurements.shown import kept_lines, put_between_marks, read, rendered

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
