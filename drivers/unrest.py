"""A device or a line that never comes to rest: it is let be for a while, and told, so that the link does not spin."""

from __future__ import annotations

from firmware_specs.clock import Clock
from firmware_specs.link import Identity

SHORT_S = 8.0
"""A session that lasted less came to nothing; longer than a silent device is waited for."""
SHORT_MOST = 10
"""So many of them in a row, and the device is not taken again before it has kept still."""
STILL_S = 15.0
"""So long it must have been the same start of the device that answers."""
WAIT_S = 0.25
WAIT_MOST_S = 4.0
"""A port that is lost as soon as it is open is opened again after a wait that doubles up to this."""
OCTETS_BURST = 4_000_000
"""More than any device has to tell after the longest outage."""
OCTETS_RATE = 200_000.0
"""Octets a second that may go on coming; twice what the fastest serial line of a table carries, a fifth of USB."""


class Unrest:
    """Sessions that end as soon as they begin, ports that are lost as soon as they are open, lines that never pause."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._short = 0
        self._began = 0.0
        self._wait = WAIT_S
        self._boot = -1
        self._since = 0.0
        self._octets = float(OCTETS_BURST)
        self._at = clock.now()

    def began(self) -> float:
        """A session begins; the moment it does."""
        self._began = self._clock.now()
        return self._began

    def ended(self) -> None:
        """It ends."""
        lasted = self._clock.now() - self._began
        self._short = self._short + 1 if lasted < SHORT_S else 0
        self._wait = WAIT_S if lasted >= SHORT_S else self._wait

    def pause(self) -> float:
        """How long after the port was lost it is opened again."""
        wait, self._wait = self._wait, min(2 * self._wait, WAIT_MOST_S)
        return wait

    def why_refused(self, identity: Identity, title: str) -> tuple[str, str] | None:
        """The reason and the remedy for as long as it begins anew again and again."""
        now = self._clock.now()
        if self._short < SHORT_MOST:
            return None
        if identity.boot != self._boot:
            self._boot, self._since = identity.boot, now
        if now - self._since >= STILL_S:
            self._short, self._boot = SHORT_MOST - 1, -1  # it is tried once; from the next short one on it waits again
            return None
        return (
            f"The {title} {identity.serial} begins anew again and again: {SHORT_MOST} times in a row within "
            f"{SHORT_S:g} s.",
            "Check its power, its cable and the hub between; if it goes on, put another device in its place. It is "
            f"taken again when it has kept still for {STILL_S:g} s.",
        )

    def takes(self, octets: int) -> bool:
        """Whether so many more are borne; if not, the line is closed for a while."""
        now = self._clock.now()
        self._octets = min(float(OCTETS_BURST), self._octets + (now - self._at) * OCTETS_RATE) - octets
        self._at = now
        return self._octets >= 0


def why_closed(title: str, port: str) -> tuple[str, str]:
    """The line is never silent."""
    return (
        f"Bytes come from {port} without end, more than {OCTETS_RATE:g} a second: more than the {title} has to tell.",
        "Unplug what is at this port and look at it; the line is opened again every few seconds, so nothing else is to "
        "do once it is quiet.",
    )
