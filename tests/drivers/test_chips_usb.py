"""The chip mat over USB: unplugged at any moment, plugged in late, and in real time with its threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from drivers.chips import ChipInventory, Chips
from drivers.events import DeviceDown
from drivers.ports import open_port
from drivers.ports.usb import UsbPort
from firmware_specs.clock import RealClock, VirtualClock
from simulators.chips import chip_mat_on_usb
from simulators.usb import UsbBus
from tests.drivers.chip_bench import Journal

# Over USB.


class UsbBench:
    """The same mat and driver, with pyusb and the simulated bus between them."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.bus = UsbBus(blocking=False)
        soon = lambda what, *args: self.clock.call_later(0.0001, what, *args)  # noqa: E731
        self.mat, self.gadget = chip_mat_on_usb(self.clock, self.bus, soon)
        self.journal = Journal(self.clock)
        port = UsbPort("usb:1209:7ab1:CHIPS-1", clock=self.clock, backend=self.bus)
        self.driver = Chips("chips", self.clock, port, self.journal)
        self.mat.start()
        self.driver.start()


@pytest.mark.parametrize("moment", [each / 100 for each in range(0, 60, 7)])
def test_a_mat_unplugged_from_usb_at_any_moment_loses_and_doubles_nothing(moment: float) -> None:
    bench = UsbBench()
    bench.clock.run_until(lambda: bench.journal.count(ChipInventory) == 1, deadline=2.0)
    bench.mat.place(range(1, 161), 1)
    bench.clock.run_for(moment)
    bench.bus.unplug(bench.gadget)
    bench.mat.remove(range(1, 11))
    bench.clock.run_for(2.0)
    bench.bus.plug(bench.gadget)
    bench.clock.run_until(
        lambda: bench.journal.areas.get(1) == set(range(11, 161)) and bench.mat.link.held == 0, deadline=20.0
    )
    downs = [event for event in bench.journal.events if isinstance(event, DeviceDown)]
    assert downs[0].cause == "usb:1209:7ab1:CHIPS-1 was unplugged"


def test_a_mat_that_is_plugged_in_after_the_table_has_started_comes_up_by_itself() -> None:
    bench = UsbBench()
    bench.bus.unplug(bench.gadget)
    bench.clock.run_for(10.0)
    downs = [event for event in bench.journal.events if isinstance(event, DeviceDown)]
    assert downs[-1].cause == "usb:1209:7ab1:CHIPS-1 is not plugged in"
    assert len(downs) <= 2
    bench.mat.place([5], 3)
    bench.bus.plug(bench.gadget)
    bench.clock.run_until(lambda: bench.journal.areas.get(3) == {5}, deadline=10.0)


def test_the_mat_works_in_real_time_with_the_threads_that_usb_needs() -> None:
    loop = asyncio.new_event_loop()
    clock = RealClock(loop)
    bus = UsbBus()
    mat, gadget = chip_mat_on_usb(clock, bus, loop.call_soon_threadsafe)
    journal = Journal(clock)
    port = open_port("usb:1209:7ab1", loop, usb_backend=bus)
    driver = Chips("chips", clock, port, journal)

    def until(condition: Callable[[], bool], deadline: float = 5.0) -> None:
        end = loop.time() + deadline

        def look() -> None:
            if condition() or loop.time() > end:
                loop.stop()
            else:
                loop.call_later(0.002, look)

        loop.call_soon(look)
        loop.run_forever()
        assert condition()

    mat.start()
    driver.start()
    mat.place(range(1, 21), 2)
    until(lambda: journal.areas.get(2) == set(range(1, 21)))
    bus.unplug(gadget)
    until(lambda: journal.count(DeviceDown) == 1)
    bus.plug(gadget)
    mat.place([30], 2)
    until(lambda: journal.areas.get(2) == {*range(1, 21), 30})
    driver.stop()
    mat.stop()
    loop.close()
