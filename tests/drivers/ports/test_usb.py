"""USB: pyusb's own interface on the simulated bus, and the port over it, in threads and under the virtual clock."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import usb.core
import usb.util
from pytest_mock import MockerFixture

from drivers.ports import PortTrouble, open_port
from drivers.ports.usb import UsbPort
from firmware_specs.clock import VirtualClock
from simulators.gadget import BULK, INTERRUPT, Endpoint, Gadget
from simulators.usb import GadgetPort, UsbBus

VENDOR, PRODUCT = 0x1209, 0x7AB1


def gadget(serial: str = "M-1") -> Gadget:
    return Gadget(
        VENDOR,
        PRODUCT,
        serial=serial,
        manufacturer="Table works",
        title="Chip mat ü",
        endpoints=(Endpoint(0x81, BULK, 64), Endpoint(0x01, BULK, 64)),
    )


def found(bus: UsbBus, **wanted: Any) -> Any:
    device = usb.core.find(backend=bus, **wanted)
    assert device is not None
    return device


def number_of(failure: pytest.ExceptionInfo[BaseException]) -> int | None:
    number: int | None = failure.value.errno  # type: ignore[attr-defined]
    return number


# The bus, as pyusb sees it.


def test_a_plugged_device_is_enumerated_with_its_descriptors_and_strings() -> None:
    bus = UsbBus(blocking=False)
    bus.plug(gadget())
    device = found(bus, idVendor=VENDOR, idProduct=PRODUCT)
    assert (device.manufacturer, device.product, device.serial_number) == ("Table works", "Chip mat ü", "M-1")
    interface = device[0][(0, 0)]
    assert interface.bInterfaceClass == 0xFF
    assert [endpoint.bEndpointAddress for endpoint in interface] == [0x81, 0x01]
    assert "Chip mat ü" in str(device)
    assert usb.core.find(backend=bus, idVendor=0x0801) is None


def test_raw_descriptors_agree_with_what_pyusb_enumerated() -> None:
    bus = UsbBus(blocking=False)
    bus.plug(gadget())
    device = found(bus)
    raw = bytes(device.ctrl_transfer(0x80, 6, 0x0100, 0, 255))
    assert len(raw) == 18
    assert int.from_bytes(raw[8:10], "little") == VENDOR
    whole = bytes(device.ctrl_transfer(0x80, 6, 0x0200, 0, 255))
    assert len(whole) == int.from_bytes(whole[2:4], "little") == 9 + 9 + 7 + 7


def test_a_device_without_a_serial_number_has_none() -> None:
    bus = UsbBus(blocking=False)
    bus.plug(gadget(serial=""))
    assert found(bus).serial_number is None


def test_an_unconfigured_device_is_told_by_an_error_without_a_number() -> None:
    bus = UsbBus(blocking=False)
    bus.plug(gadget())
    device = found(bus)
    with pytest.raises(usb.core.USBError, match="Configuration not set") as failure:
        device.get_active_configuration()
    assert number_of(failure) is None
    device.set_configuration()
    assert device.get_active_configuration().bConfigurationValue == 1


def test_bulk_transfers_go_both_ways_and_end_at_a_short_packet() -> None:
    bus, mat = UsbBus(blocking=False), gadget()
    came: list[bytes] = []
    mat.endpoints[0x01].on_out = came.append
    bus.plug(mat)
    device = found(bus)
    device.set_configuration()
    assert device.write(0x01, b"to the mat") == 10
    assert came == [b"to the mat"]
    bus.send(mat, 0x81, bytes(range(100)))
    bus.send(mat, 0x81, b"next")
    assert bytes(device.read(0x81, 512)) == bytes(range(100))
    assert bytes(device.read(0x81, 512)) == b"next"


def test_a_transfer_of_whole_packets_ends_with_an_empty_one() -> None:
    bus, mat = UsbBus(blocking=False), gadget()
    bus.plug(mat)
    device = found(bus)
    device.set_configuration()
    bus.send(mat, 0x81, bytes(128))
    assert len(device.read(0x81, 512)) == 128
    bus.send(mat, 0x81, bytes(64))
    assert len(device.read(0x81, 64)) == 64
    assert len(device.read(0x81, 64)) == 0


def test_an_empty_pipe_times_out_at_once_in_virtual_time_and_after_the_wait_in_real_time() -> None:
    for blocking in (False, True):
        bus = UsbBus(blocking=blocking)
        bus.plug(gadget())
        device = found(bus)
        device.set_configuration()
        with pytest.raises(usb.core.USBTimeoutError) as failure:
            device.read(0x81, 64, 10)
        assert number_of(failure) == errno.ETIMEDOUT


def test_a_packet_longer_than_the_read_overflows() -> None:
    bus, mat = UsbBus(blocking=False), gadget()
    bus.plug(mat)
    device = found(bus)
    device.set_configuration()
    bus.send(mat, 0x81, bytes(40))
    with pytest.raises(usb.core.USBError) as failure:
        device.read(0x81, 16)
    assert number_of(failure) == errno.EOVERFLOW


def test_a_stalled_pipe_is_broken_until_the_halt_is_cleared() -> None:
    bus, mat = UsbBus(blocking=False), gadget()
    bus.plug(mat)
    device = found(bus)
    device.set_configuration()
    bus.stall(mat, 0x81)
    bus.send(mat, 0x81, b"after")
    with pytest.raises(usb.core.USBError) as failure:
        device.read(0x81, 64)
    assert number_of(failure) == errno.EPIPE
    device.clear_halt(0x81)
    assert bytes(device.read(0x81, 64)) == b"after"


def test_unplugging_ends_a_blocked_read_with_no_such_device() -> None:
    bus, mat = UsbBus(), gadget()
    bus.plug(mat)
    device = found(bus)
    device.set_configuration()
    seen: list[int | None] = []

    def wait_for_bytes() -> None:
        try:
            device.read(0x81, 64, 10_000)
        except usb.core.USBError as failure:
            seen.append(failure.errno)

    reader = threading.Thread(target=wait_for_bytes)
    reader.start()
    bus.unplug(mat)
    reader.join(5.0)
    assert seen == [errno.ENODEV]


def test_a_replugged_device_has_a_new_address_and_the_old_handle_stays_dead() -> None:
    bus, mat = UsbBus(blocking=False), gadget()
    bus.plug(mat)
    old = found(bus)
    old.set_configuration()
    bus.unplug(mat)
    assert usb.core.find(backend=bus) is None
    bus.plug(mat)
    new = found(bus)
    assert new != old
    with pytest.raises(usb.core.USBError) as failure:
        old.read(0x81, 64)
    assert number_of(failure) == errno.ENODEV
    new.set_configuration()
    bus.send(mat, 0x81, b"again")
    assert bytes(new.read(0x81, 64)) == b"again"


def test_a_claimed_interface_is_busy_for_everybody_else_until_it_is_let_go() -> None:
    bus = UsbBus(blocking=False)
    bus.plug(gadget())
    first, second = found(bus), found(bus)
    first.set_configuration()
    usb.util.claim_interface(first, 0)
    with pytest.raises(usb.core.USBError) as failure:
        usb.util.claim_interface(second, 0)
    assert number_of(failure) == errno.EBUSY
    usb.util.dispose_resources(first)
    usb.util.claim_interface(second, 0)


def test_a_report_on_an_interrupt_pipe_and_a_class_request_reach_the_device() -> None:
    reader = Gadget(0x0801, 0x0002, endpoints=(Endpoint(0x81, INTERRUPT, 8),), interface_class=3)
    reader.kernel_driver = True
    reader.on_control = lambda kind, request, value, index, asked: b"\x05\x06" if request == 0x01 else None
    bus = UsbBus(blocking=False)
    bus.plug(reader)
    device = found(bus)
    assert device.is_kernel_driver_active(0)
    device.detach_kernel_driver(0)
    device.set_configuration()
    bus.send(reader, 0x81, bytes(337))
    assert len(device.read(0x81, 337)) == 337
    assert bytes(device.ctrl_transfer(0xA1, 0x01, 0x0300, 0, 2)) == b"\x05\x06"
    with pytest.raises(usb.core.USBError) as failure:
        device.ctrl_transfer(0x21, 0x09, 0x0300, 0, b"\x00")
    assert number_of(failure) == errno.EPIPE


def test_what_nobody_fetches_is_lost_in_the_device_and_not_kept_for_ever() -> None:
    bus, mat = UsbBus(blocking=False), gadget()
    bus.plug(mat)
    assert all(bus.send(mat, 0x81, bytes(65_536)) for _ in range(4))
    assert not bus.send(mat, 0x81, b"one more")
    bus.unplug(mat)
    assert not bus.send(mat, 0x81, b"nobody there")


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
