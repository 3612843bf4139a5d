"""The simulated devices of a table, their wires, and what can go wrong on those."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Protocol

from controller import devices as real
from controller import games
from controller.cards.seal import read_deck
from controller.config.tomlread import ConfigError
from controller.config.types import IN_PROCESS, DeviceSection, TableConfig
from controller.core.runtime import Dresser, Runtime
from controller.devices import Sealing, keys_of, real_port
from controller.money.dress import ChipRegister
from firmware_specs.clock import Clock
from firmware_specs.link import KEY_BYTES
from firmware_specs.messages.shuffler import Mode
from firmware_specs.port import Port
from simulators.card_antennas import CardAntennas as Antennas
from simulators.chips import ChipMat
from simulators.decks import simulated_decks
from simulators.faults import Fault, Faults
from simulators.link import DeviceLink
from simulators.people.chips import Bank
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler
from simulators.swipe import WiredReader
from simulators.wheel import Wheel as WheelOnItsStand
from simulators.wire import Wire

Simulated = WheelOnItsStand | ChipMat | CardShoe | CardShuffler | Antennas
SERIAL_BAUD = 115_200
SIMULATED_KEY = b"cards of a simulated table"
"""Simulated cards are nobody's, so their key is no secret."""


class Line(Protocol):
    """A line to a device, with its two ends."""

    @property
    def host(self) -> Port: ...

    @property
    def device(self) -> Port: ...


class SimulatedDevices:
    """The world of a simulated table: its devices, the wires to them, and what can go wrong on those."""

    def __init__(self, config: TableConfig, clock: Clock, seed: int, bank: Bank) -> None:
        self.bank = bank
        self._clock, self._seed = clock, seed
        self.wires: dict[str, Line] = {}
        self.faults: dict[str, Faults] = {}
        self.planned: list[Fault] = []
        self.mat: ChipMat
        self.wheel: WheelOnItsStand
        self.antennas: Antennas
        self.sources: dict[str, CardShoe | CardShuffler] = {}
        self.readers: dict[str, WiredReader] = {}
        self._powered: list[Simulated] = []
        for number, (place, section) in enumerate(config.devices.items()):
            if section.simulated and section.port == IN_PROCESS:
                self._make(place, section, config, clock, seed * 100 + number)

    def _make(self, place: str, section: DeviceSection, config: TableConfig, clock: Clock, seed: int) -> None:
        wire = self.wires[place] = self.line(place, section.kind)
        serial = simulated_serial(place, section)
        match section.kind:
            case "wheel":
                self.wheel = WheelOnItsStand(clock, wire.device, serial=serial, seed=seed)
                self._powered.append(self.wheel)
            case "swipe":
                self.readers[place] = WiredReader(wire.device)
                return
            case "chips":
                self.mat = ChipMat(
                    clock, wire.device, areas=games.find(config.table.game).areas(config), serial=serial, seed=seed
                )
                if config.chips.float_tray:
                    self.bank.stock(self.mat, config.limits.smallest_chip)
                self._powered.append(self.mat)
            case "shoe":
                self.sources[place] = shoe = CardShoe(clock, wire.device, serial=serial, seed=seed)
                self._powered.append(shoe)
            case "shuffler":
                single = games.find(config.table.game).shuffles_single_decks()
                mode = Mode.SINGLE_DECK if single else Mode.SHUFFLE
                self.sources[place] = shuffler = CardShuffler(clock, wire.device, serial=serial, seed=seed, mode=mode)
                self._powered.append(shuffler)
            case "cards":
                self.antennas = Antennas(clock, wire.device, seats=config.seats.count, serial=serial, seed=seed)
                self._powered.append(self.antennas)
        if section.paired:
            self._powered[-1].link.key = keys_of(config).key(serial) or b""
        self.faults[place] = self.faults_on(place, self._powered[-1].link)

    def line(self, place: str, kind: str) -> Line:
        """The line to the device at a place; a rig puts a real one there."""
        return Wire(self._clock, SERIAL_BAUD if kind == "wheel" else None, name=place)

    def faults_on(self, place: str, link: DeviceLink) -> Faults:
        """What can go wrong on the line of a device and with its power."""
        wire = self.wires[place]
        assert isinstance(wire, Wire)
        return Faults.on_wire(self._clock, wire, link, place)

    def links(self) -> dict[str, DeviceLink]:
        """The device end of every line."""
        return dict(zip(self.faults, (device.link for device in self._powered), strict=True))

    def swap(self, place: str, serial: str, left_inside: tuple[str, ...] = ()) -> CardShuffler:
        """Carry the shuffler away with whatever is in it, and stand another one in its place."""
        old, wire = self.sources[place], self.wires[place]
        old.stop()
        new = CardShuffler(self._clock, wire.device, serial=serial, seed=self._seed, left_inside=left_inside)
        self.sources[place] = new
        self._powered[self._powered.index(old)] = new
        self.faults[place] = self.faults_on(place, new.link)
        self.planned = [fault for fault in self.planned if fault.device != place]
        new.start()
        return new

    def start(self) -> None:
        for device in self._powered:
            device.start()
        for reader in self.readers.values():
            reader.start()

    def stop(self) -> None:
        for device in self._powered:
            device.stop()

    def plan(self, fault: Fault) -> None:
        """Let something go wrong."""
        if fault.device not in self.faults:
            raise ConfigError(f"no simulated device {fault.device!r}; there are {', '.join(self.faults)}")
        self.faults[fault.device].plan(fault)
        self.planned.append(fault)

    def not_struck(self) -> list[Fault]:
        """What was planned for a moment that never came."""
        struck = [fault for faults in self.faults.values() for fault in faults.struck]
        return [fault for fault in self.planned if fault.rate is None and fault.bits is None and fault not in struck]


def simulated_serial(place: str, section: DeviceSection) -> str:
    """The serial number that the simulated device at a place identifies itself with."""
    return section.serial or f"SIM-{place.upper()}"


def opened(
    config: TableConfig, path: Path, clock: Clock, dresser: Dresser, durable: bool = True, alone: bool = False
) -> Runtime:
    """The runtime of a table; simulated cards are sealed with what is no secret, so that a seed repeats."""
    return real.opened(config, path, clock, dresser, durable, alone, _sealing(config))


def _sealing(config: TableConfig) -> Sealing | None:
    antennas = [device for device in config.devices.values() if device.kind == "cards"]
    sealed = games.find(config.table.game).sealed_cards(config.play)
    if sealed is None or not all(device.simulated for device in antennas):
        return None
    blue, red = simulated_decks()
    deck = read_deck(Path(sealed.deck)) if sealed.deck else {**blue, **red}
    return Sealing(deck, _no_secret)


def _no_secret(octets: int) -> bytes:
    return hashlib.blake2b(SIMULATED_KEY, digest_size=octets).digest()


def drivers_for(runtime: Runtime, config: TableConfig, ports: dict[str, Port], captures: Path | None = None) -> None:
    """A driver on every port, of simulated and of real devices; cards are nobody's unless a list says whose."""
    simulated = {place: SIMULATED_KEY for place, section in config.devices.items() if section.simulated}
    if config.people.players:
        simulated = {}
    real.drivers_for(runtime, config, ports, captures, simulated)


def ports_of(config: TableConfig, loop: asyncio.AbstractEventLoop, devices: SimulatedDevices) -> dict[str, Port]:
    """The host's end of every line: to simulated devices inside the process, and to whatever else there is."""
    return {
        place: devices.wires[place].host if place in devices.wires else real_port(section, loop)
        for place, section in config.devices.items()
    }


def register_for(config: TableConfig, bank: Bank) -> ChipRegister:
    """The chip register of the configuration; without one, the chips that a simulated table makes up."""
    return real.register_for(config) if config.chips.register else ChipRegister(bank.register)


def share_key(config: TableConfig, place: str) -> None:
    """Pair a device inside the process, which has no port to be given a key over."""
    serial, keys = simulated_serial(place, config.devices[place]), keys_of(config)
    keys.begin(serial, hashlib.blake2b(SIMULATED_KEY, digest_size=KEY_BYTES).digest())
    keys.finish(serial)
