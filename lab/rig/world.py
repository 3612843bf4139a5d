"""What stands for the world of a real device on a rig: its control socket where it has one, else a person's hands."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from controller.core.runtime import Runtime, Told
from drivers.cards import CardDrawn, CardPushedBack, CardUnread, CuttingCard, TwoDrawn
from drivers.device import Device
from drivers.shuffler import CardPresented, DoublePresented, ShufflerPoweredUp, ShufflerState
from drivers.wheel import WheelRested, WheelTurned
from firmware_specs.clock import Clock
from firmware_specs.messages.shuffler import Mode
from firmware_specs.port import OnBytes, OnLost
from firmware_specs.spec import Message
from lab.conformance.stimulus import Control
from simulators.card_mouth import CannotDraw, CardMouth, Then
from simulators.faults import BadFault, Faults
from simulators.link import DeviceLink
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler
from simulators.swipe import Card, WiredReader
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
        self.launched()
        return at_rest(0.0)

    def launched(self) -> None:
        """It turns from now on, until its sensor tells that it rests."""
        self._spinning, self._turns = True, 0

    @property
    def moving(self) -> bool:
        return self._spinning

    @property
    def turned(self) -> float:
        return float(self._turns)


class _HandMouth(CardMouth):
    """What shoe and shuffler share under a person's hands: what came is what the device told."""

    say: Say = staticmethod(print)
    ask: Ask = staticmethod(print)
    _then: Then | None = None
    _due: deque[str]

    def follow(self, runtime: Runtime, place: str) -> None:
        def watch(told: Told) -> None:
            event = told.event
            if getattr(event, "device", "") != place:
                return
            match event:
                case CardDrawn():
                    self._came((event.card + ("^" if event.face_up else ""),))
                case TwoDrawn():
                    self._came(tuple(event.cards))
                case CuttingCard():
                    self._came(("CUT",))
                case CardUnread():
                    self._came(("?",))
                case CardPushedBack():
                    self._came(())
                case _:
                    self._heard(event)

        runtime.watchers.append(watch)

    def _heard(self, event: object) -> None:
        """Anything else that the device tells."""

    def _came(self, cards: tuple[str, ...]) -> None:
        then, self._then = self._then, None
        self.drawn += cards
        if then is not None:
            then(cards)

    def _pull_by_hand(self, then: Then | None, how: str) -> float:
        mishap = self.reader.next_mishap()
        card = self._due.popleft() if self._due else "any card"
        wrong = f" ({mishap.kind})" if mishap is not None else ""
        self.say(f"{how}{wrong}: {card} should come.")
        self._then = then
        return 0.0


class HandShoe(_HandMouth, CardShoe):
    """A real shoe: a person loads it and draws from it as the case says."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._due = self.cards
        self.locked = False

    def start(self) -> None:
        self.link.start()

    def load(self, cards: Iterable[str]) -> None:
        self.cards.extend(cards)
        first = ", ".join(list(self.cards)[:30])
        self.ask(f"Load the shoe with {len(self.cards)} cards so that these come first, in this order: {first} …")

    def take_out(self) -> list[str]:
        cards = list(self.cards)
        self.cards.clear()
        return cards

    def draw(self, then: Then | None = None, *, force: bool = False) -> float:
        return self._pull_by_hand(then, "Draw a card")


class HandShuffler(_HandMouth, CardShuffler):
    """A real shuffler under a person's hands: nobody can tell it which card comes next, so that is only said."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._due = deque()
        self._offers = False
        self.locked = False

    def start(self) -> None:
        self.link.start()

    def _heard(self, event: object) -> None:
        match event:
            case ShufflerState(state=state):
                self._offers = state == "ready"
            case CardPresented() | DoublePresented():
                self._offers = True
            case ShufflerPoweredUp(mouth=mouth):
                self._offers = mouth > 0

    @property
    def mouth(self) -> tuple[str, ...]:
        """Something stands in the mouth; what it is, nobody knows before it is drawn."""
        return ("??",) if self._offers else ()

    @mouth.setter
    def mouth(self, cards: tuple[str, ...]) -> None:
        """Nothing is put there from here."""

    def load(self, cards: Iterable[str]) -> None:
        self.ask(f"Put these {len(fresh := list(cards))} cards into the shuffler: {_few(fresh)}")

    def stack(self, cards: Iterable[str]) -> None:
        self._due = deque(cards)

    def take_out(self) -> list[str]:
        self.ask("Open the shuffler, take every card out, and close it again.")
        self._offers = False
        return []

    def draw(self, then: Then | None = None, *, force: bool = False) -> float:
        return self._pull_by_hand(then, "Take the card from the mouth of the shuffler")

    def open_door(self) -> None:
        self.ask("Open the door of the shuffler.")

    def close_door(self) -> None:
        self.ask("Close the door of the shuffler.")

    def set_mode(self, mode: Mode) -> None:
        self.ask(f"Set the shuffler to the mode {mode.name.lower().replace('_', ' ')} with its own keys.")

    def jam(self, place: Any, *, recovers: bool = True, compartment: int = 0, after: int = 0) -> None:
        self.ask(f"Have a card stick in the {place} of the shuffler{'' if recovers else ', so that it stays stuck'}.")

    def clear_jam(self) -> list[str]:
        self.ask("Take the stuck card out of the shuffler and keep it in your hand.")
        return []

    def miscount(self, by: int) -> None:
        if by:
            raise CannotDraw("a real shuffler cannot be made to count wrong; leave this case to a simulated one")


def _few(cards: list[str], most: int = 30) -> str:
    return ", ".join(cards[:most]) + (" and the rest of the decks" if len(cards) > most else "")


class HandReader(WiredReader):
    """A real swipe reader: a person draws a card through it."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def start(self) -> None:
        """It stands there already."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._ask("Draw any staff or player card through the reader.")


def no_faults(clock: Clock, place: str, link: DeviceLink) -> Faults:
    """What can go wrong with a real device on purpose: its power, where it can be taken from here; nothing else."""

    def cannot() -> None:
        raise BadFault(f"the line of the real device '{place}' is not in this program; pull it by hand")

    reboot = link.power_cycle if isinstance(link, ControlledLink) else None
    return Faults(clock, place, unplug=cannot, replug=cannot, reboot=reboot)
