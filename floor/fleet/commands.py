"""`tablectl fleet`: all tables' machines from the floor's own: how they are, and bringing them to something new."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from controller.commands import Misuse
from controller.fleet.messages import Kind
from floor.commands import BY, CONFIG, WHY, FloorGroup, two_persons
from floor.config import FloorConfig, read_floor

if TYPE_CHECKING:
    from floor.fleet.give import Order
    from floor.fleet.plan import Fleet, Plan

FILE = click.Path(path_type=Path, dir_okay=False, exists=True)


def _stages(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    words = [word.strip() for word in value.split(",")]
    if not all(word == "all" or word.isdigit() for word in words):
        raise click.BadParameter(f"'{value}' is not such as 1,10,all")
    return tuple(0 if word == "all" else int(word) for word in words)


STAGES = click.option("--stages", default="1,10,all", show_default=True, callback=_stages,
                      help="So many tables at a time; the next when all before that are on went well.")  # fmt: skip
SETTLE = click.option("--settle", type=click.IntRange(0, 86400), default=60, show_default=True,
                      help="How long, in seconds, a stage must have gone well.")  # fmt: skip
TABLES = click.option("--tables", default="", metavar="A,B", help="These only, in this order; all unless given.")


class _Fleet(FloorGroup):
    def invoke(self, ctx: click.Context) -> object:
        from floor.fleet.line import FleetTrouble

        try:
            return super().invoke(ctx)
        except FleetTrouble as trouble:
            raise click.ClickException(str(trouble)) from trouble


@click.group(cls=_Fleet)
def fleet() -> None:
    """Look after the machines of all tables: what each runs and how it is, roll-outs in stages."""


@fleet.command()
@CONFIG
@click.option("--json", "as_json", is_flag=True)
def status(path: Path, as_json: bool) -> None:
    """Every table's machine: version, configuration, rulebook, health, clock, disk, and how far a roll-out came."""
    from floor.fleet.shown import shown

    found = seen(read_floor(path))
    if as_json:
        click.echo(json.dumps(shown(found)))
        return
    for line in shown(found)["machines"]:
        worst = f"; {line['worst']}" if line["worst"] else ""
        state = "" if line["here"] else "  OFF"
        click.echo(f"{line['table']}: {line['program']}, {line['rulebook']}, {line['free_mb']} MB free{state}{worst}")
        for one in line["doing"]:
            if one["state"] != "done":
                click.echo(f"  {one['kind']} {one['name']}: {one['state']} {one['text']}")
    for plan in found.plans:
        click.echo(f"roll-out {plan.id} of {plan.kind}: {plan.state}; {plan.text}")


def seen(config: FloorConfig) -> Fleet:
    from floor.fleet.give import at_broker, look

    return at_broker(config, lambda line, key, known: look(line, known))


def _begin(config: FloorConfig, order: Order) -> Plan:
    from floor.fleet.give import at_broker, begin

    plan = at_broker(config, lambda line, key, known: begin(line, key, known, order))
    stages = ", ".join("all" if one == 0 else str(one) for one in plan.stages)
    click.echo(
        f"roll-out {plan.id} of {plan.kind} to {len(plan.tables)} tables ({stages}); the running floor follows it: "
        "tablectl fleet status"
    )
    return plan


def _named(config: FloorConfig, tables: str, packaged: bool) -> list[str]:
    """Whose machine takes such a file: those that were installed from the package, or the others."""
    machines = seen(config).machines
    alike = sorted(table for table, heard in machines.items() if heard.has.packaged == packaged)
    named = _names(tables) or alike
    if strange := [table for table in named if table in machines and table not in alike]:
        needs = "a bundle" if packaged else "the repository of make deb"
        raise Misuse(f"{', '.join(strange)}: installed the other way; send {needs} there")
    if not named:
        kind = "were" if packaged else "were not"
        raise Misuse(f"there is no machine of those that {kind} installed from the Debian package")
    return named


def _names(tables: str) -> list[str]:
    return [one.strip() for one in tables.split(",") if one.strip()]


@fleet.command("roll-out")
@click.argument("program", type=click.Path(path_type=Path, exists=True))
@CONFIG
@TABLES
@STAGES
@SETTLE
@BY
@WHY
def roll_out(
    program: Path, path: Path, tables: str, stages: tuple[int, ...], settle: int, numbers: tuple[str, ...], why: str
) -> None:
    """Bring PROGRAM to the tables, a few at a time; it stops by itself where one goes back.

    PROGRAM is a bundle, for machines that were installed from one, or the folder of a signed repository (make deb), for
    those that were installed from the Debian package; unless tables are named, it goes to all of that kind. Each table
    switches between rounds or closed, and goes back by itself where it does not become ready. Who is off gets it when
    it comes back. An act of a manager and a second person.
    """
    from floor.fleet.give import Order
    from floor.fleet.program import read_program

    config, sent = read_floor(path), read_program(program)
    named = _named(config, tables, sent.packaged)
    people = two_persons(config, numbers)
    files = dict.fromkeys(named, (sent.version, sent.octets))
    _begin(config, Order("program", files, people, why, stages, settle))


@fleet.command()
@click.argument("template", type=FILE)
@click.argument("values", type=FILE)
@CONFIG
@STAGES
@SETTLE
@BY
@WHY
def configure(
    template: Path, values: Path, path: Path, stages: tuple[int, ...], settle: int, numbers: tuple[str, ...], why: str
) -> None:
    """Bring a configuration to the tables named in VALUES: TEMPLATE is a table's file with places such as {{ port }}.

    VALUES has a [tables.NAME] with each table's own. Every file is checked here and again on its table, and takes
    effect between rounds.
    """
    from floor.fleet.give import Order
    from floor.fleet.templates import fitted, read_values

    config = read_floor(path)
    texts = fitted(template.read_text("utf-8"), read_values(values))
    files = {table: (template.name, text) for table, text in texts.items()}
    people = two_persons(config, numbers)
    _begin(config, Order("configuration", files, people, why, stages, settle))


@fleet.command()
@click.argument("rulebook", type=FILE)
@CONFIG
@TABLES
@STAGES
@SETTLE
@BY
@WHY
def amend(
    rulebook: Path, path: Path, tables: str, stages: tuple[int, ...], settle: int, numbers: tuple[str, ...], why: str
) -> None:
    """Bring an amended rulebook to the tables that play by it; it takes effect by its own date.

    Each table checks it against its program and settings, and plays by it once it is closed and starts anew.
    """
    import tomllib

    from floor.fleet.give import Order

    config, octets = read_floor(path), rulebook.read_bytes()
    try:
        id = str(tomllib.loads(octets.decode())["rulebook"]["id"])
    except (ValueError, KeyError, TypeError) as error:
        raise Misuse(f"{rulebook}: no rulebook ({error})") from error
    playing = [table for table, heard in sorted(seen(config).machines.items()) if heard.has.rulebook == id]
    named = _names(tables) or playing
    if not named:
        raise Misuse(f"no table plays by {id}")
    people = two_persons(config, numbers)
    _begin(config, Order("rulebook", dict.fromkeys(named, (rulebook.name, octets)), people, why, stages, settle))


@fleet.command()
@click.argument("kind", type=click.Choice(get_args(Kind)))
@CONFIG
@BY
@WHY
def halt(kind: Kind, path: Path, numbers: tuple[str, ...], why: str) -> None:
    """End a roll-out where it stands; whoever has not switched yet stays as they are."""
    from floor.fleet.give import at_broker, end

    config = read_floor(path)
    people = two_persons(config, numbers)
    plan = at_broker(config, lambda line, key, known: end(line, key, known, kind, people, why))
    click.echo(f"roll-out {plan.id} of {plan.kind}: {plan.text}")
