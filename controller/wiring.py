"""The one place that knows drivers and simulators: which device hangs on which port of this table."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, cast

import msgspec

from controller.cards.seal import SealedGame, Sealer, key_at, read_deck, simulated_decks
from controller.chips import ChipRegister
from controller.chips.register import RegisterFile
from controller.commit import Committer, InlineCommitter, ThreadCommitter
from controller.config.file import wheel_bands
from controller.config.tomlread import ConfigError
from controller.config.types import DeviceSection, TableConfig
from controller.games.poker.layout import Layout
from controller.games.war.config import war_config
from controller.games.war.layout import layout_of
from controller.games.war.rules import war_rules
from controller.journal import JournalFile
from controller.people.door import card_key
from controller.rulebook import wheel_rules
from controller.runtime import Dresser, Runtime, recover
from controller.steady import SteadyTable
from drivers.capture import BadCapture, Recorder, ReplayPort, read_capture
from drivers.card_antennas import CardAntennas
from drivers.chips import Chips
from drivers.device import Device
from drivers.events import Driver
from drivers.motion import Geometry, WheelProfile, simulated_wheel
from drivers.pairing import KeyRing, Paired
from drivers.ports import open_port
from drivers.ports.usb import UsbPort
from drivers.shoe import Shoe
from drivers.shuffler import Mode as ShufflerMode
from drivers.shuffler import Shuffler
from drivers.swipe import REPORT, SwipeReader
from drivers.wheel import Wheel
from firmware_specs.clock import Clock, RealClock
from firmware_specs.messages.shuffler import Mode
from firmware_specs.port import Port
from simulators.card_antennas import CardAntennas as Antennas
from simulators.chips import ChipMat, chip_gadget
from simulators.faults import BadFault, Fault, Faults, FaultyPort
from simulators.link import DeviceLink
from simulators.pace import PacedPort
from simulators.people.chips import Bank
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler
from simulators.swipe import WiredReader
from simulators.usb import GadgetPort
from simulators.usbip import NetworkBus
from simulators.wheel import Wheel as WheelOnItsStand
from simulators.wire import Wire

Simulated = WheelOnItsStand | ChipMat | CardShoe | CardShuffler | Antennas
SERIAL_BAUD = 115_200
IN_PROCESS = "wire"
USBIP = "usbip:"
CAPTURE = "capture:"
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
                self.mat = ChipMat(clock, wire.device, areas=mat_areas(config), serial=serial, seed=seed)
                if config.chips.float_tray:
                    self.bank.stock(self.mat, config.limits.smallest_chip)
                self._powered.append(self.mat)
            case "shoe":
                self.sources[place] = shoe = CardShoe(clock, wire.device, serial=serial, seed=seed)
                self._powered.append(shoe)
            case "shuffler":
                mode = Mode.SINGLE_DECK if config.table.game == "poker" else Mode.SHUFFLE
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


def mat_areas(config: TableConfig) -> int:
    """How many areas the chip mat of this table has, the float included."""
    if config.table.game == "war":
        rules = war_rules(config.table.rulebook)
        return layout_of(rules, war_config(config.the_war())).areas
    if config.table.game == "poker":
        return Layout(config.seats.count).areas
    return len(wheel_rules(config.table.rulebook).option(config.the_wheel().option).symbols) + 1


def simulated_serial(place: str, section: DeviceSection) -> str:
    """The serial number that the simulated device at a place identifies itself with."""
    return section.serial or f"SIM-{place.upper()}"


def keys_of(config: TableConfig) -> KeyRing:
    """The keys of this table's paired devices; they lie with the journal, so that they move with the table."""
    return KeyRing(Path(config.table.journal).parent / "keys")


def wheel_geometry(config: TableConfig) -> Geometry:
    """When this table's pointer is clearly inside, and what a valid spin needs."""
    spin = wheel_rules(config.table.rulebook).spin
    bands = wheel_bands(config)
    still = config.the_wheel().stillness_s or spin.stillness_s
    return Geometry(bands.dead, bands.near, spin.revolutions, round(still * 1000), spin.reversal_limit)


def wheel_profile(config: TableConfig) -> WheelProfile:
    """What calibration learnt of this wheel; the simulated wheel has its own."""
    path = config.the_wheel().profile
    if not path:
        return simulated_wheel()
    try:
        return WheelProfile.decode(Path(path).read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: no usable wheel profile ({error}); run `tablectl wheel calibrate`") from error


def drivers_for(runtime: Runtime, config: TableConfig, ports: dict[str, Port], captures: Path | None = None) -> None:
    """Put a driver on every port, resuming where the journal says each device stood."""
    clock, marks = runtime.clock, runtime.steady.position.marks
    for place, section in config.devices.items():
        port, mark, serial = ports[place], marks.get(place), section.serial or None
        recorder = Recorder(captures / f"{place}.capture", clock, device=place, kind=section.kind) if captures else None
        driver: Driver
        match section.kind:
            case "wheel":
                driver = Wheel(place, clock, port, runtime, profile=wheel_profile(config),
                               geometry=wheel_geometry(config), serial=serial, resume=mark,
                               recorder=recorder)  # fmt: skip
            case "chips":
                picture = runtime.table.money.picture() if mark is not None else None
                driver = Chips(place, clock, port, runtime, serial=serial, resume=mark, recorder=recorder,
                               picture=picture)  # fmt: skip
            case "shoe":
                driver = Shoe(place, clock, port, runtime, serial=serial, resume=mark, recorder=recorder)
            case "shuffler":
                expects: ShufflerMode = "single_deck" if config.table.game == "poker" else "shuffle"
                driver = Shuffler(place, clock, port, runtime, expects=expects, serial=serial, resume=mark,
                                  recorder=recorder)  # fmt: skip
            case "cards":
                # Nothing of this line is recorded: it carries every hole card.
                driver = CardAntennas(place, clock, port, runtime, serial=serial, resume=mark)
            case "swipe":
                key = SIMULATED_KEY if section.simulated else card_key(config)
                driver = SwipeReader(place, clock, port, runtime, key=key, serial=section.serial)
        if section.paired and isinstance(driver, Device):
            driver.link.pairing = Paired(keys_of(config))
        runtime.drivers[place] = driver


def opened(
    config: TableConfig, path: Path, clock: Clock, dresser: Dresser, durable: bool = True, alone: bool = False
) -> Runtime:
    """A runtime that stands where the journal ends; its committer and drivers come next."""
    journal = JournalFile.open(path, config.table.name, durable, alone)
    try:
        steady = SteadyTable(config)
        recover(steady, journal)
    except BaseException:
        journal.close()
        raise
    if config.poker is None:
        return Runtime(clock, steady, journal, dresser)
    sealer = _sealer(config, path, steady, dresser)
    runtime = Runtime(clock, steady, journal, sealer)
    sealer.join(runtime)
    return runtime


def _sealer(config: TableConfig, journal: Path, steady: SteadyTable, rest: Dresser) -> Sealer:
    """What stands between the card antennas and a poker table; the key lies with those of the devices."""
    poker = config.the_poker()
    simulated = all(device.simulated for device in config.devices.values() if device.kind == "cards")
    blue, red = simulated_decks()
    deck = {**blue, **red} if simulated and not poker.deck else read_deck(Path(poker.deck))
    path = Path(poker.seal_key) if poker.seal_key else journal.parent / "keys" / "cards.seal"
    game = cast(Callable[[], SealedGame], lambda: steady.table.game)
    if simulated:
        return Sealer(key_at(path, _no_secret), deck, game, rest, _no_secret)
    return Sealer(key_at(path), deck, game, rest)


def _no_secret(octets: int) -> bytes:
    return hashlib.blake2b(SIMULATED_KEY, digest_size=octets).digest()


def inline(runtime: Runtime) -> Committer:
    """Commits on the virtual clock's own thread."""
    return InlineCommitter(runtime.journal, runtime.clock, runtime.journal_failed)


def threaded(runtime: Runtime, loop: asyncio.AbstractEventLoop) -> Committer:
    """Commits on a thread of its own, for a real table."""
    return ThreadCommitter(runtime.journal, loop, runtime.journal_failed)


def real_ports(
    config: TableConfig, loop: asyncio.AbstractEventLoop, devices: SimulatedDevices | None
) -> dict[str, Port]:
    """The host's end of every device's line."""
    return {
        place: devices.wires[place].host
        if devices is not None and place in devices.wires
        else _real_port(section, loop)
        for place, section in config.devices.items()
    }


def _real_port(section: DeviceSection, loop: asyncio.AbstractEventLoop) -> Port:
    if section.kind == "swipe" and section.port.startswith("usb:"):
        # A reader's report is longer than its packets; it must be read as one.
        return UsbPort(section.port, loop=loop, read_size=REPORT)
    if section.port.startswith(CAPTURE):
        try:
            runs = read_capture(section.port.removeprefix(CAPTURE))
        except BadCapture as bad:
            raise ConfigError(f"{bad}; record one with `tablectl run --captures FOLDER`") from bad
        return ReplayPort(RealClock(loop), runs[-1])
    return open_port(section.port, loop)


def register_for(config: TableConfig, bank: Bank) -> ChipRegister:
    """The chip register of the configuration; without one, the chips that a simulated table makes up."""
    if not config.chips.register:
        return ChipRegister(bank.register)
    return ChipRegister(RegisterFile(config.chips.register), config.table.name, config.chips.set_mark)


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
