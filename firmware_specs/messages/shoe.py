# Generated from firmware_specs/shoe.toml by python -m firmware_specs.generate; do not edit.
# fmt: off
# ruff: noqa
"""Card shoe: the messages on its wire."""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import ClassVar

from firmware_specs.spec import (
    BadMessage,
    DeviceSpec,
    Message,
    NoOutputs,
    check_list,
    counted,
    read_bytes,
    read_list,
    read_text,
)


class Reading(IntEnum):
    """What the reader makes of a card."""

    CARD = 0  # rank and suit were recognised
    UNREADABLE = 1  # something passed and no face was recognised
    CUTTING_CARD = 2  # the cutting card
    JOKER = 3  # a joker
    FOREIGN = 4  # another back or size than the cards of this shoe


_READING = {member.value: member for member in Reading}
_READING_NAMES = "one of card, unreadable, cutting_card, joker, foreign"


class Condition(IntEnum):
    """Something about the shoe that lasts."""

    LID_OPEN = 0  # the lid is open, or its switch has failed
    EMPTY = 1  # no card lies in front of the mouth
    READER_DIRTY = 2  # the reader's window is dirty; confidence is falling


_CONDITION = {member.value: member for member in Condition}
_CONDITION_NAMES = "one of lid_open, empty, reader_dirty"


class Lamp(IntEnum):
    """What the lamp shows."""

    OFF = 0  # dark
    GREEN = 1  # cards may be drawn
    AMBER = 2  # staff are asked to look
    RED = 3  # no card may be drawn


_LAMP = {member.value: member for member in Lamp}
_LAMP_NAMES = "one of off, green, amber, red"


class CardOut(Message, frozen=True, gc=False):
    """A card has left the mouth; told again with a higher `look` and the same `draw` when the reader saw the same card twice."""

    ID: ClassVar[int] = 1
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"reading": Reading}

    at: int  # [ms] device time
    draw: int  # counts what passes the mouth, from 1 when the shoe has no memory
    look: int  # which reading of this draw it is
    reading: Reading  # what the reader makes of it
    card: int  # the likeliest face, or 0; also when the reading is not `card`
    confidence: int  # [%] how far the picture fits that face
    second: int  # the next likeliest face, or 0
    second_confidence: int  # [%] how far the picture fits that one
    face_up: bool  # it lay face up in the shoe
    forced: bool  # it came although the gate was locked

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("CardOut", "at", self.at, "0 to 4294967295")
        if not 1 <= self.draw <= 4294967295:
            raise BadMessage("CardOut", "draw", self.draw, "1 to 4294967295")
        if not 1 <= self.look <= 255:
            raise BadMessage("CardOut", "look", self.look, "1 to 255")
        if not 0 <= self.card <= 52:
            raise BadMessage("CardOut", "card", self.card, "0 to 52")
        if not 0 <= self.confidence <= 100:
            raise BadMessage("CardOut", "confidence", self.confidence, "0 to 100")
        if not 0 <= self.second <= 52:
            raise BadMessage("CardOut", "second", self.second, "0 to 52")
        if not 0 <= self.second_confidence <= 100:
            raise BadMessage("CardOut", "second_confidence", self.second_confidence, "0 to 100")
        if not 0 <= self.face_up <= 1:
            raise BadMessage("CardOut", "face_up", self.face_up, "0 to 1")
        if not 0 <= self.forced <= 1:
            raise BadMessage("CardOut", "forced", self.forced, "0 to 1")
        return _CARD_OUT_0.pack(self.at, self.draw, self.look, self.reading, self.card, self.confidence, self.second, self.second_confidence, self.face_up, self.forced)

    @classmethod
    def decode(cls, body: bytes) -> CardOut:
        if len(body) != 16:
            raise BadMessage("CardOut", "length", len(body), "16 bytes")
        at, draw, look, reading_, card, confidence, second, second_confidence, face_up_, forced_ = _CARD_OUT_0.unpack(body)
        if not 1 <= draw <= 4294967295:
            raise BadMessage("CardOut", "draw", draw, "1 to 4294967295")
        if not 1 <= look <= 255:
            raise BadMessage("CardOut", "look", look, "1 to 255")
        reading = _READING.get(reading_)
        if reading is None:
            raise BadMessage("CardOut", "reading", reading_, _READING_NAMES)
        if not 0 <= card <= 52:
            raise BadMessage("CardOut", "card", card, "0 to 52")
        if not 0 <= confidence <= 100:
            raise BadMessage("CardOut", "confidence", confidence, "0 to 100")
        if not 0 <= second <= 52:
            raise BadMessage("CardOut", "second", second, "0 to 52")
        if not 0 <= second_confidence <= 100:
            raise BadMessage("CardOut", "second_confidence", second_confidence, "0 to 100")
        if face_up_ > 1:
            raise BadMessage("CardOut", "face_up", face_up_, "0 or 1")
        if forced_ > 1:
            raise BadMessage("CardOut", "forced", forced_, "0 or 1")
        return cls(at, draw, look, reading, card, confidence, second, second_confidence, face_up_ == 1, forced_ == 1)


_CARD_OUT_0 = struct.Struct("<IIBBBBBBBB")


class TwoOut(Message, frozen=True, gc=False):
    """Two cards left the mouth together; their draws are `draw` and the one after."""

    ID: ClassVar[int] = 2
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"readings": Reading}

    at: int  # [ms] device time
    draw: int  # draw number of the first
    readings: tuple[Reading, ...]  # what the reader makes of each
    cards: tuple[int, ...]  # the likeliest face of each, or 0
    confidences: tuple[int, ...]  # [%] how far the picture fits
    order_known: bool  # the first is sure to have lain in front
    forced: bool  # they came although the gate was locked

    def encode(self) -> bytes:
        if len(self.cards) != len(self.readings):
            raise BadMessage("TwoOut", "cards", len(self.cards), f"{len(self.readings)} long, as many as readings")
        if len(self.confidences) != len(self.readings):
            raise BadMessage("TwoOut", "confidences", len(self.confidences), f"{len(self.readings)} long, as many as readings")
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("TwoOut", "at", self.at, "0 to 4294967295")
        if not 1 <= self.draw <= 4294967295:
            raise BadMessage("TwoOut", "draw", self.draw, "1 to 4294967295")
        check_list(self.cards, 0, 52, "TwoOut", "cards")
        check_list(self.confidences, 0, 100, "TwoOut", "confidences")
        if not 0 <= self.order_known <= 1:
            raise BadMessage("TwoOut", "order_known", self.order_known, "0 to 1")
        if not 0 <= self.forced <= 1:
            raise BadMessage("TwoOut", "forced", self.forced, "0 to 1")
        return b"".join((
            _TWO_OUT_0.pack(self.at, self.draw),
            counted(1, len(self.readings), 2, struct.pack(f"<{len(self.readings)}B", *self.readings), "TwoOut", "readings"),
            counted(1, len(self.cards), 2, struct.pack(f"<{len(self.cards)}B", *self.cards), "TwoOut", "cards"),
            counted(1, len(self.confidences), 2, struct.pack(f"<{len(self.confidences)}B", *self.confidences), "TwoOut", "confidences"),
            _TWO_OUT_4.pack(self.order_known, self.forced),
        ))

    @classmethod
    def decode(cls, body: bytes) -> TwoOut:
        if len(body) < 0 + 8:
            raise BadMessage("TwoOut", "length", len(body), "more bytes")
        at, draw = _TWO_OUT_0.unpack_from(body, 0)
        at_ = 0 + 8
        if not 1 <= draw <= 4294967295:
            raise BadMessage("TwoOut", "draw", draw, "1 to 4294967295")
        readings_, at_ = read_list(body, at_, 1, 2, "B", 1, "TwoOut", "readings")
        readings = tuple(_READING[v] for v in readings_ if v in _READING)
        if len(readings) != len(readings_):
            raise BadMessage("TwoOut", "readings", readings_, _READING_NAMES)
        cards, at_ = read_list(body, at_, 1, 2, "B", 1, "TwoOut", "cards")
        check_list(cards, 0, 52, "TwoOut", "cards")
        confidences, at_ = read_list(body, at_, 1, 2, "B", 1, "TwoOut", "confidences")
        check_list(confidences, 0, 100, "TwoOut", "confidences")
        if len(body) < at_ + 2:
            raise BadMessage("TwoOut", "length", len(body), "more bytes")
        order_known_, forced_ = _TWO_OUT_4.unpack_from(body, at_)
        at_ = at_ + 2
        if order_known_ > 1:
            raise BadMessage("TwoOut", "order_known", order_known_, "0 or 1")
        if forced_ > 1:
            raise BadMessage("TwoOut", "forced", forced_, "0 or 1")
        if at_ != len(body):
            raise BadMessage("TwoOut", "length", len(body), f"{at_} bytes")
        if len(cards) != len(readings):
            raise BadMessage("TwoOut", "cards", len(cards), f"{len(readings)} long, as many as readings")
        if len(confidences) != len(readings):
            raise BadMessage("TwoOut", "confidences", len(confidences), f"{len(readings)} long, as many as readings")
        return cls(at, draw, readings, cards, confidences, order_known_ == 1, forced_ == 1)


_TWO_OUT_0 = struct.Struct("<II")
_TWO_OUT_4 = struct.Struct("<BB")


class PushedBack(Message, frozen=True, gc=False):
    """A card came part of the way and went back; when it leaves after all, it does so under a new draw number."""

    ID: ClassVar[int] = 3

    at: int  # [ms] device time
    draw: int  # its draw number
    card: int  # the face seen meanwhile, or 0
    confidence: int  # [%] how far the picture fits that face
    told: bool  # it had been told as out before

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("PushedBack", "at", self.at, "0 to 4294967295")
        if not 1 <= self.draw <= 4294967295:
            raise BadMessage("PushedBack", "draw", self.draw, "1 to 4294967295")
        if not 0 <= self.card <= 52:
            raise BadMessage("PushedBack", "card", self.card, "0 to 52")
        if not 0 <= self.confidence <= 100:
            raise BadMessage("PushedBack", "confidence", self.confidence, "0 to 100")
        if not 0 <= self.told <= 1:
            raise BadMessage("PushedBack", "told", self.told, "0 to 1")
        return _PUSHED_BACK_0.pack(self.at, self.draw, self.card, self.confidence, self.told)

    @classmethod
    def decode(cls, body: bytes) -> PushedBack:
        if len(body) != 11:
            raise BadMessage("PushedBack", "length", len(body), "11 bytes")
        at, draw, card, confidence, told_ = _PUSHED_BACK_0.unpack(body)
        if not 1 <= draw <= 4294967295:
            raise BadMessage("PushedBack", "draw", draw, "1 to 4294967295")
        if not 0 <= card <= 52:
            raise BadMessage("PushedBack", "card", card, "0 to 52")
        if not 0 <= confidence <= 100:
            raise BadMessage("PushedBack", "confidence", confidence, "0 to 100")
        if told_ > 1:
            raise BadMessage("PushedBack", "told", told_, "0 or 1")
        return cls(at, draw, card, confidence, told_ == 1)


_PUSHED_BACK_0 = struct.Struct("<IIBBB")


class ConditionChanged(Message, frozen=True, gc=False):
    """A lasting condition began or ended."""

    ID: ClassVar[int] = 4
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"condition": Condition}

    at: int  # [ms] device time
    condition: Condition  # which
    on: bool  # whether it holds now

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("ConditionChanged", "at", self.at, "0 to 4294967295")
        if not 0 <= self.on <= 1:
            raise BadMessage("ConditionChanged", "on", self.on, "0 to 1")
        return _CONDITION_CHANGED_0.pack(self.at, self.condition, self.on)

    @classmethod
    def decode(cls, body: bytes) -> ConditionChanged:
        if len(body) != 6:
            raise BadMessage("ConditionChanged", "length", len(body), "6 bytes")
        at, condition_, on_ = _CONDITION_CHANGED_0.unpack(body)
        condition = _CONDITION.get(condition_)
        if condition is None:
            raise BadMessage("ConditionChanged", "condition", condition_, _CONDITION_NAMES)
        if on_ > 1:
            raise BadMessage("ConditionChanged", "on", on_, "0 or 1")
        return cls(at, condition, on_ == 1)


_CONDITION_CHANGED_0 = struct.Struct("<IBB")


class PoweredUp(Message, frozen=True, gc=False):
    """The shoe has power again; told at every start, with every condition. A draw that the power loss cut off is told before as unreadable."""

    ID: ClassVar[int] = 5

    at: int  # [ms] device time
    kept_memory: bool  # events and draw numbers of before are still there
    next_draw: int  # the number of the next draw
    lid_open: bool  # as the condition
    empty: bool  # as the condition
    reader_dirty: bool  # as the condition

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("PoweredUp", "at", self.at, "0 to 4294967295")
        if not 0 <= self.kept_memory <= 1:
            raise BadMessage("PoweredUp", "kept_memory", self.kept_memory, "0 to 1")
        if not 1 <= self.next_draw <= 4294967295:
            raise BadMessage("PoweredUp", "next_draw", self.next_draw, "1 to 4294967295")
        if not 0 <= self.lid_open <= 1:
            raise BadMessage("PoweredUp", "lid_open", self.lid_open, "0 to 1")
        if not 0 <= self.empty <= 1:
            raise BadMessage("PoweredUp", "empty", self.empty, "0 to 1")
        if not 0 <= self.reader_dirty <= 1:
            raise BadMessage("PoweredUp", "reader_dirty", self.reader_dirty, "0 to 1")
        return _POWERED_UP_0.pack(self.at, self.kept_memory, self.next_draw, self.lid_open, self.empty, self.reader_dirty)

    @classmethod
    def decode(cls, body: bytes) -> PoweredUp:
        if len(body) != 12:
            raise BadMessage("PoweredUp", "length", len(body), "12 bytes")
        at, kept_memory_, next_draw, lid_open_, empty_, reader_dirty_ = _POWERED_UP_0.unpack(body)
        if kept_memory_ > 1:
            raise BadMessage("PoweredUp", "kept_memory", kept_memory_, "0 or 1")
        if not 1 <= next_draw <= 4294967295:
            raise BadMessage("PoweredUp", "next_draw", next_draw, "1 to 4294967295")
        if lid_open_ > 1:
            raise BadMessage("PoweredUp", "lid_open", lid_open_, "0 or 1")
        if empty_ > 1:
            raise BadMessage("PoweredUp", "empty", empty_, "0 or 1")
        if reader_dirty_ > 1:
            raise BadMessage("PoweredUp", "reader_dirty", reader_dirty_, "0 or 1")
        return cls(at, kept_memory_ == 1, next_draw, lid_open_ == 1, empty_ == 1, reader_dirty_ == 1)


_POWERED_UP_0 = struct.Struct("<IBIBBB")


class ReaderSignal(Message, frozen=True, gc=False):
    """How well the reader sees, after a change."""

    ID: ClassVar[int] = 1

    contrast: int  # [%] contrast of the last picture

    def encode(self) -> bytes:
        if not 0 <= self.contrast <= 100:
            raise BadMessage("ReaderSignal", "contrast", self.contrast, "0 to 100")
        return _READER_SIGNAL_0.pack(self.contrast)

    @classmethod
    def decode(cls, body: bytes) -> ReaderSignal:
        if len(body) != 1:
            raise BadMessage("ReaderSignal", "length", len(body), "1 bytes")
        contrast, = _READER_SIGNAL_0.unpack(body)
        if not 0 <= contrast <= 100:
            raise BadMessage("ReaderSignal", "contrast", contrast, "0 to 100")
        return cls(contrast)


_READER_SIGNAL_0 = struct.Struct("<B")


class Outputs(Message, frozen=True, gc=False):
    """What the host wants the outputs to be."""

    ID: ClassVar[int] = 0
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"lamp": Lamp}

    locked: bool = True  # the gate holds the cards back
    lamp: Lamp = Lamp.RED  # the lamp beside the mouth

    def encode(self) -> bytes:
        if not 0 <= self.locked <= 1:
            raise BadMessage("Outputs", "locked", self.locked, "0 to 1")
        return _OUTPUTS_0.pack(self.locked, self.lamp)

    @classmethod
    def decode(cls, body: bytes) -> Outputs:
        if len(body) != 2:
            raise BadMessage("Outputs", "length", len(body), "2 bytes")
        locked_, lamp_ = _OUTPUTS_0.unpack(body)
        if locked_ > 1:
            raise BadMessage("Outputs", "locked", locked_, "0 or 1")
        lamp = _LAMP.get(lamp_)
        if lamp is None:
            raise BadMessage("Outputs", "lamp", lamp_, _LAMP_NAMES)
        return cls(locked_ == 1, lamp)


_OUTPUTS_0 = struct.Struct("<BB")


SPEC = DeviceSpec(
    kind="shoe",
    code=3,
    version=1,
    digest=bytes.fromhex("b5d06a0eafd48211"),
    title='Card shoe',
    beat_ms=2000,
    silence_ms=6000,
    capabilities={"both_sides": 1, "gate": 2, "lamp": 4},
    events={1: CardOut, 2: TwoOut, 3: PushedBack, 4: ConditionChanged, 5: PoweredUp},
    live={1: ReaderSignal},
    commands={},
    results={},
    outputs=Outputs,
    safe=Outputs(),
    hold_ms={"locked": 6000, "lamp": 6000},
)
