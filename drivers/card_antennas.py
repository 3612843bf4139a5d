"""The card antennas' driver: which card lies at which seat, on the board, with the burns or in the muck.

What it tells holds tags, and a tag is a card to whoever knows the deck: these events go to a sealer and to nobody
else. The journal does not know them and could not hold them.

    CardsSeen       cards came to antennas or left them, in one sweep
    CardOnEdge      a card lies between antennas and counts for none of them
    CardOffEdge     it no longer does
    CardTwice       one tag answers from two places: there are two cards with one tag
    CardTwiceOver   it answers from one place again
    CardPicture     everything, read anew after a start or a loss; it takes the place of whatever was known
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_specs.clock import Clock, Timer
from firmware_specs.link import Identity
from firmware_specs.messages import cards as wire
from firmware_specs.port import Port
from firmware_specs.spec import Message

from .device import Device, own_command
from .events import DeviceEvent, DeviceTrouble, DeviceTroubleOver, Mark, Sink

MUCK, BOARD, BURN = 0, 13, 14
PICTURE_S = 5.0
"""An answer to ReadAll comes within this time or is asked for again."""
NO_PICTURE = "no_picture"
_SEATS = 0x0F

_CAUSES = {
    wire.FaultCause.ANTENNA_OPEN: (
        "its antenna or lead is broken",
        "Check the plug of the antenna, then replace the antenna.",
    ),
    wire.FaultCause.ANTENNA_SHORT: (
        "its antenna is shorted",
        "Take away metal that lies on it, then check the antenna's lead.",
    ),
    wire.FaultCause.NOISE: (
        "interference drowns the cards",
        "Move telephones and chargers away, then calibrate the empty antenna.",
    ),
    wire.FaultCause.READER_HOT: (
        "its reader is too hot",
        "Let the air reach the reader and wait until it has cooled.",
    ),
}

Lying = tuple[tuple[int, int], ...]
"""Tags, each with its antenna."""


def place_name(antenna: int) -> str:
    """Where an antenna is, in words."""
    return {MUCK: "the muck", BOARD: "the board", BURN: "the burn pile"}.get(antenna, f"seat {antenna}")


class CardsSeen(DeviceEvent, frozen=True):
    """Cards came to antennas or left them."""

    added: Lying
    removed: Lying


class CardOnEdge(DeviceEvent, frozen=True):
    """A card lies between antennas and counts for none of them."""

    tag: int
    antennas: tuple[int, ...]


class CardOffEdge(DeviceEvent, frozen=True):
    """A card told by CardOnEdge no longer lies between antennas."""

    tag: int


class CardTwice(DeviceEvent, frozen=True):
    """One tag answers from two places at once."""

    tag: int
    antennas: tuple[int, ...]


class CardTwiceOver(DeviceEvent, frozen=True):
    """A tag told by CardTwice answers from one place again."""

    tag: int


class CardPicture(DeviceEvent, frozen=True):
    """Every card on every antenna; `unread` are antennas that cannot be read."""

    cards: Lying
    unread: tuple[int, ...] = ()


class CardAntennas(Device):
    """The host end of a table's card antennas."""

    def __init__(
        self,
        name: str,
        clock: Clock,
        port: Port,
        sink: Sink,
        *,
        serial: str | None = None,
        resume: Mark | None = None,
    ) -> None:
        # No recorder: what passes on this line is every hole card of the table.
        super().__init__(name, wire.SPEC, clock, port, sink, serial=serial, resume=resume)
        self.link.traffic.secret = True
        self._serial = resume.serial if resume is not None else ""
        self._seats = _SEATS
        self._at: dict[int, int] = {}
        self._wanted = True
        self._doubtful = False
        self._superseded: list[int] = []
        self._snapshot = clock.wall() & 0xFFFF
        self._command = own_command(clock.wall())
        self._timer: Timer | None = None
        self._complained = False

    @property
    def cards(self) -> int:
        """How many cards lie on antennas, as told so far."""
        return len(self._at)

    def lies_at(self, tag: int) -> int | None:
        """The antenna of this card, as told so far; for a bench, never for a table."""
        return self._at.get(tag)

    def recall(self, troubles: frozenset[str]) -> None:
        self._complained = NO_PICTURE in troubles

    def resync(self) -> None:
        """Have everything read anew."""
        self._wanted = True
        if self.link.state == "up":
            self._ask()

    def stop(self) -> None:
        self._cancel()
        super().stop()

    # What the link tells.

    def on_up(self, identity: Identity, lost: bool) -> None:
        swapped = bool(self._serial) and identity.serial != self._serial
        self._serial = identity.serial
        self._seats = identity.capabilities & _SEATS
        if lost or swapped:
            self._superseded = []
            self._wanted = self._doubtful = True
        if self._wanted:
            self._ask()

    def on_down(self) -> None:
        self._cancel()

    def bad_event(self, number: int, text: str) -> None:
        super().bad_event(number, text)
        self.resync()

    def on_event(self, number: int, message: Message) -> None:
        match message:
            case wire.CardsMoved():
                self._moved(number, message)
            case wire.Picture():
                self._picture(number, message)
            case wire.AntennaFault():
                why, remedy = _CAUSES[message.cause]
                text = f"The antenna of {place_name(message.antenna)} cannot be read: {why}."
                self.tell(DeviceTrouble(self.name, f"antenna_{message.antenna}", text, remedy), number)
            case wire.AntennaFaultOver():
                self.tell(DeviceTroubleOver(self.name, f"antenna_{message.antenna}"), number)
            case _ if self._doubtful:
                self._superseded.append(number)
            case wire.CardOnEdge():
                self.tell(CardOnEdge(self.name, message.tag, message.antennas), number)
            case wire.EdgeCleared():
                self.tell(CardOffEdge(self.name, message.tag), number)
            case wire.TagTwice():
                self.tell(CardTwice(self.name, message.tag, message.antennas), number)
            case wire.TagTwiceOver():
                self.tell(CardTwiceOver(self.name, message.tag), number)
            case _:
                self.settle(number)

    def _exists(self, antennas: Iterable[int]) -> bool:
        return all(antenna <= self._seats or antenna in (BOARD, BURN) for antenna in antennas)

    def _moved(self, number: int, moved: wire.CardsMoved) -> None:
        if len(moved.added) != len(moved.to) or len(moved.removed) != len(moved.left):
            self.bad_event(number, "the lists of tags and antennas differ in length")
            return
        if not self._exists((*moved.to, *moved.left)):
            self.bad_event(number, f"an antenna of a seat that is not there; {self._seats} seats have one")
            return
        if self._doubtful:
            # The complete picture that is on its way holds this change.
            self._superseded.append(number)
            return
        added = tuple(zip(moved.added, moved.to, strict=True))
        removed = tuple(zip(moved.removed, moved.left, strict=True))
        at = self._at
        for tag, antenna in removed:
            if at.get(tag) == antenna:
                del at[tag]
        at.update(added)
        self.tell(CardsSeen(self.name, added, removed), number)
        if not self._wanted and len(at) != moved.total:
            # The antennas count otherwise than we do: one of us missed something.
            self.resync()

    # The complete picture.

    def _ask(self) -> None:
        self._wanted = True
        self._snapshot = (self._snapshot + 1) & 0xFFFF
        self._command = own_command(self._command + 1)
        self._cancel()
        self._timer = self.clock.call_later(PICTURE_S, self._ask_again)
        self.link.command(self._command, wire.ReadAll(self._snapshot), lambda *answer: None, PICTURE_S)

    def _ask_again(self) -> None:
        self._timer = None
        if not self._complained:
            self._complained = True
            self.tell(
                DeviceTrouble(
                    self.name,
                    NO_PICTURE,
                    "The card antennas do not say which cards lie where.",
                    "Deal no further; if this stays, switch the antennas off and on.",
                )
            )
        self._ask()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _picture(self, number: int, seen: wire.Picture) -> None:
        if not self._wanted or seen.snapshot != self._snapshot:
            self.settle(number)  # an answer to a question of before a restart
            return
        if len(seen.tags) != len(seen.on) or not self._exists(seen.on):
            self.bad_event(number, "its lists of tags and antennas do not fit together")
            return
        self._cancel()
        self._wanted = self._doubtful = False
        numbers, self._superseded = self._superseded, []
        cards = tuple(zip(seen.tags, seen.on, strict=True))
        self._at = dict(cards)
        if self._complained:
            self._complained = False
            self.tell(DeviceTroubleOver(self.name, NO_PICTURE))
        unread = tuple(antenna for antenna in range(BURN + 1) if seen.unread >> antenna & 1)
        self.tell(CardPicture(self.name, cards, unread), number, *numbers)
