"""`tablectl journal`: look at, check, replay and export what a table wrote."""

from __future__ import annotations

import contextlib
import csv
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from controller.commands.options import journal as journal_path
from controller.commands.output import TO_FILE, opened
from controller.commands.unseal import unseal
from controller.config.kept import of_start
from controller.config.types import TableConfig
from controller.core.effects import Settled
from controller.core.events import Started
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal import row as record
from controller.journal.file import JournalFile, JournalTrouble, Row
from controller.journal.head import Head, Note, read_head, read_key, read_public_key
from controller.journal.rounds import Recalled, chosen_rounds, last_rounds, utc
from controller.journal.row import Record
from controller.pi.evidence import EvidenceTrouble, prove_removed
from controller.rules.rulebook import Rank, load_rulebook

PATH = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)
MOMENT = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S"])


@click.group()
def journal() -> None:
    """Look at, check, replay and export a journal. The journal itself is never changed."""


journal.add_command(unseal)


def records_of(file: JournalFile, first: int, last: int | None) -> Iterator[tuple[int, int, Record[msgspec.Struct]]]:
    """Events of a journal with their number and time."""
    for row in file.rows(first, last):
        yield row.seq, row.at, record.read(row, file.path)


def started_config(file: JournalFile) -> TableConfig:
    """The configuration the journal began with."""
    if file.removed is not None:
        raise JournalTrouble(
            f"{file.path}: events up to {file.removed.last} were removed after they had been exported, so it cannot be "
            "replayed from its beginning; replay a backup from before the removal"
        )
    for _, _, kept in records_of(file, 1, 1):
        if isinstance(kept.event, Started):
            return of_start(kept.event)
    raise JournalTrouble(f"{file.path}: holds no start of a table; nothing to replay")


@contextlib.contextmanager
def _checked(file: JournalFile) -> Iterator[None]:
    """What is shown of a journal that does not hold together is shown all the same, and said to be so."""
    try:
        file.verify()
    except JournalTrouble as trouble:
        click.echo(f"NOT WHOLE, rest on nothing of this: {trouble}", err=True)
        yield
        click.echo(f"{file.path}: NOT WHOLE: {trouble}", err=True)
        sys.exit(2)
    yield


@journal.command()
@journal_path()
@click.option("--from", "first", default=1, show_default=True, help="First event.")
@click.option("--to", "last", type=int, help="Last event.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object an event.")
def show(path: Path, first: int, last: int | None, as_json: bool) -> None:
    """Print the events and what the table concluded from each.

    Where the journal is not whole, that is said, and the status is 2.
    """
    file = JournalFile.read_only(path)
    with _checked(file):
        for row in file.rows(first, last):
            kept = record.plain(row, path)
            if as_json:
                click.echo(json.dumps({"seq": row.seq, "at": row.at, **kept}))
            else:
                _show(row, kept)


def _show(row: Row, kept: dict[str, Any]) -> None:
    event = kept["event"]
    kind = event.pop("type")
    click.echo(f"{row.seq:>7}  {utc(row.at)}  {kind:<16} {_plain(event)}")
    for facts in kept.get("effects", ()):
        click.echo(f"{'':>34}→ {facts.pop('type'):<10} {_plain(facts)}")


@journal.command()
@journal_path()
@click.option("--last", "count", default=10, show_default=True, type=click.IntRange(min=1), help="How many rounds.")
@click.option("--round", "number", type=click.IntRange(min=1), help="This round, wherever in the journal it is.")
@click.option("--from", "since", type=MOMENT, help="Rounds that ended after this moment, UTC.")
@click.option("--to", "until", type=MOMENT, help="Rounds that began before this moment, UTC.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a round.")
def rounds(
    path: Path, count: int, number: int | None, since: datetime | None, until: datetime | None, as_json: bool
) -> None:
    """Recall rounds for a dispute: every card, wager, question, ruling and clause, when, and by whom.

    The last ones, or those that --round, --from and --to ask for. Exit status 1 where there is none, 2 where the
    journal is not whole.
    """
    file = JournalFile.read_only(path)
    with _checked(file):
        if number is None and since is None and until is None:
            found = last_rounds(file, count, records_of)
        else:
            found = chosen_rounds(file, records_of, lambda one: _asked_for(one, number, since, until))
        named, titles = _staff(file)
        for recalled in found:
            click.echo(msgspec.json.encode(recalled) if as_json else recalled.as_text(named, titles))
    if not found:
        raise click.ClickException(f"{path}: no such round")


def _asked_for(one: Recalled, number: int | None, since: datetime | None, until: datetime | None) -> bool:
    after = since is None or not one.ended or one.ended >= _milliseconds(since)
    before = until is None or one.at < _milliseconds(until)
    return after and before and (number is None or one.round == number)


def _milliseconds(moment: datetime) -> int:
    return round(moment.replace(tzinfo=UTC).timestamp() * 1000)


def _staff(file: JournalFile) -> tuple[dict[str, str], list[str]]:
    """Who the staff are by name and title, and the titles by rank, as the table was last started."""
    named: dict[str, str] = {}
    ranks: tuple[Rank, ...] = ()
    for row in file.rows():
        if b'"Started"' in row.body and isinstance(event := record.read(row, file.path).event, Started):
            config = of_start(event)
            ranks = load_rulebook(config.table.rulebook).ranks
            titles = {rank.id: rank.name for rank in ranks}
            named |= {one.id: f"{one.name}, {titles.get(one.rank, one.rank)}" for one in config.staff}
    return named, [rank.name for rank in ranks]


@journal.command()
@journal_path()
@click.option("--round", "number", type=int, help="The one that this round was played by.  [default: the newest]")
def rulebook(path: Path, number: int | None) -> None:
    """Print the edition of the rulebook that was played by, word for word as the journal keeps it.

    Where the journal is not whole, that is said, and the status is 2.
    """
    file = JournalFile.read_only(path)
    with _checked(file):
        _edition(file, path, number)


def _edition(file: JournalFile, path: Path, number: int | None) -> None:
    newest = None
    for _, _, kept in records_of(file, 1, None):
        if isinstance(kept.event, Started):
            newest = kept.event.edition
        if number is not None and any(isinstance(one, Settled) and one.round == number for one in kept.effects):
            break
    else:
        if number is not None:
            raise click.ClickException(f"{path}: round {number} was not settled in this journal")
    if newest is None:
        raise click.ClickException(f"{path}: written before editions were kept; the version it names carries the text")
    click.echo(newest.text, nl=False)


def _plain(facts: dict[str, Any]) -> str:
    text = ", ".join(f"{key}={value}" for key, value in facts.items() if value not in ("", [], {}, None))
    return text if len(text) <= 240 else text[:237] + "..."


@journal.command()
@journal_path()
@click.option("--head", "kept", type=PATH, multiple=True, help="A head that was kept outside; may be given again.")
@click.option("--key", "key", help="The table's public key: the heads must be signed with it.")
@click.option("--exports", type=FOLDER, help="Where exported days lie that were removed from the journal.")
@click.option("--json", "as_json", is_flag=True)
def verify(path: Path, kept: tuple[Path, ...], key: str | None, exports: Path | None, as_json: bool) -> None:
    """Follow chain and tree from the first event to the last; exit 1 at the first break.

    Whoever owns the machine can rewrite all of it and compute everything again. With a head that was kept outside,
    everything up to that head is proved; what came after it is named as unproved. Events that were removed once they
    had been exported are proved by the exports, and named as not here without them.
    """
    file = JournalFile.read_only(path)
    try:
        heads = [_trusted(each, key) for each in kept]
        count = file.verify()
        for head in heads:
            file.prove(head)
        if exports is not None:
            prove_removed(file, exports)
    except (JournalTrouble, EvidenceTrouble) as trouble:
        if as_json:
            click.echo(json.dumps({"ok": False, "error": str(trouble)}))
        raise click.ClickException(str(trouble)) from trouble
    proved = max((head.size for head in heads), default=0)
    stub = file.removed
    not_here = stub.last if stub is not None and exports is None else 0
    if as_json:
        gone = {"not_here": not_here} if not_here else {}
        click.echo(json.dumps({"ok": True, "events": count, "proved": proved, **gone}))
        return
    click.echo(f"{count} events, chain unbroken")
    if stub is not None and not_here:
        click.echo(f"events 1 to {not_here} are not here, and unproved until their exports are looked at (--exports):")
        for name, digest, first, last in stub.exports:
            click.echo(f"  {first} to {last} in {name}, sha256 {digest}")
    elif stub is not None:
        click.echo(f"events 1 to {stub.last} were removed, and are those in {exports}")
    if proved:
        these = f"events {not_here + 1} to {proved}" if not_here else f"events up to {proved}"
        click.echo(f"{these} are those of the head kept outside")
    if proved < file.last_seq:
        click.echo(f"events {proved + 1} to {file.last_seq} are unproved: no head kept outside stands for them")


def _trusted(path: Path, key: str | None) -> Head:
    """The head in a file, signed with the key if one is given."""
    note = read_head(path)
    if key is not None and not read_public_key(key).signed(note):
        raise JournalTrouble(f"{path}: not signed with this table's key; ask where it came from, and do not rest on it")
    return note.head


@journal.command()
@click.argument("path", type=PATH)
@click.option("--key", "key_path", type=PATH, help="Sign it with the table's key in this file.")
def head(path: Path, key_path: Path | None) -> None:
    """Print the head: which journal, how many events, and the one hash that stands for all of them.

    Kept outside the machine, it proves every event up to it: tablectl journal verify --head.
    """
    file = JournalFile.read_only(path)
    now = Head(file.origin, file.last_seq, file.tree_at(file.last_seq).root())
    note = read_key(key_path).sign(now) if key_path is not None else Note(now)
    click.echo(note.text(), nl=False)


@journal.command()
@journal_path()
@click.option("--json", "as_json", is_flag=True)
def replay(path: Path, as_json: bool) -> None:
    """Decide every event again and compare with what was concluded then, byte for byte."""
    file = JournalFile.read_only(path)
    file.verify()
    table = GuardedTable(started_config(file))
    try:
        count = recover(table, file, from_snapshot=False)
    except JournalTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble
    life, round_ = table.table.state.life, table.table.game.machine.state
    if as_json:
        click.echo(json.dumps({"ok": True, "events": count, "life": life, "round": round_}))
    else:
        click.echo(f"{count} events decided again with the same conclusions; table {life}, round {round_}")


@journal.command()
@journal_path()
@click.option("--format", "kind", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True)
@TO_FILE
def export(path: Path, kind: str, output: Path | None) -> None:
    """Write everything with its hashes (jsonl), or the settlements, one wager a line (csv)."""
    file = JournalFile.read_only(path)
    file.verify()
    with opened(output) as out:
        if kind == "jsonl":
            for row in file.rows():
                line = {"seq": row.seq, "at": row.at, "hash": row.hash.hex(), **record.plain(row, path)}
                out.write(json.dumps(line) + "\n")
        else:
            _settlements(file, csv.writer(out))


def _settlements(file: JournalFile, writer: Any) -> None:
    columns = ("wager", "player", "bet", "result", "pays", "stake_taken", "stake_returned")
    writer.writerow(["event", "time", "round", "outcome", *columns, "clauses"])
    for row in file.rows():
        for facts in record.plain(row, file.path).get("effects", ()):
            if facts["type"] not in ("Settled", "Reversed"):
                continue
            outcome = facts.get("outcome", "reversed")
            for result in facts["results"]:
                values = [result[column] for column in columns]
                writer.writerow([row.seq, utc(row.at), facts["round"], outcome, *values, "; ".join(result["clauses"])])
