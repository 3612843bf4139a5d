"""`tablectl upgrade`: a newer bundle from a stick, looked at by the installed version before anything of it runs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import click

from controller.pi import service

BUILDER = Path("/etc/tablectl/builder.gpg")
PACKAGED = Path("/usr/lib/tablectl/versions.sh")
LONGEST_S = 900


@click.command()
@click.argument("archive", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--now", is_flag=True, help="Also in the middle of a round, which goes on under the new version.")
@click.option("--older", is_flag=True, help="Go back to a version that is older than the installed one.")
@click.option("--unproved", is_flag=True, help="Take it although its signature does not hold, or it has none.")
def upgrade(archive: Path, now: bool, older: bool, unproved: bool) -> None:
    """Install the bundle ARCHIVE beside the running version and switch to it, between rounds.

    It must be whole, and signed by who builds for this table. A version that does not become ready is taken back.
    """
    service.needs_root("The program is upgraded")
    if PACKAGED.exists():
        raise click.ClickException("This table was installed from a package; upgrade it with apt.")
    said = {"--now": now, "--older": older, "--unproved": unproved}
    options = [option for option, given in said.items() if given]
    with tempfile.TemporaryDirectory(prefix="tablectl-", dir="/var/tmp") as folder:
        _unpack(archive, Path(folder))
        _prove(Path(folder), unproved)
        done = subprocess.run(["sh", f"{folder}/install.sh", *options], timeout=LONGEST_S)
    sys.exit(done.returncode)


def _unpack(archive: Path, folder: Path) -> None:
    command = ["tar", "--extract", "--gzip", "--no-same-owner", "--strip-components=1"]
    done = subprocess.run(
        [*command, "--file", str(archive), "--directory", str(folder)], capture_output=True, timeout=LONGEST_S
    )
    if done.returncode:
        raise click.ClickException(f"{archive}: cut short, damaged, or no bundle; nothing was changed. Copy it again.")


def _prove(folder: Path, unproved: bool) -> None:
    """By the installed version's own means: those of the bundle are what is in question."""
    means = Path(sys.prefix) / "share" / "tablectl" / "prove.sh"
    if not means.is_file():
        raise click.ClickException("This program was not installed from a bundle; run the bundle's own install.sh.")
    command = ["sh", str(means), str(folder), str(BUILDER), *(["--unproved"] if unproved else [])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S)
    if done.returncode:
        raise click.ClickException(f"{done.stderr.strip()}\n  Nothing was changed; the installed version plays on.")
