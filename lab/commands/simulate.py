"""`tablectl simulate`: one simulated device on a port of its own."""

from __future__ import annotations

import asyncio
import secrets
import signal

import click

from firmware_specs.messages.shuffler import Mode
from firmware_specs.port import PortTrouble
from lab.rig.door import serve
from lab.rig.lone import Lone, lone_simulator

KINDS = ("wheel", "chips", "shoe", "shuffler", "cards", "swipe")


@click.command()
@click.argument("device", type=click.Choice(KINDS))
@click.option(
    "--port", required=True, help="pty, pty:LINK, tcp:HOST:PORT, a serial path such as /dev/ttyUSB0, or usbip:PORT."
)
@click.option("--serial", default="", help="The serial number it identifies itself with.")
@click.option(
    "--seed", type=int, help="Default: a new one each time, as a device that was switched off without its memory."
)
@click.option("--areas", type=click.IntRange(2, 63), default=8, show_default=True,
              help="chips: antennas, float tray included.")  # fmt: skip
@click.option("--seats", type=click.IntRange(2, 12), default=9, show_default=True, help="cards: seats with an antenna.")
@click.option("--single-deck", is_flag=True, help="shuffler: shuffle one deck at a time, as poker has it.")
@click.option("--spin-every", type=float, help="wheel: give it a push every so many seconds.")
@click.option("--fault", "faults", multiple=True, help="Such as 'wheel drop at_event=3'; may be repeated.")
@click.option("--control", help="Make a socket here through which a bench moves the device's world.")
@click.option("--speed", type=click.FloatRange(0.1, 100), default=1.0, show_default=True,
              help="How much faster its clock runs.")  # fmt: skip
@click.option("--memory", hidden=True, help="Taken as the reference program takes it; a simulator keeps nothing.")
def simulate(
    device: str,
    port: str,
    serial: str,
    seed: int | None,
    areas: int,
    seats: int,
    single_deck: bool,
    spin_every: float | None,
    faults: tuple[str, ...],
    control: str | None,
    speed: float,
    memory: str | None,
) -> None:
    """Put one simulated device on a port, for rigs; end it with Ctrl-C."""

    async def stay() -> None:
        loop = asyncio.get_running_loop()
        over = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, over.set)
        chosen = secrets.randbits(32) if seed is None else seed
        mode = Mode.SINGLE_DECK if single_deck else Mode.SHUFFLE
        lone = Lone(device, serial, chosen, areas, seats, mode, spin_every, faults, speed)
        name, made = lone_simulator(port, loop, lone)
        door = await serve(control, made) if control else None
        click.echo(f"{device} on {name}")
        await over.wait()  # as long as the person at the rig wants it
        if door is not None:
            door.close()

    try:
        asyncio.run(stay())
    except PortTrouble as trouble:
        raise click.ClickException(f"{trouble.text}. {trouble.remedy}") from trouble
    except OSError as error:
        raise click.ClickException(f"the control socket {control} cannot be made ({error.strerror})") from error
