"""The devices of a table on a rig: each on its own line, and somebody's hands at those that are real."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from controller import games
from controller.config.tomlread import ConfigError
from controller.config.types import IN_PROCESS, TableConfig
from controller.core.runtime import Runtime
from drivers.device import Device
from firmware_specs.clock import Clock
from firmware_specs.port import Port, PortTrouble
from lab.conformance.simulated import Simulator
from lab.conformance.stimulus import Control
from lab.rig.bench import RigBench
from lab.rig.felt import HandAntennas, HandMat, Pieces, chip_name
from lab.rig.file import RigDevice
from lab.rig.remote import (
    RemoteAntennas,
    RemoteMat,
    RemoteReader,
    RemoteShoe,
    RemoteShuffler,
    RemoteWheel,
    link_of,
)
from lab.rig.world import (
    ControlledLink,
    HandLink,
    HandReader,
    HandShoe,
    HandShuffler,
    HandWheel,
    NoPort,
    no_faults,
)
from lab.sim.devices import Line, SimulatedDevices
from simulators.card_mouth import CannotDraw
from simulators.faults import Faults, FaultyPort
from simulators.link import DeviceLink
from simulators.people.chips import Bank
from simulators.shuffler import CardShuffler
from simulators.wire import Wire

HANDS = {
    "wheel": {"play", "moving", "turned"},
    "chips": {"place", "remove"},
    "cards": {"place", "remove"},
    "shoe": {"load", "take_out", "draw", "pulls", "spoil"},
    "shuffler": {"load", "take_out", "draw", "pulls", "spoil", "stack", "mouth"},
    "swipe": {"swipe"},
}
"""What a device's control socket must let hands do before a case is left to it."""
BY_EVENTS = ("wheel", "shoe")
"""What can be played by posting events alone: nothing these devices tell depends on what lies in them."""


class RealLine:
    """A line outside this program; the device's end of it is here only when the device is simulated."""

    def __init__(self, host: Port, device: Port) -> None:
        self.host = host
        self.device = device


def moved_by(bench: RigBench, place: str) -> tuple[Control | None, str]:
    """Who moves a real device: its own `hands`, the `events` posted to it, or a `person`."""
    control = bench.control(place)
    if control is None:
        return None, "person"
    kind = bench.rig.kind(place)
    if control.hands() >= HANDS[kind]:
        return control, "hands"
    if kind in BY_EVENTS:
        return control, "events"
    control.close()
    return None, "person"


class RigDevices(SimulatedDevices):
    """The devices of one case, on the lines of a rig."""

    def __init__(
        self,
        bench: RigBench,
        config: TableConfig,
        clock: Clock,
        bank: Bank,
        movers: dict[str, tuple[Control | None, str]],
        deck: dict[int, str],
    ) -> None:
        self._bench = bench
        self._config = config
        self._deck = deck
        self._lines: dict[str, FaultyPort] = {}
        self._rebooted: dict[str, DeviceLink] = {}
        self._controls: list[Control] = []
        self.pieces: list[Pieces] = []
        super().__init__(config, clock, 1, bank)
        for place, (control, how) in movers.items():
            self._let_real(place, config.devices[place].kind, control, how)

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

    def swap(self, place: str, serial: str, left_inside: tuple[str, ...] = ()) -> CardShuffler:
        if not isinstance(self.wires[place], Wire):
            raise CannotDraw(
                f"the shuffler at '{place}' stands on the rig and cannot be exchanged from here; "
                "leave it out of the rig file for this case"
            )
        return super().swap(place, serial, left_inside)

    # --- hands at what is real ---------------------------------------------------------------

    def _let_real(self, place: str, kind: str, control: Control | None, how: str) -> None:
        """Whatever moves in this program at that place moves the real device instead."""
        if control is not None:
            self._controls.append(control)
        match kind:
            case "wheel":
                self._real_wheel(place, control, how)
            case "shoe" | "shuffler":
                self._real_source(place, kind, control, how)
            case "chips":
                self._real_mat(place, control)
            case "cards":
                self._real_antennas(place, control)
            case "swipe":
                self.readers[place] = RemoteReader(control) if control is not None else HandReader(self._please)

    def _please(self, text: str) -> None:
        """Have a person do something before the case goes on."""
        if not self._bench.ask(text):
            raise PortTrouble(
                "a person must move the real device, and nobody is at the keyboard",
                "Run it in a terminal, or give the device a control socket in the rig file.",
            )

    def _real_wheel(self, place: str, control: Control | None, how: str) -> None:
        wheel = self.wheel
        if how == "hands" and control is not None:
            wheel = self.wheel = RemoteWheel(self._clock, NoPort(place), serial=wheel.link.serial)
            wheel.control = control
        elif how == "person":
            wheel = self.wheel = HandWheel(self._clock, NoPort(place), serial=wheel.link.serial)
            wheel.say = self._bench.say
        self._stand_in(place, wheel, control, how)

    def _real_source(self, place: str, kind: str, control: Control | None, how: str) -> None:
        source = before = self.sources[place]
        port, serial = NoPort(place), source.link.serial
        if how == "hands" and control is not None:
            remote = (RemoteShoe if kind == "shoe" else RemoteShuffler)(self._clock, port, serial=serial)
            remote.control = control
            source = self.sources[place] = remote
        elif how == "person":
            hands = (HandShoe if kind == "shoe" else HandShuffler)(self._clock, port, serial=serial)
            hands.say, hands.ask = self._bench.say, self._please
            source = self.sources[place] = hands
        self._stand_in(place, source, control, how)
        if isinstance(source, RemoteShuffler) and isinstance(before, CardShuffler):
            source.set_mode(before.mode)  # as this table has it; it was emptied with everything else

    def _real_mat(self, place: str, control: Control | None) -> None:
        before, areas = self.mat, games.find(self._config.table.game).areas(self._config)
        lying = {area: sorted(before.lying(area)) for area in range(areas)}
        port, serial = NoPort(place), before.link.serial
        if control is not None:
            self.mat = remote = RemoteMat(self._clock, port, areas=areas, serial=serial)
            remote.control = control
            self._stand_in(place, remote, control, "hands")
        else:
            self.mat = hands = HandMat(self._clock, port, areas=areas, serial=serial)
            hands.names = self._symbols()
            hands.pieces = self._pieces(chip_name(self.bank), self.bank.register)
            self._stand_in(place, hands, None, "person")
        for area, tags in lying.items():
            if tags:
                self.mat.place(tags, area)

    def _real_antennas(self, place: str, control: Control | None) -> None:
        before, seats = self.antennas, self._config.seats.count
        port, serial = NoPort(place), before.link.serial
        if control is not None:
            self.antennas = remote = RemoteAntennas(self._clock, port, seats=seats, serial=serial)
            remote.control = control
            self._stand_in(place, remote, control, "hands")
        else:
            self.antennas = hands = HandAntennas(self._clock, port, seats=seats, serial=serial)
            hands.pieces = self._pieces(lambda tag: self._deck[tag], self._deck)
            self._stand_in(place, hands, None, "person")

    def _pieces(self, name: Callable[[int], str], tags: Iterable[int]) -> Pieces:
        pieces = Pieces(self._bench.clock, self._bench.say, name)
        pieces.own(tags)
        self.pieces.append(pieces)
        return pieces

    def _symbols(self) -> dict[int, str]:
        """The areas of a wheel's layout in words; other games name theirs themselves."""
        bets = games.find(self._config.table.game).expected(self._config)
        return dict(enumerate(sorted(bets), start=1))

    def _stand_in(self, place: str, device: Simulator, control: Control | None, how: str) -> None:
        before = device.link
        if how == "hands" and control is not None:
            device.link = link_of(self._clock, before, control)
        elif control is not None:
            device.link = ControlledLink(self._clock, before, control)
        else:
            device.link = HandLink(self._clock, before)
        number = list(self.faults).index(place)
        self._powered[number] = device  # type: ignore[call-overload]
        self.faults[place] = no_faults(self._clock, place, device.link)

    def follow(self, runtime: Runtime) -> None:
        """Let hands see what the table concludes from the real device."""
        for place, device in zip(self.faults, self._powered, strict=True):
            if isinstance(device, HandWheel | HandShoe | HandShuffler | HandMat | HandAntennas):
                device.follow(runtime, place)
                driver = runtime.drivers[place]
                if isinstance(device.link, HandLink) and isinstance(driver, Device):
                    device.link.driver = driver

    def busy(self) -> bool:
        """Whether a person still has something to lay."""
        return any(pieces.busy() for pieces in self.pieces)

    def stop(self) -> None:
        super().stop()
        for control in self._controls:
            control.close()
