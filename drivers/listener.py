"""Who is told what happens on a link, and who keeps its traffic."""

from __future__ import annotations

from typing import Protocol

from firmware_specs.link import Identity
from firmware_specs.spec import Message


class LinkListener(Protocol):
    """Who is told what happens on a link."""

    def link_up(self, identity: Identity, lost: bool) -> None: ...

    def link_down(self, cause: str, remedy: str) -> None: ...

    def link_refused(self, reason: str, remedy: str) -> None: ...

    def event(self, number: int, message: Message) -> None: ...

    def bad_event(self, number: int, text: str) -> None:
        """A numbered event that does not fit the spec was skipped; it must be settled like any other."""

    def flooding(self, on: bool) -> None:
        """The device tells more than any table makes, and is held back; or it has stopped doing so."""

    def live(self, message: Message) -> None: ...

    def applied(self, outputs: Message) -> None: ...


class Recorder(Protocol):
    """Keeps the raw traffic of a line."""

    def record(self, direction: str, octets: bytes) -> None:
        """Bytes that went "in" or "out"."""
