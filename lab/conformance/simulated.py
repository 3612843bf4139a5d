"""Simulated devices for the suite, with their back door as its stimulus."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

from firmware_specs.clock import Clock, VirtualClock
from firmware_specs.port import Port
from firmware_specs.spec import Message
from lab.conformance.probe import NotTried
from lab.conformance.stimulus import CannotDo, Stimulus
from lab.conformance.swipe import CARDS, Swiper, SwipeTrial
from simulators.card_antennas import CardAntennas
from simulators.chips import ChipMat
from simulators.hands import Hands
from simulators.link import DeviceLink
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler
from simulators.swipe import Card, WiredReader, card
from simulators.wheel import Wheel
from simulators.wire import Wire


class Simulator(Protocol):
    """What all simulated devices share."""

    link: DeviceLink

    def start(self) -> None: ...

    def stop(self) -> None: ...


MAKE: dict[str, Callable[[Clock, Port, str, int], Simulator]] = {
    "cards": lambda clock, port, serial, seed: CardAntennas(clock, port, serial=serial, seed=seed),
    "wheel": lambda clock, port, serial, seed: Wheel(clock, port, serial=serial, seed=seed),
    "chips": lambda clock, port, serial, seed: ChipMat(clock, port, serial=serial, seed=seed),
    "shoe": lambda clock, port, serial, seed: CardShoe(clock, port, serial=serial, seed=seed),
    "shuffler": lambda clock, port, serial, seed: CardShuffler(clock, port, serial=serial, seed=seed),
}
"""How to make each kind of simulated device on a port."""


class BackDoor(Stimulus):
    """The device end of the link in this process, made to do what the suite needs."""

    def __init__(self, link: DeviceLink, sample: Message, hands: Hands | None = None) -> None:
        self._link = link
        self._hands = hands
        self._sample = sample
        self._acted = 0
        command = link.behaviour.command

        def counted(command_id: int, message: Message) -> object:
            self._acted += 1
            return command(command_id, message)

        link.behaviour.command = counted  # type: ignore[method-assign, assignment]

    def events(self, count: int) -> None:
        for _ in range(count):
            self.post(self._sample)

    def post(self, message: Message) -> None:
        if not self._link.post(message):
            raise NotTried(f"the device would not post {type(message).__name__}")

    def restart(self, keep_memory: bool) -> None:
        self._link.power_cycle(keep_memory, off_for=0.1)

    def count_from(self, number: int) -> None:
        self.restart(keep_memory=True)
        self._link.count_from(number)

    def hand(self, name: str, **how: Any) -> Any:
        if self._hands is None:
            return super().hand(name, **how)
        word, _, rest = self._hands.answer(f"hand {name} {json.dumps(how)}").partition(" ")
        if word != "did":
            raise CannotDo(rest)
        return json.loads(rest)

    def outputs(self) -> Message | None:
        return self._link.outputs

    def acted(self) -> int | None:
        return self._acted


class BackDoorSwiper(Swiper):
    """A simulated reader in this process, and the cards drawn through it."""

    def __init__(self, reader: WiredReader) -> None:
        self._reader = reader

    def swipe(self, which: int) -> None:
        self._reader.swipe(self._card(which))

    def half(self) -> None:
        self._reader.swipe(self._card(0), bad=(1, 2))

    def _card(self, which: int) -> Card:
        return card(CARDS[which])


def simulated_reader(make: Callable[[Port], WiredReader] = WiredReader) -> SwipeTrial:
    """A reader in this process, ready for its suite."""
    clock = VirtualClock()
    wire = Wire(clock, name="simulator")
    reader = make(wire.device)
    reader.start()
    return SwipeTrial(clock, wire.host, BackDoorSwiper(reader))
