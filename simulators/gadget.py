"""A simulated device as a USB bus sees it: who it is, its endpoints, and its answers to control requests."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import usb.util

BULK: int = usb.util.ENDPOINT_TYPE_BULK
INTERRUPT: int = usb.util.ENDPOINT_TYPE_INTR
# What a device may have ready before the host fetches it; more is lost, as in its own memory.
FIFO_LIMIT = 262_144


class Endpoint:
    """One end of a pipe; the device side fills it (IN) or is told what came (OUT)."""

    def __init__(self, address: int, transfer: int = BULK, packet: int = 64, interval: int = 1) -> None:
        self.address = address
        self.transfer = transfer
        self.packet = packet
        self.interval = interval
        self.stalled = False
        # A device that answers NAK for ever: the host's transfers time out.
        self.silent = False
        self.on_out: Callable[[bytes], None] | None = None
        self._packets: deque[bytes] = deque()
        self._held = 0

    @property
    def is_in(self) -> bool:
        return bool(self.address & 0x80)

    def load(self, octets: bytes) -> bool:
        """Make one transfer ready for the host; False when the memory for it is full."""
        if self._held + len(octets) > FIFO_LIMIT:
            return False
        for start in range(0, len(octets), self.packet):
            self._packets.append(octets[start : start + self.packet])
        if len(octets) % self.packet == 0:
            # A transfer that ends on a full packet is closed by an empty one.
            self._packets.append(b"")
        self._held += len(octets)
        return True

    def load_packet(self, packet: bytes) -> None:
        """Make one packet ready as it is, even one that is longer than the endpoint declares."""
        self._packets.append(packet)
        self._held += len(packet)

    @property
    def has_packet(self) -> bool:
        return bool(self._packets)

    def take_packet(self) -> bytes:
        packet = self._packets.popleft()
        self._held -= len(packet)
        return packet

    def drain(self) -> None:
        self._packets.clear()
        self._held = 0


class Gadget:
    """A simulated device as the bus sees it: who it is, its endpoints, and its answers to control requests."""

    def __init__(
        self,
        vendor: int,
        product: int,
        *,
        serial: str = "",
        manufacturer: str = "",
        title: str = "",
        endpoints: tuple[Endpoint, ...] = (),
        interface_class: int = 0xFF,
        release: int = 0x0100,
    ) -> None:
        self.vendor = vendor
        self.product = product
        self.strings = {1: manufacturer, 2: title, 3: serial}
        self.endpoints = {endpoint.address: endpoint for endpoint in endpoints}
        self.interface_class = interface_class
        self.release = release
        # (request type, request, value, index, octets or wanted length) -> answer; None stalls the request.
        self.on_control: Callable[[int, int, int, int, bytes | int], bytes | None] | None = None
        self.on_unplugged: Callable[[], None] | None = None
        self.on_plugged: Callable[[], None] | None = None
        self.forbidden = False
        self.kernel_driver = False
        self.configured = 0
        # The bus's handle of the host program that holds the interface.
        self.claimed_by: object | None = None

    @property
    def serial(self) -> str:
        return self.strings[3]

    def string_index(self, index: int) -> int:
        return index if self.strings[index] else 0
