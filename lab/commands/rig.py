"""`tablectl rig`: a bench with real and simulated devices, checked and put up."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import click
import msgspec

from controller import log
from lab.rig.bench import RigBench
from lab.rig.file import read_rig

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False), default="rig.toml")
LOOK_S = 0.2


@click.group()
def rig() -> None:
    """A bench with real and simulated devices."""


@rig.command()
@FILE
@click.option("--json", "as_json", is_flag=True)
@click.option("--captures", type=click.Path(path_type=Path, file_okay=False), help="Record every line in this folder.")
def check(file: Path, as_json: bool, captures: Path | None) -> None:
    """Ask every device of the rig who it is; exit status 1 when one is not what the file says."""
    log.setup(level="error")
    with RigBench(read_rig(file), lambda text: click.echo(text, err=True), captures) as bench:
        findings = bench.check()
    if as_json:
        click.echo(json.dumps([{**msgspec.to_builtins(each), "ok": each.ok} for each in findings]))
    else:
        for finding in findings:
            click.echo(finding.line())
    if not all(finding.ok for finding in findings):
        raise SystemExit(1)


@rig.command()
@FILE
def up(file: Path) -> None:
    """Start the rig's programs and put its simulators on their ports; end it with Ctrl-C."""
    log.setup(level="error")
    over: list[int] = []
    with RigBench(read_rig(file), lambda text: click.echo(text, err=True)) as bench:
        for number in (signal.SIGINT, signal.SIGTERM):
            bench.loop.add_signal_handler(number, over.append, number)
        places = bench.put_up()
        bench.clock.run_for(LOOK_S)  # the lines are made when their ports are opened
        for place, address in places:
            click.echo(f"{place} on {address}")
        click.echo(f"rig {bench.rig.name} is up")
        while not over:  # as long as the person at the rig wants it
            bench.clock.run_for(LOOK_S)
        bench.take_down()
