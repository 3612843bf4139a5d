"""`tablectl screens`: pair screens with their place at the table."""

from __future__ import annotations

from pathlib import Path

import click

from controller.commands.options import CONFIG
from controller.config.file import check_config
from controller.config.types import TableConfig
from controller.web.access import PAIRABLE, Denied, PairingFile
from controller.web.server import settings_of


@click.group()
def screens() -> None:
    """Pair screens with their place at the table."""


def _file(config: TableConfig) -> PairingFile:
    return PairingFile(Path(settings_of(config).pairings))


@screens.command()
@CONFIG
@click.argument("place", type=click.Choice(PAIRABLE))
@click.option("--name", default="", help="A name to tell screens of one place apart.")
def pair(path: Path, place: str, name: str) -> None:
    """Make a token for a new screen at PLACE; it is shown once."""
    config = check_config(path)
    try:
        token = _file(config).pair(place, name)
    except Denied as denied:
        raise click.ClickException(str(denied)) from denied
    settings = settings_of(config)
    scheme = "https" if settings.tls else "http"
    click.echo(f"Open this on the screen, once: {scheme}://{config.table.web}/pair#{token}")


@screens.command()
@CONFIG
@click.argument("place", type=click.Choice(PAIRABLE))
def unpair(path: Path, place: str) -> None:
    """Forget every screen of PLACE; its pages are refused from the next request on."""
    gone = _file(check_config(path)).unpair(place)
    click.echo(f"{gone} screens of {place} forgotten")
