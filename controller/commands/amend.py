"""`tablectl rules amend` and `rules editions`: the rulebook of a table, amended by those who may, from a date on."""

from __future__ import annotations

import time
from pathlib import Path

import click

from controller import rules
from controller.commands.options import CONFIG
from controller.commands.unseal import check_supervisor
from controller.config.file import check_config
from controller.rules import amended
from controller.rules.rulebook import load_rulebook


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@CONFIG
@click.option("--by", help="Your staff number; the PIN is asked for. Without it the file is only checked and compared.")
def amend(file: Path, path: Path, by: str | None) -> None:
    """Take in an amended rulebook: check it against this program and this table, tell what it changes, keep it.

    The table plays by it from its date on, once it is closed and starts anew. Every round keeps naming the edition
    that it was played by, and the journal holds each edition word for word.
    """
    config = check_config(path)
    before = _newest(config.table.rulebook, amended.lying(config))
    new = amended.read(file, config.table.rulebook)
    amended.under(config, new.name)
    click.echo(new.said)
    for line in amended.differences(before, new.name):
        click.echo(f"  {line}")
    if by is None:
        click.echo("Nothing was taken in; say --by with your staff number to do so.")
        return
    pin = click.prompt("PIN", hide_input=True, err=True)
    check_supervisor(config.staff_file(), by, pin, config.table.rulebook)
    amended.take_in(config, file)
    click.echo("Taken in. It takes effect when the table, closed, is restarted on or after that moment.")


def _newest(rulebook: str, lying: list[amended.Amended]) -> str:
    return lying[-1].name if lying else rulebook


@click.command("editions")
@CONFIG
def editions_(path: Path) -> None:
    """The editions of a table's rulebook: the one that the program carries, and each that amends it."""
    config = check_config(path)
    carried = load_rulebook(config.table.rulebook).rulebook
    digest = rules.digest(rules.text_of(carried.id))[: rules.DIGITS]
    now = time.time() * 1000
    click.echo(f"{carried.id} version {carried.version} {digest}, carried by this program")
    for one in amended.lying(config):
        when = "in force" if one.effective <= now else "to come"
        click.echo(f"{one.said} {one.name.partition(rules.MARK)[2]}: {when}")
