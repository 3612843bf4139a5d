"""`tablectl hall`: tournaments over several tables."""

from __future__ import annotations

import json
from pathlib import Path

import click

from controller.commands import Misuse
from controller.commands.joined import Extended

FILE = click.Path(path_type=Path, dir_okay=False)


@click.group(cls=Extended)
def hall() -> None:
    """Run tournaments: check their terms, take entries, draw seats, follow the tables, award prizes."""


@hall.command()
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True)
def check(file: Path, as_json: bool) -> None:
    """Check an event's terms against its rulebook, and tell all that lacks or may not be said at once."""
    from controller.tournament.checks import BadTerms
    from floor.hall.files import read_terms

    try:
        terms = read_terms(file)
    except BadTerms as bad:
        if as_json:
            click.echo(json.dumps({"findings": [finding._asdict() for finding in bad.findings]}))
        else:
            for finding in bad.findings:
                click.echo(f"{file.name}: {finding.said()}")
        raise Misuse(f"{file.name}: {len(bad.findings)} to put right; no event can be made from it") from None
    facts = {"tournament": terms.id, "rulebook": terms.rulebook, "digest": terms.digest}
    click.echo(json.dumps(facts) if as_json else f"{file.name}: {terms.id} by {terms.rulebook} is complete and lawful")
    if not as_json:
        click.echo(f"digest {terms.digest}")


@hall.command()
@click.argument("game", type=click.Choice(["war", "wheel", "poker"]))
def terms(game: str) -> None:
    """Print lawful terms for a game, to begin from."""
    from controller import tournament

    click.echo((Path(tournament.__file__).parent / "examples" / f"{game}.toml").read_text("utf-8"), nl=False)
