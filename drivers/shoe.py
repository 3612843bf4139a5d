"""The card-reading shoe at the table.

It tells the events of drivers/cards.py for every card that leaves, and besides:

    ShoeEmpty, ShoeLoaded   no card lies in front of the mouth; cards lie there again (the shoe does not count them)
    DeviceTrouble           "lid_open", "reader_dirty"; DeviceTroubleOver when that is over

ShoeEmpty or ShoeLoaded also follows every start of the shoe, after the troubles as they are then.
Outputs: `locked` (the gate) and `lamp` (off, green, amber, red); a shoe that hears nothing locks itself and shows red.
"""

from __future__ import annotations

from firmware_specs.clock import Clock
from firmware_specs.messages import shoe as wire
from firmware_specs.port import Port
from firmware_specs.spec import Message

from .cards import EVENTS as CARD_EVENTS
from .cards import CardSource
from .events import DeviceEvent, Mark, Sink
from .listener import Recorder

TROUBLES = {
    wire.Condition.LID_OPEN: (
        "lid_open",
        (
            "The lid of the shoe is open.",
            "Close the lid. If it is closed, its switch has failed: use another shoe.",
        ),
    ),
    wire.Condition.READER_DIRTY: (
        "reader_dirty",
        (
            "The reader of the shoe is dirty and sees cards less and less well.",
            "Wipe the window in the mouth of the shoe with a dry lint-free cloth.",
        ),
    ),
}


class ShoeEmpty(DeviceEvent, frozen=True):
    """No card lies in front of the mouth."""


class ShoeLoaded(DeviceEvent, frozen=True):
    """Cards lie in front of the mouth; how many, the shoe does not know."""


EVENTS = (*CARD_EVENTS, ShoeEmpty, ShoeLoaded)
"""What is told of the shoe and of the cards from it, for the journal."""


class Shoe(CardSource):
    """The host end of a card-reading shoe."""

    def __init__(
        self,
        name: str,
        clock: Clock,
        port: Port,
        sink: Sink,
        *,
        serial: str | None = None,
        resume: Mark | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        super().__init__(name, wire.SPEC, clock, port, sink, serial=serial, resume=resume, recorder=recorder)

    def on_event(self, number: int, message: Message) -> None:
        match message:
            case wire.CardOut():
                self.card_out(
                    number,
                    message.draw,
                    message.look,
                    message.reading,
                    message.card,
                    message.confidence,
                    message.second,
                    message.second_confidence,
                    message.face_up,
                    message.forced,
                )
            case wire.TwoOut():
                self.two_out(
                    number,
                    message.draw,
                    message.readings,
                    message.cards,
                    message.confidences,
                    message.order_known,
                    message.forced,
                )
            case wire.PushedBack():
                self.pushed_back(number, message.draw, message.card, message.confidence, message.told)
            case wire.ConditionChanged():
                self._condition(number, message.condition, message.on)
            case wire.PoweredUp():
                self.powered_up(message.kept_memory, message.next_draw)
                self._condition(0, wire.Condition.LID_OPEN, message.lid_open)
                self._condition(0, wire.Condition.READER_DIRTY, message.reader_dirty)
                self._condition(number, wire.Condition.EMPTY, message.empty)
            case _:
                self.settle(number)

    def _condition(self, number: int, condition: wire.Condition, on: bool) -> None:
        if condition is wire.Condition.EMPTY:
            self.tell(ShoeEmpty(self.name) if on else ShoeLoaded(self.name), number)
        else:
            code, words = TROUBLES[condition]
            self.trouble(code, on, words, number)
