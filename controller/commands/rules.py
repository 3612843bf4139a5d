"""`tablectl rules`: which rulebooks there are, what they say, how the games run, what is proved."""

from __future__ import annotations

import json
from typing import Any

import click

from controller import games
from controller.commands.amend import amend, editions_
from controller.commands.joined import Extended
from controller.config.tomlread import nearest
from controller.core import table
from controller.core.machine import mermaid
from controller.core.state import LIFE
from controller.rules import clauses
from controller.rules.rulebook import Reading, Rulebook, load_rulebook, option_of, rulebook_ids

TABLE = "table"
"""What the life of a table is called among the diagrams."""


def known_rulebook(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and value not in rulebook_ids():
        hint = nearest(value, list(rulebook_ids()))
        raise click.BadParameter(f"no rulebook {value!r}; {hint or 'there are ' + ', '.join(rulebook_ids())}")
    return value


@click.group(cls=Extended)
def rules() -> None:
    """Rulebooks: their clauses, their games' machines, what is proved of them."""


rules.add_command(amend)
rules.add_command(editions_)


@rules.command("list")
@click.option("--json", "as_json", is_flag=True)
def list_(as_json: bool) -> None:
    """The rulebooks this controller knows."""
    found = []
    for rulebook in rulebook_ids():
        book = load_rulebook(rulebook)
        found.append({"id": rulebook, "title": book.rulebook.title, "version": book.rulebook.version,
                      "game": book.game, "clauses": len(clauses.clauses(rulebook))})  # fmt: skip
    if as_json:
        click.echo(json.dumps(found))
        return
    for item in found:
        click.echo(f"{item['id']:<18} {item['title']} (version {item['version']}), {item['clauses']} clauses")


@rules.command()
@click.argument("rulebook", callback=known_rulebook)
@click.option("--json", "as_json", is_flag=True)
def show(rulebook: str, as_json: bool) -> None:
    """Every clause with its role and what the controller does about it; ranks, powers and readings."""
    book = load_rulebook(rulebook)
    index = clauses.clauses(rulebook)
    if as_json:
        click.echo(json.dumps({
            "id": rulebook, "ranks": book.ladder,
            "powers": {name: {"rank": power.rank, "clause": power.clause, "does": power.does}
                       for name, power in book.powers.items()},
            "readings": {name: {"clause": reading.clause, "option": reading.option, "choice": reading.choice,
                                "set": option_of(rulebook, reading.option), "elsewhere": _elsewhere(book, reading)}
                         for name, reading in book.readings.items()},
            "clauses": [{"clause": clause.clause, "role": clause.role, "does": clause.does} for clause in index],
        }, default=float))  # fmt: skip
        return
    click.echo(f"{book.rulebook.title}: {book.rulebook.document}, version {book.rulebook.version}\n")
    click.echo("Ranks: " + " < ".join(f"{rank.id} ({rank.name})" for rank in book.ranks) + "\n")
    for name, power in book.powers.items():
        click.echo(f"  {name:<24} {power.rank:<7} {power.clause:<14} {power.does}")
    click.echo("\nReadings of what the document leaves open")
    for name, reading in book.readings.items():
        click.echo(f"  {name:<6} {reading.clause:<14} {reading.choice}")
    click.echo("\nClauses")
    for clause in index:
        click.echo(f"  {clause.clause:<28} {clause.role:<9} {clause.does}")
        for name, reading in book.readings.items():
            if reading.clause == clause.clause:
                click.echo(
                    f"  {'':<28} {'read':<9} {name}: {reading.question} {reading.choice}{_set_by(book, reading)}"
                )
    for chapter in clauses.later(rulebook):
        click.echo(f"\nNot kept by this version, from {chapter.begins} ({chapter.about}): {chapter.reason}")


def _elsewhere(book: Rulebook, reading: Reading) -> dict[str, Any]:
    """What the option of a reading is set to in the other books of its game that have it and read otherwise."""
    if not reading.option:
        return {}
    books = [one for one in rulebook_ids() if one != book.id and load_rulebook(one).game == book.game]
    found = {one: option_of(one, reading.option) for one in books}
    own = option_of(book.id, reading.option)
    return {one: value for one, value in found.items() if value is not None and value != own}


def _written(value: Any) -> str:
    return json.dumps(value, default=float)


def _set_by(book: Rulebook, reading: Reading) -> str:
    """The option that a reading is set by, and the houses that set it otherwise."""
    own = option_of(book.id, reading.option) if reading.option else None
    if own is None or isinstance(own, dict | list):
        return f" (option {reading.option})" if reading.option else ""
    others = "".join(f"; {one}: {_written(value)}" for one, value in _elsewhere(book, reading).items())
    return f" (option {reading.option} = {_written(own)}{others})"


@rules.command()
@click.argument("game", type=click.Choice([*games.names(), TABLE]))
def diagram(game: str) -> None:
    """A Mermaid diagram, drawn from the machine itself."""
    states, rows, initial = (tuple(LIFE), table.ROWS, "closed") if game == TABLE else games.find(game).course()
    click.echo(mermaid(game, states, rows, initial))


@rules.command()
@click.argument("rulebook", callback=known_rulebook)
@click.option("--decks", type=click.IntRange(min=1), help="Casino War: how many decks.")
@click.option("--json", "as_json", is_flag=True)
def edge(rulebook: str, decks: int | None, as_json: bool) -> None:
    """The exact expectation of every wager, as a fraction of the stake."""
    for found in games.find(load_rulebook(rulebook).game).edges(rulebook, decks):
        if as_json:
            click.echo(json.dumps(found.as_json()))
        else:
            exact = f"{found.expectation.numerator}/{found.expectation.denominator}"
            click.echo(f"{found.wager:<14} {found.way:<16} {found.stage:<8} {exact} = {float(found.expectation):+.6f}")
