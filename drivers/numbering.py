"""How far one device's events have come in one epoch, and a gap in them that asking again does not close."""

from __future__ import annotations

import msgspec

from firmware_specs import link
from firmware_specs.link import Identity

from .events import Mark

GAP_ASKS = 8
"""So often in a session a missing event is asked for while later ones come; a lossy line needs two or three."""


class Position(msgspec.Struct):
    """How far one device's events have come in one epoch."""

    epoch: int
    received: int
    durable: int
    settled: set[int] = msgspec.field(default_factory=set)  # durable ahead of their turn
    skipped: dict[int, int] = msgspec.field(default_factory=dict)  # first and last of what never came

    def settle(self, number: int) -> bool:
        """This event needs no resending ever again; True when more than before is settled without a hole."""
        if number == self.durable + 1 and number <= self.received:
            self.durable = number
            self._go_on()
            return True
        if self.durable < number <= self.received:
            self.settled.add(number)
        return False

    def _go_on(self) -> None:
        settled, skipped = self.settled, self.skipped
        while settled or skipped:
            following = self.durable + 1
            if following in settled:
                settled.remove(following)
                self.durable = following
            elif following in skipped:
                self.durable = skipped.pop(following)
            else:
                return

    def skip_to(self, number: int) -> None:
        """What lies before this event is lost: go on as if it had come and were settled."""
        if number > self.received + 1:
            self.skipped[self.received + 1] = number - 1
            self.received = number - 1
            self._go_on()

    @property
    def used_up(self) -> bool:
        """Every number of the epoch was given and is on disk: the epoch that follows has lost nothing."""
        return self.durable == link.LAST_NUMBER


class Positions:
    """How far the events of each device known so far have come, by serial."""

    def __init__(self, resume: Mark | None) -> None:
        self._known: dict[str, Position] = {}
        if resume is not None:
            self._known[resume.serial] = Position(resume.epoch, resume.number, resume.number)

    def of(self, serial: str) -> Position:
        """Of this device, or of one that nothing is known of."""
        return self._known.get(serial) or Position(0, 0, 0)

    def recorded(self, identity: Identity) -> int:
        """The last event already taken from this device in its present epoch."""
        known = self.of(identity.serial)
        return known.received if known.epoch == identity.epoch else 0

    def take_up(self, identity: Identity) -> tuple[Position, bool]:
        """Where to go on with the device that answered, and whether evidence is lost between then and now."""
        before = self._known.get(identity.serial)
        if before is None:
            lost = False
        elif before.epoch != identity.epoch:
            lost = not before.used_up
        elif identity.oldest > before.received + 1:
            lost = True
        else:
            return before, False
        taken = Position(identity.epoch, identity.oldest - 1, identity.oldest - 1)
        self._known[identity.serial] = taken
        return taken, lost


class Gap(msgspec.Struct):
    """Events that came while the one after `after` did not."""

    after: int
    first: int  # the lowest number that came beyond
    asked: int = 0
    fresh: bool = True  # something came beyond since the last time it was asked for

    @property
    def events(self) -> str:
        """What did not come, in words."""
        first, last = self.after + 1, self.first - 1
        return f"Event {first}" if first == last else f"Events {first} to {last}"

    def why_asked_anew(self, title: str) -> tuple[str, str]:
        """The cause and the remedy of the first new session."""
        return (
            f"{self.events} of the {title} did not come though later ones did; it is asked from the beginning.",
            "Nothing to do unless it happens again; then check the cable, and report the firmware version.",
        )

    def why_lost(self, title: str) -> tuple[str, str]:
        """The cause and the remedy when a new session did not bring them either."""
        are = "is" if self.first == self.after + 2 else "are"
        return (
            f"{self.events} of the {title} {are} lost: the device does not send what it numbered.",
            "Have a person check what happened at this moment, and report the device's firmware version.",
        )


class Missing(msgspec.Struct, frozen=True):
    """An event that a whole session could not bring."""

    serial: str
    epoch: int
    after: int
