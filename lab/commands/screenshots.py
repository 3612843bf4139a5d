"""`tablectl screenshots`: make the documentation's pictures."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from lab.needs import CHROMIUM, PLAYWRIGHT


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def screenshots(folder: Path) -> None:
    """Make the pictures of every screen in FOLDER; needs Chromium, and Playwright to drive it."""
    for need in (PLAYWRIGHT, CHROMIUM):
        if not need.found():
            raise click.ClickException(need.missing)
    from lab.pictures.browser import BrowserTrouble
    from lab.pictures.take import take_pictures

    try:
        asyncio.run(take_pictures(folder, click.echo))
    except BrowserTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble
