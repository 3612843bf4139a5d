"""A USB bus without hardware: simulated devices behind pyusb's own backend interface.

Give the bus to `usb.core.find(backend=bus)` and everything pyusb offers works on it.
"""

from __future__ import annotations

import array
import errno
import struct
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

from usb.backend import IBackend
from usb.core import USBError, USBTimeoutError

from firmware_specs.port import OnBytes, OnLost, PortTrouble
from simulators.gadget import Endpoint, Gadget

ENGLISH_US = 0x0409

_GET_STATUS, _GET_DESCRIPTOR, _GET_CONFIGURATION = 0x00, 0x06, 0x08
_DEVICE, _CONFIGURATION, _STRING = 1, 2, 3


class _Plug:
    """One stay of a gadget on the bus; after unplugging, every handle on it is dead."""

    def __init__(self, gadget: Gadget, address: int) -> None:
        self.gadget = gadget
        self.address = address
        self.present = True


class _Handle:
    def __init__(self, plug: _Plug) -> None:
        self.plug = plug


class UsbBus(IBackend):  # type: ignore[misc]  # pyusb carries no types
    """The backend: `blocking` waits out timeouts in real time, otherwise an empty read times out at once."""

    def __init__(self, *, blocking: bool = True) -> None:
        self._blocking = blocking
        self._changed = threading.Condition()
        self._plugs: list[_Plug] = []
        self._next_address = 1
        self.transfers = 0

    # The back door: what a hand does at the connector, and what a device does on its side.

    def plug(self, gadget: Gadget) -> None:
        """Plug a device in; it gets a new address, as on a real bus."""
        with self._changed:
            if any(plug.gadget is gadget for plug in self._plugs):
                raise ValueError(f"{gadget.serial or 'this device'} is already plugged in")
            self._plugs.append(_Plug(gadget, self._next_address))
            self._next_address += 1
            gadget.configured = 0
        if gadget.on_plugged is not None:
            gadget.on_plugged()

    def unplug(self, gadget: Gadget) -> None:
        """Pull a device out, in the middle of whatever is going on."""
        with self._changed:
            for plug in self._plugs:
                if plug.gadget is gadget:
                    plug.present = False
            self._plugs = [plug for plug in self._plugs if plug.present]
            gadget.claimed_by = None
            for endpoint in gadget.endpoints.values():
                endpoint.drain()
                endpoint.stalled = False
            self._changed.notify_all()
        if gadget.on_unplugged is not None:
            gadget.on_unplugged()

    def is_plugged(self, gadget: Gadget) -> bool:
        return any(plug.gadget is gadget for plug in self._plugs)

    def send(self, gadget: Gadget, address: int, octets: bytes) -> bool:
        """The device has one transfer for the host; False when it is not plugged in or its memory is full."""
        with self._changed:
            if not self.is_plugged(gadget):
                return False
            loaded = gadget.endpoints[address].load(octets)
            self._changed.notify_all()
            return loaded

    def stall(self, gadget: Gadget, address: int) -> None:
        """The device refuses further transfers on this endpoint until the host clears the halt."""
        with self._changed:
            gadget.endpoints[address].stalled = True
            self._changed.notify_all()

    # Enumeration and descriptors.

    def enumerate_devices(self) -> Iterator[_Plug]:
        yield from tuple(self._plugs)

    def get_parent(self, dev: _Plug) -> None:
        return None

    def get_device_descriptor(self, dev: _Plug) -> SimpleNamespace:
        gadget = dev.gadget
        return SimpleNamespace(
            bLength=18,
            bDescriptorType=_DEVICE,
            bcdUSB=0x0200,
            bDeviceClass=0,
            bDeviceSubClass=0,
            bDeviceProtocol=0,
            bMaxPacketSize0=64,
            idVendor=gadget.vendor,
            idProduct=gadget.product,
            bcdDevice=gadget.release,
            iManufacturer=gadget.string_index(1),
            iProduct=gadget.string_index(2),
            iSerialNumber=gadget.string_index(3),
            bNumConfigurations=1,
            address=dev.address,
            bus=1,
            port_number=dev.address,
            port_numbers=(dev.address,),
            speed=2,
        )

    def get_configuration_descriptor(self, dev: _Plug, config: int) -> SimpleNamespace:
        _only_first(config)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=_CONFIGURATION,
            wTotalLength=18 + 7 * len(dev.gadget.endpoints),
            bNumInterfaces=1,
            bConfigurationValue=1,
            iConfiguration=0,
            bmAttributes=0x80,
            bMaxPower=250,
            extra_descriptors=[],
        )

    def get_interface_descriptor(self, dev: _Plug, intf: int, alt: int, config: int) -> SimpleNamespace:
        _only_first(intf, alt, config)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=4,
            bInterfaceNumber=0,
            bAlternateSetting=0,
            bNumEndpoints=len(dev.gadget.endpoints),
            bInterfaceClass=dev.gadget.interface_class,
            bInterfaceSubClass=0,
            bInterfaceProtocol=0,
            iInterface=0,
            extra_descriptors=[],
        )

    def get_endpoint_descriptor(self, dev: _Plug, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        _only_first(intf, alt, config)
        endpoint = tuple(dev.gadget.endpoints.values())[ep]
        return SimpleNamespace(
            bLength=7,
            bDescriptorType=5,
            bEndpointAddress=endpoint.address,
            bmAttributes=endpoint.transfer,
            wMaxPacketSize=endpoint.packet,
            bInterval=endpoint.interval,
            bRefresh=0,
            bSynchAddress=0,
            extra_descriptors=[],
        )

    # Opening, configuring, claiming.

    def open_device(self, dev: _Plug) -> _Handle:
        self._present(dev)
        if dev.gadget.forbidden:
            raise _error("Access denied (insufficient permissions)", errno.EACCES)
        return _Handle(dev)

    def close_device(self, dev_handle: _Handle) -> None:
        gadget = dev_handle.plug.gadget
        if gadget.claimed_by is dev_handle:
            gadget.claimed_by = None

    def set_configuration(self, dev_handle: _Handle, config_value: int) -> None:
        gadget = self._present(dev_handle.plug)
        if gadget.claimed_by not in (None, dev_handle) or gadget.kernel_driver:
            raise _error("Resource busy", errno.EBUSY)
        if config_value not in (0, 1):
            raise _error("Entity not found", errno.ENOENT)
        gadget.configured = config_value

    def get_configuration(self, dev_handle: _Handle) -> int:
        return self._present(dev_handle.plug).configured

    def set_interface_altsetting(self, dev_handle: _Handle, intf: int, altsetting: int) -> None:
        self._present(dev_handle.plug)
        if (intf, altsetting) != (0, 0):
            raise _error("Entity not found", errno.ENOENT)

    def claim_interface(self, dev_handle: _Handle, intf: int) -> None:
        gadget = self._present(dev_handle.plug)
        if intf != 0:
            raise _error("Entity not found", errno.ENOENT)
        if gadget.claimed_by not in (None, dev_handle) or gadget.kernel_driver:
            raise _error("Resource busy", errno.EBUSY)
        gadget.claimed_by = dev_handle

    def release_interface(self, dev_handle: _Handle, intf: int) -> None:
        gadget = self._present(dev_handle.plug)
        if gadget.claimed_by is not dev_handle:
            raise _error("Entity not found", errno.ENOENT)
        gadget.claimed_by = None

    def is_kernel_driver_active(self, dev_handle: _Handle, intf: int) -> bool:
        return self._present(dev_handle.plug).kernel_driver

    def detach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        gadget = self._present(dev_handle.plug)
        if not gadget.kernel_driver:
            raise _error("Entity not found", errno.ENOENT)
        gadget.kernel_driver = False

    def attach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        self._present(dev_handle.plug).kernel_driver = True

    def clear_halt(self, dev_handle: _Handle, ep: int) -> None:
        self._endpoint(dev_handle, ep).stalled = False

    def reset_device(self, dev_handle: _Handle) -> None:
        gadget = self._present(dev_handle.plug)
        with self._changed:
            for endpoint in gadget.endpoints.values():
                endpoint.drain()
                endpoint.stalled = False

    # Transfers.

    def bulk_read(self, dev_handle: _Handle, ep: int, intf: int, buff: array.array[int], timeout: int) -> int:
        return self._read(dev_handle, ep, buff, timeout)

    def intr_read(self, dev_handle: _Handle, ep: int, intf: int, size: array.array[int], timeout: int) -> int:
        return self._read(dev_handle, ep, size, timeout)

    def bulk_write(self, dev_handle: _Handle, ep: int, intf: int, data: array.array[int], timeout: int) -> int:
        return self._write(dev_handle, ep, data, timeout)

    def intr_write(self, dev_handle: _Handle, ep: int, intf: int, data: array.array[int], timeout: int) -> int:
        return self._write(dev_handle, ep, data, timeout)

    def ctrl_transfer(
        self,
        dev_handle: _Handle,
        bmRequestType: int,
        bRequest: int,
        wValue: int,
        wIndex: int,
        data: array.array[int],
        timeout: int,
    ) -> int:
        gadget = self._present(dev_handle.plug)
        self.transfers += 1
        inward = bool(bmRequestType & 0x80)
        answer: bytes | None
        if bmRequestType & 0x60:
            # Class and vendor requests are the device's own business.
            asked = len(data) if inward else data.tobytes()
            control = gadget.on_control
            answer = control(bmRequestType, bRequest, wValue, wIndex, asked) if control else None
        elif not inward:
            answer = None
        else:
            answer = self._standard_answer(dev_handle.plug, bRequest, wValue, wIndex)
        if answer is None:
            raise _error("Pipe error", errno.EPIPE)
        if not inward:
            return len(data)
        answer = answer[: len(data)]
        data[: len(answer)] = array.array("B", answer)
        return len(answer)

    def _standard_answer(self, plug: _Plug, request: int, value: int, index: int) -> bytes | None:
        gadget = plug.gadget
        kind, which = value >> 8, value & 0xFF
        if request == _GET_STATUS:
            return b"\x00\x00"
        if request == _GET_CONFIGURATION:
            return bytes((gadget.configured,))
        if request != _GET_DESCRIPTOR:
            return None
        if kind == _STRING:
            if which == 0:
                return struct.pack("<BBH", 4, _STRING, ENGLISH_US)
            text = gadget.strings.get(which, "").encode("utf-16-le")[:252]
            return bytes((len(text) + 2, _STRING)) + text if text and index == ENGLISH_US else None
        if kind == _DEVICE:
            d = self.get_device_descriptor(plug)
            return struct.pack(
                "<BBHBBBBHHHBBBB", d.bLength, d.bDescriptorType, d.bcdUSB, 0, 0, 0, d.bMaxPacketSize0,
                d.idVendor, d.idProduct, d.bcdDevice, d.iManufacturer, d.iProduct, d.iSerialNumber, 1,
            )  # fmt: skip
        if kind == _CONFIGURATION and which == 0:
            total = 18 + 7 * len(gadget.endpoints)
            head = struct.pack("<BBHBBBBB", 9, _CONFIGURATION, total, 1, 1, 0, 0x80, 250)
            head += bytes((9, 4, 0, 0, len(gadget.endpoints), gadget.interface_class, 0, 0, 0))
            return head + b"".join(
                struct.pack("<BBBBHB", 7, 5, e.address, e.transfer, e.packet, e.interval)
                for e in gadget.endpoints.values()
            )
        return None

    def _read(self, handle: _Handle, address: int, buffer: array.array[int], timeout: int) -> int:
        endpoint = self._endpoint(handle, address)
        deadline = time.monotonic() + timeout / 1000
        got = 0
        with self._changed:
            self.transfers += 1
            while True:
                self._usable(handle, endpoint)
                while endpoint.has_packet and not endpoint.silent and got < len(buffer):
                    packet = endpoint.take_packet()
                    if len(packet) > len(buffer) - got:
                        raise _error("Overflow", errno.EOVERFLOW)
                    buffer[got : got + len(packet)] = array.array("B", packet)
                    got += len(packet)
                    if len(packet) < endpoint.packet:
                        return got
                if got == len(buffer):
                    return got
                left = deadline - time.monotonic()
                if not self._blocking or left <= 0:
                    # What came before the time ran out is not lost.
                    if got:
                        return got
                    raise USBTimeoutError("Operation timed out", -7, errno.ETIMEDOUT)
                self._changed.wait(left)

    def _write(self, handle: _Handle, address: int, octets: array.array[int], timeout: int) -> int:
        endpoint = self._endpoint(handle, address)
        deadline = time.monotonic() + timeout / 1000
        with self._changed:
            self.transfers += 1
            while True:
                self._usable(handle, endpoint)
                if not endpoint.silent and endpoint.on_out is not None:
                    break
                left = deadline - time.monotonic()
                if not self._blocking or left <= 0:
                    raise USBTimeoutError("Operation timed out", -7, errno.ETIMEDOUT)
                self._changed.wait(left)
            taken = endpoint.on_out
        taken(octets.tobytes())
        return len(octets)

    def _endpoint(self, handle: _Handle, address: int) -> Endpoint:
        gadget = self._present(handle.plug)
        try:
            return gadget.endpoints[address]
        except KeyError:
            raise _error("Entity not found", errno.ENOENT) from None

    def _usable(self, handle: _Handle, endpoint: Endpoint) -> None:
        gadget = self._present(handle.plug)
        if gadget.claimed_by is not handle or not gadget.configured:
            raise _error("Entity not found", errno.ENOENT)
        if endpoint.stalled:
            raise _error("Pipe error", errno.EPIPE)

    def _present(self, plug: _Plug) -> Gadget:
        if not plug.present:
            raise _error("No such device (it may have been disconnected)", errno.ENODEV)
        return plug.gadget


class GadgetPort:
    """A simulated device's own end of its pipes, shaped like any other port.

    `soon` brings a call onto the device's thread: `loop.call_soon_threadsafe`, or the virtual clock's `call_later`.
    """

    def __init__(
        self,
        bus: UsbBus,
        gadget: Gadget,
        soon: Callable[..., object],
        *,
        into_host: int = 0x81,
        from_host: int = 0x01,
    ) -> None:
        self._bus = bus
        self._gadget = gadget
        self._soon = soon
        self._into_host = into_host
        self._from_host = gadget.endpoints[from_host]
        self._on_bytes: OnBytes | None = None
        self._on_lost: OnLost | None = None

    @property
    def name(self) -> str:
        return f"usb:{self._gadget.vendor:04x}:{self._gadget.product:04x}:{self._gadget.serial}"

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        if not self._bus.is_plugged(self._gadget):
            raise PortTrouble(f"{self.name} is not plugged in", "Plug it in.")
        self._on_bytes, self._on_lost = on_bytes, on_lost
        self._from_host.on_out = self._came
        self._gadget.on_unplugged = self._unplugged

    def write(self, octets: bytes) -> None:
        if self._on_bytes is not None and octets:
            self._bus.send(self._gadget, self._into_host, octets)

    def close(self) -> None:
        self._on_bytes = self._on_lost = None
        self._from_host.on_out = None

    def _came(self, octets: bytes) -> None:
        self._soon(self._hand_over, octets)

    def _hand_over(self, octets: bytes) -> None:
        if self._on_bytes is not None:
            self._on_bytes(octets)

    def _unplugged(self) -> None:
        self._soon(self._lose)

    def _lose(self) -> None:
        on_lost = self._on_lost
        self.close()
        if on_lost is not None:
            on_lost(PortTrouble(f"{self.name} was unplugged", "Plug it in."))


def _error(text: str, number: int) -> USBError:
    return USBError(text, -1, number)


def _only_first(*indexes: int) -> None:
    # pyusb walks descriptors until the backend says there are no more.
    if any(indexes):
        raise IndexError("there is one configuration with one interface")
