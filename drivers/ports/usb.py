"""A USB device's pipes as a port.

Reading from USB blocks, so beside a table one thread waits inside the read and another inside the write queue;
under a virtual clock the pipes are asked at a fixed cadence instead.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import queue
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import usb.core
import usb.util

from firmware_specs.clock import Clock, Timer
from firmware_specs.port import OnBytes, OnLost, PortTrouble

READ_WAIT_MS = 100
WRITE_WAIT_MS = 1_000
# Asking a device for its strings must not hold the table up when the device hangs.
CONTROL_WAIT_MS = 200
POLL_EVERY = 0.001
# A pipe that refuses this often in a row without a good read between is broken, and asking on would spin.
REFUSALS_LIMIT = 8

_ADDRESS = re.compile(r"usb:([0-9a-fA-F]{1,4}):([0-9a-fA-F]{1,4})(?::(.+))?\Z")


def parse_usb(address: str) -> tuple[int, int, str]:
    """Vendor, product and serial number (or nothing) of `usb:VENDOR:PRODUCT[:SERIAL]`."""
    match = _ADDRESS.match(address)
    if match is None:
        raise PortTrouble(
            f"'{address}' is not a USB address",
            "Write usb:VENDOR:PRODUCT in hexadecimal, with :SERIAL when there are two alike; "
            "`tablectl devices` lists what is plugged in.",
        )
    return int(match[1], 16), int(match[2], 16), match[3] or ""


def usb_devices(backend: Any = None, **wanted: int) -> Iterator[Any]:
    """pyusb's devices on this machine; raises PortTrouble when USB cannot be used at all."""
    try:
        yield from usb.core.find(find_all=True, backend=backend, **wanted)
    except usb.core.NoBackendError as failure:
        raise PortTrouble(
            "USB devices cannot be reached: the library libusb-1.0 is missing",
            "Install it (`apt install libusb-1.0-0`) and start once more.",
        ) from failure
    except usb.core.USBError as failure:
        raise PortTrouble(f"the USB bus cannot be listed: {failure}", "Unplug and replug, then try again.") from failure


def serial_of(device: Any) -> str | None:
    """The serial number a device states, or None when it cannot be asked."""
    device.default_timeout = CONTROL_WAIT_MS
    try:
        return device.serial_number or ""
    except (usb.core.USBError, ValueError, UnicodeDecodeError):
        return None


class UsbPort:
    """The bulk pipes (or else the interrupt pipes) of one USB device.

    Give `loop` beside a table, or `clock` to ask the pipes every `poll` seconds of its time instead of in a thread.
    `read_size` is the longest single report when a device sends reports of more than one packet.
    """

    def __init__(
        self,
        address: str,
        *,
        loop: asyncio.AbstractEventLoop | None = None,
        clock: Clock | None = None,
        backend: Any = None,
        read_size: int | None = None,
        poll: float = POLL_EVERY,
    ) -> None:
        if (loop is None) == (clock is None):
            raise ValueError("a USB port runs either on a loop or on a clock")
        self._address = address
        self._vendor, self._product, self._serial = parse_usb(address)
        self._loop = loop
        self._clock = clock
        self._backend = backend
        self._read_size = read_size
        self._poll = poll
        self._session: _Threads | _Polled | None = None

    @property
    def name(self) -> str:
        return self._address

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        former = self._session
        if isinstance(former, _Threads) and former.winding_down():
            raise PortTrouble(
                f"{self.name} is still being let go of after the last use",
                "Wait a moment; it is tried again by itself.",
            )
        self.close()
        pipes = self._acquire()
        if self._loop is not None:
            self._session = _Threads(self._loop, pipes, on_bytes, on_lost)
        elif self._clock is not None:
            self._session = _Polled(self._clock, self._poll, pipes, on_bytes, on_lost)

    def write(self, octets: bytes) -> None:
        if self._session is not None and octets:
            self._session.write(octets)

    def close(self) -> None:
        if self._session is not None:
            self._session.close()

    def _acquire(self) -> _Pipes:
        device = self._find()
        try:
            return _Pipes(self.name, device, self._read_size)
        except usb.core.USBError as failure:
            usb.util.dispose_resources(device)
            raise self._cannot_open(failure) from failure

    def _find(self) -> Any:
        alike = list(usb_devices(self._backend, idVendor=self._vendor, idProduct=self._product))
        if not alike:
            raise self._missing()
        if not self._serial:
            if len(alike) > 1:
                raise PortTrouble(
                    f"{len(alike)} devices answer to {self.name}, which cannot be told apart",
                    "Add the serial number to the address (usb:VENDOR:PRODUCT:SERIAL); `tablectl devices` shows it.",
                )
            return alike[0]
        found = None
        unasked = 0
        for device in alike:
            serial = serial_of(device)
            unasked += serial is None
            if found is None and serial == self._serial:
                found = device
            else:
                usb.util.dispose_resources(device)
        if found is not None:
            return found
        if unasked:
            raise self._cannot_open(usb.core.USBError("serial number refused", None, errno.EACCES))
        raise self._missing()

    def _missing(self) -> PortTrouble:
        return PortTrouble(
            f"{self.name} is not plugged in",
            "Plug the device in and check its power, or correct the address in the table's configuration; "
            "`tablectl devices` lists what is there.",
        )

    def _cannot_open(self, failure: Any) -> PortTrouble:
        if failure.errno in (errno.EACCES, errno.EPERM):
            return PortTrouble(
                f"{self.name} may not be opened by this user",
                f"Give the user access with a udev rule for vendor {self._vendor:04x}, replug the device, "
                "and start once more.",
            )
        if failure.errno == errno.EBUSY:
            return PortTrouble(
                f"{self.name} is in use by another program",
                "Stop the other program, or correct the address in the configuration.",
            )
        if failure.errno == errno.ENODEV:
            return self._missing()
        return PortTrouble(f"{self.name} cannot be opened: {failure}", "Unplug the device and plug it in again.")


class _Pipes:
    """A claimed interface with its way in and its way out."""

    def __init__(self, name: str, device: Any, read_size: int | None) -> None:
        self.name = name
        self._device = device
        device.default_timeout = CONTROL_WAIT_MS
        with contextlib.suppress(NotImplementedError):
            if device.is_kernel_driver_active(0):
                device.detach_kernel_driver(0)
        try:
            configuration = device.get_active_configuration()
        except usb.core.USBError as failure:
            if failure.errno is not None:
                raise
            # pyusb tells an unconfigured device by an error without a number.
            device.set_configuration()
            configuration = device.get_active_configuration()
        interface = configuration[(0, 0)]
        way_in = _endpoint(interface, usb.util.ENDPOINT_IN)
        way_out = _endpoint(interface, usb.util.ENDPOINT_OUT)
        if way_in is None:
            raise usb.core.USBError("it has no pipe to read from", None, errno.ENOENT)
        usb.util.claim_interface(device, interface)
        self._in: int = way_in.bEndpointAddress
        self._out: int | None = way_out.bEndpointAddress if way_out is not None else None
        # One packet at a time: a read then ends with every packet and never waits for a second.
        self._size: int = read_size or way_in.wMaxPacketSize
        self._refusals = 0

    def read(self, wait_ms: int) -> bytes | None:
        """What came within the wait; None when nothing did."""
        try:
            octets: bytes = self._device.read(self._in, self._size, wait_ms).tobytes()
        except usb.core.USBTimeoutError:
            self._refusals = 0
            return None
        except usb.core.USBError as failure:
            self._refusals += 1
            if self._refusals > REFUSALS_LIMIT or failure.errno not in (errno.EPIPE, errno.EOVERFLOW):
                raise
            # After an overflow the packet is gone; its frame fails the check sum and is sent again.
            if failure.errno == errno.EPIPE:
                self._device.clear_halt(self._in)
            return b""
        self._refusals = 0
        return octets

    def write(self, octets: bytes) -> None:
        if self._out is None:
            return
        while octets:
            try:
                octets = octets[self._device.write(self._out, octets, WRITE_WAIT_MS) :]
            except usb.core.USBTimeoutError:
                raise
            except usb.core.USBError as failure:
                if failure.errno != errno.EPIPE:
                    raise
                # What was being written is lost; the link sends it again.
                self._device.clear_halt(self._out)
                return

    def release(self) -> None:
        with contextlib.suppress(usb.core.USBError):
            usb.util.dispose_resources(self._device)

    def lost(self, failure: Any) -> PortTrouble:
        if isinstance(failure, usb.core.USBTimeoutError):
            return PortTrouble(
                f"{self.name} takes nothing any more",
                "Unplug the device and plug it in again; if it happens again, replace its cable, then the device.",
            )
        if failure.errno in (errno.ENODEV, errno.ENOENT):
            return PortTrouble(
                f"{self.name} was unplugged", "Plug the device in again; it is opened by itself as soon as it is there."
            )
        return PortTrouble(
            f"{self.name} failed: {failure}", "Check the cable and plug the device in again; it is opened by itself."
        )


def _endpoint(interface: Any, direction: int) -> Any:
    """The interface's bulk endpoint in this direction, or else its interrupt endpoint."""
    for transfer in (usb.util.ENDPOINT_TYPE_BULK, usb.util.ENDPOINT_TYPE_INTR):
        for endpoint in interface:
            if (
                usb.util.endpoint_direction(endpoint.bEndpointAddress) == direction
                and usb.util.endpoint_type(endpoint.bmAttributes) == transfer
            ):
                return endpoint
    return None


class _Threads:
    """Beside a table: one thread blocked in reading, one blocked until there is something to write."""

    def __init__(self, loop: asyncio.AbstractEventLoop, pipes: _Pipes, on_bytes: OnBytes, on_lost: OnLost) -> None:
        self._loop = loop
        self._pipes = pipes
        self._on_bytes = on_bytes
        self._on_lost = on_lost
        self._open = True
        self._stop = threading.Event()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_on, name=f"{pipes.name} out", daemon=True)
        self._reader = threading.Thread(target=self._read_on, name=f"{pipes.name} in", daemon=True)
        self._writer.start()
        self._reader.start()

    def winding_down(self) -> bool:
        return not self._open and (self._reader.is_alive() or self._writer.is_alive())

    def write(self, octets: bytes) -> None:
        if self._open:
            self._outbox.put(octets)

    def close(self) -> None:
        self._open = False
        self._stop.set()
        self._outbox.put(None)

    def _read_on(self) -> None:
        try:
            while not self._stop.is_set():
                octets = self._pipes.read(READ_WAIT_MS)
                if octets:
                    self._tell(self._came, octets)
        except usb.core.USBError as failure:
            self._tell(self._lose, self._pipes.lost(failure))
        finally:
            self._outbox.put(None)
            # The handle may only go when neither thread is inside a transfer.
            self._writer.join()
            self._pipes.release()

    def _write_on(self) -> None:
        try:
            while (octets := self._outbox.get()) is not None:
                self._pipes.write(octets)
        except usb.core.USBError as failure:
            self._stop.set()
            self._tell(self._lose, self._pipes.lost(failure))

    def _tell(self, what: Callable[..., None], *args: object) -> None:
        # A loop that has ended has nobody left to tell.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what, *args)

    def _came(self, octets: bytes) -> None:
        if self._open:
            self._on_bytes(octets)

    def _lose(self, trouble: PortTrouble) -> None:
        if self._open:
            self.close()
            self._on_lost(trouble)


class _Polled:
    """Under a virtual clock: the pipes are emptied at every tick of the cadence."""

    def __init__(self, clock: Clock, every: float, pipes: _Pipes, on_bytes: OnBytes, on_lost: OnLost) -> None:
        self._clock = clock
        self._every = every
        self._pipes = pipes
        self._on_bytes = on_bytes
        self._on_lost = on_lost
        self._open = True
        self._timer: Timer = clock.call_later(every, self._ask)

    def write(self, octets: bytes) -> None:
        if not self._open:
            return
        try:
            self._pipes.write(octets)
        except usb.core.USBError as failure:
            self._clock.call_later(0.0, self._lose, self._pipes.lost(failure))

    def close(self) -> None:
        if self._open:
            self._open = False
            self._timer.cancel()
            self._pipes.release()

    def _ask(self) -> None:
        self._timer = self._clock.call_later(self._every, self._ask)
        try:
            while self._open and (octets := self._pipes.read(1)) is not None:
                if octets:
                    self._on_bytes(octets)
        except usb.core.USBError as failure:
            self._lose(self._pipes.lost(failure))

    def _lose(self, trouble: PortTrouble) -> None:
        if self._open:
            self.close()
            self._on_lost(trouble)
