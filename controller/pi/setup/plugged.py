"""What is plugged in, and which of it stands at which place of the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import click

from controller.config.tomlread import ConfigError
from controller.pi.setup.answers import Answers
from controller.pi.setup.watch import TOUCH, Watch
from drivers.discover import DeviceFound, PortSeen, identify, serial_ports, usb_ports
from drivers.ports import open_port
from firmware_specs.clock import RealClock
from firmware_specs.port import PortTrouble

ASK_S = 2.0
TOUCH_S = 120.0
READER = "usb:0801:"
"""How the addresses of card readers begin; off the shelf, they do not answer who they are."""

Look = Callable[[], list[DeviceFound]]


def look(extra: Sequence[str]) -> list[DeviceFound]:
    """Everything that hangs on this machine, and at these addresses."""
    return asyncio.run(_ask(extra))


async def _ask(extra: Sequence[str]) -> list[DeviceFound]:
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


def device_of(kind: str, answers: Answers, look: Look) -> DeviceFound:
    """The device of this kind that stands at this table: the only one, the one that is named, or that is touched."""
    named = answers.value(("devices", kind), "", None) if not answers.by_person else None
    while True:
        found = look()
        fitting = [one for one in found if one.kind == kind and one.fits and named in (None, one.serial, one.address)]
        if len(fitting) == 1:
            return fitting[0]
        if not answers.by_person:
            raise ConfigError(_cannot_tell(kind, named, fitting, found))
        if fitting:
            return touched(kind, fitting)
        click.echo(_nobody(kind, found))
        click.prompt("Press Enter to look again", default="", show_default=False)


def _cannot_tell(kind: str, named: str | None, fitting: list[DeviceFound], found: list[DeviceFound]) -> str:
    if fitting:
        serials = ", ".join(one.serial for one in fitting)
        return (
            f'there are {len(fitting)} of kind {kind} ({serials}); say which: [devices] {kind} = "{fitting[0].serial}"'
        )
    return _nobody(kind if named is None else f"{kind} {named}", found)


def _nobody(kind: str, found: list[DeviceFound]) -> str:
    others = "; ".join(f"{one.address}: {one.kind} {one.serial} {one.trouble} {one.remedy}".rstrip() for one in found)
    return f"no {kind} answers here; plug it in. What is seen: {others or 'nothing'}"


def touched(kind: str, fitting: Sequence[DeviceFound]) -> DeviceFound:
    """Which of these it is, told by touching it."""
    serial = asyncio.run(_touched(kind, fitting))
    return next(one for one in fitting if one.serial == serial)


async def _touched(kind: str, fitting: Sequence[DeviceFound]) -> str:
    async with Watch(fitting) as watch:
        names = " or ".join(one.serial for one in fitting)
        click.echo(f"Which of these is the {kind} of this table, {names}? Go to it and {TOUCH[kind]}.")
        seen = await watch.next(TOUCH_S)
    if seen is None:
        raise ConfigError(f"no {kind} was touched within {TOUCH_S:g} s; begin again when somebody stands beside it")
    click.echo(f"  It is {seen.serial}.")
    return seen.serial


def readers(found: Sequence[DeviceFound], answers: Answers, places: Sequence[str]) -> dict[str, str]:
    """The card readers by the screen that they stand beside."""
    if not answers.by_person:
        named = {place: answers.value(("readers", place), "", None) for place in places}
        return {place: address for place, address in named.items() if address}
    chosen: dict[str, str] = {}
    for one in found:
        if one.address.startswith(READER):
            free = [place for place in places if place not in chosen]
            question = f"Card reader {one.address}: beside which screen does it stand"
            place = answers.choose(("readers", one.address), question, [*free, "none"], "none")
            chosen |= {place: one.address} if place != "none" else {}
    return chosen
