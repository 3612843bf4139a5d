"""A wheel on its stand, a wire, and a controller that can be killed and started again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from drivers.events import DeviceEvent, Mark
from drivers.motion import WheelProfile, simulated_wheel
from drivers.wheel import Wheel, WheelKnocked, WheelRested, WheelStarted, WheelTurned
from firmware_specs.clock import VirtualClock
from firmware_specs.spec import Message
from simulators.wheel import Wheel as WheelOnItsStand
from simulators.wire import Wire

PROFILE = simulated_wheel()


class Journal:
    """Keeps what the driver tells, and the last mark, as the controller's journal does."""

    def __init__(self, writes: bool = True) -> None:
        self.events: list[DeviceEvent] = []
        self.mark: Mark | None = None
        self.writes = writes
        self.glimpses: list[msgspec.Struct] = []

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        if not self.writes:
            return
        self.events.append(event)
        if mark is not None:
            self.mark = mark
        if durable is not None:
            durable()

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        self.glimpses.append(live)

    def of(self, kind: type[DeviceEvent]) -> list[DeviceEvent]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def spin(self) -> list[str]:
        """The story of the wheel in short."""
        words = []
        for event in self.events:
            match event:
                case WheelStarted():
                    words.append(f"start {event.spin}")
                case WheelTurned():
                    words.append(f"turn {event.turns}")
                case WheelRested():
                    words.append(f"rest {event.spin}")
                case WheelKnocked():
                    words.append("knock")
        return words


class Bench:
    """A wheel on its stand, a wire, and a controller that can be killed and started again."""

    def __init__(self, profile: WheelProfile = PROFILE) -> None:
        self.profile = profile
        self.clock = VirtualClock()
        self.wire = Wire(self.clock)
        self.wheel = WheelOnItsStand(self.clock, self.wire.device, seed=3)
        self.journal = Journal()
        self.sent: list[Message] = []
        post = self.wheel.link.post

        def posted(message: Message) -> int:
            self.sent.append(message)
            return post(message)

        self.wheel.link.post = posted  # type: ignore[method-assign]
        self.wheel.start()
        self.driver = self.controller()
        self.clock.run_until(lambda: self.wheel.link.in_session, 5)

    def controller(self) -> Wheel:
        driver = Wheel(
            "wheel", self.clock, self.wire.host, self.journal, profile=self.profile, resume=self.journal.mark
        )
        driver.start()
        return driver

    def restart_controller(self) -> None:
        self.driver.stop()
        self.driver = self.controller()

    def until(self, kind: type[DeviceEvent], count: int = 1) -> DeviceEvent:
        self.clock.run_until(lambda: len(self.journal.of(kind)) >= count, 60)
        return self.journal.of(kind)[count - 1]

    def tell(self, messages: Sequence[Message]) -> WheelRested:
        """The sensor tells a spin that was made elsewhere; how the driver judged it."""
        for message in messages:
            self.wheel.link.post(message)
        rested = self.until(WheelRested, len(self.journal.of(WheelRested)) + 1)
        assert isinstance(rested, WheelRested)
        return rested
