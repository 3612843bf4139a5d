"""What both ends of a wire need from the thing that carries bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class PortTrouble(Exception):
    """A port cannot be opened or was lost: what happened and what to do about it."""

    def __init__(self, text: str, remedy: str) -> None:
        super().__init__(text)
        self.text = text
        self.remedy = remedy


OnBytes = Callable[[bytes], None]
OnLost = Callable[[PortTrouble], None]


class Port(Protocol):
    """Carries bytes both ways; calls back on the same thread, never from inside `open`."""

    @property
    def name(self) -> str:
        """Where a technician finds it, such as /dev/ttyUSB0."""
        ...

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        """Start listening; raises PortTrouble. After `on_lost` the port is closed and may be opened again."""

    def write(self, octets: bytes) -> None:
        """Send without waiting; bytes written to a closed or lost port are dropped, never raised about."""

    def close(self) -> None:
        """Stop; no callback comes afterwards. Closing a closed port does nothing."""
