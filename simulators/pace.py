"""Bytes leave a simulated device as slowly as its wire would carry them; a pseudo-terminal has no speed of its own."""

from __future__ import annotations

from firmware_specs.clock import Clock
from firmware_specs.port import OnBytes, OnLost, Port

BITS_PER_BYTE = 10


class PacedPort:
    """Holds back what is written until the last of its bytes would have arrived."""

    def __init__(self, clock: Clock, port: Port, baud: int) -> None:
        self._clock = clock
        self._port = port
        self._per_byte = BITS_PER_BYTE / baud
        self._free_at = 0.0
        self._opening = 0

    @property
    def name(self) -> str:
        return self._port.name

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        self._opening += 1
        self._free_at = self._clock.now()
        self._port.open(on_bytes, on_lost)

    def write(self, octets: bytes) -> None:
        begin = max(self._free_at, self._clock.now())
        self._free_at = begin + len(octets) * self._per_byte
        self._clock.call_at(self._free_at, self._arrive, self._opening, octets)

    def close(self) -> None:
        self._opening += 1
        self._port.close()

    def _arrive(self, opening: int, octets: bytes) -> None:
        # What was on its way when the line was closed never arrives.
        if opening == self._opening:
            self._port.write(octets)
