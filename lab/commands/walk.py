"""`tablectl walk`: what runs from an event to its conclusions, function by function."""

from __future__ import annotations

from pathlib import Path

import click

from controller import log
from controller.commands.output import NEW_FILE, give
from lab import walks


@click.command()
@click.option("--write", "path", type=NEW_FILE, help="Into this file, not here.")
def walk(path: Path | None) -> None:
    """Record a spin, a war with a tie and a poker check, and tell every function that ran, as `docs/walk.md`."""
    log.setup(level="warning")
    page = walks.page()
    give(page, path)
