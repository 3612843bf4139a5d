"""`tablectl doctor`: look the machine, the installation and the table over, for a technician or for monitoring."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from importlib import metadata
from pathlib import Path

import click
import msgspec

from controller.commands.options import CONFIG
from controller.config.file import check_config_with_warnings
from controller.config.tomlread import ConfigError
from controller.journal.file import JournalFile, JournalTrouble
from controller.pi import doctor as look
from controller.pi import doctor_devices as devices
from controller.pi import manifest as program
from controller.pi.before_opening import missing
from controller.pi.doctor import Finding, Machine

MARKS = {"fine": "fine", "warning": "LOOK", "failed": "FAIL", "unknown": " -  "}


@click.command()
@CONFIG
@click.option("--quick", is_flag=True, help="Follow the journal's chain from the last snapshot only.")
@click.option("--manifest", type=click.Path(path_type=Path), help="Default: the one of the installed program.")
@click.option("--json", "as_json", is_flag=True)
def doctor(path: Path, quick: bool, manifest: Path | None, as_json: bool) -> None:
    """Look over power, clock, disk, rights, ports, devices, lines, journal, program and configuration.

    Exit status for monitoring: 0 all is well, 3 something deserves a look, 1 something has failed.
    """
    findings = examine(Machine(), path, quick, manifest or Path(sys.prefix) / program.NAME)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "version": metadata.version("tablectl"),
                    "status": status(findings),
                    "findings": msgspec.to_builtins(findings),
                }
            )
        )
    else:
        for finding in findings:
            click.echo(f"{MARKS[finding.level]}  {finding.check:<13} {finding.text}")
            if finding.remedy:
                click.echo(f"{'':>20}{finding.remedy}")
    sys.exit(status(findings))


def status(findings: list[Finding]) -> int:
    levels = {finding.level for finding in findings}
    return 1 if "failed" in levels else 3 if "warning" in levels else 0


def examine(machine: Machine, path: Path, quick: bool, manifest: Path | None) -> list[Finding]:
    """Everything there is to find, in the order a technician would look."""
    findings = [*look.power(machine), *look.temperature(machine)]
    try:
        config, notes = check_config_with_warnings(path)
    except ConfigError as error:
        unread = path.exists() and not os.access(path, os.R_OK)
        remedy = "Run the doctor with sudo." if unread else "Correct it; `tablectl check` says when it is right."
        wrong = Finding("configuration", "failed", str(error), remedy)
        return [*findings, *look.clock(machine, None), *look.program(manifest), wrong]
    findings += [Finding("configuration", "warning", note) for note in notes]
    if not notes:
        findings.append(Finding("configuration", "fine", f"{path}: table {config.table.name} is as its rulebook says."))
    where = Path(config.table.journal)
    if where.parent.is_dir() and not os.access(where.parent, os.R_OK | os.X_OK):
        shut = Finding("permissions", "failed", f"You may not look into {where.parent}.", "Run the doctor with sudo.")
        return [*findings, *look.clock(machine, None), *look.program(manifest), shut]
    journal: JournalFile | None = None
    with contextlib.suppress(JournalTrouble):  # told below, with its remedy
        journal = JournalFile.read_only(where) if where.exists() else None
    findings += look.clock(machine, journal)
    findings += look.disk(machine, where.parent)
    findings += look.permissions(machine, path, config)
    findings += look.program(manifest)
    findings += look.service(machine, config)
    findings += [Finding("opening", "warning", one.what, one.remedy) for one in missing(config)]
    findings += devices.ports(machine, config)
    if devices.running(where) and journal is not None:
        findings += devices.journalled_devices(journal, config, int(machine.wall() * 1000))
    else:
        from drivers.ports import open_port

        findings += devices.ask_devices(config, open_port)
    findings += look.journal_chain(where, quick)
    return findings
