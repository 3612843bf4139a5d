"""A driver over its link: what it tells the table and when it acknowledges, and what it takes in plain words."""

from __future__ import annotations

from typing import Any

import msgspec

from drivers.device import Device
from drivers.events import DeviceDown, DeviceEvent, DeviceRefused, DeviceTrouble, DeviceUp, Mark
from firmware_specs import link
from firmware_specs.frames import encode_frame
from simulators.link import DeviceLink
from tests.drivers.linked import Joined, bell, far_ahead, rung, say_otherwise

GREEN = bell.Outputs(muted=False, lamp=bell.Lamp.GREEN)


# --- the driver's base ------------------------------------------------------------------------


class Rang(DeviceEvent, frozen=True):
    """Somebody rang."""

    times: int


class BellDriver(Device):
    def on_event(self, number: int, message: Any) -> None:
        if message.times == 13:
            self.settle(number)  # nobody wants to hear of it
        elif message.times == 20:
            self.tell(Rang(self.name, 20), number, number - 1)
        elif message.times != 19:
            self.tell(Rang(self.name, message.times), number)


class Table:
    """A sink that makes things durable when told to."""

    def __init__(self) -> None:
        self.taken: list[tuple[DeviceEvent, Mark | None]] = []
        self.waiting: list[Any] = []
        self.glimpsed: list[Any] = []

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Any) -> None:
        self.taken.append((event, mark))
        if durable is not None:
            self.waiting.append(durable)

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        self.glimpsed.append((device, live))

    def sync(self) -> None:
        while self.waiting:
            self.waiting.pop(0)()


def driven() -> tuple[Joined, BellDriver, Table]:
    joined, table = Joined(), Table()
    driver = BellDriver("bell", bell.SPEC, joined.clock, joined.wire.host, table)
    joined.device.start()
    driver.start()
    joined.clock.run_for(1)
    return joined, driver, table


def test_a_driver_tells_up_down_and_events_with_their_marks_and_acknowledges_after_durable() -> None:
    joined, driver, table = driven()
    epoch = joined.device.epoch
    for times in (5, 13, 19, 20):
        joined.ring(times)
    joined.device.live(bell.Loudness(3))
    joined.clock.run_for(1)
    assert table.taken == [
        (DeviceUp("bell", "bell", "B-1", "1.0.0"), None),
        (Rang("bell", 5), Mark("B-1", epoch, 1)),
        (Rang("bell", 20), Mark("B-1", epoch, 4)),
    ]
    assert table.glimpsed == [("bell", bell.Loudness(3))]
    assert joined.device.held == 4
    table.sync()
    joined.clock.run_for(0.1)
    assert joined.device.held == 0
    assert driver.health().state == "up"
    joined.wire.unplug()
    assert isinstance(table.taken[-1][0], DeviceDown)
    assert driver.health().state == "closed"


def test_a_table_is_told_of_a_device_that_lies_about_its_oldest_event_and_takes_nothing_from_it() -> None:
    joined, driver, table = driven()
    driver.stop()
    driver = BellDriver("bell", bell.SPEC, joined.clock, joined.wire.host, table)
    say_otherwise(joined, far_ahead(4_000_000_000))
    driver.start()
    joined.ring(5)
    joined.clock.run_for(20)
    told = [event for event, _ in table.taken]
    assert [type(event) for event in told] == [DeviceUp, DeviceUp, DeviceRefused]
    assert isinstance(told[-1], DeviceRefused)
    assert "does not tell the truth about its events" in told[-1].reason
    assert driver.health().state == "refused"
    assert joined.device.held == 1


def test_a_driver_takes_outputs_and_orders_in_plain_words() -> None:
    joined, driver, _ = driven()
    done: list[Any] = []
    driver.desire({"lamp": "green"})
    driver.desire({"muted": False})
    driver.order(1, "Ring", {"times": 2}, lambda *answer: done.append(answer))
    driver.order(2, "Ring", {"times": 9}, lambda *answer: done.append(answer))
    driver.order(3, "Wring", {}, lambda *answer: done.append(answer))
    joined.clock.run_for(1)
    assert joined.device.outputs == GREEN
    assert done[0][0] == "refused"
    assert "one of Ring, Oil" in done[0][1]["text"]
    assert done[1:] == [("done", {"rung": 2}), ("refused", {"text": "nine is too often"})]


def test_a_driver_tells_refusal_and_bad_events_to_the_table() -> None:
    joined, _, table = driven()
    joined.device._held[1] = encode_frame(link.pack_event(link.EVENT, 1, 99) + rung(1).encode())
    joined.device._next = 2
    joined.ring(2)
    joined.clock.run_for(1)
    trouble = table.taken[1][0]
    assert isinstance(trouble, DeviceTrouble)
    assert trouble.code == "bad_message"
    assert table.taken[2][0] == Rang("bell", 2)
    joined.device.stop()
    other = DeviceLink(
        joined.clock, joined.wire.device, msgspec.structs.replace(bell.SPEC, code=3), joined.bell, serial="X"
    )
    other.start()
    joined.clock.run_for(20)
    assert isinstance(table.taken[-1][0], DeviceRefused)
