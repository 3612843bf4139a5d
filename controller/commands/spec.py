"""`tablectl spec`: what is declared about the devices, for whoever writes their firmware."""

from __future__ import annotations

from pathlib import Path

import click

import firmware_specs
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
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write it here instead of printing it.")
def header(device: str, output: Path | None) -> None:
    """Write the C99 header of a device: types, codec with ranges, check sum, frames; no allocation."""
    _give(c_header(load(FOLDER / f"{device}.toml")), output)


@spec.command()
@click.argument("device", type=click.Choice(KINDS))
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write it here instead of printing it.")
def page(device: str, output: Path | None) -> None:
    """Write the reference page of a device, as Markdown."""
    _give(reference_page(load(FOLDER / f"{device}.toml")), output)


@spec.command()
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write it here instead of printing it.")
def dissector(output: Path | None) -> None:
    """Write the Wireshark plugin (Lua) for the link and all devices."""
    from firmware_specs.dissector import dissector as written

    _give(written([load(FOLDER / f"{kind}.toml") for kind in KINDS]), output)


@spec.command()
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write it here instead of printing it.")
def edition(output: Path | None) -> None:
    """Write the whole kit as one HTML file that can be printed."""
    from firmware_specs.edition import edition as printed

    _give(printed(FOLDER), output)


def _give(text: str, output: Path | None) -> None:
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise click.ClickException(
            f"{output} cannot be written ({error.strerror}); choose a folder that you may write to"
        ) from error
