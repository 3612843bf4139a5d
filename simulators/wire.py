"""A wire inside the process: two ends shaped like ports, bytes paced as a real line would carry them."""

from __future__ import annotations

from collections.abc import Callable

from firmware_specs.clock import Clock
from firmware_specs.port import OnBytes, OnLost, PortTrouble

#: sees one write on its way and says which pieces arrive how many extra seconds later
Meddle = Callable[[bytes], list[tuple[float, bytes]]]


class WireEnd:
    """One end of a wire, used as a port."""

    __slots__ = (
        *("_arriving", "_busy_until", "_life", "_on_bytes", "_on_lost", "_other", "_wire"),
        *("meddle", "name"),
    )

    def __init__(self, wire: Wire, name: str) -> None:
        self.name = name
        self.meddle: Meddle | None = None  # what happens to bytes written at this end
        self._wire = wire
        self._other: WireEnd = self
        self._on_bytes: OnBytes | None = None
        self._on_lost: OnLost | None = None
        self._busy_until = 0.0
        self._arriving: list[bytes] = []  # what arrives at `_busy_until`, until it has
        self._life = 0

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        if not self._wire.plugged:
            raise PortTrouble(f"{self.name} is not there", "Plug the cable in.")
        self._on_bytes, self._on_lost = on_bytes, on_lost
        self._busy_until = 0.0

    def close(self) -> None:
        self._on_bytes = self._on_lost = None
        self._arriving = []
        self._life += 1

    def write(self, octets: bytes) -> None:
        if self._on_bytes is None or not octets:
            return
        if self.meddle is None:
            self._send(octets)
        else:
            for extra, piece in self.meddle(octets):
                self._send(piece, extra)

    def _send(self, octets: bytes, extra: float = 0.0) -> None:
        """Bytes leave one after another and never overtake each other, however long a fault holds them up."""
        wire = self._wire
        clock = wire.clock
        start = clock.now() + extra
        if start < self._busy_until:
            start = self._busy_until
        arrival = start + len(octets) * wire.byte_time
        if self._arriving and arrival == self._busy_until:
            self._arriving.append(octets)  # a line that takes no time hands over in one piece what came at once
            return
        self._busy_until = arrival
        self._arriving = [octets]
        clock.call_at(arrival, self._other._arrive, self._arriving, self._life)

    def hear(self, octets: bytes) -> None:
        """Have bytes arrive here that nobody sent."""
        if self._on_bytes is not None:
            self._on_bytes(octets)

    def _arrive(self, pieces: list[bytes], life: int) -> None:
        octets = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        # What had not left when the sender was closed or the cable pulled is gone, even if it is back by now.
        if self._on_bytes is not None and life == self._other._life:
            self._on_bytes(octets)

    def _lose(self) -> None:
        on_lost = self._on_lost
        self.close()
        if on_lost is not None:
            on_lost(PortTrouble(f"{self.name} was unplugged", "Plug the cable in."))


class Wire:
    """Two ends joined by a line of some baud rate (None: no time at all), which can be pulled out."""

    def __init__(self, clock: Clock, baud: int | None = 115_200, name: str = "wire") -> None:
        self.clock = clock
        self.name = name
        self.byte_time = 10 / baud if baud else 0.0  # start bit, eight bits, stop bit
        self.plugged = True
        self.host = WireEnd(self, name)
        self.device = WireEnd(self, f"{name} (device end)")
        self.host._other, self.device._other = self.device, self.host

    def unplug(self) -> None:
        """Pull the cable: both ends lose their port and what was under way."""
        if self.plugged:
            self.plugged = False
            self.host._lose()
            self.device._lose()

    def replug(self) -> None:
        """Put the cable back; each end opens again when it next tries."""
        self.plugged = True
