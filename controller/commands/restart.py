"""`tablectl restart`: the service anew, between rounds, with the network rights that its configuration asks for."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import click

from controller import kept_file
from controller.commands.options import CONFIG
from controller.config.file import check_config
from controller.pi.install.network import drop_in
from controller.pi.install.under_way import round_under_way

DROP_IN = Path("/etc/systemd/system/tablectl.service.d/network.conf")
LONGEST_S = 180


@click.command()
@CONFIG
@click.option("--now", is_flag=True, help="Also in the middle of a round, which goes on after the restart.")
def restart(path: Path, now: bool) -> None:
    """Restart the table after a change of its configuration; in the middle of a round this warns first."""
    config = check_config(path)
    if not now and (playing := round_under_way(path)):
        raise click.ClickException(f"{playing} Wait for its end, or say --now: it goes on after some seconds.")
    if os.geteuid() != 0:
        raise click.ClickException("The service is restarted by root; run this with sudo.")
    if DROP_IN.parent.is_dir():
        kept_file.replace(DROP_IN, drop_in(config).encode(), 0o644)
        _systemctl("daemon-reload")
    _systemctl("restart", "tablectl.service")
    click.echo(f"Table {config.table.name} runs again.")


def _systemctl(*words: str) -> None:
    try:
        done = subprocess.run(["systemctl", *words], capture_output=True, text=True, timeout=LONGEST_S)
    except FileNotFoundError:
        raise click.ClickException("There is no systemd here; stop and start the table by hand.") from None
    except subprocess.TimeoutExpired:
        raise click.ClickException("The service did not come up in time; see journalctl -u tablectl -b") from None
    if done.returncode:
        raise click.ClickException(f"systemctl {words[0]} failed: {done.stderr.strip()}; see journalctl -u tablectl -b")
