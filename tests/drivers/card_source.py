"""A shoe or a shuffler, its wire and its driver, with a journal that keeps what a crash would leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from drivers.cards import CardSource
from drivers.events import DeviceEvent, DeviceTrouble, DeviceTroubleOver, Mark
from drivers.shoe import Shoe
from drivers.shuffler import Shuffler
from firmware_specs.clock import VirtualClock
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler
from simulators.wire import Wire

Event = TypeVar("Event", bound=DeviceEvent)


class Journal:
    """Takes events; on disk at once, or when `flush` is called."""

    def __init__(self) -> None:
        self.at_once = True
        self.events: list[DeviceEvent] = []
        self.mark: Mark | None = None
        self.glimpses: list[msgspec.Struct] = []
        self._pending: list[tuple[DeviceEvent, Mark | None, Callable[[], None] | None]] = []

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        self._pending.append((event, mark, durable))
        if self.at_once:
            self.flush()

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        self.glimpses.append(live)

    def flush(self) -> None:
        pending, self._pending = self._pending, []
        for event, mark, durable in pending:
            self.events.append(event)
            self.mark = mark or self.mark
            if durable is not None:
                durable()

    def crash(self) -> None:
        """What was not on disk is gone."""
        self._pending.clear()

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    def troubles(self) -> set[str]:
        """Codes of the troubles that are not over."""
        standing: set[str] = set()
        for event in self.events:
            if isinstance(event, DeviceTrouble):
                standing.add(event.code)
            elif isinstance(event, DeviceTroubleOver):
                standing.discard(event.code)
        return standing


class Bench:
    """Both ends of a device that cards leave, and the hand that draws them."""

    device: CardShoe | CardShuffler
    driver: CardSource

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.wire = Wire(self.clock, name="card wire")
        self.journal = Journal()
        self.commands = 0

    def new_driver(self, resume: Mark | None) -> CardSource:
        raise NotImplementedError

    def restart_controller(self) -> None:
        """The controller dies and comes back with what its journal holds."""
        self.driver.stop()
        self.journal.crash()
        self.journal.at_once = True
        self.driver = self.new_driver(self.journal.mark)
        self.driver.start()
        self.unlock()

    def unlock(self) -> None:
        self.driver.desire({"locked": False, "lamp": "green"})
        self.clock.run_until(lambda: not self.device.locked, 30)

    def settle(self) -> None:
        """Wait until the device holds nothing any more."""
        self.clock.run_until(lambda: self.device.link.held == 0, 60)

    def pull(self, *, force: bool = False) -> tuple[str, ...]:
        """Draw once and wait until the hand holds it."""
        held: list[tuple[str, ...]] = []
        self.device.draw(held.append, force=force)
        self.clock.run_until(lambda: bool(held), 30)
        return held[0]

    def deal(self, count: int) -> list[tuple[str, ...]]:
        cards = []
        for _ in range(count):
            cards.append(self.pull())
            self.clock.run_for(0.5)
        self.settle()
        return cards

    def order(self, name: str, **args: Any) -> tuple[str, dict[str, Any]]:
        """Give an order and wait for its answer."""
        self.commands += 1
        answers: list[tuple[str, dict[str, Any]]] = []
        self.driver.order(self.commands, name, args, lambda status, result: answers.append((status, result)))
        self.clock.run_until(lambda: bool(answers), 60)
        return answers[0]


class ShoeBench(Bench):
    """A shoe with these cards, unlocked."""

    device: CardShoe

    def __init__(self, cards: str = "", **options: Any) -> None:
        super().__init__()
        self.device = CardShoe(self.clock, self.wire.device, **options)
        self.device.load(cards.split())
        self.driver = self.new_driver(None)
        self.device.start()
        self.driver.start()
        self.unlock()
        self.settle()

    def new_driver(self, resume: Mark | None) -> Shoe:
        return Shoe("shoe", self.clock, self.wire.host, self.journal, resume=resume)


class ShufflerBench(Bench):
    """A shuffler with these cards, ready and unlocked."""

    device: CardShuffler

    def __init__(self, cards: str = "", **options: Any) -> None:
        super().__init__()
        self.device = CardShuffler(self.clock, self.wire.device, **options)
        self.device.load(cards.split())
        self.driver = self.new_driver(None)
        self.device.start()
        self.driver.start()
        self.unlock()
        if cards:
            self.clock.run_until(lambda: bool(self.device.mouth), 120)
        self.settle()

    def new_driver(self, resume: Mark | None) -> Shuffler:
        return Shuffler("shuffler", self.clock, self.wire.host, self.journal, resume=resume)
