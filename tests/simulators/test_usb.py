"""The simulated USB bus as pyusb sees it: descriptors, transfers, stalls, and devices that come and go."""

from __future__ import annotations

import errno
import threading
from typing import Any

import pytest
import usb.core
import usb.util

from simulators.gadget import INTERRUPT, Endpoint, Gadget
from simulators.usb import UsbBus
from tests.simulators.gadgets import PRODUCT, VENDOR, gadget


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
