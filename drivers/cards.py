"""What shoe and shuffler tell of the cards that leave them, and what the driver concludes from it.

Both drivers tell the same events, so that a game need not know where its cards come from.  A card is rank and suit,
"KS", "TD"; "CUT" is the cutting card, "JOKER" a joker, "" a card whose face is not known.

    CardDrawn        a card left, and its face is beyond doubt
    CardUnread       something left that is no card beyond doubt: `why`, and what the reader saw, likeliest first
    CuttingCard      the cutting card left
    TwoDrawn         two left together; `cards` in order only when `order_known`
    CardPushedBack   a card came part of the way and went back; `told` when it had been told as drawn before
    CardReadAgain    the same draw was read again; `before` is what was concluded then ("" when that is not known)
    GateForced       told before the card that came although the gate was locked

A draw number counts what passes the mouth, from 1 again after DeviceUp with `lost`, or from another device.  A number
that was never told is told as CardUnread with `why` "untold" once a later one comes.  The face is never guessed: below
SURE, or with a second face close behind, the draw is CardUnread with `why` "doubtful" and `seen` as the proposal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from firmware_specs.cards import CARD_OF, DECK
from firmware_specs.clock import Clock
from firmware_specs.link import Identity
from firmware_specs.port import Port
from firmware_specs.spec import DeviceSpec

from .device import Device
from .events import DeviceEvent, DeviceTrouble, DeviceTroubleOver, Mark, Sink
from .listener import Recorder

__all__ = [
    "CARD_OF",
    "CUT",
    "DECK",
    "EVENTS",
    "JOKER",
    "CardDrawn",
    "CardPushedBack",
    "CardReadAgain",
    "CardSource",
    "CardUnread",
    "CuttingCard",
    "GateForced",
    "TwoDrawn",
    "Why",
]

CUT = "CUT"
JOKER = "JOKER"

SURE = 90  # per cent below which a face is in doubt
CLEAR_LEAD = 25  # per cent by which the likeliest face must lead the next
REMEMBERED_DRAWS = 32
UNTOLD_MOST = 16  # a larger gap is one draw in the record and not a flood

Seen = tuple[tuple[str, int], ...]
Why = Literal["unreadable", "doubtful", "face_up", "joker", "foreign", "untold"]

# As both declarations number them.
_CARD, _UNREADABLE, _CUTTING_CARD, _JOKER, _FOREIGN = range(5)
_WHY: dict[int, Why] = {_UNREADABLE: "unreadable", _JOKER: "joker", _FOREIGN: "foreign"}


class CardDrawn(DeviceEvent, frozen=True):
    """A card left, and its face is beyond doubt."""

    draw: int
    card: str
    confidence: int
    face_up: bool = False


class CardUnread(DeviceEvent, frozen=True):
    """Something left that is no card beyond doubt; `seen` is each likely face with its confidence in per cent."""

    draw: int
    why: Why
    seen: Seen = ()
    face_up: bool = False


class CuttingCard(DeviceEvent, frozen=True):
    """The cutting card left."""

    draw: int


class TwoDrawn(DeviceEvent, frozen=True):
    """Two cards left together; the face is "" where it is in doubt, and `seen` is what the reader made of each."""

    draws: tuple[int, int]
    cards: tuple[str, str]
    order_known: bool
    seen: Seen = ()


class CardPushedBack(DeviceEvent, frozen=True):
    """A card came part of the way and went back; it comes later under another draw number."""

    draw: int
    card: str
    told: bool


class CardReadAgain(DeviceEvent, frozen=True):
    """The reader saw a card again that it had told before: no further card has left."""

    draw: int
    card: str
    confidence: int
    before: str


class GateForced(DeviceEvent, frozen=True):
    """The card told next came although the gate was locked."""

    draw: int


EVENTS = (CardDrawn, CardUnread, CuttingCard, TwoDrawn, CardPushedBack, CardReadAgain, GateForced)
"""Everything told of a card, for the journal."""


def likely(*pairs: tuple[int, int]) -> Seen:
    """The faces of codes with their confidence, without those that are none."""
    return tuple((CARD_OF[code], confidence) for code, confidence in pairs if code)


class CardSource(Device):
    """The host end of a device that cards leave through one mouth."""

    def __init__(
        self,
        name: str,
        spec: DeviceSpec,
        clock: Clock,
        port: Port,
        sink: Sink,
        *,
        serial: str | None = None,
        resume: Mark | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        super().__init__(name, spec, clock, port, sink, serial=serial, resume=resume, recorder=recorder)
        self.last_serial = resume.serial if resume is not None else ""
        self._draws: dict[int, str] = {}
        self._troubled: set[str] = set()
        self._next_draw: int | None = None  # not known before the first card after a start

    def on_up(self, identity: Identity, lost: bool) -> None:
        if lost or identity.serial != self.last_serial:
            self.forget_draws(None)
        self.last_serial = identity.serial

    def forget_draws(self, next_draw: int | None) -> None:
        """Draw numbers start anew."""
        self._draws = {}
        self._next_draw = next_draw

    def card_out(
        self,
        number: int,
        draw: int,
        look: int,
        reading: int,
        code: int,
        confidence: int,
        second: int,
        second_confidence: int,
        face_up: bool,
        forced: bool,
    ) -> None:
        """Tell one card that left."""
        draws = self._draws
        if look > 1 or draw in draws:
            face = self._face(reading, code, confidence, second, second_confidence)
            self.tell(CardReadAgain(self.name, draw, face, confidence, draws.get(draw, "")), number)
            return
        self._passes(draw, 1, forced)
        if reading == _CARD and confidence >= SURE and confidence - second_confidence >= CLEAR_LEAD and code:
            card = CARD_OF[code]
            self._remember(draw, card)
            self.tell(CardDrawn(self.name, draw, card, confidence, face_up), number)
        elif reading == _CUTTING_CARD:
            self._remember(draw, CUT)
            self.tell(CuttingCard(self.name, draw), number)
        else:
            self._remember(draw, "")
            why: Why = _WHY.get(reading, "doubtful" if code else "unreadable")
            if why == "unreadable" and face_up:
                why = "face_up"
            seen = likely((code, confidence), (second, second_confidence))
            self.tell(CardUnread(self.name, draw, why, seen, face_up), number)

    def two_out(
        self,
        number: int,
        draw: int,
        readings: Sequence[int],
        codes: Sequence[int],
        confidences: Sequence[int],
        order_known: bool,
        forced: bool,
    ) -> None:
        """Tell two cards that left together."""
        looks = (*zip(readings, codes, confidences, strict=False), (_UNREADABLE, 0, 0), (_UNREADABLE, 0, 0))
        first, second = (self._face(reading, code, confidence, 0, 0) for reading, code, confidence in looks[:2])
        self._passes(draw, 2, forced)
        self._remember(draw, first)
        self._remember(draw + 1, second)
        seen = likely(*((code, confidence) for _, code, confidence in looks[:2]))
        self.tell(TwoDrawn(self.name, (draw, draw + 1), (first, second), order_known, seen), number)

    def pushed_back(self, number: int, draw: int, code: int, confidence: int, told: bool) -> None:
        """Tell a card that came part of the way."""
        if not told:
            self._passes(draw, 1, False)
        card = CARD_OF[code] if confidence >= SURE else ""
        self.tell(CardPushedBack(self.name, draw, card, told), number)

    def powered_up(self, kept_memory: bool, next_draw: int) -> None:
        """Draws that were never told before a power loss are told now."""
        if kept_memory:
            self._passes(next_draw, 0, False)
        else:
            self.forget_draws(next_draw)

    def trouble(self, code: str, on: bool, words: tuple[str, str], number: int = 0) -> None:
        """Tell that a lasting condition holds, in words and with its remedy, or that it no longer does."""
        if on:
            self._troubled.add(code)
            self.tell(DeviceTrouble(self.name, code, *words), number)
        elif code in self._troubled:
            self._troubled.discard(code)
            self.tell(DeviceTroubleOver(self.name, code), number)
        elif number:
            self.settle(number)

    def recall(self, troubles: frozenset[str]) -> None:
        self._troubled = set(troubles)

    def _face(self, reading: int, code: int, confidence: int, second: int, second_confidence: int) -> str:
        if reading == _CUTTING_CARD:
            return CUT
        if reading == _JOKER:
            return JOKER
        if reading == _CARD and confidence >= SURE and confidence - second_confidence >= CLEAR_LEAD:
            return CARD_OF[code]
        return ""

    def _passes(self, draw: int, cards: int, forced: bool) -> None:
        """Count a draw; those between it and the last one told went by without a word."""
        expected = self._next_draw
        if draw != expected and expected is not None and draw > expected:
            for untold in range(max(expected, draw - UNTOLD_MOST), draw):
                self.tell(CardUnread(self.name, untold, "untold"))
        if expected is None or draw >= expected:
            self._next_draw = draw + cards
        if forced:
            self.tell(GateForced(self.name, draw))

    def _remember(self, draw: int, card: str) -> None:
        draws = self._draws
        draws[draw] = card
        if len(draws) > REMEMBERED_DRAWS:
            del draws[next(iter(draws))]
