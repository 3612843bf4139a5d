"""The table's service as systemd keeps it, with the network rights that its configuration asks for."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import click

from controller import kept_file
from controller.config.types import TableConfig
from controller.pi.install.network import drop_in

UNIT = "tablectl.service"
DROP_IN = Path("/etc/systemd/system/tablectl.service.d/network.conf")
LONGEST_S = 180


def needs_root(what: str) -> None:
    """Only root may change the service; whoever is not is told how."""
    if os.geteuid() != 0:
        raise click.ClickException(f"{what} by root; run this with sudo.")


def restart(config: TableConfig) -> None:
    """Start the table, anew if it runs; it is ready when this returns."""
    if DROP_IN.parent.is_dir():
        kept_file.replace(DROP_IN, drop_in(config).encode(), 0o644)
        systemctl("daemon-reload")
    systemctl("restart", UNIT)


def stop() -> None:
    """Have the table end in good order."""
    systemctl("stop", UNIT)


def systemctl(*words: str) -> None:
    """Ask systemd; what it refuses is told with where to look."""
    try:
        done = subprocess.run(["systemctl", *words], capture_output=True, text=True, timeout=LONGEST_S)
    except FileNotFoundError:
        raise click.ClickException("There is no systemd here; stop and start the table by hand.") from None
    except subprocess.TimeoutExpired:
        raise click.ClickException("The service did not come up in time; see journalctl -u tablectl -b") from None
    if done.returncode:
        raise click.ClickException(f"systemctl {words[0]} failed: {done.stderr.strip()}; see journalctl -u tablectl -b")
