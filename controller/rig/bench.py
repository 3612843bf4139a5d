"""Puts a rig together: programs started, simulators on their lines, real devices asked who they are."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
import tempfile
from pathlib import Path
from types import TracebackType

import msgspec

from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.conform.bench import sample_event, spec_of
from controller.conform.probe import NotTried
from controller.conform.program import Program
from controller.conform.simulated import MAKE, Simulator
from controller.conform.stimulus import Control
from controller.rig.file import IN_PROCESS, PTY, Rig, RigDevice
from controller.rig.world import ControlledLink, HandLink, HandShoe, HandWheel, NoPort, Say, no_faults
from controller.runtime import Runtime
from controller.simulated.loop_clock import LoopClock
from controller.wiring import SERIAL_BAUD, Line, SimulatedDevices
from drivers.device import Device
from drivers.discover import DeviceFound, PortSeen, identify
from drivers.ports import open_port
from firmware_specs.clock import Clock
from firmware_specs.port import Port, PortTrouble
from simulators.faults import Faults, FaultyPort
from simulators.link import DeviceLink
from simulators.pace import PacedPort
from simulators.people.chips import Bank
from simulators.wire import Wire

ASK_S = 3.0
PERSON_S = 600.0
"""How long a person may take to do what is asked."""


class RealLine:
    """A line outside this program; the device's end of it is here only when the device is simulated."""

    def __init__(self, host: Port, device: Port) -> None:
        self.host = host
        self.device = device


class RigFinding(msgspec.Struct, frozen=True):
    """One device of the rig, and what is wrong with it."""

    place: str
    what: str
    port: str
    serial: str = ""
    firmware: str = ""
    trouble: str = ""
    remedy: str = ""

    @property
    def ok(self) -> bool:
        return not self.trouble

    def line(self) -> str:
        who = " ".join(part for part in (self.serial, self.firmware) if part)
        wrong = f"  {self.trouble}. {self.remedy}" if self.trouble else ""
        return f"{'ok' if self.ok else 'BROKEN':6} {self.place}: {self.what} at {self.port} {who}".rstrip() + wrong


class RigBench:
    """A rig in use: a loop, a clock, and every program it needs; leave it with `close`."""

    def __init__(self, rig: Rig, say: Say) -> None:
        self.rig = rig
        self.say = say
        self.loop = asyncio.new_event_loop()
        self.clock = LoopClock(self.loop, rig.speed)
        self._folder = Path(tempfile.mkdtemp(prefix="tablectl-rig-"))
        self._programs: dict[str, Program] = {}

    def __enter__(self) -> RigBench:
        try:
            self.start_programs()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        for program in self._programs.values():
            program.stop()
        self._programs.clear()
        self.loop.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start_programs(self) -> None:
        for place, device in self.rig.devices.items():
            if device.program:
                folder = self._folder / place
                folder.mkdir()
                program = Program(
                    Path(device.program),
                    self.rig.kind(place),
                    speed=self.rig.speed,
                    serial=device.serial,
                    folder=folder,
                )
                program.start()
                self._programs[place] = program

    # --- where things are --------------------------------------------------------------------

    def address(self, place: str) -> str:
        """Where the host finds a device."""
        device = self.rig.devices[place]
        if place in self._programs:
            return self._programs[place].port
        if device.simulated and device.port in ("", PTY):
            return str(self._folder / f"{place}.line")
        if device.simulated and device.port.startswith("pty:"):
            return device.port.removeprefix("pty:")
        return device.port

    def port(self, place: str) -> Port:
        """The host's end of a device's line."""
        return open_port(self.address(place), self.loop)

    def simulator_port(self, place: str) -> Port:
        """The device's end of a simulated device's line, at the speed of a serial line."""
        device = self.rig.devices[place]
        if device.simulator_port:
            return open_port(device.simulator_port, self.loop)
        return PacedPort(self.clock, open_port(f"pty:{self.address(place)}", self.loop), SERIAL_BAUD)

    def control(self, place: str) -> Control | None:
        """The control socket of a real device that has one."""
        device = self.rig.devices[place]
        path = self._programs[place].control if place in self._programs else device.control
        if not path:
            return None
        kind = self.rig.kind(place)
        try:
            return Control(path, spec_of(kind), sample_event(kind))
        except NotTried as reason:
            raise PortTrouble(
                f"{place}: {reason}", "Start the device, or correct `control` in the rig file."
            ) from reason

    # --- asking ------------------------------------------------------------------------------

    def check(self) -> list[RigFinding]:
        """Ask every real device who it is."""
        real = list(self.rig.real)
        seen = [PortSeen(self.address(place), place) for place in real]
        answers: list[DeviceFound] = []
        identify(self.clock, seen, lambda address: open_port(address, self.loop), answers.extend, within=ASK_S)
        if seen:
            self.clock.run_until(lambda: len(answers) == len(seen), (ASK_S + 2) * self.rig.speed)
        found = {place: self._finding(place, answer) for place, answer in zip(real, answers, strict=True)}
        for place, device in self.rig.devices.items():
            if device.simulated:
                what = f"simulated {self.rig.kind(place)}"
                found[place] = RigFinding(place, what, device.port or PTY)
        return [found[place] for place in self.rig.devices]

    def _finding(self, place: str, answer: DeviceFound) -> RigFinding:
        device = self.rig.devices[place]
        trouble, remedy = answer.trouble, answer.remedy
        if not trouble and answer.kind != self.rig.kind(place):
            trouble = f"a {answer.kind} answers where a {self.rig.kind(place)} belongs"
            remedy = "Put the cables where the rig file says, or correct the rig file."
        elif not trouble and device.serial and answer.serial != device.serial:
            trouble = f"serial {answer.serial} answers where {device.serial} belongs"
            remedy = "Put the right device here, or enter its serial number in the rig file."
        what = f"{'program' if device.program else 'real'} {self.rig.kind(place)}"
        port = device.program or device.port
        return RigFinding(place, what, port, answer.serial, answer.firmware, trouble, remedy)

    def require_whole(self) -> None:
        """Raise the first thing that is wrong."""
        for finding in self.check():
            if not finding.ok:
                raise PortTrouble(f"rig {self.rig.name}: {finding.place}: {finding.trouble}", finding.remedy)

    # --- simulators on their ports -----------------------------------------------------------

    def put_up(self) -> list[tuple[str, str]]:
        """Attach every simulated device to its line; where the host finds each device."""
        self._simulators: list[Simulator] = []
        for place, device in self.rig.devices.items():
            if device.simulated and device.port != IN_PROCESS:
                kind = self.rig.kind(place)
                if kind not in MAKE:
                    raise ConfigError(f"rig {self.rig.name}: no simulator for a {kind} at {place} yet")
                serial = device.serial or f"SIM-{place.upper()}"
                simulator = MAKE[kind](self.clock, self.simulator_port(place), serial, 1)
                simulator.start()
                self._simulators.append(simulator)
        return [(place, self.address(place)) for place, device in self.rig.devices.items() if device.port != IN_PROCESS]

    def take_down(self) -> None:
        for simulator in self._simulators:
            simulator.stop()

    # --- a person ----------------------------------------------------------------------------

    def ask(self, text: str) -> bool:
        """Ask a person to do something, and let the lines live until they press Enter; False when nobody can."""
        self.say(f"{text}\nPress Enter when it is done.")
        done: list[bool] = []

        def pressed() -> None:
            sys.stdin.readline()
            done.append(True)

        try:
            self.loop.add_reader(sys.stdin.fileno(), pressed)
        except (OSError, ValueError, PermissionError):
            return False  # no keyboard: whoever asked goes on and tells what is missing
        try:
            self.clock.run_until(lambda: bool(done), PERSON_S)
        finally:
            with contextlib.suppress(OSError, ValueError):
                self.loop.remove_reader(sys.stdin.fileno())
        return True


class RigDevices(SimulatedDevices):
    """The devices of a table on a rig: each on its own line, simulated or not."""

    def __init__(self, bench: RigBench, config: TableConfig, clock: Clock, bank: Bank) -> None:
        self._bench = bench
        self._lines: dict[str, FaultyPort] = {}
        self._rebooted: dict[str, DeviceLink] = {}
        super().__init__(config, clock, 1, bank)
        for place in config.devices:
            device = bench.rig.devices.get(place)
            if device is not None and not device.simulated:
                self._let_real(place, config.devices[place].kind)

    def _on_rig(self, place: str) -> RigDevice | None:
        device = self._bench.rig.devices.get(place)
        return None if device is None or device.port == IN_PROCESS else device

    def line(self, place: str, kind: str) -> Line:
        device = self._on_rig(place)
        if device is None:
            return super().line(place, kind)
        if self._bench.rig.kind(place) != kind:
            there = self._bench.rig.kind(place)
            raise ConfigError(f"rig {self._bench.rig.name}: a {there} stands at {place}, where the case has a {kind}")
        host = self._bench.port(place)
        if not device.simulated:
            return RealLine(host, NoPort(place))

        def reboot(keep_memory: bool, off_for: float) -> None:
            self._rebooted[place].power_cycle(keep_memory, off_for)

        self._lines[place] = FaultyPort(self._clock, self._bench.simulator_port(place), place, reboot)
        return RealLine(host, self._lines[place])

    def faults_on(self, place: str, link: DeviceLink) -> Faults:
        line = self._lines.get(place)
        if line is not None:
            self._rebooted[place] = link
            return line.faults
        if isinstance(self.wires[place], Wire):
            return super().faults_on(place, link)
        return no_faults(self._clock, place, link)

    def _let_real(self, place: str, kind: str) -> None:
        """Whatever moves in this program at that place moves the real device instead."""
        control = self._bench.control(place)
        if kind == "wheel":
            wheel = self.wheel
            if control is None:
                wheel = self.wheel = HandWheel(self._clock, NoPort(place), serial=wheel.link.serial)
                wheel.say = self._bench.say
            self._stand_in(place, wheel, control)
        elif kind == "shoe":
            shoe = self.sources[place]
            if control is None:
                hands = HandShoe(self._clock, NoPort(place), serial=shoe.link.serial)
                hands.say, hands.ask = self._bench.say, self._bench.ask
                shoe = self.sources[place] = hands
            self._stand_in(place, shoe, control)
        else:
            raise ConfigError(
                f"rig {self._bench.rig.name}: no scenario can be played with a real {kind} ({place}) in this version; "
                "set simulated = true for it. `tablectl conform` and tests can use it as it is"
            )

    def _stand_in(self, place: str, device: Simulator, control: Control | None) -> None:
        before = device.link
        device.link = ControlledLink(self._clock, before, control) if control else HandLink(self._clock, before)
        number = list(self.faults).index(place)
        self._powered[number] = device  # type: ignore[call-overload]
        self.faults[place] = no_faults(self._clock, place, device.link)

    def follow(self, runtime: Runtime) -> None:
        """Let hands see what the table concludes from the real device."""
        for place, device in zip(self.faults, self._powered, strict=True):
            if isinstance(device, HandWheel | HandShoe):
                device.follow(runtime, place)
                driver = runtime.drivers[place]
                if isinstance(device.link, HandLink) and isinstance(driver, Device):
                    device.link.driver = driver
