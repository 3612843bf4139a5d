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

from controller.config.types import IN_PROCESS
from drivers.discover import DeviceFound, PortSeen, identify
from drivers.ports import open_port
from drivers.ports.usb import UsbPort
from drivers.swipe import REPORT
from firmware_specs.port import Port, PortTrouble
from lab.conformance.bench import sample_event, spec_of
from lab.conformance.probe import NotTried
from lab.conformance.program import Program
from lab.conformance.simulated import MAKE, Simulator
from lab.conformance.stimulus import Control
from lab.rig.file import PTY, SIMULATE, Rig
from lab.rig.recorded import Captures
from lab.rig.world import Say
from lab.sim.devices import SERIAL_BAUD
from lab.sim.loop_clock import LoopClock
from simulators.pace import PacedPort
from simulators.swipe import WiredReader

ASK_S = 3.0
READER = "swipe"
"""The one kind that speaks no link of ours."""
PERSON_S = 600.0
"""How long a person may take to do what is asked."""


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

    def __init__(self, rig: Rig, say: Say, captures: Path | None = None) -> None:
        self.rig = rig
        self.say = say
        self.loop = asyncio.new_event_loop()
        self.clock = LoopClock(self.loop, rig.speed)
        self._folder = Path(tempfile.mkdtemp(prefix="tablectl-rig-"))
        self._programs: dict[str, Program] = {}
        self._captures = Captures(captures, self.clock) if captures is not None else None
        self.left_alone: set[str] = set()  # told once, whatever many cases have no use for it

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
        if self._captures is not None:
            self._captures.close()
        self.loop.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start_programs(self) -> None:
        for place, device in self.rig.devices.items():
            if device.program:
                folder = self._folder / place
                folder.mkdir()
                program = Program(
                    None if device.program == SIMULATE else Path(device.program),
                    self.rig.kind(place),
                    speed=self.rig.speed,
                    serial=device.serial,
                    folder=folder,
                    options=device.options,
                )
                self._programs[place] = program
                program.launch()
        for program in self._programs.values():
            program.come_up()

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
        if self.rig.kind(place) == READER and self.address(place).startswith("usb:"):
            return UsbPort(self.address(place), loop=self.loop, read_size=REPORT)
        port = open_port(self.address(place), self.loop)
        return port if self._captures is None else self._captures.of(place, self.rig.kind(place), port)

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
            if kind == READER:
                return Control(path)
            return Control(path, spec_of(kind), sample_event(kind))
        except NotTried as reason:
            raise PortTrouble(
                f"{place}: {reason}", "Start the device, or correct `control` in the rig file."
            ) from reason

    # --- asking ------------------------------------------------------------------------------

    def check(self) -> list[RigFinding]:
        """Ask every real device who it is."""
        real = [place for place in self.rig.real if self.rig.kind(place) != READER]
        seen = [PortSeen(self.address(place), place) for place in real]
        answers: list[DeviceFound] = []
        places = {each.address: each.title for each in seen}
        identify(self.clock, seen, lambda address: self.port(places[address]), answers.extend, within=ASK_S)
        if seen:
            self.clock.run_until(lambda: len(answers) == len(seen), (ASK_S + 2) * self.rig.speed)
        found = {place: self._finding(place, answer) for place, answer in zip(real, answers, strict=True)}
        for place, device in self.rig.devices.items():
            if not device.simulated and place not in found:
                found[place] = self._reader(place)
            if device.simulated:
                what = f"simulated {self.rig.kind(place)}"
                found[place] = RigFinding(place, what, device.port or PTY)
        return [found[place] for place in self.rig.devices]

    def _reader(self, place: str) -> RigFinding:
        """A card reader says nothing before a card is drawn through it: its port must be there, no more can be told."""
        device, port = self.rig.devices[place], self.port(place)
        what = f"{'program' if device.program else 'real'} card reader"
        try:
            port.open(lambda octets: None, lambda trouble: None)
        except PortTrouble as trouble:
            return RigFinding(place, what, device.program or device.port, "", "", trouble.text, trouble.remedy)
        port.close()
        return RigFinding(place, what, device.program or device.port)

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
                if kind == READER:
                    WiredReader(self.simulator_port(place)).start()
                    continue
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
            done.append(bool(sys.stdin.readline()))  # nothing at all when the keyboard is none

        try:
            self.loop.add_reader(sys.stdin.fileno(), pressed)
        except (OSError, ValueError, PermissionError):
            return False  # no keyboard: whoever asked goes on and tells what is missing
        try:
            self.clock.run_until(lambda: bool(done), PERSON_S * self.rig.speed)
        finally:
            with contextlib.suppress(OSError, ValueError):
                self.loop.remove_reader(sys.stdin.fileno())
        return done[0]
