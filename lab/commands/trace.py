"""`tablectl rules trace`: which clause is kept by which code and proved by which tests."""

from __future__ import annotations

from pathlib import Path

import click

from controller.commands.rules import known_rulebook
from lab import clause_trace


@click.command()
@click.argument("rulebook", required=False, callback=known_rulebook)
@click.option("--format", "form", type=click.Choice(["text", "csv", "html"]), default="text", show_default=True)
@click.option(
    "--tests", type=click.Path(path_type=Path), default=clause_trace.RECORD, help="What the last test run recorded."
)
@click.option(
    "--strict/--lenient",
    default=True,
    show_default=True,
    help="Fail when a clause lacks its code or a passing test, one of the felt was shown by no chips or devices, a "
    "question was answered through no page, or a marked test failed, did not run or names nothing.",
)
@click.option("--brief", is_flag=True, help="As text: only the counts, what did not run and what is wrong.")
def trace(rulebook: str | None, form: clause_trace.Form, tests: Path, strict: bool, brief: bool) -> None:
    """Which clause is kept by which code and proved by which passing tests."""
    try:
        report, fine = clause_trace.trace(rulebook, record=tests, form=form, strict=strict, brief=brief)
    except clause_trace.TraceError as error:
        raise click.ClickException(str(error)) from error
    click.echo(report, nl=False)
    if not fine:
        raise SystemExit(1)
