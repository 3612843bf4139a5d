"""`tablectl replace`: another machine, or another device, in the place of one that is dead, in mid-shift."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click
import msgspec

from controller import kept_file
from controller.commands import Misuse
from controller.commands.doctor import examine, status
from controller.commands.options import CONFIG
from controller.commands.pair import given, section_of
from controller.config.file import check_config, check_config_with_warnings
from controller.config.types import DeviceSection, TableConfig
from controller.journal import row as record
from controller.journal.file import JournalFile
from controller.pi import manifest, service
from controller.pi.doctor import Finding, Machine
from controller.pi.evidence import EvidenceTrouble
from controller.pi.install.under_way import round_under_way
from controller.pi.other_device import candidates, nobody, several, usable, with_device
from controller.pi.setup import plugged
from drivers.discover import DeviceFound
from drivers.events import DeviceDown, DeviceRefused, DeviceUp

FOLDER = click.Path(path_type=Path, file_okay=False)
UP_WITHIN_S = 30.0
LOOK_EVERY_S = 0.2
READABLE = 0o640


@click.group()
def replace() -> None:
    """Put another Pi or another device in the place of one that is dead, and play on."""


# --- the Pi ----------------------------------------------------------------------------------


@replace.command()
@click.argument("source", type=FOLDER)
@CONFIG
@click.option("--key", help="The table's public key, as `tablectl evidence key` printed it.")
@click.option("--unproved", is_flag=True, help="Take what lies there without proof of whose it is.")
@click.option("--also", multiple=True, type=FOLDER, help="A further folder in which files may be placed.")
def pi(source: Path, path: Path, key: str | None, unproved: bool, also: tuple[Path, ...]) -> None:
    """Make this machine the table at SOURCE and start it: a stick with its backups, one backup, or the dead Pi's card.

    The dead machine must never be started on this table again.
    """
    from controller.journal.head import read_public_key
    from controller.pi.takeover import take_over

    if not key and not unproved:
        raise Misuse(
            "whoever had this in hand could have changed it: give the table's public key with --key, or take it as it "
            "is with --unproved"
        )
    service.needs_root("A table is taken over")
    try:
        taken = take_over(source, path, int(time.time() * 1000), also=also, key=read_public_key(key) if key else None)
    except EvidenceTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble
    click.echo(f"{taken.table}: {taken.events} events in {taken.folder}, chain unbroken.")
    config, warnings = check_config_with_warnings(path)
    for warning in warnings:
        click.echo(f"look at: {warning}")
    service.restart(config)
    findings = examine(Machine(), path, True, Path(sys.prefix) / manifest.NAME)
    _tell(findings)
    click.echo(f"Table {config.table.name} runs on this machine. Put a note on the old one: never start it again.")
    sys.exit(status(findings))


def _tell(findings: list[Finding]) -> None:
    for finding in findings:
        if finding.level in ("warning", "failed"):
            click.echo(f"look at: {finding.text}\n  {finding.remedy}".rstrip())


# --- a device --------------------------------------------------------------------------------


@replace.command()
@click.argument("place")
@CONFIG
@click.option("--serial", default="", help="Which one, where several of its kind are plugged in.")
@click.option("--port", "ports", multiple=True, help="Look at this address too, such as tcp://127.0.0.1:9000.")
def device(place: str, path: Path, serial: str, ports: tuple[str, ...]) -> None:
    """Play on with another device at PLACE: find it, write it into the table's file, pair it, restart.

    The dead one is unplugged and the other plugged in before. The table stands still for some seconds; a round under
    way goes on afterwards.
    """
    config = check_config(path)
    section = section_of(config, path, place)
    service.needs_root("A device is replaced")
    if playing := round_under_way(path):
        click.echo(f"{playing} It stands still meanwhile and goes on afterwards.")
    journal = Path(config.table.journal)
    before = JournalFile.read_only(journal).last_seq if journal.exists() else 0
    service.stop()
    try:
        chosen = _chosen(config, place, serial, (section.port, *ports))
        _written(config, path, place, chosen)
    finally:
        service.restart(check_config(path))  # whatever came of it, the table plays on
    click.echo(f"{place}: {chosen.serial or chosen.address} stands there now. {_heard(journal, place, before)}")
    if section.kind == "wheel":
        click.echo("What was learnt of the wheel belongs to the sensor before: tablectl wheel calibrate, then spin.")


def _chosen(config: TableConfig, place: str, serial: str, ports: tuple[str, ...]) -> DeviceFound:
    """The only one of its kind that could stand there, the one that is named, or that is touched."""
    section = config.devices[place]
    found = plugged.look([port for port in ports if not port.startswith("usb:")])
    found = list({one.address: one for one in found}.values())  # the port of before may be among the others
    fitting = candidates(config, place, found, serial)
    if not fitting:
        raise nobody(section, found)
    if len(fitting) == 1:
        return usable(section, fitting[0])
    if section.kind == "swipe" or not sys.stdin.isatty():
        raise several(section, fitting)
    return usable(section, plugged.touched(section.kind, [one for one in fitting if one.fits]))


def _written(config: TableConfig, path: Path, place: str, chosen: DeviceFound) -> None:
    """Pair it where the place demands that, then write the table's file; the one before is kept."""
    old = path.read_text("utf-8")
    text = with_device(old, str(path), place, chosen)
    section: DeviceSection = msgspec.structs.replace(config.devices[place], port=chosen.address, serial=chosen.serial)
    if section.paired:
        outcome = given(config, path, place, section)
        if outcome.status == "failed":
            raise click.ClickException(f"{outcome.text} {outcome.remedy} Nothing was changed.".replace("  ", " "))
        click.echo(outcome.text)
    try:
        kept_file.replace(path.with_name(path.name + ".before"), old.encode(), READABLE)
        kept_file.replace(path, text.encode(), READABLE)
    except OSError as trouble:
        raise click.ClickException(f"{trouble.filename}: cannot be written ({trouble.strerror}).") from trouble


def _heard(journal: Path, place: str, before: int) -> str:
    """What the restarted table said of the device, once it said something."""
    end = time.monotonic() + UP_WITHIN_S
    while time.monotonic() < end:
        file = JournalFile.read_only(journal)
        said = [record.read(row).event for row in file.rows(before + 1) if b'"Device' in row.body[:40]]
        file.close()
        match next((one for one in reversed(said) if getattr(one, "device", "") == place), None):
            case DeviceUp(serial=serial, firmware=firmware):
                return f"The table has it: {serial}, firmware {firmware}."
            case DeviceRefused(reason=reason, remedy=remedy):
                raise click.ClickException(f"The table refuses it: {reason} {remedy}")
            case DeviceDown() | None:
                time.sleep(LOOK_EVERY_S)
    raise click.ClickException(
        f"The table has heard nothing of {place} for {UP_WITHIN_S:g} s. Check cable and power, then run the doctor."
    )
