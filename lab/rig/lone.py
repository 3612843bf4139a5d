"""One simulated device on a port of its own, as on a rig."""

from __future__ import annotations

import asyncio

import msgspec

from controller.config.tomlread import ConfigError
from drivers.ports import open_port
from firmware_specs.clock import Clock, RealClock
from firmware_specs.messages.shuffler import Mode
from firmware_specs.port import Port
from lab.sim.devices import SERIAL_BAUD, Simulated
from simulators.card_antennas import CardAntennas as Antennas
from simulators.chips import ChipMat, chip_gadget
from simulators.faults import BadFault, Fault, FaultyPort
from simulators.pace import PacedPort
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler
from simulators.swipe import WiredReader
from simulators.usb import GadgetPort
from simulators.usbip import NetworkBus
from simulators.wheel import Wheel as WheelOnItsStand

USBIP = "usbip:"


class Lone(msgspec.Struct, frozen=True):
    """What one simulated device on a port of its own shall be."""

    kind: str
    serial: str = ""
    seed: int = 0
    areas: int = 8
    seats: int = 9
    mode: Mode = Mode.SHUFFLE
    spin_every: float | None = None
    faults: tuple[str, ...] = ()
    speed: float = 1.0


def lone_simulator(address: str, loop: asyncio.AbstractEventLoop, lone: Lone) -> tuple[str, Simulated | WiredReader]:
    """One simulated device on a real port, as on a rig; the name of the port it is found at, and the device."""
    clock = RealClock(loop, lone.speed)
    kind, serial = lone.kind, lone.serial or f"SIM-{lone.kind.upper()}"
    if address.startswith(USBIP):
        if kind != "chips":
            raise ConfigError(f"--port {address}: a {kind} is no USB device; chips are")
        bus = NetworkBus(chip_gadget(serial), address)
        loop.create_task(bus.serve())
        line: Port = GadgetPort(bus, bus.gadget, loop.call_soon)
        name = bus.name
    else:
        line = open_port(address, loop)
        name = address.removeprefix("pty:") if address.startswith("pty:") else ""  # the one name that stays
    paced = PacedPort(clock, line, SERIAL_BAUD) if address.startswith("pty") else line
    if kind == "swipe":
        if lone.faults:
            raise ConfigError("--fault: a card reader has no line of ours; swipe badly through its control socket")
        reader = WiredReader(paced)
        reader.start()
        return name or getattr(line, "path", "") or line.name, reader
    device: Simulated
    port = FaultyPort(clock, paced, kind, lambda keep_memory, off_for: device.link.power_cycle(keep_memory, off_for))
    device = _lone(clock, port, serial, lone)
    device.start()
    for text in lone.faults:
        try:
            port.faults.plan(Fault.parse(text))
        except BadFault as error:
            raise ConfigError(f"--fault {text!r}: {error}") from error
    return name or getattr(line, "path", "") or line.name, device


def _lone(clock: Clock, port: Port, serial: str, lone: Lone) -> Simulated:
    match lone.kind:
        case "wheel":
            wheel = WheelOnItsStand(clock, port, serial=serial, seed=lone.seed)
            if lone.spin_every:
                _push_again(clock, wheel, lone.spin_every, 1)
            return wheel
        case "chips":
            return ChipMat(clock, port, areas=lone.areas, serial=serial, seed=lone.seed)
        case "shoe":
            return CardShoe(clock, port, serial=serial, seed=lone.seed)
        case "shuffler":
            return CardShuffler(clock, port, serial=serial, seed=lone.seed, mode=lone.mode)
        case _:
            return Antennas(clock, port, seats=lone.seats, serial=serial, seed=lone.seed)


def _push_again(clock: Clock, wheel: WheelOnItsStand, every: float, sense: int) -> None:
    if not wheel.moving:
        wheel.spin(1.4, sense)
    clock.call_later(every, _push_again, clock, wheel, every, -sense)
