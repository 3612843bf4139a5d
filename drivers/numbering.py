"""How far one device's events have come in one epoch, and a gap in them that asking again does not close."""

from __future__ import annotations

import msgspec

from firmware_specs import link
from firmware_specs.link import Identity

from .events import Mark

GAP_ASKS = 8
"""So often in a session a missing event is asked for while later ones come; a lossy line needs two or three."""

LOST_MOST = 3
"""A device that has lost its memory so often, with no event between, keeps nothing."""


class Position(msgspec.Struct):
    """How far one device's events have come in one epoch."""

    epoch: int
    received: int
    durable: int
    settled: set[int] = msgspec.field(default_factory=set)  # durable ahead of their turn
    skipped: dict[int, int] = msgspec.field(default_factory=dict)  # first and last of what never came
    word: int = 0  # up to here the device says that it holds nothing, and that is all there is to show for it
    had: int = 0  # what had come before it said so

    @property
    def acknowledged(self) -> tuple[int, int]:
        """What an ACK says is here and on disk: never more than came, whatever a device says that it let go of."""
        return (self.had, self.had) if self.received == self.word > self.had else (self.received, self.durable)

    def denies(self, number: int) -> bool:
        """Whether the device says that it does not hold this event, and none has yet borne that out."""
        return self.had < number <= self.word == self.received

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


class Epochs(msgspec.Struct):
    """How often in a row a device drew another epoch without telling an event in between."""

    last: int
    lost: int = 0
    received: int = 0


class Untrue(msgspec.Struct, frozen=True):
    """What a device said of its oldest event, and the earlier one that it sent all the same."""

    epoch: int
    oldest: int
    number: int

    def why(self, title: str, serial: str) -> tuple[str, str]:
        """The reason and the remedy."""
        return (
            f"The {title} {serial} does not tell the truth about its events: it says that it holds none before "
            f"{self.oldest}, and sends event {self.number}.",
            "Report its firmware version to its maker and put another device in its place; nothing was taken from it, "
            "and it still holds what it held.",
        )


class Positions:
    """How far the events of each device known so far have come, by serial."""

    def __init__(self, resume: Mark | None) -> None:
        self._known: dict[str, Position] = {}
        self._epochs: dict[str, Epochs] = {}
        self._untrue: dict[str, Untrue] = {}
        if resume is not None:
            self._known[resume.serial] = Position(resume.epoch, resume.number, resume.number)

    def of(self, serial: str) -> Position:
        """Of this device, or of one that nothing is known of."""
        return self._known.get(serial) or Position(0, 0, 0)

    def recorded(self, identity: Identity) -> int:
        """The last event already taken from this device in its present epoch."""
        known = self.of(identity.serial)
        return known.received if known.epoch == identity.epoch else 0

    def why_worn_out(self, identity: Identity, title: str) -> tuple[str, str] | None:
        """The reason and the remedy when it loses its memory again and again, and tells nothing between."""
        known = self._known.get(identity.serial)
        seen = self._epochs.setdefault(identity.serial, Epochs(identity.epoch))
        if known is not None and known.received > seen.received:
            seen.lost, seen.received = 0, known.received
        if identity.epoch == seen.last:
            return None  # it has kept it since it was asked last
        seen.last, seen.received = identity.epoch, identity.oldest - 1
        seen.lost += 1
        if seen.lost < LOST_MOST:
            return None
        return (
            f"The {title} {identity.serial} lost its memory again and again with no event between: it keeps nothing.",
            "Put another device in its place and have the memory of this one looked at; what it saw is lost.",
        )

    def contradict(self, serial: str, number: int, title: str) -> tuple[str, str]:
        """This event came though the device says that it holds none before a later one: why it is not believed."""
        said = self._known.pop(serial)
        if said.had:
            self._known[serial] = Position(said.epoch, said.had, said.had)
        self._untrue[serial] = Untrue(said.epoch, said.word + 1, number)
        return self._untrue[serial].why(title, serial)

    def why_untrue(self, identity: Identity, title: str) -> tuple[str, str] | None:
        """The reason and the remedy while it goes on saying what its own events have shown to be wrong."""
        untrue = self._untrue.get(identity.serial)
        if untrue is None or untrue.epoch != identity.epoch or identity.oldest <= untrue.number:
            return None
        return untrue.why(title, identity.serial)

    def take_up(self, identity: Identity) -> tuple[Position, bool]:
        """Where to go on with the device that answered, and whether evidence is lost between then and now."""
        before, had = self._known.get(identity.serial), 0
        if before is None:
            lost = False
        elif before.epoch != identity.epoch:
            lost = not before.used_up
        elif identity.oldest > before.received + 1:
            lost, had = True, before.durable
        else:
            return before, False
        taken = Position(identity.epoch, identity.oldest - 1, identity.oldest - 1, word=identity.oldest - 1, had=had)
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
