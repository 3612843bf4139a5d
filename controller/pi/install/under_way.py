"""`python -m controller.pi.install.under_way`: whether a round is being played, so that a restart waits for its end."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click
import msgspec

from controller.config.file import check_config
from controller.config.tomlread import ConfigError
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal.file import JournalFile, JournalTrouble
from controller.pi.install.ready import journal_under

LOOK_S = 0.5


def round_under_way(config_path: Path, root: Path = Path("/")) -> str:
    """What is being played at the table that is configured in the system under `root`; empty between rounds."""
    try:
        config = check_config(config_path)
        journal = journal_under(config, root)
        if not journal.exists():
            return ""
        table = GuardedTable(config)
        file = JournalFile.read_only(journal)
        try:
            recover(table, file)
        finally:
            file.close()
    except (ConfigError, JournalTrouble, msgspec.MsgspecError):
        return ""  # a table that cannot be read is not held up here; others say what is wrong with it
    if table.table.game.idle():
        return ""
    return f"A round is under way at table {config.table.name} ({table.table.game.machine.state.replace('_', ' ')})."


def played_on(config_path: Path, root: Path, seconds: float) -> str:
    """What is still being played after so long; empty as soon as it is over, for the next round may follow at once."""
    ends = time.monotonic() + seconds
    while (playing := round_under_way(config_path, root)) and time.monotonic() < ends:
        time.sleep(LOOK_S)
    return playing


@click.command()
@click.option("--config", required=True, type=click.Path(path_type=Path))
@click.option("--root", default=Path("/"), type=click.Path(path_type=Path), help="Where that system lies.")
@click.option("--wait", default=0, help="So many seconds for the end of a round.")
def main(config: Path, root: Path, wait: int) -> None:
    if playing := played_on(config, root, wait):
        click.echo(playing, err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
