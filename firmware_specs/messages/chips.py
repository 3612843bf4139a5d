# Generated from firmware_specs/chips.toml by python -m firmware_specs.generate; do not edit.
# fmt: off
# ruff: noqa
"""Chip mat: the messages on its wire."""

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
    """Why an area cannot be read."""

    ANTENNA_OPEN = 0  # the antenna or its lead is broken
    ANTENNA_SHORT = 1  # the antenna or its lead is shorted, or metal lies on it
    NOISE = 2  # interference drowns the tags
    READER_HOT = 3  # the reader behind the antenna is too hot


_FAULT_CAUSE = {member.value: member for member in FaultCause}
_FAULT_CAUSE_NAMES = "one of antenna_open, antenna_short, noise, reader_hot"


class TagsChanged(Message, frozen=True, gc=False):
    """Tags came to areas or left them, as one pass over the mat found it; a large change comes as several of these in a row, all but the last with `more`."""

    ID: ClassVar[int] = 1

    at: int  # [ms] device time of the pass
    report: int  # counts reports; the parts of one report share it
    added: tuple[int, ...]  # tags that are new where they are
    to: tuple[int, ...]  # the area of each of them; 0 is the float tray
    removed: tuple[int, ...]  # tags not read there for 300 ms, or read elsewhere since
    left: tuple[int, ...]  # the area each of them left
    partial: tuple[int, ...]  # areas where more tags answer than could be told apart; another report follows
    total: int  # tags told on all areas together after the whole report
    more: bool  # another part of this report follows at once

    def encode(self) -> bytes:
        if len(self.to) != len(self.added):
            raise BadMessage("TagsChanged", "to", len(self.to), f"{len(self.added)} long, as many as added")
        if len(self.left) != len(self.removed):
            raise BadMessage("TagsChanged", "left", len(self.left), f"{len(self.removed)} long, as many as removed")
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("TagsChanged", "at", self.at, "0 to 4294967295")
        if not 0 <= self.report <= 65535:
            raise BadMessage("TagsChanged", "report", self.report, "0 to 65535")
        check_list(self.added, 0, 18446744073709551615, "TagsChanged", "added")
        check_list(self.to, 0, 62, "TagsChanged", "to")
        check_list(self.removed, 0, 18446744073709551615, "TagsChanged", "removed")
        check_list(self.left, 0, 62, "TagsChanged", "left")
        check_list(self.partial, 0, 62, "TagsChanged", "partial")
        if not 0 <= self.total <= 65535:
            raise BadMessage("TagsChanged", "total", self.total, "0 to 65535")
        if not 0 <= self.more <= 1:
            raise BadMessage("TagsChanged", "more", self.more, "0 to 1")
        return b"".join((
            _TAGS_CHANGED_0.pack(self.at, self.report),
            counted(1, len(self.added), 48, struct.pack(f"<{len(self.added)}Q", *self.added), "TagsChanged", "added"),
            counted(1, len(self.to), 48, struct.pack(f"<{len(self.to)}B", *self.to), "TagsChanged", "to"),
            counted(1, len(self.removed), 48, struct.pack(f"<{len(self.removed)}Q", *self.removed), "TagsChanged", "removed"),
            counted(1, len(self.left), 48, struct.pack(f"<{len(self.left)}B", *self.left), "TagsChanged", "left"),
            counted(1, len(self.partial), 63, struct.pack(f"<{len(self.partial)}B", *self.partial), "TagsChanged", "partial"),
            _TAGS_CHANGED_6.pack(self.total, self.more),
        ))

    @classmethod
    def decode(cls, body: bytes) -> TagsChanged:
        if len(body) < 0 + 6:
            raise BadMessage("TagsChanged", "length", len(body), "more bytes")
        at, report = _TAGS_CHANGED_0.unpack_from(body, 0)
        at_ = 0 + 6
        added, at_ = read_list(body, at_, 1, 48, "Q", 8, "TagsChanged", "added")
        to, at_ = read_list(body, at_, 1, 48, "B", 1, "TagsChanged", "to")
        check_list(to, 0, 62, "TagsChanged", "to")
        removed, at_ = read_list(body, at_, 1, 48, "Q", 8, "TagsChanged", "removed")
        left, at_ = read_list(body, at_, 1, 48, "B", 1, "TagsChanged", "left")
        check_list(left, 0, 62, "TagsChanged", "left")
        partial, at_ = read_list(body, at_, 1, 63, "B", 1, "TagsChanged", "partial")
        check_list(partial, 0, 62, "TagsChanged", "partial")
        if len(body) < at_ + 3:
            raise BadMessage("TagsChanged", "length", len(body), "more bytes")
        total, more_ = _TAGS_CHANGED_6.unpack_from(body, at_)
        at_ = at_ + 3
        if more_ > 1:
            raise BadMessage("TagsChanged", "more", more_, "0 or 1")
        if at_ != len(body):
            raise BadMessage("TagsChanged", "length", len(body), f"{at_} bytes")
        if len(to) != len(added):
            raise BadMessage("TagsChanged", "to", len(to), f"{len(added)} long, as many as added")
        if len(left) != len(removed):
            raise BadMessage("TagsChanged", "left", len(left), f"{len(removed)} long, as many as removed")
        return cls(at, report, added, to, removed, left, partial, total, more_ == 1)


_TAGS_CHANGED_0 = struct.Struct("<IH")
_TAGS_CHANGED_6 = struct.Struct("<HB")


class TagOnEdge(Message, frozen=True, gc=False):
    """A tag lies across the line between areas and belongs to none of them."""

    ID: ClassVar[int] = 2

    at: int  # [ms] device time of the read
    tag: int  # the tag
    areas: tuple[int, ...]  # the areas that read it about equally well

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("TagOnEdge", "at", self.at, "0 to 4294967295")
        if not 0 <= self.tag <= 18446744073709551615:
            raise BadMessage("TagOnEdge", "tag", self.tag, "0 to 18446744073709551615")
        check_list(self.areas, 0, 62, "TagOnEdge", "areas")
        return b"".join((
            _TAG_ON_EDGE_0.pack(self.at, self.tag),
            counted(1, len(self.areas), 4, struct.pack(f"<{len(self.areas)}B", *self.areas), "TagOnEdge", "areas"),
        ))

    @classmethod
    def decode(cls, body: bytes) -> TagOnEdge:
        if len(body) < 0 + 12:
            raise BadMessage("TagOnEdge", "length", len(body), "more bytes")
        at, tag = _TAG_ON_EDGE_0.unpack_from(body, 0)
        at_ = 0 + 12
        areas, at_ = read_list(body, at_, 1, 4, "B", 1, "TagOnEdge", "areas")
        check_list(areas, 0, 62, "TagOnEdge", "areas")
        if at_ != len(body):
            raise BadMessage("TagOnEdge", "length", len(body), f"{at_} bytes")
        return cls(at, tag, areas)


_TAG_ON_EDGE_0 = struct.Struct("<IQ")


class EdgeCleared(Message, frozen=True, gc=False):
    """A tag told by TagOnEdge lies on no line any more; when it went to an area, TagsChanged follows."""

    ID: ClassVar[int] = 3

    at: int  # [ms] device time of the read
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


class AreaFault(Message, frozen=True, gc=False):
    """An area cannot be read; what lies there is unknown until AreaFaultOver."""

    ID: ClassVar[int] = 4
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"cause": FaultCause}

    at: int  # [ms] device time
    area: int  # the area
    cause: FaultCause  # what is wrong

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("AreaFault", "at", self.at, "0 to 4294967295")
        if not 0 <= self.area <= 62:
            raise BadMessage("AreaFault", "area", self.area, "0 to 62")
        return _AREA_FAULT_0.pack(self.at, self.area, self.cause)

    @classmethod
    def decode(cls, body: bytes) -> AreaFault:
        if len(body) != 6:
            raise BadMessage("AreaFault", "length", len(body), "6 bytes")
        at, area, cause_ = _AREA_FAULT_0.unpack(body)
        if not 0 <= area <= 62:
            raise BadMessage("AreaFault", "area", area, "0 to 62")
        cause = _FAULT_CAUSE.get(cause_)
        if cause is None:
            raise BadMessage("AreaFault", "cause", cause_, _FAULT_CAUSE_NAMES)
        return cls(at, area, cause)


_AREA_FAULT_0 = struct.Struct("<IBB")


class AreaFaultOver(Message, frozen=True, gc=False):
    """An area can be read again; what changed meanwhile follows as TagsChanged."""

    ID: ClassVar[int] = 5

    at: int  # [ms] device time
    area: int  # the area

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("AreaFaultOver", "at", self.at, "0 to 4294967295")
        if not 0 <= self.area <= 62:
            raise BadMessage("AreaFaultOver", "area", self.area, "0 to 62")
        return _AREA_FAULT_OVER_0.pack(self.at, self.area)

    @classmethod
    def decode(cls, body: bytes) -> AreaFaultOver:
        if len(body) != 5:
            raise BadMessage("AreaFaultOver", "length", len(body), "5 bytes")
        at, area = _AREA_FAULT_OVER_0.unpack(body)
        if not 0 <= area <= 62:
            raise BadMessage("AreaFaultOver", "area", area, "0 to 62")
        return cls(at, area)


_AREA_FAULT_OVER_0 = struct.Struct("<IB")


class Inventory(Message, frozen=True, gc=False):
    """Part of the complete picture asked for by ReadAll: every area in order, each in as many parts as it needs, all in a row. TagOnEdge follows for every tag that lies on a line."""

    ID: ClassVar[int] = 6

    at: int  # [ms] device time of the read
    snapshot: int  # the id given with ReadAll
    area: int  # the area
    tags: tuple[int, ...]  # tags on the area
    total: int  # tags on the area, over all its parts
    edge: tuple[int, ...]  # in the last part: tags that lie across a line
    partial: bool  # there are more than these, or the area cannot be read
    more: bool  # another part of this picture follows at once

    def encode(self) -> bytes:
        if not 0 <= self.at <= 4294967295:
            raise BadMessage("Inventory", "at", self.at, "0 to 4294967295")
        if not 0 <= self.snapshot <= 65535:
            raise BadMessage("Inventory", "snapshot", self.snapshot, "0 to 65535")
        if not 0 <= self.area <= 62:
            raise BadMessage("Inventory", "area", self.area, "0 to 62")
        check_list(self.tags, 0, 18446744073709551615, "Inventory", "tags")
        if not 0 <= self.total <= 65535:
            raise BadMessage("Inventory", "total", self.total, "0 to 65535")
        check_list(self.edge, 0, 18446744073709551615, "Inventory", "edge")
        if not 0 <= self.partial <= 1:
            raise BadMessage("Inventory", "partial", self.partial, "0 to 1")
        if not 0 <= self.more <= 1:
            raise BadMessage("Inventory", "more", self.more, "0 to 1")
        return b"".join((
            _INVENTORY_0.pack(self.at, self.snapshot, self.area),
            counted(1, len(self.tags), 96, struct.pack(f"<{len(self.tags)}Q", *self.tags), "Inventory", "tags"),
            _INVENTORY_2.pack(self.total),
            counted(1, len(self.edge), 16, struct.pack(f"<{len(self.edge)}Q", *self.edge), "Inventory", "edge"),
            _INVENTORY_4.pack(self.partial, self.more),
        ))

    @classmethod
    def decode(cls, body: bytes) -> Inventory:
        if len(body) < 0 + 7:
            raise BadMessage("Inventory", "length", len(body), "more bytes")
        at, snapshot, area = _INVENTORY_0.unpack_from(body, 0)
        at_ = 0 + 7
        if not 0 <= area <= 62:
            raise BadMessage("Inventory", "area", area, "0 to 62")
        tags, at_ = read_list(body, at_, 1, 96, "Q", 8, "Inventory", "tags")
        if len(body) < at_ + 2:
            raise BadMessage("Inventory", "length", len(body), "more bytes")
        total, = _INVENTORY_2.unpack_from(body, at_)
        at_ = at_ + 2
        edge, at_ = read_list(body, at_, 1, 16, "Q", 8, "Inventory", "edge")
        if len(body) < at_ + 2:
            raise BadMessage("Inventory", "length", len(body), "more bytes")
        partial_, more_ = _INVENTORY_4.unpack_from(body, at_)
        at_ = at_ + 2
        if partial_ > 1:
            raise BadMessage("Inventory", "partial", partial_, "0 or 1")
        if more_ > 1:
            raise BadMessage("Inventory", "more", more_, "0 or 1")
        if at_ != len(body):
            raise BadMessage("Inventory", "length", len(body), f"{at_} bytes")
        return cls(at, snapshot, area, tags, total, edge, partial_ == 1, more_ == 1)


_INVENTORY_0 = struct.Struct("<IHB")
_INVENTORY_2 = struct.Struct("<H")
_INVENTORY_4 = struct.Struct("<BB")


class AreaSignal(Message, frozen=True, gc=False):
    """How well an area is read."""

    ID: ClassVar[int] = 1

    area: int  # the area
    signal: int  # [dB] strength of the weakest tag; 0 when there is none
    noise: int  # [dB] strength of what is not a tag
    tags: int  # tags read in the last pass

    def encode(self) -> bytes:
        if not 0 <= self.area <= 62:
            raise BadMessage("AreaSignal", "area", self.area, "0 to 62")
        if not 0 <= self.signal <= 255:
            raise BadMessage("AreaSignal", "signal", self.signal, "0 to 255")
        if not 0 <= self.noise <= 255:
            raise BadMessage("AreaSignal", "noise", self.noise, "0 to 255")
        if not 0 <= self.tags <= 65535:
            raise BadMessage("AreaSignal", "tags", self.tags, "0 to 65535")
        return _AREA_SIGNAL_0.pack(self.area, self.signal, self.noise, self.tags)

    @classmethod
    def decode(cls, body: bytes) -> AreaSignal:
        if len(body) != 5:
            raise BadMessage("AreaSignal", "length", len(body), "5 bytes")
        area, signal, noise, tags = _AREA_SIGNAL_0.unpack(body)
        if not 0 <= area <= 62:
            raise BadMessage("AreaSignal", "area", area, "0 to 62")
        return cls(area, signal, noise, tags)


_AREA_SIGNAL_0 = struct.Struct("<BBBH")


class ReadAll(Message, frozen=True, gc=False):
    """Read every area and tell the complete picture as Inventory events."""

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

    areas: int  # how many areas the picture covers

    def encode(self) -> bytes:
        if not 0 <= self.areas <= 63:
            raise BadMessage("ReadAllResult", "areas", self.areas, "0 to 63")
        return _READ_ALL_RESULT_0.pack(self.areas)

    @classmethod
    def decode(cls, body: bytes) -> ReadAllResult:
        if len(body) != 1:
            raise BadMessage("ReadAllResult", "length", len(body), "1 bytes")
        areas, = _READ_ALL_RESULT_0.unpack(body)
        if not 0 <= areas <= 63:
            raise BadMessage("ReadAllResult", "areas", areas, "0 to 63")
        return cls(areas)


_READ_ALL_RESULT_0 = struct.Struct("<B")


class Calibrate(Message, frozen=True, gc=False):
    """Measure the noise of an empty area and set its threshold; refused while tags lie there."""

    ID: ClassVar[int] = 2

    area: int  # the area

    def encode(self) -> bytes:
        if not 0 <= self.area <= 62:
            raise BadMessage("Calibrate", "area", self.area, "0 to 62")
        return _CALIBRATE_0.pack(self.area)

    @classmethod
    def decode(cls, body: bytes) -> Calibrate:
        if len(body) != 1:
            raise BadMessage("Calibrate", "length", len(body), "1 bytes")
        area, = _CALIBRATE_0.unpack(body)
        if not 0 <= area <= 62:
            raise BadMessage("Calibrate", "area", area, "0 to 62")
        return cls(area)


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


class Outputs(Message, frozen=True, gc=False):
    """What the host wants the outputs to be."""

    ID: ClassVar[int] = 0

    lamps: int = 0  # which areas are lit, a bit each, bit 0 the float tray

    def encode(self) -> bytes:
        if not 0 <= self.lamps <= 18446744073709551615:
            raise BadMessage("Outputs", "lamps", self.lamps, "0 to 18446744073709551615")
        return _OUTPUTS_0.pack(self.lamps)

    @classmethod
    def decode(cls, body: bytes) -> Outputs:
        if len(body) != 8:
            raise BadMessage("Outputs", "length", len(body), "8 bytes")
        lamps, = _OUTPUTS_0.unpack(body)
        return cls(lamps)


_OUTPUTS_0 = struct.Struct("<Q")


SPEC = DeviceSpec(
    kind="chips",
    code=2,
    version=2,
    digest=bytes.fromhex("d1228cf104a18b71"),
    title='Chip mat',
    beat_ms=2000,
    silence_ms=6000,
    capabilities={"areas_1": 1, "areas_2": 2, "areas_4": 4, "areas_8": 8, "areas_16": 16, "areas_32": 32, "edge": 64},
    events={1: TagsChanged, 2: TagOnEdge, 3: EdgeCleared, 4: AreaFault, 5: AreaFaultOver, 6: Inventory},
    live={1: AreaSignal},
    commands={1: ReadAll, 2: Calibrate},
    results={1: ReadAllResult, 2: CalibrateResult},
    outputs=Outputs,
    safe=Outputs(),
    hold_ms={"lamps": 6000},
)
