# Generated from firmware_specs/cards.toml by python -m firmware_specs.generate; do not edit.
# fmt: off
# ruff: noqa
"""Card antennas: the messages on its wire."""

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


class FaultCause(IntEnum):
    """Why an antenna cannot be read."""

    ANTENNA_OPEN = 0  # the antenna or its lead is broken
    ANTENNA_SHORT = 1  # the antenna or its lead is shorted, or metal lies on it
    NOISE = 2  # interference drowns the tags
    READER_HOT = 3  # the reader behind the antenna is too hot


_FAULT_CAUSE = {member.value: member for member in FaultCause}
_FAULT_CAUSE_NAMES = "one of antenna_open, antenna_short, noise, reader_hot"


class CardsMoved(Message, frozen=True, gc=False):
    """Cards came to antennas or left them, as one sweep found them; those that came stand in the order they were first read."""

    ID: ClassVar[int] = 1

    at: int  # [ms] device time of the sweep
    added: tuple[int, ...]  # tags that are new where they are
    to: tuple[int, ...]  # the antenna of each of them
    removed: tuple[int, ...]  # tags not read there for 300 ms, or read elsewhere since
    left: tuple[int, ...]  # the antenna each of them left
    total: int  # tags on all antennas after this event

    def encode(self) -> bytes:
        if len(self.to) != len(self.added):
            raise BadMessage("CardsMoved", "to", len(self.to), f"{len(self.added)} long, as many as added")
        if len(self.left) != len(self.removed):
            raise BadMessage("CardsMoved", "left", len(self.left), f"{len(self.removed)} long, as many as removed")
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("CardsMoved", "at", self.at, "0 to 4294967295")
        check_list(self.added, 0, 18446744073709551615, "CardsMoved", "added")
        check_list(self.to, 0, 14, "CardsMoved", "to")
        check_list(self.removed, 0, 18446744073709551615, "CardsMoved", "removed")
        check_list(self.left, 0, 14, "CardsMoved", "left")
        if not 0 <= self.total <= 255:
            raise BadMessage("CardsMoved", "total", self.total, "0 to 255")
        return b"".join((
            _CARDS_MOVED_0.pack(self.at),
            counted(1, len(self.added), 52, struct.pack(f"<{len(self.added)}Q", *self.added), "CardsMoved", "added"),
            counted(1, len(self.to), 52, struct.pack(f"<{len(self.to)}B", *self.to), "CardsMoved", "to"),
            counted(1, len(self.removed), 52, struct.pack(f"<{len(self.removed)}Q", *self.removed), "CardsMoved", "removed"),
            counted(1, len(self.left), 52, struct.pack(f"<{len(self.left)}B", *self.left), "CardsMoved", "left"),
            _CARDS_MOVED_5.pack(self.total),
        ))

    @classmethod
    def decode(cls, body: bytes) -> CardsMoved:
        if len(body) < 0 + 4:
            raise BadMessage("CardsMoved", "length", len(body), "more bytes")
        at, = _CARDS_MOVED_0.unpack_from(body, 0)
        at_ = 0 + 4
        added, at_ = read_list(body, at_, 1, 52, "Q", 8, "CardsMoved", "added")
        to, at_ = read_list(body, at_, 1, 52, "B", 1, "CardsMoved", "to")
        check_list(to, 0, 14, "CardsMoved", "to")
        removed, at_ = read_list(body, at_, 1, 52, "Q", 8, "CardsMoved", "removed")
        left, at_ = read_list(body, at_, 1, 52, "B", 1, "CardsMoved", "left")
        check_list(left, 0, 14, "CardsMoved", "left")
        if len(body) < at_ + 1:
            raise BadMessage("CardsMoved", "length", len(body), "more bytes")
        total, = _CARDS_MOVED_5.unpack_from(body, at_)
        at_ = at_ + 1
        if at_ != len(body):
            raise BadMessage("CardsMoved", "length", len(body), f"{at_} bytes")
        if len(to) != len(added):
            raise BadMessage("CardsMoved", "to", len(to), f"{len(added)} long, as many as added")
        if len(left) != len(removed):
            raise BadMessage("CardsMoved", "left", len(left), f"{len(removed)} long, as many as removed")
        return cls(at, added, to, removed, left, total)


_CARDS_MOVED_0 = struct.Struct("<I")
_CARDS_MOVED_5 = struct.Struct("<B")


class CardOnEdge(Message, frozen=True, gc=False):
    """A card lies between antennas and belongs to none of them."""

    ID: ClassVar[int] = 2

    at: int  # [ms] device time of the sweep
    tag: int  # the tag
    antennas: tuple[int, ...]  # the antennas that read it about equally well

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("CardOnEdge", "at", self.at, "0 to 4294967295")
        if not 0 <= self.tag <= 18446744073709551615:
            raise BadMessage("CardOnEdge", "tag", self.tag, "0 to 18446744073709551615")
        check_list(self.antennas, 0, 14, "CardOnEdge", "antennas")
        return b"".join((
            _CARD_ON_EDGE_0.pack(self.at, self.tag),
            counted(1, len(self.antennas), 4, struct.pack(f"<{len(self.antennas)}B", *self.antennas), "CardOnEdge", "antennas"),
        ))

    @classmethod
    def decode(cls, body: bytes) -> CardOnEdge:
        if len(body) < 0 + 12:
            raise BadMessage("CardOnEdge", "length", len(body), "more bytes")
        at, tag = _CARD_ON_EDGE_0.unpack_from(body, 0)
        at_ = 0 + 12
        antennas, at_ = read_list(body, at_, 1, 4, "B", 1, "CardOnEdge", "antennas")
        check_list(antennas, 0, 14, "CardOnEdge", "antennas")
        if at_ != len(body):
            raise BadMessage("CardOnEdge", "length", len(body), f"{at_} bytes")
        return cls(at, tag, antennas)


_CARD_ON_EDGE_0 = struct.Struct("<IQ")


class EdgeCleared(Message, frozen=True, gc=False):
    """A card told by CardOnEdge no longer lies between antennas; when it went to one, CardsMoved follows."""

    ID: ClassVar[int] = 3

    at: int  # [ms] device time of the sweep
    tag: int  # the tag

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("EdgeCleared", "at", self.at, "0 to 4294967295")
        if not 0 <= self.tag <= 18446744073709551615:
            raise BadMessage("EdgeCleared", "tag", self.tag, "0 to 18446744073709551615")
        return _EDGE_CLEARED_0.pack(self.at, self.tag)

    @classmethod
    def decode(cls, body: bytes) -> EdgeCleared:
        if len(body) != 12:
            raise BadMessage("EdgeCleared", "length", len(body), "12 bytes")
        at, tag = _EDGE_CLEARED_0.unpack(body)
        return cls(at, tag)


_EDGE_CLEARED_0 = struct.Struct("<IQ")


class TagTwice(Message, frozen=True, gc=False):
    """One tag answers clearly from two places in the same sweep: there are two cards with one tag."""

    ID: ClassVar[int] = 4

    at: int  # [ms] device time of the sweep
    tag: int  # the tag
    antennas: tuple[int, ...]  # where it answers; the first is where it was told before

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("TagTwice", "at", self.at, "0 to 4294967295")
        if not 0 <= self.tag <= 18446744073709551615:
            raise BadMessage("TagTwice", "tag", self.tag, "0 to 18446744073709551615")
        check_list(self.antennas, 0, 14, "TagTwice", "antennas")
        return b"".join((
            _TAG_TWICE_0.pack(self.at, self.tag),
            counted(1, len(self.antennas), 4, struct.pack(f"<{len(self.antennas)}B", *self.antennas), "TagTwice", "antennas"),
        ))

    @classmethod
    def decode(cls, body: bytes) -> TagTwice:
        if len(body) < 0 + 12:
            raise BadMessage("TagTwice", "length", len(body), "more bytes")
        at, tag = _TAG_TWICE_0.unpack_from(body, 0)
        at_ = 0 + 12
        antennas, at_ = read_list(body, at_, 1, 4, "B", 1, "TagTwice", "antennas")
        check_list(antennas, 0, 14, "TagTwice", "antennas")
        if at_ != len(body):
            raise BadMessage("TagTwice", "length", len(body), f"{at_} bytes")
        return cls(at, tag, antennas)


_TAG_TWICE_0 = struct.Struct("<IQ")


class TagTwiceOver(Message, frozen=True, gc=False):
    """A tag told by TagTwice answers from one place again."""

    ID: ClassVar[int] = 5

    at: int  # [ms] device time of the sweep
    tag: int  # the tag

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("TagTwiceOver", "at", self.at, "0 to 4294967295")
        if not 0 <= self.tag <= 18446744073709551615:
            raise BadMessage("TagTwiceOver", "tag", self.tag, "0 to 18446744073709551615")
        return _TAG_TWICE_OVER_0.pack(self.at, self.tag)

    @classmethod
    def decode(cls, body: bytes) -> TagTwiceOver:
        if len(body) != 12:
            raise BadMessage("TagTwiceOver", "length", len(body), "12 bytes")
        at, tag = _TAG_TWICE_OVER_0.unpack(body)
        return cls(at, tag)


_TAG_TWICE_OVER_0 = struct.Struct("<IQ")


class AntennaFault(Message, frozen=True, gc=False):
    """An antenna cannot be read; what lies there is unknown until AntennaFaultOver."""

    ID: ClassVar[int] = 6
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"cause": FaultCause}

    at: int  # [ms] device time
    antenna: int  # the antenna
    cause: FaultCause  # what is wrong

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("AntennaFault", "at", self.at, "0 to 4294967295")
        if not 0 <= self.antenna <= 14:
            raise BadMessage("AntennaFault", "antenna", self.antenna, "0 to 14")
        return _ANTENNA_FAULT_0.pack(self.at, self.antenna, self.cause)

    @classmethod
    def decode(cls, body: bytes) -> AntennaFault:
        if len(body) != 6:
            raise BadMessage("AntennaFault", "length", len(body), "6 bytes")
        at, antenna, cause_ = _ANTENNA_FAULT_0.unpack(body)
        if not 0 <= antenna <= 14:
            raise BadMessage("AntennaFault", "antenna", antenna, "0 to 14")
        cause = _FAULT_CAUSE.get(cause_)
        if cause is None:
            raise BadMessage("AntennaFault", "cause", cause_, _FAULT_CAUSE_NAMES)
        return cls(at, antenna, cause)


_ANTENNA_FAULT_0 = struct.Struct("<IBB")


class AntennaFaultOver(Message, frozen=True, gc=False):
    """An antenna can be read again; what changed meanwhile follows as CardsMoved."""

    ID: ClassVar[int] = 7

    at: int  # [ms] device time
    antenna: int  # the antenna

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("AntennaFaultOver", "at", self.at, "0 to 4294967295")
        if not 0 <= self.antenna <= 14:
            raise BadMessage("AntennaFaultOver", "antenna", self.antenna, "0 to 14")
        return _ANTENNA_FAULT_OVER_0.pack(self.at, self.antenna)

    @classmethod
    def decode(cls, body: bytes) -> AntennaFaultOver:
        if len(body) != 5:
            raise BadMessage("AntennaFaultOver", "length", len(body), "5 bytes")
        at, antenna = _ANTENNA_FAULT_OVER_0.unpack(body)
        if not 0 <= antenna <= 14:
            raise BadMessage("AntennaFaultOver", "antenna", antenna, "0 to 14")
        return cls(at, antenna)


_ANTENNA_FAULT_OVER_0 = struct.Struct("<IB")


class Picture(Message, frozen=True, gc=False):
    """Every card on every antenna, asked for by ReadAll; it takes the place of whatever was told before."""

    ID: ClassVar[int] = 8

    at: int  # [ms] device time of the sweep
    snapshot: int  # the id given with ReadAll
    tags: tuple[int, ...]  # every tag that lies on one antenna
    on: tuple[int, ...]  # the antenna of each of them
    edge: tuple[int, ...]  # tags that lie between antennas; CardOnEdge follows for each
    unread: int  # a bit for every antenna that cannot be read

    def encode(self) -> bytes:
        if len(self.on) != len(self.tags):
            raise BadMessage("Picture", "on", len(self.on), f"{len(self.tags)} long, as many as tags")
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("Picture", "at", self.at, "0 to 4294967295")
        if not 0 <= self.snapshot <= 65535:
            raise BadMessage("Picture", "snapshot", self.snapshot, "0 to 65535")
        check_list(self.tags, 0, 18446744073709551615, "Picture", "tags")
        check_list(self.on, 0, 14, "Picture", "on")
        check_list(self.edge, 0, 18446744073709551615, "Picture", "edge")
        if not 0 <= self.unread <= 65535:
            raise BadMessage("Picture", "unread", self.unread, "0 to 65535")
        return b"".join((
            _PICTURE_0.pack(self.at, self.snapshot),
            counted(1, len(self.tags), 96, struct.pack(f"<{len(self.tags)}Q", *self.tags), "Picture", "tags"),
            counted(1, len(self.on), 96, struct.pack(f"<{len(self.on)}B", *self.on), "Picture", "on"),
            counted(1, len(self.edge), 8, struct.pack(f"<{len(self.edge)}Q", *self.edge), "Picture", "edge"),
            _PICTURE_4.pack(self.unread),
        ))

    @classmethod
    def decode(cls, body: bytes) -> Picture:
        if len(body) < 0 + 6:
            raise BadMessage("Picture", "length", len(body), "more bytes")
        at, snapshot = _PICTURE_0.unpack_from(body, 0)
        at_ = 0 + 6
        tags, at_ = read_list(body, at_, 1, 96, "Q", 8, "Picture", "tags")
        on, at_ = read_list(body, at_, 1, 96, "B", 1, "Picture", "on")
        check_list(on, 0, 14, "Picture", "on")
        edge, at_ = read_list(body, at_, 1, 8, "Q", 8, "Picture", "edge")
        if len(body) < at_ + 2:
            raise BadMessage("Picture", "length", len(body), "more bytes")
        unread, = _PICTURE_4.unpack_from(body, at_)
        at_ = at_ + 2
        if at_ != len(body):
            raise BadMessage("Picture", "length", len(body), f"{at_} bytes")
        if len(on) != len(tags):
            raise BadMessage("Picture", "on", len(on), f"{len(tags)} long, as many as tags")
        return cls(at, snapshot, tags, on, edge, unread)


_PICTURE_0 = struct.Struct("<IH")
_PICTURE_4 = struct.Struct("<H")


class AntennaSignal(Message, frozen=True, gc=False):
    """How well an antenna is read; it says how many cards there are and never which."""

    ID: ClassVar[int] = 1

    antenna: int  # the antenna
    signal: int  # [dB] strength of the weakest tag; 0 when there is none
    noise: int  # [dB] strength of what is not a tag
    cards: int  # tags read in the last sweep

    def encode(self) -> bytes:
        if not 0 <= self.antenna <= 14:
            raise BadMessage("AntennaSignal", "antenna", self.antenna, "0 to 14")
        if not 0 <= self.signal <= 255:
            raise BadMessage("AntennaSignal", "signal", self.signal, "0 to 255")
        if not 0 <= self.noise <= 255:
            raise BadMessage("AntennaSignal", "noise", self.noise, "0 to 255")
        if not 0 <= self.cards <= 255:
            raise BadMessage("AntennaSignal", "cards", self.cards, "0 to 255")
        return _ANTENNA_SIGNAL_0.pack(self.antenna, self.signal, self.noise, self.cards)

    @classmethod
    def decode(cls, body: bytes) -> AntennaSignal:
        if len(body) != 4:
            raise BadMessage("AntennaSignal", "length", len(body), "4 bytes")
        antenna, signal, noise, cards = _ANTENNA_SIGNAL_0.unpack(body)
        if not 0 <= antenna <= 14:
            raise BadMessage("AntennaSignal", "antenna", antenna, "0 to 14")
        return cls(antenna, signal, noise, cards)


_ANTENNA_SIGNAL_0 = struct.Struct("<BBBB")


class ReadAll(Message, frozen=True, gc=False):
    """Sweep every antenna and tell the complete picture."""

    ID: ClassVar[int] = 1

    snapshot: int  # an id that the answer repeats

    def encode(self) -> bytes:
        if not 0 <= self.snapshot <= 65535:
            raise BadMessage("ReadAll", "snapshot", self.snapshot, "0 to 65535")
        return _READ_ALL_0.pack(self.snapshot)

    @classmethod
    def decode(cls, body: bytes) -> ReadAll:
        if len(body) != 2:
            raise BadMessage("ReadAll", "length", len(body), "2 bytes")
        snapshot, = _READ_ALL_0.unpack(body)
        return cls(snapshot)


_READ_ALL_0 = struct.Struct("<H")


class ReadAllResult(Message, frozen=True, gc=False):
    """ReadAll was done."""

    ID: ClassVar[int] = 1

    seats: int  # how many seats have antennas

    def encode(self) -> bytes:
        if not 0 <= self.seats <= 12:
            raise BadMessage("ReadAllResult", "seats", self.seats, "0 to 12")
        return _READ_ALL_RESULT_0.pack(self.seats)

    @classmethod
    def decode(cls, body: bytes) -> ReadAllResult:
        if len(body) != 1:
            raise BadMessage("ReadAllResult", "length", len(body), "1 bytes")
        seats, = _READ_ALL_RESULT_0.unpack(body)
        if not 0 <= seats <= 12:
            raise BadMessage("ReadAllResult", "seats", seats, "0 to 12")
        return cls(seats)


_READ_ALL_RESULT_0 = struct.Struct("<B")


class Calibrate(Message, frozen=True, gc=False):
    """Measure the noise of an empty antenna and set its threshold; refused while cards lie there."""

    ID: ClassVar[int] = 2

    antenna: int  # the antenna

    def encode(self) -> bytes:
        if not 0 <= self.antenna <= 14:
            raise BadMessage("Calibrate", "antenna", self.antenna, "0 to 14")
        return _CALIBRATE_0.pack(self.antenna)

    @classmethod
    def decode(cls, body: bytes) -> Calibrate:
        if len(body) != 1:
            raise BadMessage("Calibrate", "length", len(body), "1 bytes")
        antenna, = _CALIBRATE_0.unpack(body)
        if not 0 <= antenna <= 14:
            raise BadMessage("Calibrate", "antenna", antenna, "0 to 14")
        return cls(antenna)


_CALIBRATE_0 = struct.Struct("<B")


class CalibrateResult(Message, frozen=True, gc=False):
    """Calibrate was done."""

    ID: ClassVar[int] = 2

    noise: int  # [dB] noise found
    threshold: int  # [dB] threshold set

    def encode(self) -> bytes:
        if not 0 <= self.noise <= 255:
            raise BadMessage("CalibrateResult", "noise", self.noise, "0 to 255")
        if not 0 <= self.threshold <= 255:
            raise BadMessage("CalibrateResult", "threshold", self.threshold, "0 to 255")
        return _CALIBRATE_RESULT_0.pack(self.noise, self.threshold)

    @classmethod
    def decode(cls, body: bytes) -> CalibrateResult:
        if len(body) != 2:
            raise BadMessage("CalibrateResult", "length", len(body), "2 bytes")
        noise, threshold = _CALIBRATE_RESULT_0.unpack(body)
        return cls(noise, threshold)


_CALIBRATE_RESULT_0 = struct.Struct("<BB")


SPEC = DeviceSpec(
    kind="cards",
    code=5,
    version=1,
    digest=bytes.fromhex("893f141d3a4f091e"),
    title='Card antennas',
    beat_ms=2000,
    silence_ms=6000,
    capabilities={"seats_1": 1, "seats_2": 2, "seats_4": 4, "seats_8": 8, "edge": 16, "twice": 32},
    events={1: CardsMoved, 2: CardOnEdge, 3: EdgeCleared, 4: TagTwice, 5: TagTwiceOver, 6: AntennaFault, 7: AntennaFaultOver, 8: Picture},
    live={1: AntennaSignal},
    commands={1: ReadAll, 2: Calibrate},
    results={1: ReadAllResult, 2: CalibrateResult},
    outputs=NoOutputs,
    safe=NoOutputs(),
    hold_ms={},
)
