"""`python -m controller.pi.install.ready`: whether this version could run the table that is configured here.

The installer asks the new version this before it switches; one line says why not.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import click

from controller.config.file import check_config
from controller.config.tomlread import ConfigError
from controller.journal import SCHEMA, JournalFile, JournalTrouble


def why_not(config_path: Path) -> str:
    """Why this version cannot run the table; empty when it can."""
    try:
        config = check_config(config_path)
    except ConfigError as error:
        return str(error)
    journal = Path(config.table.journal)
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
        snapshot = file.newest_sound_snapshot()
        file.verify(snapshot.seq + 1 if snapshot is not None else 1)
        file.close()
    except JournalTrouble as trouble:
        return str(trouble)
    return ""


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
def main(config: Path) -> None:
    if reason := why_not(config):
        click.echo(reason, err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
