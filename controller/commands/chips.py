"""`tablectl chips`: the chip register, made from lists, written back to a list, looked at."""

from __future__ import annotations

import json
from pathlib import Path

import click

from controller.commands.joined import Extended
from controller.commands.output import TO_FILE, opened
from controller.money.amounts import dollars
from controller.money.lists import cents_of, export_list, import_lists
from controller.money.register import ChipClass, RegisterFile

FILE = click.Path(path_type=Path, dir_okay=False)


@click.group(cls=Extended)
def chips() -> None:
    """The chip register: which tag is which chip."""


def _denominations(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    if value is None:
        return None
    try:
        return tuple(cents_of(part.strip()) for part in value.split(","))
    except ValueError as trouble:
        raise click.BadParameter(str(trouble)) from None


@chips.command("import")
@click.argument("register", type=FILE)
@click.argument("lists", type=FILE, nargs=-1, required=True)
@click.option("--denominations", callback=_denominations, help="What cash chips are worth: 2.50,5,25,100")
@click.option("--replace", is_flag=True, help="Where a list and the register disagree, the list is right.")
def import_(register: Path, lists: tuple[Path, ...], denominations: tuple[int, ...] | None, replace: bool) -> None:
    """Add LISTS (CSV: tag,kind,value,set,colour,table,state) to REGISTER; all of them or nothing."""
    count = import_lists(register, lists, denominations=denominations, replace=replace)
    click.echo(f"{register}: {count} tags")


@chips.command()
@click.argument("register", type=FILE)
@TO_FILE
def export(register: Path, output: Path | None) -> None:
    """Write the register as one list."""
    book = RegisterFile(register)
    with opened(output) as out:
        export_list(book, out)


@chips.command()
@click.argument("register", type=FILE)
@click.argument("tag", required=False)
@click.option("--json", "as_json", is_flag=True)
def show(register: Path, tag: str | None, as_json: bool) -> None:
    """What the register holds, or what it says of one TAG (hexadecimal)."""
    book = RegisterFile(register)
    if tag is None:
        counts = book.counts()
        if as_json:
            click.echo(json.dumps([{**_plain(chip), "state": state, "tags": n} for (chip, state), n in counts.items()]))
            return
        click.echo(f"{len(book)} tags")
        for (chip, state), count in counts.items():
            click.echo(f"{count:>9}  {_words(chip)}{'' if state == 'live' else ', ' + state}")
        return
    try:
        number = int(tag, 16)
    except ValueError:
        raise click.BadParameter(f"'{tag}' is no tag; write hexadecimal digits") from None
    entry = book.entry(number)
    if entry is None:
        raise click.ClickException(f"{register}: tag {number:x} is not in the register; it is no chip of this casino")
    if as_json:
        click.echo(json.dumps({"tag": f"{number:016x}", **_plain(entry.chip), "state": entry.state}))
    else:
        click.echo(f"{number:016x}  {_words(entry.chip)}, {entry.state}")


def _plain(chip: ChipClass) -> dict[str, object]:
    return {
        "kind": chip.kind,
        "cents": chip.cents,
        "set": chip.set_mark,
        "colour": chip.colour,
        "table": chip.table,
    }


def _words(chip: ChipClass) -> str:
    worth = f"{chip.set_mark}/{chip.colour}" if chip.kind == "colour" else dollars(chip.cents)
    return f"{chip.kind} {worth}" + (f" of {chip.table}" if chip.table else "")
