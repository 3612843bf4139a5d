"""A device or a line that never comes to rest is held back or let be for a while, and told.

How many events a device may tell: a broken one must fill neither the disk nor the pages. How often it may begin anew,
and how many bytes may come without end: the link does not spin.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_specs.clock import Action, Clock, Timer
from firmware_specs.link import Identity

FLOOD = "flood"
"""What this trouble of a device is called."""
BURST = 10_000
"""More than any device holds after the longest outage, and more than a table makes in an hour."""
RATE = 50.0
"""Events a second that a device may go on telling; ten times what the busiest table makes."""
RESUME_S = 1.0
"""A device that was held back is asked to go on this much later, with what has become free."""
TOO_MANY = f"more than {BURST} events, and more than {RATE:g} a second"
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


# -- events --------------------------------------------------------------------------------------------------------


class Allowance:
    """Events that may still be taken; they become free again with time."""

    def __init__(self, burst: int | None = None, rate: float | None = None) -> None:
        self._burst, self._rate = float(BURST if burst is None else burst), RATE if rate is None else rate
        self._left = self._burst
        self._at = 0.0
        self.held_back = False

    def take(self, now: float) -> bool:
        """Whether another event may be taken now."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def recovered(self, now: float) -> bool:
        """Whether the device has been quiet for long enough to be called well again."""
        return self._left + (now - self._at) * self._rate >= self._burst / 2


class Flood(Allowance):
    """Takes nothing for a while from a device that tells too much: what is not received stays with the device."""

    def __init__(self, clock: Clock, go_on: Action, tell: Callable[[bool], None]) -> None:
        super().__init__()
        self.paused = False
        self._clock = clock
        self._ask_on = go_on
        self._tell = tell
        self._timer: Timer | None = None

    def hold_back(self) -> bool:
        """Pause; whether this is the beginning of a flood."""
        began, self.held_back, self.paused = not self.held_back, True, True
        self._later()
        return began

    def stop(self) -> None:
        """Ask for nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _later(self) -> None:
        self.stop()
        self._timer = self._clock.call_later(RESUME_S, self._go_on)

    def _go_on(self) -> None:
        self.paused = False
        self._ask_on()
        if self.recovered(self._clock.now()):
            self.held_back = False
            self._tell(False)
        elif self.held_back:
            self._later()


# -- sessions and bytes --------------------------------------------------------------------------------------------


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
