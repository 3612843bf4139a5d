"""`python -m controller.pi.install.configure`: run the table by another file, checked here first, between rounds.

For whoever looks after machines without a floor. What the floor's steward would refuse is refused here alike.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import BinaryIO

import click

from controller.config.tomlread import ConfigError
from controller.fleet.machine import Machine, Refused

REFUSED, PLAYING = 1, 75
"""What it ends with: the file does not fit or the table did not take it; a round is under way, so try again later."""


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--config", required=True, type=click.Path(path_type=Path), help="The table's file, which is replaced.")
@click.option("--root", default=Path("/"), type=click.Path(path_type=Path), help="Where that system lies.")
@click.option("--check", is_flag=True, help="Only see whether it fits; change nothing.")
def main(file: BinaryIO, config: Path, root: Path, check: bool) -> None:
    """Have the table run by FILE (- is the standard input); by its own again where it does not become ready."""
    try:
        status, told = configure(Machine(config, root), file.read(), check)
    except (Refused, ConfigError, OSError) as why:
        status, told = REFUSED, f"{why}"
    click.echo(told, err=bool(status))
    sys.exit(status)


def configure(machine: Machine, text: bytes, check: bool) -> tuple[int, str]:
    """The status to end with, and what to say; Refused where the table does not take it."""
    if hashlib.sha256(text).hexdigest() == machine.configuration():
        if not check and not machine.running():
            raise Refused("the table has this file already and does not run: see journalctl -u tablectl -b")
        return 0, "unchanged: the table has this file already"
    machine.check_configuration(text)
    if check:
        return 0, "it fits this table"
    if playing := machine.playing():
        return PLAYING, playing
    machine.configure(text)
    return 0, "changed: the table runs by this file now"


if __name__ == "__main__":
    main()
