"""`tablectl walk`: what runs from an event to its conclusions, function by function."""

from __future__ import annotations

from pathlib import Path

import click

from controller import log
from lab import walks


@click.command()
@click.option("--write", "path", type=click.Path(path_type=Path, dir_okay=False), help="Into this file, not here.")
def walk(path: Path | None) -> None:
    """Record a spin, a war with a tie and a poker check, and tell every function that ran, as `docs/walk.md`."""
    log.setup(level="warning")
    page = walks.page()
    if path is None:
        click.echo(page, nl=False)
    else:
        path.write_text(page, "utf-8")
