"""The mouth that cards leave by, as shoe and shuffler have it: a hand pulls, the reader looks, the wire is told."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, ClassVar

from firmware_specs.clock import Clock
from firmware_specs.spec import Message
from simulators.card_reader import UNREADABLE, CardReader, Look, Mishap, MishapKind, MishapRates
from simulators.link import DeviceLink

AGAIN_S = 0.12  # until a card that lingers before the reader is read again
NOTHING_SEEN = Look(UNREADABLE, 0, 0, 0, 0, False)

#: gets what the hand holds; nothing when the card went back or none came
Then = Callable[[tuple[str, ...]], object]


REMEMBERED = 20_000
"""Drawn cards that a simulated device remembers at least."""


class CannotDraw(Exception):
    """The hand finds no card to draw, and why."""


class CardMouth:
    """A mouth with its reader; a subclass says which cards come to it and names its own wire messages."""

    link: DeviceLink

    # Both declarations give these messages the same fields.
    card_out: ClassVar[Callable[..., Message]]
    two_out: ClassVar[Callable[..., Message]]
    pushed_back: ClassVar[Callable[..., Message]]
    condition_changed: ClassVar[Callable[..., Message]]
    readings: ClassVar[tuple[IntEnum, ...]]
    reader_dirty: ClassVar[IntEnum]

    def __init__(self, clock: Clock, name: str, rates: MishapRates | None, both_sides: bool) -> None:
        self.drawn: list[str] = []  # what left last, as it really was; the oldest are forgotten after days of play
        self.draws = 0  # how many left in all
        self.locked = True
        self.reader = CardReader(name, rates, both_sides)
        self._clock = clock
        self._on = False
        self._life = 0
        self._pulling = False
        # The device's memory.
        self._next_draw = 1
        self._begun = False  # the next draw has begun and was not told to its end
        self._dirty = False

    # What a subclass answers.

    def _lift(self, mishap: Mishap | None) -> tuple[str, ...]:
        """Take the card that is pulled out of the device, or two of them."""
        raise NotImplementedError

    def _first(self) -> str:
        """The card at the mouth."""
        raise NotImplementedError

    def _gone(self, cards: int, seen: bool) -> None:
        """Cards have left; `seen` when the device noticed."""

    def _went_back(self) -> None:
        """A card that was pulled is in the mouth again."""

    # The back door.

    def spoil(
        self,
        kind: MishapKind,
        *,
        after: int = 0,
        seen: str = "",
        confidence: int = 0,
        order_known: bool = True,
        after_read: bool = False,
        blind: tuple[int, ...] = (),
    ) -> None:
        """Let the next draw go wrong, or the one so many after it."""
        self._spoil(Mishap(kind, seen, confidence, order_known, after_read, blind), after)

    def _spoil(self, mishap: Mishap, after: int) -> None:
        self.reader.spoil(mishap, after)

    def soil(self, per_cent: int = 60) -> None:
        """Dirty the reader's window; the device notices after some weak readings."""
        self.reader.dirt = per_cent

    def clean(self) -> None:
        """Wipe the reader's window."""
        self.reader.clean()
        if self._dirty:
            self._dirty = False
            self._condition(self.reader_dirty, False)
            self._show()

    # A pull from beginning to end.

    def _pull(self, mishap: Mishap | None, then: Then | None) -> float:
        seconds = self.reader.pull_s()
        self._pulling = True
        self._begun = self._on
        arrive = self._goes_back if mishap is not None and mishap.kind == "half" else self._out
        self._clock.call_later(seconds, arrive, mishap, self.locked, self._life, then)
        return seconds

    def _out(self, mishap: Mishap | None, forced: bool, life: int, then: Then | None) -> None:
        self._pulling = False
        taken = self._lift(mishap)
        self.drawn += taken
        self.draws += len(taken)
        if len(self.drawn) > 2 * REMEMBERED:
            del self.drawn[:-REMEMBERED]
        # A device without power, or one that had none meanwhile, has not seen this card.
        seen = self._on and life == self._life
        if seen:
            if len(taken) == 2:
                self._tell_two(taken, mishap, forced)
            else:
                look = self.reader.look(taken[0], mishap)
                draw = self._tell_out(look, forced)
                if mishap is not None and mishap.kind == "twice":
                    self._after(AGAIN_S, self._look_again, draw, taken[0], mishap)
                if self.reader.dirt:
                    self._notice_dirt(look)
        self._gone(len(taken), seen)
        if then is not None:
            then(taken)

    def _goes_back(self, mishap: Mishap, forced: bool, life: int, then: Then | None) -> None:
        self._pulling = False
        if self._on and life == self._life:
            look = self.reader.look(self._first())
            draw = self._tell_out(look, forced) if mishap.after_read else self._number(1)
            self.link.post(self.pushed_back(self._at(), draw, look.card, look.confidence, mishap.after_read))
        self._went_back()
        if then is not None:
            then(())

    def _look_again(self, draw: int, card: str, mishap: Mishap) -> None:
        other = Mishap("misread", mishap.seen, mishap.confidence) if mishap.seen else None
        self._post_out(draw, 2, self.reader.look(card, other), False)

    def _tell_out(self, look: Look, forced: bool) -> int:
        draw = self._number(1)
        self._post_out(draw, 1, look, forced)
        return draw

    def _post_out(self, draw: int, which: int, look: Look, forced: bool) -> None:
        self.link.post(
            self.card_out(
                self._at(),
                draw,
                which,
                self.readings[look.reading],
                look.card,
                look.confidence,
                look.second,
                look.second_confidence,
                look.face_up,
                forced,
            )
        )

    def _tell_two(self, cards: tuple[str, ...], mishap: Mishap | None, forced: bool) -> None:
        blind = mishap.blind if mishap is not None else ()
        looks = [NOTHING_SEEN if place in blind else self.reader.look(card) for place, card in enumerate(cards)]
        self.link.post(
            self.two_out(
                at=self._at(),
                draw=self._number(2),
                readings=tuple(self.readings[look.reading] for look in looks),
                cards=tuple(look.card for look in looks),
                confidences=tuple(look.confidence for look in looks),
                order_known=mishap is not None and mishap.order_known,
                forced=forced,
            )
        )

    def _number(self, cards: int) -> int:
        draw = self._next_draw
        self._next_draw += cards
        self._begun = False
        return draw

    def _power_returned(self, kept_memory: bool) -> None:
        """Go on with the numbers of before, or start anew."""
        if not kept_memory:
            self._next_draw, self._begun, self._dirty = 1, False, False
        elif self._begun:
            # It had begun to leave when the power went: something passed, and nobody read it.
            self._tell_out(NOTHING_SEEN, False)

    # The reader's window.

    def _notice_dirt(self, look: Look) -> None:
        if not self._dirty and self.reader.looks_dirty(look):
            self._dirty = True
            self._condition(self.reader_dirty, True)
            self._show()

    def _show(self) -> None:
        """Show live how well the reader sees."""

    # Time and the wire.

    def _condition(self, condition: IntEnum, on: bool) -> None:
        if self._on:
            self.link.post(self.condition_changed(self._at(), condition, on))

    def _at(self) -> int:
        return self.link.at()

    def _after(self, delay: float, action: Callable[..., object], *args: Any) -> None:
        self._clock.call_later(delay, self._if_alive, self._life, action, args)

    def _if_alive(self, life: int, action: Callable[..., object], args: tuple[Any, ...]) -> None:
        # What was under way when the power went never happens.
        if self._on and life == self._life:
            action(*args)
