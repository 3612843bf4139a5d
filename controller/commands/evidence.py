"""`tablectl evidence`: back up, export, check, remove and restore what a table has written."""

from __future__ import annotations

import json
import os
import secrets
import time
from datetime import date, datetime
from pathlib import Path

import click
import msgspec

from controller.commands import Misuse
from controller.commands.options import CONFIG
from controller.commands.output import NEW_FILE, give
from controller.config.file import check_config
from controller.config.types import TableConfig
from controller.journal.file import JournalFile
from controller.pi.evidence import (
    Day,
    EvidenceTrouble,
    GamingDay,
    export_day,
    export_missing,
    open_for_removal,
    retain,
    verify_exports,
)

FOLDER = click.Path(path_type=Path, file_okay=False)
JSON = click.option("--json", "as_json", is_flag=True)
DAY_MS = 86_400_000


class _Evidence(click.Group):
    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except EvidenceTrouble as trouble:
            raise click.ClickException(str(trouble)) from trouble


@click.group(cls=_Evidence)
def evidence() -> None:
    """Keep what a table has written: backup, exported gaming days, retention, a spare machine."""


def _now() -> int:
    return int(time.time() * 1000)


def _tell(as_json: bool, facts: object, text: str) -> None:
    click.echo(json.dumps(msgspec.to_builtins(facts)) if as_json else text)


@evidence.command()
@CONFIG
@click.option("--to", "folder", required=True, type=FOLDER, help="Where the backup's own folder is made.")
@JSON
def backup(path: Path, folder: Path, as_json: bool) -> None:
    """Copy the whole table while play goes on: journal, configuration, keys, staff and screens.

    The copy holds keys: keep it where only those come who may open the table.
    """
    from controller.pi.spare import backup as take

    done = take(path, folder, _now())
    _tell(as_json, done, f"{done.folder}: {done.events} events, chain unbroken, ends in {done.head[:16]}…")


@evidence.command()
@click.argument("folder", type=FOLDER)
@CONFIG
@click.option(
    "--key", help="The table's public key, as `tablectl evidence key` printed it; the backup must be signed by it."
)
@click.option("--unproved", is_flag=True, help="Take a backup without proof of who made it.")
@click.option("--data", type=FOLDER, help="The table's data folder on this machine.  [default: /var/lib/tablectl]")
@click.option("--also", multiple=True, type=FOLDER, help="A further folder in which files may be placed.")
@JSON
def restore(
    folder: Path, path: Path, key: str | None, unproved: bool, data: Path | None, also: tuple[Path, ...], as_json: bool
) -> None:
    """Make this machine the table of the backup in FOLDER; the table must not be running on any other.

    Nothing is written outside the data folder, whatever the backup says, but the configuration.
    """
    from controller.journal.head import read_public_key
    from controller.pi.spare import restore as put

    if not key and not unproved:
        raise Misuse(
            "whoever had this backup in hand could have changed it: give the table's public key with --key, or take it "
            "as it is with --unproved"
        )
    done = put(folder, path, data=data, also=also, key=read_public_key(key) if key else None)
    _tell(as_json, done, f"{done.table}: {done.events} events in {done.folder}; start it: systemctl start tablectl")


@evidence.command()
@CONFIG
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]),
              help="The gaming day, YYYY-MM-DD; without it every day that is over and not there yet.")  # fmt: skip
@click.option("--starts", default="06:00", show_default=True, help="When a gaming day starts here, local time.")
@click.option("--to", "folder", required=True, type=FOLDER)
@JSON
def export(path: Path, day: datetime | None, starts: str, folder: Path, as_json: bool) -> None:
    """Write a gaming day to a file that proves itself; play goes on meanwhile."""
    if day is None:
        for each in export_missing(_journal(path), _gaming(date.today(), starts).starts, folder, _now()):
            _tell_day(each, as_json)
        return
    _tell_day(export_day(_journal(path), _gaming(day.date(), starts), folder, _now()), as_json)


def _tell_day(done: Day, as_json: bool) -> None:
    text = f"{done.file}: events {done.first} to {done.last}, ends in {done.head}\nsha256 {done.sha256}"
    _tell(as_json, done, text)


@evidence.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option(
    "--journal", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="And they belong to this journal."
)
@JSON
def verify(files: tuple[Path, ...], journal: Path | None, as_json: bool) -> None:
    """Check exported days: each by itself, and that they follow each other without a gap."""
    days = verify_exports(list(files), JournalFile.read_only(journal) if journal is not None else None)
    lines = [f"{day.file}: {day.table}, {day.day}, events {day.first} to {day.last}: unbroken" for day in days]
    _tell(as_json, days, "\n".join(lines))


@evidence.command(name="retain")
@CONFIG
@click.option("--exports", "folder", required=True, type=FOLDER, help="The exported days; each is checked again now.")
@click.option("--keep-days", default=90, show_default=True, type=click.IntRange(0), help="Younger days stay.")
@click.option("--dry-run", is_flag=True, help="Say what would be removed.")
@click.option("--shrink", is_flag=True, help="Make the file smaller, too; the table must be stopped.")
@JSON
def retain_(path: Path, folder: Path, keep_days: int, dry_run: bool, shrink: bool, as_json: bool) -> None:
    """Remove old days from the journal that are safe in exports; play goes on, and new events take their room.

    The chain stays whole: a stub with the hash of the last removed event stands for what was removed. Of a table with
    an uplink, nothing is removed that the floor has not countersigned.
    """
    config = check_config(path)
    journal = open_for_removal(Path(config.table.journal), config.table.name, shrink)
    try:
        kept = retain(journal, folder, _now() - keep_days * DAY_MS, dry_run, _countersigned(config, journal))
    finally:
        journal.close()
    verb = "would be removed" if dry_run else "removed"
    _tell(as_json, kept, f"{kept.removed} events of {len(kept.days)} days {verb}; {kept.why}")


@evidence.command()
@click.argument("number", type=int)
@CONFIG
@click.option("--head", "head", type=click.Path(path_type=Path, dir_okay=False, exists=True),
              help="The head to prove it under; the newest that the floor countersigned unless given.")  # fmt: skip
@click.option("--to", "file", required=True, type=NEW_FILE)
def prove(number: int, path: Path, head: Path | None, file: Path) -> None:
    """Write one small file that proves round NUMBER: its rows, the hashes that tie them to a signed head, the clauses.

    Anybody checks it without the rest of the night, with the few lines in docs/floor.md.
    """
    from controller.journal.cosignature import kept_beside
    from controller.journal.head import read_head
    from controller.pi.proof import proof

    journal = _journal(path)
    kept = head or kept_beside(journal.path)
    if not kept.exists():
        raise Misuse(f"{kept}: no head that the floor countersigned; give one with --head")
    made = proof(journal, number, read_head(kept))
    give(json.dumps(made, indent=1, ensure_ascii=False) + "\n", file)
    click.echo(f"{file}: round {number}, {len(made['rows'])} events, proved by a head of {kept.name}")


@evidence.command(name="key")
@CONFIG
@click.option("--tpm", is_flag=True, help="Have a new key sealed by this machine's TPM.")
@JSON
def key_(path: Path, tpm: bool, as_json: bool) -> None:
    """Print the public key that this table's heads are checked with; made on the first call, where signing_key says.

    Keep the line elsewhere. The key itself stays on this machine, apart from the journal; with --tpm it is sealed by
    the machine's TPM, so that a copy of the disk signs nothing.
    """
    from controller.journal.head import make_key, read_key

    config = check_config(path)
    if not config.table.signing_key:
        raise Misuse(f'{path}: names no key; write signing_key = "/etc/tablectl/table.key" under [table]')
    where, origin = Path(config.table.signing_key), _journal(path).origin
    fresh = not where.exists()
    if fresh and tpm:
        from controller.journal.tpm import seal_key

        key = seal_key(where, origin, secrets.token_bytes(32))
    else:
        key = make_key(where, origin, secrets.token_bytes(32)) if fresh else read_key(where)
    if fresh:
        _hand_over(where, config)
    text = key.public(origin).text()
    _tell(as_json, {"key": text}, text)


@evidence.command()
@CONFIG
@JSON
def orders(path: Path, as_json: bool) -> None:
    """List what the floor ordered of this table and what became of it, each with whether the floor's key signed it.

    Exit status 1 when a signature does not hold under the witness in [uplink].
    """
    from controller.journal.cosignature import read_witness
    from controller.uplink.orders import heard_in

    config = check_config(path)
    if config.uplink is None or not config.uplink.witness:
        raise Misuse(f"{path}: names no floor; write its key as witness under [uplink]")
    found = list(heard_in(_journal(path), read_witness(config.uplink.witness)))
    for one in found:
        words = f"{one.seq}  {_shown(one.at)}  {one.by} ({one.rank})  {one.kind}: {one.answer}"
        _tell(as_json, one, words if one.signed else f"{words}  NOT SIGNED BY THIS FLOOR")
    if not all(one.signed for one in found):
        raise Misuse("an order in the journal was not signed by this floor; keep the journal as evidence")


def _shown(at: int) -> str:
    return datetime.fromtimestamp(at / 1000).strftime("%Y-%m-%d %H:%M:%S")


@evidence.command(name="broker-key")
@CONFIG
@JSON
def broker_key(path: Path, as_json: bool) -> None:
    """Print the public key that this table has at the floor's broker; made on the first call, where nkey says.

    The floor is given the line with the table's signing key: tablectl floor join. The key itself stays here.
    """
    from controller.config.file import read_config
    from controller.uplink.nkey import BadSeed, make_broker_key, read_broker_key

    config = read_config(path, path.parent)
    uplink = config.uplink
    if uplink is None or not uplink.nkey:
        raise Misuse(f'{path}: names no key for the broker; write nkey = "/etc/tablectl/uplink.nk" under [uplink]')
    where = Path(uplink.nkey)
    try:
        fresh = not where.exists()
        key = make_broker_key(where, secrets.token_bytes(32)) if fresh else read_broker_key(where)
    except BadSeed as bad:
        raise Misuse(str(bad)) from bad
    if fresh:
        _hand_over(where, config)
    _tell(as_json, {"key": key.public}, key.public)


def _hand_over(key: Path, config: TableConfig) -> None:
    """Whoever made it as root, the table must be able to read it: its folder need not be the table's."""
    data = Path(config.table.journal).parent
    if os.geteuid() == 0 and data.is_dir():
        owner = data.stat()
        os.chown(key, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _countersigned(config: TableConfig, journal: JournalFile) -> int | None:
    """How many events the floor has countersigned; None where the table has no floor."""
    if config.uplink is None:
        return None
    from controller.journal.cosignature import countersigned

    return countersigned(journal, config.uplink.witness)


def _journal(path: Path) -> JournalFile:
    return JournalFile.read_only(Path(check_config(path).table.journal))


def _gaming(day: date, starts: str) -> GamingDay:
    try:
        return GamingDay(day, datetime.strptime(starts, "%H:%M").time())
    except ValueError as error:
        raise Misuse(f"--starts {starts!r}: write a time such as 06:00") from error
