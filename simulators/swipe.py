"""A magnetic-stripe reader on a simulated USB bus, and the cards a hand draws through it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from firmware_specs.port import Port
from simulators.gadget import INTERRUPT, Endpoint, Gadget
from simulators.usb import UsbBus

VENDOR, PRODUCT = 0x0801, 0x0002
INTO_HOST = 0x81
PACKET = 8
TRACK = 110
ISO, UNDETERMINED = 0, 5


class Card(msgspec.Struct, frozen=True):
    """What is written on a card's stripe, sentinels included; an empty track is blank."""

    track1: str = ""
    track2: str = ""
    track3: str = ""


def card(number: str, name: str = "SMITH/SAM", expires: str = "3012") -> Card:
    """A card as banks and casinos write them: the number on tracks 1 and 2."""
    return Card(f"%B{number}^{name}^{expires}101?", f";{number}={expires}101?")


def report(held: Card, bad: Sequence[int] = ()) -> bytes:
    """The report a reader sends for this card when it cannot decode the tracks in `bad`."""
    texts = [b"" if n in bad else text.encode("ascii") for n, text in enumerate(msgspec.structs.astuple(held), 1)]
    statuses = bytes(n in bad for n in (1, 2, 3))
    lengths = bytes(len(text) for text in texts)
    encoding = bytes((ISO if any(texts) else UNDETERMINED,))
    return statuses + lengths + encoding + b"".join(text.ljust(TRACK, b"\0") for text in texts)


class SimulatedReader:
    """The reader: a gadget to plug and unplug, and the ways a card may pass through it."""

    def __init__(self, bus: UsbBus, serial: str = "SW-1") -> None:
        self.bus = bus
        self.gadget = Gadget(
            VENDOR,
            PRODUCT,
            serial=serial,
            manufacturer="Mag-Tek",
            title="USB Swipe Reader",
            endpoints=(Endpoint(INTO_HOST, INTERRUPT, PACKET, 10),),
            interface_class=3,
        )
        self.plug()

    def plug(self) -> None:
        self.bus.plug(self.gadget)
        # The system's own driver for such devices takes hold of it at once.
        self.gadget.kernel_driver = True

    def unplug(self) -> None:
        self.bus.unplug(self.gadget)

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        """Draw a card through; the tracks in `bad` are scratched."""
        self.bus.send(self.gadget, INTO_HOST, report(held, bad))

    def half_swipe(self, held: Card) -> None:
        """Draw a card only half through: nothing that is written on it can be decoded."""
        written = [n for n, text in enumerate(msgspec.structs.astuple(held), 1) if text]
        self.swipe(held, written)

    def swipe_and_tear(self, held: Card, octets: int) -> None:
        """Draw a card through while the cable goes: only so many octets, in whole packets, leave the reader."""
        for start in range(0, octets // PACKET * PACKET, PACKET):
            self.gadget.endpoints[INTO_HOST].load_packet(report(held)[start : start + PACKET])


class WiredReader:
    """A reader on a wire inside the process, for tables where only the cards matter and not the bus."""

    def __init__(self, port: Port) -> None:
        self._port = port

    def start(self) -> None:
        self._port.open(lambda octets: None, lambda trouble: None)

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        """Draw a card through; the tracks in `bad` are scratched."""
        self._port.write(report(held, bad))
