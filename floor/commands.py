"""`tablectl floor`: hear all tables of a house, keep what they said, show it, and bear witness."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from controller import log
from controller.commands import Misuse
from controller.commands.joined import Extended
from controller.commands.output import NEW_FILE, give
from floor.config import FloorConfig, read_floor

if TYPE_CHECKING:
    from floor.acts import Person

FOLDER = click.Path(path_type=Path, file_okay=False)
CONFIG = click.option(
    "--config", "path", type=click.Path(path_type=Path, dir_okay=False), default=Path("floor.toml"), show_default=True,
    help="The floor's file.",
)  # fmt: skip


class FloorGroup(Extended):
    """Commands that say in words what cannot be."""

    def invoke(self, ctx: click.Context) -> object:
        from controller.uplink.nkey import BadSeed
        from floor.acts import ActTrouble
        from floor.orders import OrderTrouble
        from floor.store.database import StoreTrouble
        from floor.web.access import Denied
        from floor.web.server import WebTrouble

        try:
            return super().invoke(ctx)
        except (StoreTrouble, WebTrouble, OrderTrouble, ActTrouble, BadSeed, Denied) as trouble:
            raise click.ClickException(str(trouble)) from trouble


@click.group(cls=FloorGroup)
def floor() -> None:
    """Hear all tables of a house: keep what they said, show it, and countersign it."""


@floor.command()
@CONFIG
@click.option("--json-logs/--plain-logs", default=None, help="Default: JSON under a service, readable in a terminal.")
def run(path: Path, json_logs: bool | None) -> None:
    """Hear the tables and serve the floor's pages, until it is told to stop."""
    from floor.run import run_floor

    config = read_floor(path)
    log.setup(json=json_logs)
    asyncio.run(run_floor(config, lambda text: click.echo(text, err=True)))


@floor.command()
@CONFIG
@click.option("--new", is_flag=True, help="Make one though this store was countersigned with another, which is lost.")
@click.option("--json", "as_json", is_flag=True)
def key(path: Path, new: bool, as_json: bool) -> None:
    """Print the public key that the floor countersigns with; made on the first call.

    Write it as witness into the [uplink] of every table. The key itself stays on this machine. What a lost key has
    countersigned stays true: keep its public line. Tables take heads of the new one once their witness names it.
    """
    from controller.journal.cosignature import make_witness_key, read_witness_key

    config = read_floor(path)
    where = Path(config.floor.key)
    name = _origin(config)
    if not where.exists() and not new and _countersigned(config):
        raise Misuse(
            f"{where}: the key is gone, and heads in the store were countersigned with it; take it from a backup "
            "(tablectl floor restore), or make another with --new and write it into every table's [uplink]"
        )
    own = read_witness_key(where) if where.exists() else make_witness_key(where, name, secrets.token_bytes(32))
    text = own.public.text()
    click.echo(json.dumps({"key": text}) if as_json else text)


def _countersigned(config: FloorConfig) -> bool:
    """Whether anything in the store was countersigned."""
    from sqlalchemy import select

    from floor.store.database import opened
    from floor.store.schema import HEADS

    engine = opened(config.floor.store)
    with engine.connect() as store:
        found = store.execute(select(HEADS.c.size).limit(1)).first()
    engine.dispose()
    return found is not None


def _origin(config: FloorConfig) -> str:
    """The name that the floor signs under."""
    from controller.journal.head import slug

    return f"tablectl-floor/{slug(config.floor.name)}"


def _ranks(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    from controller.config.tomlread import nearest
    from controller.rules.rulebook import load_rulebook

    ranks = {}
    for value in values:
        rulebook, equals, rank = value.partition("=")
        if not equals:
            raise click.BadParameter(f"'{value}' is not RULEBOOK=RANK, such as melbourne-wheel=AM")
        ladder = load_rulebook(rulebook).ladder
        if rank not in ladder:
            raise click.BadParameter(f"{rulebook} knows no rank '{rank}'; {nearest(rank, list(ladder))}")
        ranks[rulebook] = rank
    return ranks


@floor.command()
@CONFIG
@click.argument("number")
@click.option("--name", required=True)
@click.option("--rank", type=click.Choice(["inspector", "supervisor", "manager"]), required=True)
@click.option("--at", "ranks", multiple=True, metavar="RULEBOOK=RANK", callback=_ranks,
              help="The rank that a rulebook gives them, such as melbourne-wheel=ACM. Without it a supervisor orders "
              "with the rank above the dealer's, a manager with the one above that.")  # fmt: skip
@click.option("--pin", prompt=True, hide_input=True, confirmation_prompt=True)
def staff(path: Path, number: str, name: str, rank: str, ranks: dict[str, str], pin: str) -> None:
    """Let somebody sign in at the floor's pages: inspectors look, supervisors take alarms and give orders, managers
    close what the floor found."""
    from controller.people.staff import SALT_BYTES, Member, Staff, read_staff, with_pin, write_staff
    from floor.web.access import REGISTER

    where = Path(read_floor(path).floor.staff)
    member = Member(number, name, {**ranks, REGISTER: rank})
    everybody = Staff({**read_staff(where).members, number: member})
    write_staff(where, with_pin(everybody, number, pin, secrets.token_bytes(SALT_BYTES)))
    click.echo(f"{where}: {number} ({name}) signs in as {rank}")


@floor.command()
@CONFIG
@click.argument("number")
def dismiss(path: Path, number: str) -> None:
    """Let somebody sign in at the floor's pages no more; where they are signed in, that ends at once."""
    from controller.people.staff import Staff, read_staff, write_staff

    config = read_floor(path)
    where = Path(config.floor.staff)
    staff = read_staff(where)
    if number not in staff.members and any(one.id == number for one in config.staff):
        raise Misuse(f"{path}: {number} stands there under [[staff]], for practice; take them out of that file")
    if number not in staff.members:
        raise Misuse(
            f"{where}: nobody has the number {number!r}; known are {', '.join(sorted(staff.members)) or 'none'}"
        )
    write_staff(where, Staff({each: member for each, member in staff.members.items() if each != number}))
    click.echo(f"{where}: {number} does not sign in any more")


@floor.command()
@CONFIG
@click.argument("table")
@click.argument("kind")
@click.argument("said", metavar="[NAME=VALUE]...", nargs=-1)
@click.option("--by", "number", required=True, help="Your number at the floor.")
@click.option("--pin", help="Asked for where it is not given; not needed in practice.")
@click.option("--wait", "seconds", type=click.FloatRange(0, 300), default=15.0, show_default=True,
              help="How long to wait for the table's answer, in seconds.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True)
def order(
    path: Path,
    table: str,
    kind: str,
    said: tuple[str, ...],
    number: str,
    pin: str | None,
    seconds: float,
    as_json: bool,
) -> None:
    """Order something of TABLE: limits least=10 most=500 (dollars), closing, or message text="…".

    The running floor sends it; the table decides, like of a key, and its answer is printed. Exit status 0 when it was
    carried out, 1 when it was refused or nobody answered.
    """
    from floor.give import given_here

    came = given_here(read_floor(path), table, kind, said, number, lambda: pin or click.prompt("PIN", hide_input=True),
                      seconds)  # fmt: skip
    click.echo(json.dumps(came._asdict()) if as_json else f"{came.id}: {came.state}: {came.text}")
    if came.state != "done":
        raise SystemExit(1)


BY = click.option("--by", "numbers", multiple=True, required=True, help="A number at the floor; two persons, twice.")
WHY = click.option("--why", required=True, help="Why, in words; it is signed with the act.")


def two_persons(config: FloorConfig, numbers: tuple[str, ...]) -> tuple[Person, Person]:
    """The two who do this together, each by number and PIN."""
    from floor.acts import Person
    from floor.give import who

    if len(numbers) != 2:
        raise Misuse("this needs two persons: --by F2 --by F3")
    first, second = (who(config, one, partial(click.prompt, f"PIN of {one}", hide_input=True)) for one in numbers)
    return Person(first.id, first.step), Person(second.id, second.step)


def _act(path: Path, what: Literal["join", "revoke"], key: str, nkey: str, numbers: tuple[str, ...], why: str) -> None:
    from floor.acts import Wanted, add
    from floor.run import key_of

    config = read_floor(path)
    own = key_of(config)
    if own is None:
        raise Misuse("the floor has no key to sign with; make one: tablectl floor key")
    people = two_persons(config, numbers)
    act = add(Path(config.floor.acts), own, Wanted(what, key, why, nkey), people, int(time.time() * 1000))
    table = act.key.split("/")[1]
    click.echo(f"act {act.number}: {what} a key of {table}, signed; a running floor knows it within seconds")


@floor.command()
@CONFIG
@click.argument("key")
@click.option("--nkey", default="", help="The table's key at the broker, as `tablectl evidence broker-key` printed it.")
@BY
@WHY
def join(path: Path, key: str, nkey: str, numbers: tuple[str, ...], why: str) -> None:
    """Let a key sign for a table: KEY is the line that `tablectl evidence key` printed there.

    For a new table, a spare Pi or a new key; an act of a manager and a second person, which the floor signs.
    """
    _act(path, "join", key, nkey, numbers, why)


@floor.command()
@CONFIG
@click.argument("key")
@BY
@WHY
def revoke(path: Path, key: str, numbers: tuple[str, ...], why: str) -> None:
    """Believe nothing new that this key signs; what it signed before keeps its worth.

    KEY is its line. An act of a manager and a second person, which the floor signs. A revoked key never comes back.
    """
    _act(path, "revoke", key, "", numbers, why)


@floor.command()
@CONFIG
@click.option("--to", "file", type=NEW_FILE, help="Where to; printed unless given.")
def broker(path: Path, file: Path | None) -> None:
    """Write who may do what at the broker, for its configuration: the floor everything, each table its own subjects.

    The floor's own key there is made on the first call, where nkey in [broker] says.
    """
    from controller.uplink.nkey import make_broker_key, read_broker_key
    from floor.acts import broker_users, read_acts
    from floor.permissions import written
    from floor.run import key_of

    config = read_floor(path)
    if not config.broker.nkey:
        raise Misuse(f'{path}: names no key for the broker; write nkey = "floor.nk" under [broker]')
    where, own = Path(config.broker.nkey), key_of(config)
    mine = read_broker_key(where) if where.exists() else make_broker_key(where, secrets.token_bytes(32))
    acts = read_acts(Path(config.floor.acts), own.public if own is not None else None)
    text = written(mine.public, broker_users(acts))
    give(text, file)
    if file is not None:
        click.echo(f"{file}: written; have the broker read it: nats-server --signal reload")


@floor.command()
@CONFIG
def rebuild(path: Path) -> None:
    """Forget all that was made from rows; make it again from archived days now, from the stream at the next start.

    What people took upon themselves and what was countersigned stay; archive and stream must say the same again. The
    floor must not be running.
    """
    from floor.run import key_of, known_to
    from floor.store.database import opened
    from floor.store.rebuild import from_archive

    config = read_floor(path)
    engine, key = opened(config.floor.store), key_of(config)
    forgotten, again = from_archive(engine, known_to(config, key), key, config.floor.archive)
    engine.dispose()
    rest = "start the floor to hear the rest from the stream: tablectl floor run"
    click.echo(f"{forgotten} rows forgotten, {again} taken from archived days; {rest}")


@floor.command()
@CONFIG
@click.option("--json", "as_json", is_flag=True)
def archive(path: Path, as_json: bool) -> None:
    """Write each table's days that are over and countersigned as Parquet, where archive in [floor] says.

    A running floor does so by itself every hour. Every file is followed to its end before it counts.
    """
    import time

    from floor.archive import archive as written
    from floor.store.database import opened

    config = read_floor(path)
    if not config.floor.archive:
        raise Misuse(f'{path}: archive in [floor] is empty; write archive = "archive"')
    engine = opened(config.floor.store)
    done = written(engine, Path(config.floor.archive), int(time.time() * 1000), config.floor.days)
    engine.dispose()
    facts = [{"origin": one.origin, "day": one.day, "first": one.first, "last": one.last} for one in done]
    if as_json:
        click.echo(json.dumps(facts))
    for one in [] if as_json else done:
        click.echo(f"{one.origin}: {one.day}, events {one.first} to {one.last}")


@floor.command()
@CONFIG
@click.option("--json", "as_json", is_flag=True)
def check(path: Path, as_json: bool) -> None:
    """Follow every journal in the store from its first row to its last, hold the countersigned heads against it, and
    follow the acts on keys."""
    from floor.run import key_of, known_to
    from floor.store.check import checked
    from floor.store.database import opened

    config = read_floor(path)
    known_to(config, key_of(config))  # refuses acts on keys that are not what was signed
    engine = opened(config.floor.store)
    found = checked(engine)
    engine.dispose()
    if as_json:
        click.echo(json.dumps([one._asdict() for one in found]))
    else:
        for one in found:
            click.echo(f"{one.origin}: {one.rows} events, {one.heads} heads: {one.wrong or 'unbroken'}")
    if any(one.wrong for one in found):
        raise Misuse("a journal in the store is not what it was; keep the store as evidence and restore its backup")


@floor.command()
@CONFIG
@click.option("--to", "folder", required=True, type=FOLDER, help="Where the files go.")
@click.option(
    "--what", multiple=True, help="hands (poker, as PHH), rounds, wagers, rulings, alarms and so on; all unless given."
)
@click.option(
    "--form", type=click.Choice(["parquet", "csv"]), default="parquet", show_default=True, help="Of all but hands."
)
@click.option("--table", default="", help="One table by its short name, such as big-wheel-1; all unless given.")
@click.option("--since", type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]), help="From this moment on, UTC.")
@click.option("--until", type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]), help="Before this moment, UTC.")
@click.option("--json", "as_json", is_flag=True)
def export(
    path: Path, folder: Path, what: tuple[str, ...], form: str, table: str, since: datetime | None,
    until: datetime | None, as_json: bool,
) -> None:  # fmt: skip
    """Write what the store knows for other programs: poker hands as PHH, everything else as Parquet or CSV.

    The floor may be running. Hands that PHH has no words for are left out, and counted by reason.
    """
    from floor.exports.sheets import Part
    from floor.exports.write import WHAT
    from floor.exports.write import export as written
    from floor.store.database import opened

    if unknown := [one for one in what if one not in WHAT]:
        raise Misuse(f"--what {unknown[0]}: there is no such export; there are {', '.join(WHAT)}")
    config = read_floor(path)
    engine = opened(config.floor.store)
    wanted = Part(table, _moment(since), _moment(until))
    with engine.connect() as connection:
        done = [
            one for each in what or WHAT
            for one in written(connection, folder, each, wanted, form, config.floor.name)
        ]  # fmt: skip
    engine.dispose()
    if as_json:
        click.echo(json.dumps([one._asdict() for one in done]))
        return
    for one in done:
        click.echo(f"{one.file}: {one.lines}")
        for why, count in one.left_out.items():
            click.echo(f"  {count} left out: {why}")


def _moment(said: datetime | None) -> int:
    return int(said.replace(tzinfo=UTC).timestamp() * 1000) if said is not None else 0


@floor.command()
@CONFIG
@click.option("--to", "folder", required=True, type=FOLDER, help="A new folder for this backup.")
@click.option("--json", "as_json", is_flag=True)
def backup(path: Path, folder: Path, as_json: bool) -> None:
    """Copy the whole floor while it runs: store, configuration, key, tables' keys and staff.

    The copy holds the floor's key: keep it where only those come who may open the floor's machine.
    """
    from floor.store.backup import backup as taken

    done = taken(read_floor(path), path, folder)
    text = f"{folder}: {done.rows} events of {done.journals} journals, every chain unbroken"
    click.echo(json.dumps({"rows": done.rows, "journals": done.journals, "files": done.files}) if as_json else text)


@floor.command()
@CONFIG
@click.argument("folder", type=FOLDER)
def restore(path: Path, folder: Path) -> None:
    """Put the backup in FOLDER back, into an empty store of either kind; the floor must not be running.

    floor.toml says where to; the backup has a copy of the one it was made with. The stream tells what came since.
    """
    from floor.store.backup import restore as put

    done = put(read_floor(path), folder)
    click.echo(f"{done.rows} events of {done.journals} journals; start the floor: tablectl floor run --config {path}")


@floor.command()
@click.argument("which", type=click.Choice(["openapi", "asyncapi"]))
def interface(which: str) -> None:
    """Print the page of an interface: openapi (JSON behind the pages) or asyncapi (subjects at the broker)."""
    from importlib.metadata import version

    from floor.asyncapi import asyncapi
    from floor.web.openapi import openapi

    page = openapi if which == "openapi" else asyncapi
    click.echo(json.dumps(page(version("tablectl-floor")), indent=1))
