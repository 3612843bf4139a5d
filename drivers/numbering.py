"""How far one device's events have come in one epoch, and a gap in them that asking again does not close."""

from __future__ import annotations

import msgspec

from firmware_specs import link

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


class Gap(msgspec.Struct):
    """Events that came while the one after `after` did not."""

    after: int
    first: int  # the lowest number that came beyond
    asked: int = 0
    fresh: bool = True  # something came beyond since the last time it was asked for


class Missing(msgspec.Struct, frozen=True):
    """An event that a whole session could not bring."""

    serial: str
    epoch: int
    after: int
