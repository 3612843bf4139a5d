"""`tablectl journal unseal`: look under the seals of a poker journal, for a dispute."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from controller.cards.events import CardsCounted, CardsMoved, SealBegun
from controller.config.tomlread import ConfigError
from controller.journal import row as record
from controller.journal.file import JournalFile
from drivers.card_antennas import place_name

PATH = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("path", type=PATH)
@click.option("--key", "key_file", type=PATH, required=True, help="The key that the table sealed its cards with.")
@click.option("--deal", type=int, help="Only the cards of this deal.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a card.")
def unseal(path: Path, key_file: Path, deal: int | None, as_json: bool) -> None:
    """Tell every sealed card of a journal with where it lay; the journal itself stays sealed."""
    try:
        for found in unsealed(path, key_file, deal):
            if as_json:
                click.echo(json.dumps(found))
            else:
                click.echo(f"{found['event']:>7}  deal {found['deal']:<5} {found['where']:<14} {found['card']}")
    except ConfigError as error:
        raise click.ClickException(str(error)) from error


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
