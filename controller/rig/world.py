"""What stands for the world of a real device on a rig: its control socket where it has one, else a person's hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from controller.conform.stimulus import Control
from controller.runtime import Runtime, Told
from drivers.cards import CardDrawn, CardPushedBack, CardUnread, CuttingCard, TwoDrawn
from drivers.device import Device
from drivers.wheel import WheelRested, WheelTurned
from firmware_specs.clock import Clock
from firmware_specs.port import OnBytes, OnLost
from firmware_specs.spec import Message
from simulators.card_mouth import Then
from simulators.faults import BadFault, Faults
from simulators.link import DeviceLink
from simulators.shoe import CardShoe
from simulators.wheel import Wheel
from simulators.wheel_physics import Motion, at_rest
from simulators.wheel_script import SpinScript
from simulators.wheel_sensor import SensorFault

Say = Callable[[str], None]
Ask = Callable[[str], object]  # returns when the person has done it
LOOK_S = 0.05


class NoPort:
    """The device's end of a real line: whatever is there is not in this program."""

    def __init__(self, name: str) -> None:
        self.name = name

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None: ...

    def write(self, octets: bytes) -> None: ...

    def close(self) -> None: ...


class ControlledLink(DeviceLink):
    """Stands where a simulated device has its link, and lets the real one say it: everything goes by its control."""

    def __init__(self, clock: Clock, like: DeviceLink, control: Control) -> None:
        super().__init__(clock, NoPort(like.serial), like.spec, like.behaviour, serial=like.serial)
        self.control = control

    def start(self) -> None:
        self.powered = True
        self._look()

    def stop(self) -> None:
        self.powered = False
        for timer in self._timers.values():
            timer.cancel()
        self.control.close()

    @property
    def held(self) -> int:
        return self.control.held()

    def post(self, message: Message) -> int:
        self.control.post(message)
        return 1

    def live(self, message: Message) -> None:
        """What is lossy is left out."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        self.powered = False
        self.behaviour.powered(False, True)
        self._later("power", off_for, self._restart, keep_memory)

    def _restart(self, keep_memory: bool) -> None:
        self.control.restart(keep_memory)
        self.powered = True
        self.behaviour.powered(True, keep_memory)

    def _look(self) -> None:
        """See what the host has made of the outputs."""
        outputs = self.control.outputs()
        if outputs is not None and outputs != self.outputs:
            self.outputs = outputs
            self.behaviour.outputs(outputs, "host")
        self._later("look", LOOK_S, self._look)


class HandLink(DeviceLink):
    """The link of a device that only hands can move: it posts nothing of its own."""

    def __init__(self, clock: Clock, like: DeviceLink) -> None:
        super().__init__(clock, NoPort(like.serial), like.spec, like.behaviour, serial=like.serial)
        self.driver: Device | None = None

    def start(self) -> None:
        self.powered = True

    def stop(self) -> None:
        self.powered = False

    @property
    def held(self) -> int:
        return self.driver.quiet if self.driver is not None else 0

    def post(self, message: Message) -> int:
        return 0

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        raise BadFault("a real device is switched off and on by hand")


class HandWheel(Wheel):
    """A real wheel: a person spins it as the case says, and the sensor tells what came of it."""

    say: Say = staticmethod(print)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._spinning = False
        self._turns = 0

    def follow(self, runtime: Runtime, place: str) -> None:
        def watch(told: Told) -> None:
            event = told.event
            if isinstance(event, WheelTurned) and event.device == place:
                self._turns = event.turns
            elif isinstance(event, WheelRested) and event.device == place:
                self._spinning = False

        runtime.watchers.append(watch)

    def play(self, script: SpinScript, fault: SensorFault | None = None) -> Motion:
        if fault is not None:
            raise BadFault(
                f"a real sensor cannot be made to fail by {fault.kind}; leave this case to a simulated wheel"
            )
        way = "clockwise" if script.sense > 0 else "anticlockwise"
        touch = f", and {script.touch} it after {script.at_revolution:g} turns" if script.touch else ""
        self.say(
            f"Spin the wheel {way} through about {script.forward / 52:.1f} turns{touch}; the case has it rest in "
            f"compartment {script.compartment + 1} after the index."
        )
        self._spinning, self._turns = True, 0
        return at_rest(0.0)

    @property
    def moving(self) -> bool:
        return self._spinning

    @property
    def turned(self) -> float:
        return float(self._turns)


class HandShoe(CardShoe):
    """A real shoe: a person loads it and draws from it as the case says."""

    say: Say = staticmethod(print)
    ask: Ask = staticmethod(print)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._then: Then | None = None
        self.locked = False

    def start(self) -> None:
        self.link.start()

    def follow(self, runtime: Runtime, place: str) -> None:
        def watch(told: Told) -> None:
            event = told.event
            if getattr(event, "device", "") != place:
                return
            match event:
                case CardDrawn():
                    self._came((event.card,))
                case TwoDrawn():
                    self._came(tuple(event.cards))
                case CuttingCard():
                    self._came(("CUT",))
                case CardUnread():
                    self._came(("?",))
                case CardPushedBack():
                    self._came(())

        runtime.watchers.append(watch)

    def _came(self, cards: tuple[str, ...]) -> None:
        then, self._then = self._then, None
        self.drawn += cards
        if then is not None:
            then(cards)

    def load(self, cards: Iterable[str]) -> None:
        self.cards.extend(cards)
        first = ", ".join(list(self.cards)[:30])
        self.ask(f"Load the shoe with {len(self.cards)} cards so that these come first, in this order: {first} …")

    def take_out(self) -> list[str]:
        cards = list(self.cards)
        self.cards.clear()
        return cards

    def draw(self, then: Then | None = None, *, force: bool = False) -> float:
        mishap = self.reader.next_mishap()
        card = self.cards.popleft() if self.cards else "?"
        how = f" ({mishap.kind})" if mishap is not None else ""
        self.say(f"Draw a card{how}: {card} should come.")
        self._then = then
        return 0.0


def no_faults(clock: Clock, place: str, link: DeviceLink) -> Faults:
    """What can go wrong with a real device on purpose: its power, where it can be taken from here; nothing else."""

    def cannot() -> None:
        raise BadFault(f"the line of the real device '{place}' is not in this program; pull it by hand")

    reboot = link.power_cycle if isinstance(link, ControlledLink) else None
    return Faults(clock, place, unplug=cannot, replug=cannot, reboot=reboot)
