"""`tablectl pair`: give the device at a place of the table the key it proves itself with."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import click
import msgspec

from controller.commands.options import CONFIG
from controller.config.file import check_config
from controller.config.tomlread import ConfigError
from controller.config.types import IN_PROCESS, DeviceSection, TableConfig
from controller.devices import keys_of
from drivers.discover import known_specs
from drivers.pairing import GiveKey, KeyRing, KeyTrouble, Outcome
from drivers.ports import open_port
from firmware_specs.clock import RealClock
from firmware_specs.spec import DeviceSpec

WITHIN_S = 10.0


@click.command()
@CONFIG
@click.argument("place")
@click.option("--forget", is_flag=True, help="Take the key away instead, from the device and from this table.")
@click.option("--json", "as_json", is_flag=True)
def pair(path: Path, place: str, forget: bool, as_json: bool) -> None:
    """Give the device at PLACE a new key, at commissioning; the table must not be running.

    The key is drawn here, kept beside the journal, and sent to the device once over its own cable.
    """
    config = check_config(path)
    section = section_of(config, path, place)
    outcome = given(config, path, place, section, forget)
    if as_json:
        click.echo(json.dumps({"place": place, **msgspec.to_builtins(outcome)}))
    if outcome.status == "failed":
        raise click.ClickException(f"{outcome.text} {outcome.remedy}".strip())
    if as_json:
        return
    click.echo(outcome.text)
    if outcome.status == "paired" and not section.paired:
        click.echo(f"Now set paired = true in [devices.{place}]; until then the table refuses this device.")


def section_of(config: TableConfig, path: Path, place: str) -> DeviceSection:
    """What the table's file says of this place."""
    section = config.devices.get(place)
    if section is None:
        raise ConfigError(f"{path}: there is no [devices.{place}]; there are {', '.join(config.devices)}")
    return section


def given(config: TableConfig, path: Path, place: str, section: DeviceSection, forget: bool = False) -> Outcome:
    """What came of giving the device at a place its key, or of taking it away."""
    spec = next((spec for spec in known_specs().values() if spec.kind == section.kind), None)
    if spec is None:
        raise ConfigError(f"{path}: a {section.kind} at {place} holds no key; only our own devices can be paired")
    if section.port == IN_PROCESS:
        raise ConfigError(f"{path}: the device at {place} is simulated inside a program and has no port to pair over")
    try:
        return asyncio.run(_give(section, spec, keys_of(config), forget))
    except KeyTrouble as trouble:
        raise click.ClickException(str(trouble)) from trouble


async def _give(section: DeviceSection, spec: DeviceSpec, keys: KeyRing, forget: bool) -> Outcome:
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Outcome] = loop.create_future()
    GiveKey(
        RealClock(loop),
        open_port(section.port, loop),
        spec,
        keys,
        done.set_result,
        serial=section.serial or None,
        take_away=forget,
        within=WITHIN_S,
    ).start()
    return await asyncio.wait_for(done, 2 * WITHIN_S)
