"""The USB port over the simulated bus, under the virtual clock and in threads of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_mock import MockerFixture

from drivers.ports import PortTrouble, open_port
from drivers.ports.usb import UsbPort
from firmware_specs.clock import VirtualClock
from simulators.gadget import INTERRUPT, Endpoint, Gadget
from simulators.usb import GadgetPort, UsbBus
from tests.simulators.gadgets import gadget

# The port, under the virtual clock.


class Ear:
    def __init__(self) -> None:
        self.heard = b""
        self.lost: list[PortTrouble] = []

    def on_bytes(self, octets: bytes) -> None:
        self.heard += octets

    def on_lost(self, trouble: PortTrouble) -> None:
        self.lost.append(trouble)


class VirtualBench:
    """A mat that answers in capitals, and the host's port, on one virtual clock."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.bus = UsbBus(blocking=False)
        self.mat = gadget()
        self.bus.plug(self.mat)
        self.device = GadgetPort(self.bus, self.mat, lambda what, *args: self.clock.call_later(0.0001, what, *args))
        self.listen()
        self.ear = Ear()
        self.port = self.port_at("usb:1209:7ab1:M-1")

    def listen(self) -> None:
        self.device.open(lambda octets: self.device.write(octets.upper()), lambda lost: None)

    def port_at(self, address: str, **more: Any) -> UsbPort:
        return UsbPort(address, clock=self.clock, backend=self.bus, **more)

    def open(self) -> None:
        self.port.open(self.ear.on_bytes, self.ear.on_lost)


@pytest.fixture
def virtual() -> VirtualBench:
    return VirtualBench()


def test_a_usb_port_carries_bytes_both_ways_in_virtual_time(virtual: VirtualBench) -> None:
    virtual.open()
    virtual.port.write(b"a" * 200)
    virtual.clock.run_until(lambda: virtual.ear.heard == b"A" * 200, deadline=0.01)
    virtual.port.close()
    virtual.clock.run_for(1.0)
    assert virtual.ear.lost == []


@pytest.mark.parametrize("tenths", range(0, 40, 3))
def test_unplugging_at_any_moment_is_told_once_and_a_replugged_device_works(virtual: VirtualBench, tenths: int) -> None:
    virtual.open()
    for part in range(4):
        virtual.clock.call_later(part / 1000, virtual.port.write, b"abc" * 30)
    virtual.clock.call_later(tenths / 10_000, virtual.bus.unplug, virtual.mat)
    virtual.clock.run_for(0.1)
    assert [trouble.text for trouble in virtual.ear.lost] == ["usb:1209:7ab1:M-1 was unplugged"]
    with pytest.raises(PortTrouble, match="is not plugged in"):
        virtual.open()
    with pytest.raises(PortTrouble, match="is not plugged in"):
        virtual.listen()
    virtual.bus.plug(virtual.mat)
    virtual.listen()
    virtual.ear.heard = b""
    virtual.open()
    virtual.port.write(b"again")
    virtual.clock.run_until(lambda: virtual.ear.heard == b"AGAIN", deadline=0.01)


def test_two_devices_alike_are_told_apart_by_their_serial_number(virtual: VirtualBench) -> None:
    other = gadget("M-2")
    virtual.bus.plug(other)
    came: list[bytes] = []
    other.endpoints[0x01].on_out = came.append
    second = virtual.port_at("usb:1209:7ab1:M-2")
    second.open(lambda octets: None, lambda lost: None)
    second.write(b"for the second")
    virtual.open()
    virtual.port.write(b"for the first")
    virtual.clock.run_until(lambda: virtual.ear.heard == b"FOR THE FIRST", deadline=0.01)
    assert came == [b"for the second"]
    with pytest.raises(PortTrouble, match="2 devices answer") as trouble:
        virtual.port_at("usb:1209:7ab1").open(lambda octets: None, lambda lost: None)
    assert "serial number" in trouble.value.remedy
    with pytest.raises(PortTrouble, match="is not plugged in"):
        virtual.port_at("usb:1209:7ab1:M-3").open(lambda octets: None, lambda lost: None)


def test_a_device_held_by_another_program_is_told_as_busy(virtual: VirtualBench) -> None:
    virtual.open()
    with pytest.raises(PortTrouble, match="in use by another program"):
        virtual.port_at("usb:1209:7ab1").open(lambda octets: None, lambda lost: None)


@pytest.mark.parametrize("address", ["usb:1209:7ab1", "usb:1209:7ab1:M-1"])
def test_a_device_this_user_may_not_open_names_the_udev_rule(virtual: VirtualBench, address: str) -> None:
    virtual.mat.forbidden = True
    with pytest.raises(PortTrouble) as trouble:
        virtual.port_at(address).open(lambda octets: None, lambda lost: None)
    assert "may not be opened" in trouble.value.text
    assert "udev rule for vendor 1209" in trouble.value.remedy


def test_a_stall_and_an_overflow_cost_bytes_but_not_the_port(virtual: VirtualBench) -> None:
    virtual.open()
    virtual.bus.stall(virtual.mat, 0x81)
    virtual.bus.stall(virtual.mat, 0x01)
    virtual.port.write(b"lost in the stall")
    virtual.mat.endpoints[0x81].load_packet(bytes(65))
    virtual.clock.run_for(0.01)
    virtual.port.write(b"fine")
    virtual.clock.run_until(lambda: virtual.ear.heard == b"FINE", deadline=0.01)
    assert virtual.ear.lost == []


def test_a_pipe_that_stays_broken_is_told_as_lost_instead_of_asked_for_ever(
    virtual: VirtualBench, mocker: MockerFixture
) -> None:
    virtual.open()
    mocker.patch.object(virtual.bus, "clear_halt")
    virtual.bus.stall(virtual.mat, 0x81)
    virtual.clock.run_for(0.1)
    assert len(virtual.ear.lost) == 1


def test_a_device_that_takes_nothing_is_told_as_lost(virtual: VirtualBench) -> None:
    virtual.open()
    virtual.mat.endpoints[0x01].silent = True
    virtual.port.write(b"anybody?")
    assert virtual.ear.lost == [], "never from inside a write"
    virtual.clock.run_for(0.1)
    assert "takes nothing" in virtual.ear.lost[0].text


def test_a_reader_of_swiped_cards_is_read_a_whole_report_at_a_time(virtual: VirtualBench) -> None:
    reader = Gadget(0x0801, 0x0002, endpoints=(Endpoint(0x81, INTERRUPT, 8),), interface_class=3)
    reader.kernel_driver = True
    virtual.bus.plug(reader)
    reports: list[bytes] = []
    port = virtual.port_at("usb:0801:0002", read_size=337)
    port.open(reports.append, lambda lost: None)
    virtual.bus.send(reader, 0x81, bytes(337))
    virtual.bus.send(reader, 0x81, bytes(337))
    port.write(b"it has no way in for this")
    virtual.clock.run_for(0.1)
    assert [len(report) for report in reports] == [337, 337]


def test_without_libusb_the_technician_is_told_what_to_install(mocker: MockerFixture) -> None:
    for name in ("libusb1", "libusb0", "openusb"):
        mocker.patch(f"usb.backend.{name}.get_backend", return_value=None)
    port = UsbPort("usb:1209:7ab1", clock=VirtualClock())
    with pytest.raises(PortTrouble) as trouble:
        port.open(lambda octets: None, lambda lost: None)
    assert "libusb-1.0 is missing" in trouble.value.text
    assert "apt install" in trouble.value.remedy


# The port, with its threads.


class RealBench:
    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.bus = UsbBus()
        self.mat = gadget()
        self.bus.plug(self.mat)
        self.device = GadgetPort(self.bus, self.mat, self.loop.call_soon_threadsafe)
        self.listen()
        self.ear = Ear()
        self.port = open_port("usb:1209:7ab1:M-1", self.loop, usb_backend=self.bus)

    def listen(self) -> None:
        self.device.open(lambda octets: self.device.write(octets.upper()), lambda lost: None)

    def until(self, condition: Callable[[], bool], deadline: float = 3.0) -> None:
        end = self.loop.time() + deadline

        def look() -> None:
            if condition() or self.loop.time() > end:
                self.loop.stop()
            else:
                self.loop.call_later(0.001, look)

        self.loop.call_soon(look)
        self.loop.run_forever()
        assert condition(), f"not within {deadline:g} s"

    def open(self) -> None:
        """Open as the link does: again and again until it can be."""

        def opened() -> bool:
            try:
                self.port.open(self.ear.on_bytes, self.ear.on_lost)
            except PortTrouble as trouble:
                if "still being let go" not in trouble.text:
                    raise
                return False
            return True

        while not opened():
            self.until(lambda: not _usb_threads())


@pytest.fixture
def real() -> Iterator[RealBench]:
    bench = RealBench()
    yield bench
    bench.port.close()
    bench.until(lambda: not _usb_threads())
    bench.loop.close()


def _usb_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("usb:")]


def test_a_usb_port_beside_a_table_calls_back_on_the_loops_own_thread(real: RealBench) -> None:
    threads: set[int] = set()

    def on_bytes(octets: bytes) -> None:
        threads.add(threading.get_ident())
        real.ear.on_bytes(octets)

    real.port.open(on_bytes, real.ear.on_lost)
    for _ in range(50):
        real.port.write(b"a" * 64)
    real.until(lambda: real.ear.heard == b"A" * 3_200)
    assert threads == {threading.get_ident()}


def test_a_usb_device_unplugged_and_replugged_works_again_each_time(real: RealBench) -> None:
    for _ in range(5):
        real.open()
        real.port.write(b"hello")
        real.until(lambda: real.ear.heard == b"HELLO")
        real.bus.unplug(real.mat)
        real.until(lambda: bool(real.ear.lost))
        assert len(real.ear.lost) == 1
        real.bus.plug(real.mat)
        real.listen()
        real.ear.heard, real.ear.lost = b"", []


def test_a_closed_usb_port_ends_its_threads_and_can_be_opened_by_another(real: RealBench) -> None:
    real.open()
    assert len(_usb_threads()) == 2
    real.port.close()
    with pytest.raises(PortTrouble, match="still being let go"):
        real.port.open(real.ear.on_bytes, real.ear.on_lost)
    real.until(lambda: not _usb_threads())
    other = open_port("usb:1209:7ab1", real.loop, usb_backend=real.bus)
    other.open(real.ear.on_bytes, real.ear.on_lost)
    other.close()
    assert real.ear.lost == []


def test_a_usb_device_that_stops_taking_bytes_is_told_without_holding_the_loop(
    real: RealBench, mocker: MockerFixture
) -> None:
    mocker.patch("drivers.ports.usb.WRITE_WAIT_MS", 30)
    real.open()
    real.mat.endpoints[0x01].silent = True
    begin = real.loop.time()
    real.port.write(b"anybody?")
    assert real.loop.time() - begin < 0.02
    real.until(lambda: bool(real.ear.lost))
    assert "takes nothing" in real.ear.lost[0].text
