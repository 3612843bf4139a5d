"""`tablectl devices` and `tablectl simulate`: what hangs on this machine's ports, and simulators to hang there."""

from __future__ import annotations

import asyncio
import json
import secrets
import signal

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


@click.command()
@click.argument("device", type=click.Choice(["wheel", "chips"]))
@click.option(
    "--port", required=True, help="pty, pty:LINK, tcp:HOST:PORT, a serial path such as /dev/ttyUSB0, or usbip:PORT."
)
@click.option("--serial", default="", help="The serial number it identifies itself with.")
@click.option(
    "--seed", type=int, help="Default: a new one each time, as a device that was switched off without its memory."
)
@click.option("--areas", default=8, show_default=True, help="chips: antennas, float tray included.")
@click.option("--spin-every", type=float, help="wheel: give it a push every so many seconds.")
@click.option("--fault", "faults", multiple=True, help="Such as 'wheel drop at_event=3'; may be repeated.")
def simulate(
    device: str, port: str, serial: str, seed: int | None, areas: int, spin_every: float | None, faults: tuple[str, ...]
) -> None:
    """Put one simulated device on a port, for rigs; end it with Ctrl-C."""
    from controller.wiring import lone_simulator

    async def stay() -> None:
        loop = asyncio.get_running_loop()
        over = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, over.set)
        chosen = secrets.randbits(32) if seed is None else seed
        name = lone_simulator(device, port, loop, serial, chosen, areas, spin_every, faults)
        click.echo(f"{device} on {name}")
        await over.wait()  # as long as the person at the rig wants it

    asyncio.run(stay())
