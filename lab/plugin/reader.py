"""A swipe reader on a bench, for tests: cards drawn through it, and what its driver makes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from drivers.events import DeviceDown, DeviceEvent, DeviceUp, Mark
from drivers.swipe import KEY_BYTES, SwipeReader
from firmware_specs.clock import DeadlineMissed, Deadlock
from firmware_specs.port import Port, PortTrouble
from lab.sim.loop_clock import SteppedClock
from simulators.swipe import Card, card

E = TypeVar("E", bound=DeviceEvent)
WITHIN_S = 5.0
HOUSE_CARD = "6011000990139424"
"""The number of a card that is nobody's."""
Swipe = Callable[[Card, Sequence[int]], None]


class BenchReader:
    """A reader under test; every wait has a deadline and says what did not come."""

    def __init__(self, clock: SteppedClock, port: Port, swipe: Swipe, real: bool = False) -> None:
        self.clock = clock
        self.real = real
        self.events: list[DeviceEvent] = []
        self._swipe = swipe
        self._read = 0
        self._driver = SwipeReader("swipe", clock, port, self, key=bytes(KEY_BYTES))

    def start(self) -> None:
        self._driver.start()
        found = self.events[-1] if self.events else None
        if isinstance(found, DeviceDown):
            raise PortTrouble(found.cause, found.remedy)

    def stop(self) -> None:
        self._driver.stop()

    def swipe(self, number: str = HOUSE_CARD, bad: Sequence[int] = ()) -> None:
        """Draw a card through; the tracks in `bad` are scratched. A person draws one of their own."""
        self._swipe(card(number), bad)

    def expect(self, kind: type[E], within: float = WITHIN_S) -> E:
        """The next event of this kind."""
        found: list[E] = []

        def came() -> bool:
            while self._read < len(self.events):
                event = self.events[self._read]
                self._read += 1
                if isinstance(event, kind):
                    found.append(event)
                    return True
            return False

        try:
            self.clock.run_until(came, within)
        except (DeadlineMissed, Deadlock):
            raise AssertionError(f"swipe: {kind.__name__} did not happen within {within:g} s") from None
        return found[0]

    def expect_nothing(self, seconds: float) -> None:
        """No card may be told for so long."""
        before = len(self.events)
        self.clock.run_for(seconds)
        if len(self.events) != before:
            raise AssertionError(f"swipe: {self.events[before:]} came, and nothing should")

    def told(self) -> list[str]:
        """Everything the driver told, for a report; no card number is among it."""
        return [str(event) for event in self.events if not isinstance(event, DeviceUp)]

    # --- as the driver's sink ----------------------------------------------------------------

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        self.events.append(event)

    def glimpse(self, device: str, live: object) -> None:
        """A reader shows nothing live."""
