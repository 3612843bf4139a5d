"""`tablectl devices`: what hangs on this machine's ports."""

from __future__ import annotations

import json

import click
import msgspec

from controller.pi.setup.plugged import look
from drivers.discover import DeviceFound


@click.command()
@click.option("--json", "as_json", is_flag=True)
@click.option("--port", "ports", multiple=True, help="Ask this address too, such as tcp://127.0.0.1:9000.")
def devices(as_json: bool, ports: tuple[str, ...]) -> None:
    """List serial ports and USB devices, and what identifies itself on them."""
    found = look(ports)
    if as_json:
        click.echo(json.dumps([msgspec.to_builtins(one) for one in found]))
        return
    if not found:
        click.echo("no serial port and no USB device is seen on this machine")
    for one in found:
        click.echo(_line(one))


def _line(one: DeviceFound) -> str:
    facts = msgspec.to_builtins(one)
    return "  ".join(f"{key}={value}" for key, value in facts.items() if value not in ("", None, 0))
