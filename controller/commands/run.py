"""`tablectl run` and `tablectl check`: the table of a configuration file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import click

from controller import log
from controller.config.file import check_config_with_warnings
from controller.config.tomlread import ConfigError
from controller.web.server import WebTrouble

CONFIG = click.option(
    "--config", "path", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The table's file."
)


@click.command()
@CONFIG
@click.option("--captures", type=click.Path(path_type=Path, file_okay=False), help="Record every frame in this folder.")
@click.option("--json-logs/--plain-logs", default=None, help="Default: JSON under a service, readable in a terminal.")
@click.option(
    "--manifest",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Check the installed program against this before play; the service always does.",
)
def run(path: Path, captures: Path | None, json_logs: bool | None, manifest: Path | None) -> None:
    """Run the table of a configuration: real or simulated devices, on real ports."""
    from controller.live import run_table
    from controller.pi.manifest import check as check_program

    config, warnings = check_config_with_warnings(path)
    data = Path(config.table.journal).parent
    if not data.is_dir():
        # A new journal in place of one that is merely not mounted would pass for a table without a past.
        raise ConfigError(
            f"{data}: the table's data directory is not there; mount it, or for a new table make it: "
            f"install -d -m 0750 -o $(id -un) {data}"
        )
    for warning in warnings:
        click.echo(warning, err=True)
    log.setup(json=json_logs)
    if captures is not None:
        captures.mkdir(parents=True, exist_ok=True)
    try:
        program = check_program(manifest) if manifest is not None else None
        asyncio.run(run_table(config, None, captures, lambda text: click.echo(text, err=True), program))
    except WebTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble


@click.command()
@CONFIG
@click.option("--json", "as_json", is_flag=True)
def check(path: Path, as_json: bool) -> None:
    """Check a configuration against its rulebook; nothing is started and nothing written."""
    config, warnings = check_config_with_warnings(path)
    if as_json:
        click.echo(json.dumps({"ok": True, "table": config.table.name, "warnings": warnings}))
        return
    for warning in warnings:
        click.echo(f"look at: {warning}")
    click.echo(f"{path}: table {config.table.name} under {config.table.rulebook}, {len(config.devices)} devices: fine")
