# Generated from firmware_specs/shuffler.toml by python -m firmware_specs.generate; do not edit.
# fmt: off
# ruff: noqa
"""Shuffler: the messages on its wire."""

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
    CUTTING_CARD = 2  # a cutting card
    JOKER = 3  # a joker
    FOREIGN = 4  # another back or size than the cards of this machine


_READING = {member.value: member for member in Reading}
_READING_NAMES = "one of card, unreadable, cutting_card, joker, foreign"


class Condition(IntEnum):
    """Something about the shuffler that lasts."""

    DOOR_OPEN = 0  # the door is open, or its switch has failed; the machine stands still
    MOUTH_EMPTY = 1  # no card is at the mouth though the machine counts cards inside
    READER_DIRTY = 2  # the reader's window is dirty; confidence is falling


_CONDITION = {member.value: member for member in Condition}
_CONDITION_NAMES = "one of door_open, mouth_empty, reader_dirty"


class State(IntEnum):
    """What the machine is doing."""

    EMPTY = 0  # it counts no card inside
    SHUFFLING = 1  # cards are being mixed and none can be dealt yet
    READY = 2  # cards can be dealt
    CHECKING = 3  # every card is being read
    JAMMED = 4  # a card is stuck
    STOPPED = 5  # cards are inside that it knows nothing of; it must be emptied and loaded again


_STATE = {member.value: member for member in State}
_STATE_NAMES = "one of empty, shuffling, ready, checking, jammed, stopped"


class Mode(IntEnum):
    """How the machine orders cards."""

    SHUFFLE = 0  # continuous: any card inside may come next, and comes by itself
    SORT = 1  # by suit and rank; for packing, never for dealing
    SINGLE_DECK = 2  # one deck, mixed once, a card when one is ejected


_MODE = {member.value: member for member in Mode}
_MODE_NAMES = "one of shuffle, sort, single_deck"


class Place(IntEnum):
    """Where a card is stuck."""

    FEED = 0  # between the tray and the wheel
    WHEEL = 1  # at a compartment of the wheel
    MOUTH = 2  # between the wheel and the mouth


_PLACE = {member.value: member for member in Place}
_PLACE_NAMES = "one of feed, wheel, mouth"


class By(IntEnum):
    """Who brought something about."""

    HOST = 0  # a command
    KEYS = 1  # a person at the machine
    MACHINE = 2  # the machine itself


_BY = {member.value: member for member in By}
_BY_NAMES = "one of host, keys, machine"


class Mouth(IntEnum):
    """What stands in the mouth."""

    NOTHING = 0  # no card
    ONE = 1  # one card
    SEVERAL = 2  # more than one card


_MOUTH = {member.value: member for member in Mouth}
_MOUTH_NAMES = "one of nothing, one, several"


class Lamp(IntEnum):
    """What the lamp shows."""

    OFF = 0  # dark
    GREEN = 1  # cards may be drawn
    AMBER = 2  # staff are asked to look
    RED = 3  # no card may be drawn


_LAMP = {member.value: member for member in Lamp}
_LAMP_NAMES = "one of off, green, amber, red"


class CardOut(Message, frozen=True, gc=False):
    """A card was taken from the mouth; told again with a higher `look` and the same `draw` when the reader saw the same card twice."""

    ID: ClassVar[int] = 1
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"reading": Reading}

    at: int  # [ms] device time
    draw: int  # counts what passes the mouth, from 1 when the machine has no memory
    look: int  # which reading of this draw it is
    reading: Reading  # what the reader makes of it
    card: int  # the likeliest face, or 0; also when the reading is not `card`
    confidence: int  # [%] how far the picture fits that face
    second: int  # the next likeliest face, or 0
    second_confidence: int  # [%] how far the picture fits that one
    face_up: bool  # it came face up
    forced: bool  # it was taken although the gate was locked

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
    """Two cards were taken from the mouth together; their draws are `draw` and the one after."""

    ID: ClassVar[int] = 2
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"readings": Reading}

    at: int  # [ms] device time
    draw: int  # draw number of the first
    readings: tuple[Reading, ...]  # what the reader makes of each
    cards: tuple[int, ...]  # the likeliest face of each, or 0
    confidences: tuple[int, ...]  # [%] how far the picture fits
    order_known: bool  # the first is sure to have come first
    forced: bool  # they were taken although the gate was locked

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
    """A card was pulled part of the way and pushed back; it leaves later under a new draw number."""

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
    """The machine has power again; told at every start, with everything it knows. A draw that the power loss cut off is told before as unreadable."""

    ID: ClassVar[int] = 5
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"state": State, "mode": Mode, "mouth": Mouth}

    at: int  # [ms] device time
    kept_memory: bool  # events, counts and draw numbers of before are still there
    next_draw: int  # the number of the next draw
    state: State  # what it is doing
    mode: Mode  # the mode it is in
    inside: int  # cards it counts inside, the mouth included
    certain: bool  # nothing has happened that could make that count wrong
    occupied: bool  # its sensors see cards in feed, wheel or mouth
    mouth: Mouth  # what stands in the mouth
    door_open: bool  # as the condition
    mouth_empty: bool  # as the condition
    reader_dirty: bool  # as the condition

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("PoweredUp", "at", self.at, "0 to 4294967295")
        if not 0 <= self.kept_memory <= 1:
            raise BadMessage("PoweredUp", "kept_memory", self.kept_memory, "0 to 1")
        if not 1 <= self.next_draw <= 4294967295:
            raise BadMessage("PoweredUp", "next_draw", self.next_draw, "1 to 4294967295")
        if not 0 <= self.inside <= 65535:
            raise BadMessage("PoweredUp", "inside", self.inside, "0 to 65535")
        if not 0 <= self.certain <= 1:
            raise BadMessage("PoweredUp", "certain", self.certain, "0 to 1")
        if not 0 <= self.occupied <= 1:
            raise BadMessage("PoweredUp", "occupied", self.occupied, "0 to 1")
        if not 0 <= self.door_open <= 1:
            raise BadMessage("PoweredUp", "door_open", self.door_open, "0 to 1")
        if not 0 <= self.mouth_empty <= 1:
            raise BadMessage("PoweredUp", "mouth_empty", self.mouth_empty, "0 to 1")
        if not 0 <= self.reader_dirty <= 1:
            raise BadMessage("PoweredUp", "reader_dirty", self.reader_dirty, "0 to 1")
        return _POWERED_UP_0.pack(self.at, self.kept_memory, self.next_draw, self.state, self.mode, self.inside, self.certain, self.occupied, self.mouth, self.door_open, self.mouth_empty, self.reader_dirty)

    @classmethod
    def decode(cls, body: bytes) -> PoweredUp:
        if len(body) != 19:
            raise BadMessage("PoweredUp", "length", len(body), "19 bytes")
        at, kept_memory_, next_draw, state_, mode_, inside, certain_, occupied_, mouth_, door_open_, mouth_empty_, reader_dirty_ = _POWERED_UP_0.unpack(body)
        if kept_memory_ > 1:
            raise BadMessage("PoweredUp", "kept_memory", kept_memory_, "0 or 1")
        if not 1 <= next_draw <= 4294967295:
            raise BadMessage("PoweredUp", "next_draw", next_draw, "1 to 4294967295")
        state = _STATE.get(state_)
        if state is None:
            raise BadMessage("PoweredUp", "state", state_, _STATE_NAMES)
        mode = _MODE.get(mode_)
        if mode is None:
            raise BadMessage("PoweredUp", "mode", mode_, _MODE_NAMES)
        if certain_ > 1:
            raise BadMessage("PoweredUp", "certain", certain_, "0 or 1")
        if occupied_ > 1:
            raise BadMessage("PoweredUp", "occupied", occupied_, "0 or 1")
        mouth = _MOUTH.get(mouth_)
        if mouth is None:
            raise BadMessage("PoweredUp", "mouth", mouth_, _MOUTH_NAMES)
        if door_open_ > 1:
            raise BadMessage("PoweredUp", "door_open", door_open_, "0 or 1")
        if mouth_empty_ > 1:
            raise BadMessage("PoweredUp", "mouth_empty", mouth_empty_, "0 or 1")
        if reader_dirty_ > 1:
            raise BadMessage("PoweredUp", "reader_dirty", reader_dirty_, "0 or 1")
        return cls(at, kept_memory_ == 1, next_draw, state, mode, inside, certain_ == 1, occupied_ == 1, mouth, door_open_ == 1, mouth_empty_ == 1, reader_dirty_ == 1)


_POWERED_UP_0 = struct.Struct("<IBIBBHBBBBBB")


class CardPresented(Message, frozen=True, gc=False):
    """A card stands in the mouth again after the mouth was empty, or because one was ejected."""

    ID: ClassVar[int] = 6

    at: int  # [ms] device time
    draw: int  # the draw number it will have when it is taken

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("CardPresented", "at", self.at, "0 to 4294967295")
        if not 1 <= self.draw <= 4294967295:
            raise BadMessage("CardPresented", "draw", self.draw, "1 to 4294967295")
        return _CARD_PRESENTED_0.pack(self.at, self.draw)

    @classmethod
    def decode(cls, body: bytes) -> CardPresented:
        if len(body) != 8:
            raise BadMessage("CardPresented", "length", len(body), "8 bytes")
        at, draw = _CARD_PRESENTED_0.unpack(body)
        if not 1 <= draw <= 4294967295:
            raise BadMessage("CardPresented", "draw", draw, "1 to 4294967295")
        return cls(at, draw)


_CARD_PRESENTED_0 = struct.Struct("<II")


class TwoPresented(Message, frozen=True, gc=False):
    """Two cards stand in the mouth where there should be one."""

    ID: ClassVar[int] = 7

    at: int  # [ms] device time
    draw: int  # the draw number of the first; the second has the one after
    order_known: bool  # it is known which came first

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("TwoPresented", "at", self.at, "0 to 4294967295")
        if not 1 <= self.draw <= 4294967295:
            raise BadMessage("TwoPresented", "draw", self.draw, "1 to 4294967295")
        if not 0 <= self.order_known <= 1:
            raise BadMessage("TwoPresented", "order_known", self.order_known, "0 to 1")
        return _TWO_PRESENTED_0.pack(self.at, self.draw, self.order_known)

    @classmethod
    def decode(cls, body: bytes) -> TwoPresented:
        if len(body) != 9:
            raise BadMessage("TwoPresented", "length", len(body), "9 bytes")
        at, draw, order_known_ = _TWO_PRESENTED_0.unpack(body)
        if not 1 <= draw <= 4294967295:
            raise BadMessage("TwoPresented", "draw", draw, "1 to 4294967295")
        if order_known_ > 1:
            raise BadMessage("TwoPresented", "order_known", order_known_, "0 or 1")
        return cls(at, draw, order_known_ == 1)


_TWO_PRESENTED_0 = struct.Struct("<IIB")


class Loaded(Message, frozen=True, gc=False):
    """Cards were put into the feed and have gone to the wheel."""

    ID: ClassVar[int] = 8

    at: int  # [ms] device time
    added: int  # how many the feed counted
    inside: int  # cards it counts inside now, the mouth included

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("Loaded", "at", self.at, "0 to 4294967295")
        if not 0 <= self.added <= 65535:
            raise BadMessage("Loaded", "added", self.added, "0 to 65535")
        if not 0 <= self.inside <= 65535:
            raise BadMessage("Loaded", "inside", self.inside, "0 to 65535")
        return _LOADED_0.pack(self.at, self.added, self.inside)

    @classmethod
    def decode(cls, body: bytes) -> Loaded:
        if len(body) != 8:
            raise BadMessage("Loaded", "length", len(body), "8 bytes")
        at, added, inside = _LOADED_0.unpack(body)
        return cls(at, added, inside)


_LOADED_0 = struct.Struct("<IHH")


class StateChanged(Message, frozen=True, gc=False):
    """The machine does something else now; jams are told by Jam and JamOver instead."""

    ID: ClassVar[int] = 9
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"state": State}

    at: int  # [ms] device time
    state: State  # what it does now
    inside: int  # cards it counts inside, the mouth included
    certain: bool  # nothing has happened that could make that count wrong

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("StateChanged", "at", self.at, "0 to 4294967295")
        if not 0 <= self.inside <= 65535:
            raise BadMessage("StateChanged", "inside", self.inside, "0 to 65535")
        if not 0 <= self.certain <= 1:
            raise BadMessage("StateChanged", "certain", self.certain, "0 to 1")
        return _STATE_CHANGED_0.pack(self.at, self.state, self.inside, self.certain)

    @classmethod
    def decode(cls, body: bytes) -> StateChanged:
        if len(body) != 8:
            raise BadMessage("StateChanged", "length", len(body), "8 bytes")
        at, state_, inside, certain_ = _STATE_CHANGED_0.unpack(body)
        state = _STATE.get(state_)
        if state is None:
            raise BadMessage("StateChanged", "state", state_, _STATE_NAMES)
        if certain_ > 1:
            raise BadMessage("StateChanged", "certain", certain_, "0 or 1")
        return cls(at, state, inside, certain_ == 1)


_STATE_CHANGED_0 = struct.Struct("<IBHB")


class ModeChanged(Message, frozen=True, gc=False):
    """The machine is in another mode."""

    ID: ClassVar[int] = 10
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"mode": Mode, "by": By}

    at: int  # [ms] device time
    mode: Mode  # the mode it is in
    by: By  # who set it

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("ModeChanged", "at", self.at, "0 to 4294967295")
        return _MODE_CHANGED_0.pack(self.at, self.mode, self.by)

    @classmethod
    def decode(cls, body: bytes) -> ModeChanged:
        if len(body) != 6:
            raise BadMessage("ModeChanged", "length", len(body), "6 bytes")
        at, mode_, by_ = _MODE_CHANGED_0.unpack(body)
        mode = _MODE.get(mode_)
        if mode is None:
            raise BadMessage("ModeChanged", "mode", mode_, _MODE_NAMES)
        by = _BY.get(by_)
        if by is None:
            raise BadMessage("ModeChanged", "by", by_, _BY_NAMES)
        return cls(at, mode, by)


_MODE_CHANGED_0 = struct.Struct("<IBB")


class Jam(Message, frozen=True, gc=False):
    """A card is stuck; told again with the same `jam` when the machine gives up freeing it."""

    ID: ClassVar[int] = 11
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"place": Place}

    at: int  # [ms] device time
    jam: int  # counts jams
    place: Place  # where
    compartment: int  # which compartment of the wheel, from 1; 0 elsewhere
    recovering: bool  # the machine is trying to free it; otherwise a person must

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("Jam", "at", self.at, "0 to 4294967295")
        if not 0 <= self.jam <= 65535:
            raise BadMessage("Jam", "jam", self.jam, "0 to 65535")
        if not 0 <= self.compartment <= 255:
            raise BadMessage("Jam", "compartment", self.compartment, "0 to 255")
        if not 0 <= self.recovering <= 1:
            raise BadMessage("Jam", "recovering", self.recovering, "0 to 1")
        return _JAM_0.pack(self.at, self.jam, self.place, self.compartment, self.recovering)

    @classmethod
    def decode(cls, body: bytes) -> Jam:
        if len(body) != 9:
            raise BadMessage("Jam", "length", len(body), "9 bytes")
        at, jam, place_, compartment, recovering_ = _JAM_0.unpack(body)
        place = _PLACE.get(place_)
        if place is None:
            raise BadMessage("Jam", "place", place_, _PLACE_NAMES)
        if recovering_ > 1:
            raise BadMessage("Jam", "recovering", recovering_, "0 or 1")
        return cls(at, jam, place, compartment, recovering_ == 1)


_JAM_0 = struct.Struct("<IHBBB")


class JamOver(Message, frozen=True, gc=False):
    """The stuck card is free."""

    ID: ClassVar[int] = 12
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"place": Place, "by": By, "state": State}

    at: int  # [ms] device time
    jam: int  # which jam
    place: Place  # where it was
    by: By  # who freed it
    state: State  # what the machine does now
    inside: int  # cards it counts inside, the mouth included
    certain: bool  # nothing has happened that could make that count wrong

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("JamOver", "at", self.at, "0 to 4294967295")
        if not 0 <= self.jam <= 65535:
            raise BadMessage("JamOver", "jam", self.jam, "0 to 65535")
        if not 0 <= self.inside <= 65535:
            raise BadMessage("JamOver", "inside", self.inside, "0 to 65535")
        if not 0 <= self.certain <= 1:
            raise BadMessage("JamOver", "certain", self.certain, "0 to 1")
        return _JAM_OVER_0.pack(self.at, self.jam, self.place, self.by, self.state, self.inside, self.certain)

    @classmethod
    def decode(cls, body: bytes) -> JamOver:
        if len(body) != 12:
            raise BadMessage("JamOver", "length", len(body), "12 bytes")
        at, jam, place_, by_, state_, inside, certain_ = _JAM_OVER_0.unpack(body)
        place = _PLACE.get(place_)
        if place is None:
            raise BadMessage("JamOver", "place", place_, _PLACE_NAMES)
        by = _BY.get(by_)
        if by is None:
            raise BadMessage("JamOver", "by", by_, _BY_NAMES)
        state = _STATE.get(state_)
        if state is None:
            raise BadMessage("JamOver", "state", state_, _STATE_NAMES)
        if certain_ > 1:
            raise BadMessage("JamOver", "certain", certain_, "0 or 1")
        return cls(at, jam, place, by, state, inside, certain_ == 1)


_JAM_OVER_0 = struct.Struct("<IHBBBHB")


class DeckChecked(Message, frozen=True, gc=False):
    """Every card inside was read; counts say how many, the tally says which."""

    ID: ClassVar[int] = 13

    at: int  # [ms] device time
    check: int  # the id given with StartCheck
    decks: int  # how many decks it was told to expect
    complete: bool  # every card was read; otherwise the check was broken off
    count: int  # cards by the machine's own counter
    tally: tuple[int, ...]  # how many of each card were read, in the order of the card codes; empty when broken off
    unread: int  # cards without a face that could be read
    jokers: int  # jokers
    foreign: int  # cards with another back or size, not in the tally
    boxed: tuple[int, ...]  # cards that lay the wrong way up; they are in the tally

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("DeckChecked", "at", self.at, "0 to 4294967295")
        if not 0 <= self.check <= 65535:
            raise BadMessage("DeckChecked", "check", self.check, "0 to 65535")
        if not 1 <= self.decks <= 8:
            raise BadMessage("DeckChecked", "decks", self.decks, "1 to 8")
        if not 0 <= self.complete <= 1:
            raise BadMessage("DeckChecked", "complete", self.complete, "0 to 1")
        if not 0 <= self.count <= 65535:
            raise BadMessage("DeckChecked", "count", self.count, "0 to 65535")
        check_list(self.tally, 0, 255, "DeckChecked", "tally")
        if not 0 <= self.unread <= 255:
            raise BadMessage("DeckChecked", "unread", self.unread, "0 to 255")
        if not 0 <= self.jokers <= 255:
            raise BadMessage("DeckChecked", "jokers", self.jokers, "0 to 255")
        if not 0 <= self.foreign <= 255:
            raise BadMessage("DeckChecked", "foreign", self.foreign, "0 to 255")
        check_list(self.boxed, 0, 52, "DeckChecked", "boxed")
        return b"".join((
            _DECK_CHECKED_0.pack(self.at, self.check, self.decks, self.complete, self.count),
            counted(1, len(self.tally), 52, struct.pack(f"<{len(self.tally)}B", *self.tally), "DeckChecked", "tally"),
            _DECK_CHECKED_2.pack(self.unread, self.jokers, self.foreign),
            counted(1, len(self.boxed), 52, struct.pack(f"<{len(self.boxed)}B", *self.boxed), "DeckChecked", "boxed"),
        ))

    @classmethod
    def decode(cls, body: bytes) -> DeckChecked:
        if len(body) < 0 + 10:
            raise BadMessage("DeckChecked", "length", len(body), "more bytes")
        at, check, decks, complete_, count = _DECK_CHECKED_0.unpack_from(body, 0)
        at_ = 0 + 10
        if not 1 <= decks <= 8:
            raise BadMessage("DeckChecked", "decks", decks, "1 to 8")
        if complete_ > 1:
            raise BadMessage("DeckChecked", "complete", complete_, "0 or 1")
        tally, at_ = read_list(body, at_, 1, 52, "B", 1, "DeckChecked", "tally")
        if len(body) < at_ + 3:
            raise BadMessage("DeckChecked", "length", len(body), "more bytes")
        unread, jokers, foreign = _DECK_CHECKED_2.unpack_from(body, at_)
        at_ = at_ + 3
        boxed, at_ = read_list(body, at_, 1, 52, "B", 1, "DeckChecked", "boxed")
        check_list(boxed, 0, 52, "DeckChecked", "boxed")
        if at_ != len(body):
            raise BadMessage("DeckChecked", "length", len(body), f"{at_} bytes")
        return cls(at, check, decks, complete_ == 1, count, tally, unread, jokers, foreign, boxed)


_DECK_CHECKED_0 = struct.Struct("<IHBBH")
_DECK_CHECKED_2 = struct.Struct("<BBB")


class Inside(Message, frozen=True, gc=False):
    """How many cards the machine counts inside, after a load or a check."""

    ID: ClassVar[int] = 1

    inside: int  # cards it counts inside, the mouth included
    contrast: int  # [%] contrast of the reader's last picture

    def encode(self) -> bytes:
        if not 0 <= self.inside <= 65535:
            raise BadMessage("Inside", "inside", self.inside, "0 to 65535")
        if not 0 <= self.contrast <= 100:
            raise BadMessage("Inside", "contrast", self.contrast, "0 to 100")
        return _INSIDE_0.pack(self.inside, self.contrast)

    @classmethod
    def decode(cls, body: bytes) -> Inside:
        if len(body) != 3:
            raise BadMessage("Inside", "length", len(body), "3 bytes")
        inside, contrast = _INSIDE_0.unpack(body)
        if not 0 <= contrast <= 100:
            raise BadMessage("Inside", "contrast", contrast, "0 to 100")
        return cls(inside, contrast)


_INSIDE_0 = struct.Struct("<HB")


class Eject(Message, frozen=True, gc=False):
    """Put the next card into the mouth; refused while one stands there. Answered when it does."""

    ID: ClassVar[int] = 1

    def encode(self) -> bytes:
        return b""

    @classmethod
    def decode(cls, body: bytes) -> Eject:
        if len(body) != 0:
            raise BadMessage("Eject", "length", len(body), "0 bytes")
        return cls()


class EjectResult(Message, frozen=True, gc=False):
    """Eject was done."""

    ID: ClassVar[int] = 1

    draw: int  # the draw number it will have when it is taken

    def encode(self) -> bytes:
        if not 1 <= self.draw <= 4294967295:
            raise BadMessage("EjectResult", "draw", self.draw, "1 to 4294967295")
        return _EJECT_RESULT_0.pack(self.draw)

    @classmethod
    def decode(cls, body: bytes) -> EjectResult:
        if len(body) != 4:
            raise BadMessage("EjectResult", "length", len(body), "4 bytes")
        draw, = _EJECT_RESULT_0.unpack(body)
        if not 1 <= draw <= 4294967295:
            raise BadMessage("EjectResult", "draw", draw, "1 to 4294967295")
        return cls(draw)


_EJECT_RESULT_0 = struct.Struct("<I")


class StartCheck(Message, frozen=True, gc=False):
    """Read every card inside and tell the outcome with DeckChecked; cards are mixed again afterwards."""

    ID: ClassVar[int] = 2

    check: int  # an id that the outcome repeats
    decks: int  # how many decks to expect

    def encode(self) -> bytes:
        if not 0 <= self.check <= 65535:
            raise BadMessage("StartCheck", "check", self.check, "0 to 65535")
        if not 1 <= self.decks <= 8:
            raise BadMessage("StartCheck", "decks", self.decks, "1 to 8")
        return _START_CHECK_0.pack(self.check, self.decks)

    @classmethod
    def decode(cls, body: bytes) -> StartCheck:
        if len(body) != 3:
            raise BadMessage("StartCheck", "length", len(body), "3 bytes")
        check, decks = _START_CHECK_0.unpack(body)
        if not 1 <= decks <= 8:
            raise BadMessage("StartCheck", "decks", decks, "1 to 8")
        return cls(check, decks)


_START_CHECK_0 = struct.Struct("<HB")


class StartCheckResult(Message, frozen=True, gc=False):
    """StartCheck was done."""

    ID: ClassVar[int] = 2

    count: int  # cards by the machine's own counter

    def encode(self) -> bytes:
        if not 0 <= self.count <= 65535:
            raise BadMessage("StartCheckResult", "count", self.count, "0 to 65535")
        return _START_CHECK_RESULT_0.pack(self.count)

    @classmethod
    def decode(cls, body: bytes) -> StartCheckResult:
        if len(body) != 2:
            raise BadMessage("StartCheckResult", "length", len(body), "2 bytes")
        count, = _START_CHECK_RESULT_0.unpack(body)
        return cls(count)


_START_CHECK_RESULT_0 = struct.Struct("<H")


class SetMode(Message, frozen=True, gc=False):
    """Order cards in another way; what is inside is put into that order."""

    ID: ClassVar[int] = 3
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"mode": Mode}

    mode: Mode  # the mode wanted

    def encode(self) -> bytes:
        return _SET_MODE_0.pack(self.mode)

    @classmethod
    def decode(cls, body: bytes) -> SetMode:
        if len(body) != 1:
            raise BadMessage("SetMode", "length", len(body), "1 bytes")
        mode_, = _SET_MODE_0.unpack(body)
        mode = _MODE.get(mode_)
        if mode is None:
            raise BadMessage("SetMode", "mode", mode_, _MODE_NAMES)
        return cls(mode)


_SET_MODE_0 = struct.Struct("<B")


class SetModeResult(Message, frozen=True, gc=False):
    """SetMode was done."""

    ID: ClassVar[int] = 3
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"mode": Mode}

    mode: Mode  # the mode it is in

    def encode(self) -> bytes:
        return _SET_MODE_RESULT_0.pack(self.mode)

    @classmethod
    def decode(cls, body: bytes) -> SetModeResult:
        if len(body) != 1:
            raise BadMessage("SetModeResult", "length", len(body), "1 bytes")
        mode_, = _SET_MODE_RESULT_0.unpack(body)
        mode = _MODE.get(mode_)
        if mode is None:
            raise BadMessage("SetModeResult", "mode", mode_, _MODE_NAMES)
        return cls(mode)


_SET_MODE_RESULT_0 = struct.Struct("<B")


class Count(Message, frozen=True, gc=False):
    """Tell how many cards the machine counts inside."""

    ID: ClassVar[int] = 4

    def encode(self) -> bytes:
        return b""

    @classmethod
    def decode(cls, body: bytes) -> Count:
        if len(body) != 0:
            raise BadMessage("Count", "length", len(body), "0 bytes")
        return cls()


class CountResult(Message, frozen=True, gc=False):
    """Count was done."""

    ID: ClassVar[int] = 4

    inside: int  # cards it counts inside, the mouth included
    certain: bool  # nothing has happened that could make that count wrong

    def encode(self) -> bytes:
        if not 0 <= self.inside <= 65535:
            raise BadMessage("CountResult", "inside", self.inside, "0 to 65535")
        if not 0 <= self.certain <= 1:
            raise BadMessage("CountResult", "certain", self.certain, "0 to 1")
        return _COUNT_RESULT_0.pack(self.inside, self.certain)

    @classmethod
    def decode(cls, body: bytes) -> CountResult:
        if len(body) != 3:
            raise BadMessage("CountResult", "length", len(body), "3 bytes")
        inside, certain_ = _COUNT_RESULT_0.unpack(body)
        if certain_ > 1:
            raise BadMessage("CountResult", "certain", certain_, "0 or 1")
        return cls(inside, certain_ == 1)


_COUNT_RESULT_0 = struct.Struct("<HB")


class Outputs(Message, frozen=True, gc=False):
    """What the host wants the outputs to be."""

    ID: ClassVar[int] = 0
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"lamp": Lamp}

    locked: bool = True  # the gate in front of the mouth is shut
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
    kind="shuffler",
    code=4,
    version=1,
    digest=bytes.fromhex("8f3f933fc0ac7416"),
    title='Shuffler',
    beat_ms=2000,
    silence_ms=6000,
    capabilities={"both_sides": 1, "gate": 2, "lamp": 4, "deck_check": 8},
    events={1: CardOut, 2: TwoOut, 3: PushedBack, 4: ConditionChanged, 5: PoweredUp, 6: CardPresented, 7: TwoPresented, 8: Loaded, 9: StateChanged, 10: ModeChanged, 11: Jam, 12: JamOver, 13: DeckChecked},
    live={1: Inside},
    commands={1: Eject, 2: StartCheck, 3: SetMode, 4: Count},
    results={1: EjectResult, 2: StartCheckResult, 3: SetModeResult, 4: CountResult},
    outputs=Outputs,
    safe=Outputs(),
    hold_ms={"locked": 6000, "lamp": 6000},
)
