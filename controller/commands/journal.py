"""`tablectl journal`: look at, check, replay and export what a table wrote."""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from controller import record
from controller.commands.unseal import unseal
from controller.config.types import TableConfig
from controller.events import Started
from controller.journal import JournalFile, JournalTrouble
from controller.recall import last_rounds
from controller.record import Record
from controller.runtime import recover
from controller.steady import SteadyTable

PATH = click.Path(path_type=Path, dir_okay=False)


@click.group()
def journal() -> None:
    """Look at, check, replay and export a journal. The journal itself is never changed."""


journal.add_command(unseal)


def records_of(file: JournalFile, first: int, last: int | None) -> Iterator[tuple[int, int, Record]]:
    """Events of a journal with their number and time."""
    for row in file.rows(first, last):
        try:
            yield row.seq, row.at, record.decode(row.body)
        except msgspec.ValidationError as error:
            raise JournalTrouble(f"{file.path}: event {row.seq} cannot be read ({error})") from error


def started_config(file: JournalFile) -> TableConfig:
    """The configuration the journal began with."""
    if file.removed is not None:
        raise JournalTrouble(
            f"{file.path}: events up to {file.removed.last} were removed after they had been exported, so it cannot be "
            "replayed from its beginning; replay a backup from before the removal"
        )
    for _, _, kept in records_of(file, 1, 1):
        if isinstance(kept.event, Started):
            return kept.event.config
    raise JournalTrouble(f"{file.path}: holds no start of a table; nothing to replay")


def _when(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(at / 1000)) + f".{at % 1000:03d}"


@journal.command()
@click.argument("path", type=PATH)
@click.option("--from", "first", default=1, show_default=True, help="First event.")
@click.option("--to", "last", type=int, help="Last event.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object an event.")
def show(path: Path, first: int, last: int | None, as_json: bool) -> None:
    """Print the events and what the table concluded from each."""
    file = JournalFile.read_only(path)
    for seq, at, kept in records_of(file, first, last):
        if as_json:
            body: dict[str, Any] = {"seq": seq, "at": at, **msgspec.to_builtins(kept)}
            click.echo(json.dumps(body))
            continue
        event = msgspec.to_builtins(kept.event)
        kind = event.pop("type")
        click.echo(f"{seq:>7}  {_when(at)}  {kind:<16} {_plain(event)}")
        for effect in kept.effects:
            facts = msgspec.to_builtins(effect)
            click.echo(f"{'':>34}→ {facts.pop('type'):<10} {_plain(facts)}")


@journal.command()
@click.argument("path", type=PATH)
@click.option("--last", "count", default=10, show_default=True, type=click.IntRange(min=1), help="How many rounds.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a round.")
def rounds(path: Path, count: int, as_json: bool) -> None:
    """Recall the last rounds for a dispute: every card, wager, question, ruling and clause."""
    file = JournalFile.read_only(path)
    for recalled in last_rounds(file, count, records_of):
        click.echo(msgspec.json.encode(recalled) if as_json else recalled.as_text())


def _plain(facts: dict[str, Any]) -> str:
    text = ", ".join(f"{key}={value}" for key, value in facts.items() if value not in ("", [], {}, None))
    return text if len(text) <= 240 else text[:237] + "..."


@journal.command()
@click.argument("path", type=PATH)
@click.option("--json", "as_json", is_flag=True)
def verify(path: Path, as_json: bool) -> None:
    """Follow the chain from the first event to the last; exit 1 at the first break."""
    file = JournalFile.read_only(path)
    try:
        count = file.verify()
    except JournalTrouble as trouble:
        if as_json:
            click.echo(json.dumps({"ok": False, "error": str(trouble)}))
        raise click.ClickException(str(trouble)) from trouble
    if as_json:
        click.echo(json.dumps({"ok": True, "events": count}))
    else:
        click.echo(f"{count} events, chain unbroken")


@journal.command()
@click.argument("path", type=PATH)
@click.option("--json", "as_json", is_flag=True)
def replay(path: Path, as_json: bool) -> None:
    """Decide every event again and compare with what was concluded then, byte for byte."""
    file = JournalFile.read_only(path)
    file.verify()
    table = SteadyTable(started_config(file))
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
@click.argument("path", type=PATH)
@click.option("--format", "kind", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True)
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="A file instead of the terminal.")
def export(path: Path, kind: str, output: Path | None) -> None:
    """Write everything with its hashes (jsonl), or the settlements, one wager a line (csv)."""
    file = JournalFile.read_only(path)
    file.verify()
    out = output.open("w", newline="") if output else sys.stdout
    try:
        if kind == "jsonl":
            for row in file.rows():
                line = {"seq": row.seq, "at": row.at, "hash": row.hash.hex(), **json.loads(row.body)}
                out.write(json.dumps(line) + "\n")
        else:
            _settlements(file, csv.writer(out))
    finally:
        if output:
            out.close()


def _settlements(file: JournalFile, writer: Any) -> None:
    columns = ("wager", "player", "bet", "result", "pays", "stake_taken", "stake_returned")
    writer.writerow(["event", "time", "round", "outcome", *columns, "clauses"])
    for seq, at, kept in records_of(file, 1, None):
        for effect in kept.effects:
            facts = msgspec.to_builtins(effect)
            if facts["type"] not in ("Settled", "Reversed"):
                continue
            outcome = facts.get("outcome", "reversed")
            for result in facts["results"]:
                values = [result[column] for column in columns]
                writer.writerow([seq, _when(at), facts["round"], outcome, *values, "; ".join(result["clauses"])])
