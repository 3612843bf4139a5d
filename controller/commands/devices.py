"""`tablectl devices`: what hangs on this machine's ports."""

from __future__ import annotations

import asyncio
import json

import click
import msgspec

from drivers.discover import DeviceFound, identify, serial_ports, usb_ports
from drivers.ports import open_port
from firmware_specs.clock import RealClock
from firmware_specs.port import PortTrouble

ASK_S = 2.0


@click.command()
@click.option("--json", "as_json", is_flag=True)
@click.option("--port", "ports", multiple=True, help="Ask this address too, such as tcp://127.0.0.1:9000.")
def devices(as_json: bool, ports: tuple[str, ...]) -> None:
    """List serial ports and USB devices, and what identifies itself on them."""
    found = asyncio.run(_ask(ports))
    if as_json:
        click.echo(json.dumps([msgspec.to_builtins(one) for one in found]))
        return
    if not found:
        click.echo("no serial port and no USB device is seen on this machine")
    for one in found:
        click.echo(_line(one))


async def _ask(extra: tuple[str, ...]) -> list[DeviceFound]:
    from drivers.discover import PortSeen

    loop = asyncio.get_running_loop()
    seen = serial_ports()
    try:
        seen += usb_ports()
    except PortTrouble as trouble:
        click.echo(f"USB: {trouble.text} {trouble.remedy}", err=True)
    seen += [PortSeen(address, "given") for address in extra]
    done: asyncio.Future[list[DeviceFound]] = loop.create_future()
    identify(RealClock(loop), seen, lambda address: open_port(address, loop), done.set_result, within=ASK_S)
    return await asyncio.wait_for(done, ASK_S * 2 + 5)


def _line(one: DeviceFound) -> str:
    facts = msgspec.to_builtins(one)
    return "  ".join(f"{key}={value}" for key, value in facts.items() if value not in ("", None, 0))
