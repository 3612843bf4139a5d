"""The card-reading shoe: cards in a row behind a gate, the wire in front of them, and a back door for the hands.

What lies in the shoe and what its reader makes of it are kept apart; only the second goes over the wire.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from firmware_specs.clock import Clock
from firmware_specs.messages import shoe as wire
from firmware_specs.port import Port
from firmware_specs.spec import Message
from simulators.behaviour import Refusal
from simulators.card_mouth import CannotDraw, CardMouth, Then
from simulators.card_reader import Mishap, MishapRates, thing
from simulators.link import DeviceLink

SPEC = wire.SPEC


class CardShoe(CardMouth):
    """A simulated shoe; `rates` lets mishaps come by themselves, from the seed."""

    card_out = wire.CardOut
    two_out = wire.TwoOut
    pushed_back = wire.PushedBack
    condition_changed = wire.ConditionChanged
    readings = tuple(wire.Reading)
    reader_dirty = wire.Condition.READER_DIRTY

    def __init__(
        self,
        clock: Clock,
        port: Port,
        *,
        serial: str = "SHOE-1",
        firmware: str = "1.0.0",
        seed: int = 0,
        both_sides: bool = True,
        rates: MishapRates | None = None,
    ) -> None:
        super().__init__(clock, f"shoe {serial} {seed}", rates, both_sides)
        self.cards: deque[str] = deque()  # the next to leave comes first
        self.lid_open = False
        self.lamp = wire.Lamp.RED
        self._told_empty = True
        capabilities = sum(SPEC.capabilities.values()) - (0 if both_sides else SPEC.capabilities["both_sides"])
        self.link = DeviceLink(
            clock, port, SPEC, self, serial=serial, firmware=firmware, capabilities=capabilities, seed=seed
        )

    def start(self) -> None:
        if not self._on:
            self.link.start()
            self.powered(True, True)

    def stop(self) -> None:
        self.link.stop()

    # The back door: what hands do to the shoe.

    def load(self, cards: Iterable[str]) -> None:
        """Put cards in behind those that are there, through the lid."""
        fresh = list(cards)
        for card in fresh:
            thing(card)
        self._through_lid([*self.cards, *fresh])

    def take_out(self) -> list[str]:
        """Lift every card out, through the lid."""
        cards = list(self.cards)
        self._through_lid([])
        return cards

    def stack(self, cards: Iterable[str]) -> None:
        """Let these cards come out next and in this order: those inside where there are such, else out of a sleeve."""
        for at, card in enumerate(cards):
            inside = list(self.cards)[at:]
            if card in inside:
                there = at + inside.index(card)
                self.cards[at], self.cards[there] = self.cards[there], self.cards[at]
            else:
                thing(card)
                self.cards.insert(at, card)

    def open_lid(self) -> None:
        self._lid(True)

    def close_lid(self) -> None:
        self._lid(False)

    def draw(self, then: Then | None = None, *, force: bool = False) -> float:
        """Pull a card; the seconds until it is out, when `then` gets what the hand holds."""
        if self._pulling:
            raise CannotDraw("a card is already on its way out of the shoe")
        if not self.cards:
            raise CannotDraw("the shoe is empty")
        if self.locked and not force:
            raise CannotDraw("the gate of the shoe is locked")
        if self.link.nearly_full and not force:
            raise CannotDraw("the gate of the shoe is locked: there is no room to remember a card")
        return self._pull(self.reader.next_mishap(), then)

    # The behaviour behind the wire.

    def command(self, command_id: int, message: Message) -> Message | Refusal | None:
        return Refusal(f"this shoe knows no {type(message).__name__}")

    def outputs(self, outputs: Message, why: str) -> None:
        assert isinstance(outputs, wire.Outputs)
        self.locked, self.lamp = outputs.locked, outputs.lamp

    def powered(self, on: bool, kept_memory: bool) -> None:
        self._on = on
        self._life += 1
        if not on:
            return
        self._power_returned(kept_memory)
        self._told_empty = not self.cards
        self.link.post(
            wire.PoweredUp(
                at=self._at(),
                kept_memory=kept_memory,
                next_draw=self._next_draw,
                lid_open=self.lid_open,
                empty=self._told_empty,
                reader_dirty=self._dirty,
            )
        )

    def _lift(self, mishap: Mishap | None) -> tuple[str, ...]:
        if mishap is not None and mishap.kind == "two" and len(self.cards) > 1:
            return self.cards.popleft(), self.cards.popleft()
        return (self.cards.popleft(),)

    def _first(self) -> str:
        return self.cards[0]

    def _gone(self, cards: int, seen: bool) -> None:
        if not self.cards:
            self._notice_empty()

    def _through_lid(self, cards: list[str]) -> None:
        if self._pulling:
            raise CannotDraw("a card is on its way out of the shoe; let go of it first")
        was_open = self.lid_open
        if self._on:
            self.open_lid()
        self.cards = deque(cards)
        self._notice_empty()
        if self._on and not was_open:
            self.close_lid()

    def _lid(self, is_open: bool) -> None:
        if is_open != self.lid_open:
            self.lid_open = is_open
            self._condition(wire.Condition.LID_OPEN, is_open)

    def _notice_empty(self) -> None:
        empty = not self.cards
        if self._on and empty != self._told_empty:
            self._told_empty = empty
            self._condition(wire.Condition.EMPTY, empty)

    def _show(self) -> None:
        self.link.live(wire.ReaderSignal(100 - self.reader.dirt))
