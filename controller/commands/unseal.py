"""`tablectl journal unseal`: look under the seals of a poker journal, for a dispute."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from controller import kept_file
from controller.cards.events import CardsCounted, CardsMoved, SealBegun
from controller.config.kept import of_start
from controller.config.tomlread import ConfigError
from controller.core.effects import Settled
from controller.core.events import Started
from controller.journal import row as record
from controller.journal.file import JournalFile
from controller.people.staff import PIN_FROM_LEVEL, pin_fits, read_staff
from controller.rules.rulebook import load_rulebook
from drivers.card_antennas import place_name

PATH = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("path", type=PATH)
@click.option("--key", "key_file", type=PATH, required=True, help="The key that the table sealed its cards with.")
@click.option("--by", required=True, help="Your staff number; the PIN is asked for.")
@click.option("--reason", required=True, help="Why, for the record.")
@click.option("--staff", "staff_file", type=PATH, help="The staff register.  [default: staff.json beside the journal]")
@click.option("--deal", type=int, help="Only the cards of this deal.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a card.")
def unseal(
    path: Path, key_file: Path, by: str, reason: str, staff_file: Path | None, deal: int | None, as_json: bool
) -> None:
    """Tell every sealed card of a journal with where it lay; the journal itself stays sealed.

    Not of the hand in play, and to a supervisor only. Who looked, when and why is kept beside the journal.
    """
    try:
        pin = click.prompt("PIN", hide_input=True, err=True)
        book, playing = rulebook_of(path), in_play(path)
        if deal is not None and deal == playing:
            raise ConfigError(f"deal {deal} is being played; its cards stay sealed until it is settled")
        check_supervisor(staff_file or path.with_name("staff.json"), by, pin, book)
        found = [card for card in unsealed(path, key_file, deal) if card["deal"] != playing]
        keep_record(
            path, {"by": by, "reason": reason, "deal": deal, "cards": len(found), "at": int(time.time() * 1000)}
        )
        for card in found:
            if as_json:
                click.echo(json.dumps(card))
            else:
                click.echo(f"{card['event']:>7}  deal {card['deal']:<5} {card['where']:<14} {card['card']}")
    except ConfigError as error:
        raise click.ClickException(str(error)) from error


def check_supervisor(staff_file: Path, by: str, pin: str, book: str) -> None:
    """ConfigError unless this is the PIN of somebody on the register who may do what a supervisor may."""
    member = read_staff(staff_file).members.get(by)
    fits = member is not None and pin_fits(pin, member.pin)
    if member is None or not fits or member.level(load_rulebook(book)) < PIN_FROM_LEVEL:
        raise ConfigError(
            "this staff number and PIN are not those of a supervisor; have one who knows this table's game do this"
        )


def rulebook_of(path: Path) -> str:
    """The rulebook that this journal was played by last."""
    book = ""
    for kept in _records(path):
        if isinstance(kept.event, Started):
            book = of_start(kept.event).table.rulebook
    if not book:
        raise ConfigError(f"{path}: no table has been started on this journal; nothing is sealed in it")
    return book


def in_play(path: Path) -> int | None:
    """The deal whose cards lie there and that is not settled yet."""
    newest: int | None = None
    settled = False
    for kept in _records(path):
        if isinstance(kept.event, CardsMoved | CardsCounted) and kept.event.deal != newest:
            newest, settled = kept.event.deal, False
        settled = settled or any(isinstance(effect, Settled) for effect in kept.effects)
    return None if settled else newest


def keep_record(path: Path, facts: dict[str, Any]) -> None:
    """Write down that somebody looked, before anything is shown; each line has the digest of all before it."""
    beside = path.with_name(path.name + ".unsealed")
    try:
        kept_file.make_own(beside)
        opened = os.open(beside, os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
        with open(opened, "rb+") as file:
            before = hashlib.file_digest(file, "sha256").hexdigest()
            file.write(json.dumps({**facts, "before": before}).encode() + b"\n")
            file.flush()
            os.fsync(opened)
    except OSError as error:
        raise ConfigError(
            f"{beside}: who looks cannot be put on record ({error.strerror}), so nothing is shown; check space, rights"
        ) from error


def _records(path: Path) -> Iterator[record.Record[Any]]:
    file = JournalFile.read_only(path)
    try:
        for row in file.rows():
            yield record.decode(row.body)
    finally:
        file.close()


def unsealed(path: Path, key_file: Path, deal: int | None = None) -> Iterator[dict[str, Any]]:
    """Every sealed card: the event that told it, its deal, its place and its face."""
    from controller.cards.seal import Seal, read_key

    seal = Seal(read_key(key_file))
    salt = ""
    file = JournalFile.read_only(path)
    try:
        for row in file.rows():
            event = record.decode(row.body).event
            if isinstance(event, SealBegun):
                salt = event.salt
            elif isinstance(event, CardsMoved | CardsCounted) and (deal is None or event.deal == deal):
                for card in event.added if isinstance(event, CardsMoved) else event.cards:
                    if card.seal:
                        face, _ = seal.open(salt, event.deal, card.card, card.seal)
                        where = place_name(card.antenna)
                        yield {"event": row.seq, "deal": event.deal, "where": where, "card": face}
    finally:
        file.close()
