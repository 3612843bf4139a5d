"""`tablectl restart`: the service anew, between rounds, with the network rights that its configuration asks for."""

from __future__ import annotations

from pathlib import Path

import click

from controller.commands.options import CONFIG
from controller.config.file import check_config
from controller.pi import service
from controller.pi.install.under_way import round_under_way


@click.command()
@CONFIG
@click.option("--now", is_flag=True, help="Also in the middle of a round, which goes on after the restart.")
def restart(path: Path, now: bool) -> None:
    """Restart the table after a change of its configuration; in the middle of a round this warns first."""
    config = check_config(path)
    if not now and (playing := round_under_way(path)):
        raise click.ClickException(f"{playing} Wait for its end, or say --now: it goes on after some seconds.")
    service.needs_root("The service is restarted")
    service.restart(config)
    click.echo(f"Table {config.table.name} runs again.")
