"""`tablectl spec`: what is declared about the devices, for whoever writes their firmware."""

from __future__ import annotations

from pathlib import Path

import click

import firmware_specs
from controller.commands.output import TO_FILE, give
from firmware_specs.c_header import c_header
from firmware_specs.declaration import load
from firmware_specs.reference_page import reference_page

FOLDER = Path(firmware_specs.__file__).parent
KINDS = sorted(path.stem for path in FOLDER.glob("*.toml"))


@click.group()
def spec() -> None:
    """What travels on the wires of the devices."""


@spec.command()
@click.argument("device", type=click.Choice(KINDS))
@TO_FILE
def header(device: str, output: Path | None) -> None:
    """Write the C99 header of a device: types, codec with ranges, check sum, frames; no allocation."""
    give(c_header(load(FOLDER / f"{device}.toml")), output)


@spec.command()
@click.argument("device", type=click.Choice(KINDS))
@TO_FILE
def page(device: str, output: Path | None) -> None:
    """Write the reference page of a device, as Markdown."""
    give(reference_page(load(FOLDER / f"{device}.toml")), output)


@spec.command()
@TO_FILE
def dissector(output: Path | None) -> None:
    """Write the Wireshark plugin (Lua) for the link and all devices."""
    from firmware_specs.dissector import dissector as written

    give(written([load(FOLDER / f"{kind}.toml") for kind in KINDS]), output)


@spec.command()
@TO_FILE
def edition(output: Path | None) -> None:
    """Write the whole kit as one HTML file that can be printed."""
    from firmware_specs.edition import edition as printed

    give(printed(FOLDER), output)
