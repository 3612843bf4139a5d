"""`tablectl staff`: who works here, with which rank, card and PIN."""

from __future__ import annotations

import json
import secrets
from datetime import datetime
from pathlib import Path

import click

from controller.commands.options import STAFF_CONFIG, card_keys, staff_file
from controller.people.staff import (
    KEY_BYTES,
    ROLES,
    SALT_BYTES,
    Member,
    check_card,
    known_member,
    read_key,
    read_staff,
    replace_key,
    with_member,
    with_pin,
    with_role,
    without_cards,
    without_role,
    write_key,
    write_staff,
)
from controller.rules.rulebook import load_rulebook
from drivers.swipe import pseudonym


@click.group()
@STAFF_CONFIG
@click.option("--file", "path", type=click.Path(path_type=Path, dir_okay=False), callback=staff_file,
              help="The staff register, if not the table's; its key for cards lies beside it.")  # fmt: skip
@click.pass_context
def staff(ctx: click.Context, path: Path) -> None:
    """The staff register: ranks, roles, cards and PINs."""
    ctx.obj = path


def key_path(path: Path, players: bool = False) -> Path:
    """Where the key for cards lies, the staff's or the players'."""
    return card_keys(click.get_current_context(), path)[players]


def _ranks(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    ranks = {}
    for value in values:
        rulebook, equals, rank = value.partition("=")
        if not equals:
            raise click.BadParameter(f"'{value}' is not RULEBOOK=RANK, such as melbourne-wheel=AM")
        ranks[rulebook] = rank
    return ranks


@staff.command()
@click.argument("member")
@click.option("--name", required=True)
@click.option("--rank", "ranks", multiple=True, callback=_ranks, help="RULEBOOK=RANK; once for each rulebook.")
@click.option("--card", is_flag=True, help="Ask for the number on the card.")
@click.pass_obj
def add(path: Path, member: str, name: str, ranks: dict[str, str], card: bool) -> None:
    """Add MEMBER, or change name and ranks; card and PIN stay unless given anew."""
    known = read_staff(path)
    before = known.members.get(member)
    fingerprint = _fingerprint(path) if card else before.card if before else ""
    changed = Member(
        member,
        name,
        {**(before.ranks if before else {}), **ranks},
        fingerprint,
        before.pin if before else "",
        before.roles if before else {},
    )
    write_staff(path, with_member(known, changed))
    click.echo(f"{member} is on the staff register")


def _fingerprint(path: Path) -> str:
    if not key_path(path).exists():
        write_key(key_path(path), secrets.token_bytes(KEY_BYTES))
    number = click.prompt("Number on the card", hide_input=True)
    check_card(number)
    return pseudonym(read_key(key_path(path)), number)


@staff.command("set-pin")
@click.argument("member")
@click.pass_obj
def set_pin(path: Path, member: str) -> None:
    """Give MEMBER a new PIN; it is asked for and never shown."""
    known = read_staff(path)
    known_member(known, member)
    pin = click.prompt("PIN", hide_input=True, confirmation_prompt=True)
    write_staff(path, with_pin(known, member, pin, secrets.token_bytes(SALT_BYTES)))
    click.echo(f"{member} has a new PIN")


def _moment(ctx: click.Context, param: click.Parameter, value: datetime | None) -> int:
    return 0 if value is None else round(value.astimezone().timestamp() * 1000)


@staff.command("give")
@click.argument("member")
@click.argument("role", type=click.Choice(list(ROLES)))
@click.option("--until", type=click.DateTime(["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M%z"]), callback=_moment,
              help="When it ends, such as 2026-11-28T23:00; without it, when it is taken back.")  # fmt: skip
@click.pass_obj
def give(path: Path, member: str, role: str, until: int) -> None:
    """Give MEMBER a role beside the ranks, for an event or a shift; it is no rank and answers no question of one."""
    write_staff(path, with_role(read_staff(path), member, role, until))
    click.echo(f"{member} is {ROLES[role]}{_until(until)}")


@staff.command("take")
@click.argument("member")
@click.argument("role", type=click.Choice(list(ROLES)))
@click.pass_obj
def take(path: Path, member: str, role: str) -> None:
    """Take a role back from MEMBER; whoever is signed in with it is signed out."""
    write_staff(path, without_role(read_staff(path), member, role))
    click.echo(f"{member} is {ROLES[role]} no longer")


def _until(until: int) -> str:
    return f" until {datetime.fromtimestamp(until / 1000):%Y-%m-%d %H:%M}" if until else ""


@staff.command("new-key")
@click.option("--players", is_flag=True, help="The key of player cards instead of the staff's.")
@click.option("--yes", is_flag=True, help="Without asking.")
@click.pass_obj
def new_key(path: Path, players: bool, yes: bool) -> None:
    """Make the key of staff cards, or of player cards, or put a new one in its place.

    Under a new key, pseudonyms of before lead to nobody: staff cards are read anew ('staff add --card'; PINs stay), and
    players are told by other pseudonyms from the table's next start on.
    """
    where = key_path(path, players)
    if where.exists() and not yes:
        click.confirm(f"{where}: pseudonyms of before will lead to nobody; go on?", abort=True)
    if not players:
        known = read_staff(path)
        cards = sum(bool(member.card) for member in known.members.values())
        if cards:
            write_staff(path, without_cards(known))
            click.echo(f"{cards} cards must be read anew: 'tablectl staff add MEMBER --card'")
    replace_key(where, secrets.token_bytes(KEY_BYTES))
    click.echo(f"{where}: a new key is there; restart the table")


@staff.command("list")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def list_(path: Path, as_json: bool) -> None:
    """Everybody, their ranks and roles, and whether they have a card and a PIN."""
    known = read_staff(path).members.values()
    if not known:
        click.echo(f"{path}: nobody is on this register; tablectl staff add NUMBER --name NAME puts somebody there",
                   err=True)  # fmt: skip
    for member in known:
        facts = {"card": bool(member.card), "pin": bool(member.pin)}
        if as_json:
            who = {"id": member.id, "name": member.name, "ranks": member.ranks, "roles": member.roles}
            click.echo(json.dumps({**who, **facts}))
            continue
        ranks = ", ".join(
            f"{rank} ({book}, level {member.level(load_rulebook(book))})" for book, rank in member.ranks.items()
        )
        roles = "".join(f", {ROLES[role]}{_until(until)}" for role, until in member.roles.items())
        have = " and ".join(word for word, given in facts.items() if given) or "neither card nor pin"
        click.echo(f"{member.id:<10} {member.name:<20} {ranks or 'no rank'}{roles}; {have}")
