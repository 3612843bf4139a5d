"""`tablectl run` and `tablectl check`: the table of a configuration file."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller import log
from controller.commands.options import CONFIG, found_config
from controller.config.file import check_config_with_warnings
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.web.server import WebTrouble

if TYPE_CHECKING:
    from controller.pi.manifest import Checked

INSTEAD_OF = "TABLECTL_INSTEAD_OF"
"""The launcher's word that it runs another version than the installed one, and which."""


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
    """Run the table of a configuration, with the devices on its ports."""
    from controller.app import run_table

    config, warnings = check_config_with_warnings(path)
    _refuse_simulated(path, config)
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
    _leave_no_core()
    if captures is not None:
        captures.mkdir(parents=True, exist_ok=True)
    try:
        program = _checked(manifest) if manifest is not None else None
        asyncio.run(run_table(config, None, captures, _say, program, os.environ.get(INSTEAD_OF, "")))
    except WebTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble


def _leave_no_core() -> None:
    """A process that dies leaves nothing of its memory behind: PINs and keys are in it."""
    import resource

    with contextlib.suppress(OSError, ValueError):  # the service is not allowed to ask, and has the limit in its unit
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _checked(manifest: Path) -> Checked:
    from controller.pi.manifest import check as check_program

    return check_program(manifest)


def _say(text: str) -> None:
    click.echo(text, err=True)


def _refuse_simulated(path: Path, config: TableConfig) -> None:
    """A table beside the felt has real devices; one that made them up would pass for one that has them."""
    if text := _made_up(config):
        raise ConfigError(f"{path}: {text}")


def _made_up(config: TableConfig) -> str:
    """What is told of devices that are not real; nothing where all are."""
    made_up = [place for place, section in config.devices.items() if section.simulated]
    if not made_up:
        return ""
    return (
        f"simulated = true at {', '.join(made_up)}; tablectl run has real devices only. "
        "A whole simulated table: tablectl sim. Simulated devices on real ports: tablectl rig."
    )


@click.command()
@CONFIG
@click.option("--json", "as_json", is_flag=True)
def check(path: Path, as_json: bool) -> None:
    """Check a configuration and what else its table needs to open; nothing is started and nothing written."""
    from controller.pi.before_opening import missing

    config, warnings = check_config_with_warnings(path)
    made_up = _made_up(config)
    lacks = [] if made_up else missing(config, path if path != found_config() else None)
    warnings += [f"{path}: {made_up}"] if made_up else []
    if as_json:
        needed = [{"what": one.what, "remedy": one.remedy} for one in lacks]
        click.echo(json.dumps({"ok": True, "table": config.table.name, "warnings": warnings, "missing": needed}))
        return
    for warning in warnings:
        click.echo(f"look at: {warning}")
    for one in lacks:
        click.echo(f"before it opens: {one.what}\n  {one.remedy}")
    click.echo(f"{path}: table {config.table.name} under {config.table.rulebook}, {len(config.devices)} devices: fine")
