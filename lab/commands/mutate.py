"""`tablectl rules mutate`: breaks each rule in memory and tells which break no marked test notices."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from controller.rules import clauses

if TYPE_CHECKING:
    from lab.proofs.mutation.campaign import Report, Trial


@click.command()
@click.argument("rulebooks", nargs=-1, metavar="[RULEBOOK]...")
@click.option("--values/--no-values", default=True, help="Change the values of the rulebook files.")
@click.option("--functions/--no-functions", default=True, help="Change the functions that the clauses name.")
@click.option(
    "--within",
    multiple=True,
    metavar="NAME",
    help="Only functions and values whose name begins like this: controller.games.war, odds.",
)
@click.option("--sample", type=click.IntRange(min=1), help="Try only so many changes, chosen by chance.")
@click.option("--seed", type=int, default=1, show_default=True, help="Which ones --sample chooses.")
@click.option("--all", "every", is_flag=True, help="Try every change (as without --sample).")
@click.option(
    "--tests",
    type=click.Path(path_type=Path),
    default=Path("tests"),
    show_default=True,
    help="Where the marked tests are.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    show_default="one a processor",
    help="How many changes to try side by side.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each change, then one with the counts.")
@click.option("--verbose", is_flag=True, help="Print changes that were noticed too, with the test that did.")
def mutate(
    rulebooks: tuple[str, ...],
    values: bool,
    functions: bool,
    within: tuple[str, ...],
    sample: int | None,
    seed: int,
    every: bool,
    tests: Path,
    jobs: int,
    as_json: bool,
    verbose: bool,
) -> None:
    """Switch each rule off, or to its neighbour, and see a marked test fail.

    Changes the rulebook files and the functions that the index of clauses names, one change at a time, in memory only;
    then runs the tests marked with those clauses until one fails. Prints the changes that none of them noticed.
    Exit status 1 when there is one that lab/proofs/mutation/equivalent does not explain.
    """
    for name in rulebooks:
        if name not in clauses.rulebooks():
            raise click.BadParameter(f"no rulebook {name!r}; there are {', '.join(clauses.rulebooks())}")
    if every and sample:
        raise click.BadParameter("--all and --sample exclude each other")
    try:
        import pytest  # noqa: F401  # part of the tests' own installation
    except ImportError:
        raise click.ClickException(
            "pytest is not installed; run 'make test' once, or pip install 'tablectl[test]'"
        ) from None
    from lab.proofs.mutation import campaign
    from lab.proofs.mutation.warm import NoTests, with_marked_tests

    if not tests.exists():
        raise click.ClickException(f"{tests}: there are no tests; run this at the top of the source tree")
    chosen = campaign.Wanted(rulebooks or clauses.rulebooks(), values, functions, within, sample, seed, jobs)
    out, began, reports, faults = sys.stdout, time.monotonic(), [], []
    tried = 0

    def told(text: str, trial: Trial | None) -> None:
        nonlocal tried
        if trial is None:
            click.echo(text, err=True)
            return
        tried += 1
        if as_json:
            print(msgspec.json.encode(trial).decode(), file=out, flush=True)
        elif trial.alive or verbose:
            print(_line(trial), file=out, flush=True)
        if tried % 200 == 0:
            click.echo(f"{tried} tried after {time.monotonic() - began:.0f} s", err=True)

    def work(warm: object) -> None:
        try:
            reports.append(campaign.try_all(chosen, warm, campaign.known_equivalents(), told))  # type: ignore[arg-type]
        except campaign.Failing as failing:
            faults.append(str(failing))

    try:
        with_marked_tests(tests, work)
    except NoTests as trouble:
        raise click.ClickException(str(trouble)) from None
    if faults:
        raise click.ClickException(faults[0])
    _tell(reports[0], as_json)
    if reports[0].survivors or reports[0].stale:
        raise SystemExit(1)


def _tell(report: Report, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode({"counts": report.counts, "stale": report.stale}).decode())
        return
    for one in report.stale:
        click.echo(f"an explained change no longer occurs: {one.where}: {one.change}")
    count = report.counts
    told = {
        "noticed": "noticed by a marked test",
        "elsewhere": "noticed only by tests of other clauses or by guards",
        "refused": "refused when the rulebook is read",
        "equivalent": "known to change nothing",
        "survived": "survived",
        "unreached": "reached by no marked test",
    }
    click.echo(f"{count['changes']} changes: " + ", ".join(f"{count[name]} {text}" for name, text in told.items()))


def _line(trial: Trial) -> str:
    named = [f"{book} {clause}" for book, clause in trial.clauses]
    rests = ", ".join(named[:3]) + (f" and {len(named) - 3} more" if len(named) > 3 else "")
    text = f"{trial.file}:{trial.line}: {trial.where}: {trial.change} [{rests or '-'}] {trial.verdict}"
    return f"{text} by {trial.by}" if trial.by else text
