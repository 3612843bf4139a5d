"""`python -m controller.pi.install.ready`: whether this version could run the table that is configured here.

The installer asks the new version this before it switches; one line says why not.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import click
import msgspec

from controller.config.file import check_config
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal import row as record
from controller.journal.file import SCHEMA, JournalFile, JournalTrouble
from controller.pi.doctor_devices import running


def why_not(config_path: Path, root: Path = Path("/")) -> str:
    """Why this version cannot run the table that is configured in the system under `root`; empty when it can."""
    try:
        config = check_config(config_path)
    except ConfigError as error:
        return str(error)
    journal = journal_under(config, root)
    if not journal.parent.is_dir():
        return f"{journal.parent}: the data directory is not there; mount it"
    if not journal.exists():
        return ""
    newer = schema_of(journal)
    if newer > SCHEMA:
        return (
            f"{journal}: written with schema {newer}, and this version knows {SCHEMA}: going back is refused, "
            "because events would be lost; install a version that is at least as new"
        )
    try:
        file = JournalFile.read_only(journal)
        try:
            return _why_not_read(file, config)
        finally:
            file.close()
    except JournalTrouble as trouble:
        return str(trouble)
    except msgspec.MsgspecError as error:
        return f"{journal}: where the table stood cannot be read ({error}); install the version that wrote it"


def journal_under(config: TableConfig, root: Path) -> Path:
    """Where the system under `root` has the table's journal."""
    return root / config.table.journal.lstrip("/") if root != Path("/") else Path(config.table.journal)


def _why_not_read(file: JournalFile, config: TableConfig) -> str:
    """Why this version cannot go on from what another one wrote: where the table stood, and every row since."""
    if not running(Path(file.path)):
        recover(GuardedTable(config), file)  # nobody will stop it in good order: it must be understood alike
        return ""
    snapshot = file.newest_sound_snapshot()
    try:
        if snapshot is not None:
            GuardedTable(config).restore(snapshot.body)
        first = snapshot.seq + 1 if snapshot is not None else 1
        file.verify(first)
        for row in file.rows(first):
            record.decode(row.body)
    except msgspec.MsgspecError as error:
        return _other_form(file, error)
    return ""


def _other_form(file: JournalFile, why: object) -> str:
    return (
        f"{file.path} is in a form this version does not read ({why}); the running version plays on. "
        "Install one that reads it, or close the table, export the gaming day and begin a new journal"
    )


def schema_of(journal: Path) -> int:
    """The schema a journal was written with; 0 when that cannot be told."""
    try:
        connection = sqlite3.connect(f"file:{journal}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()[0])
        finally:
            connection.close()
    except (sqlite3.Error, TypeError, ValueError):
        return 0


@click.command()
@click.option("--config", required=True, type=click.Path(path_type=Path))
@click.option("--root", default=Path("/"), type=click.Path(path_type=Path), help="Where that system lies.")
def main(config: Path, root: Path) -> None:
    if reason := why_not(config, root):
        click.echo(reason, err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
