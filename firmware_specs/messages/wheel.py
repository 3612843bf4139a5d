# Generated from firmware_specs/wheel.toml by python -m firmware_specs.generate; do not edit.
# fmt: off
# ruff: noqa
"""Wheel sensor: the messages on its wire."""

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


class Sense(IntEnum):
    """Which way the wheel turns, seen from the players."""

    CLOCKWISE = 1  # the angle grows
    ANTICLOCKWISE = 2  # the angle falls


_SENSE = {member.value: member for member in Sense}
_SENSE_NAMES = "one of clockwise, anticlockwise"


class Lamp(IntEnum):
    """What the lamp at the indicator shows."""

    OFF = 0  # dark
    STEADY = 1  # a result stands
    BLINKING = 2  # staff are asked to look


_LAMP = {member.value: member for member in Lamp}
_LAMP_NAMES = "one of off, steady, blinking"


class SpinStarted(Message, frozen=True, gc=False):
    """A spin is under way: a quarter turn made from the turning point, faster than 0.25 turns a second."""

    ID: ClassVar[int] = 1
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"sense": Sense}

    spin: int  # number of the spin, counted by the sensor
    angle: int  # [counts] rest angle before the spin, from the index mark
    sense: Sense  # the launch sense
    homed: bool  # the angle is counted from the index mark, not from where the power came on
    wound_back: int  # [counts] how far the hand drew the wheel back first

    def encode(self) -> bytes:
        if not 1 <= self.spin <= 4294967295:
            raise BadMessage("SpinStarted", "spin", self.spin, "1 to 4294967295")
        if not 0 <= self.angle <= 8319:
            raise BadMessage("SpinStarted", "angle", self.angle, "0 to 8319")
        if not 0 <= self.homed <= 1:
            raise BadMessage("SpinStarted", "homed", self.homed, "0 to 1")
        if not 0 <= self.wound_back <= 65535:
            raise BadMessage("SpinStarted", "wound_back", self.wound_back, "0 to 65535")
        return _SPIN_STARTED_0.pack(self.spin, self.angle, self.sense, self.homed, self.wound_back)

    @classmethod
    def decode(cls, body: bytes) -> SpinStarted:
        if len(body) != 10:
            raise BadMessage("SpinStarted", "length", len(body), "10 bytes")
        spin, angle, sense_, homed_, wound_back = _SPIN_STARTED_0.unpack(body)
        if not 1 <= spin <= 4294967295:
            raise BadMessage("SpinStarted", "spin", spin, "1 to 4294967295")
        if not 0 <= angle <= 8319:
            raise BadMessage("SpinStarted", "angle", angle, "0 to 8319")
        sense = _SENSE.get(sense_)
        if sense is None:
            raise BadMessage("SpinStarted", "sense", sense_, _SENSE_NAMES)
        if homed_ > 1:
            raise BadMessage("SpinStarted", "homed", homed_, "0 or 1")
        return cls(spin, angle, sense, homed_ == 1, wound_back)


_SPIN_STARTED_0 = struct.Struct("<IHBBH")


class TurnPassed(Message, frozen=True, gc=False):
    """A full turn, net in the launch sense from the rest angle, with its evidence."""

    ID: ClassVar[int] = 2

    spin: int  # number of the spin
    turn: int  # which turn is complete now
    pitches: tuple[int, ...]  # [20 us] time for each pitch of 160 counts; 65535 is that long or longer
    index: int  # [counts] the ring's angle at the index mark in this turn; 0 when the ring holds
    indexes: int  # how often the index mark passed in this turn, on the way out
    ticks: int  # pegs that left the indicator in this turn
    tick_phase: int  # [counts] mean angle of those pegs within a pitch
    tick_spread: int  # [counts] largest departure of one peg from that mean
    illegal: int  # quadrature steps in which both channels changed, at most 255

    def encode(self) -> bytes:
        if not 1 <= self.spin <= 4294967295:
            raise BadMessage("TurnPassed", "spin", self.spin, "1 to 4294967295")
        if not 1 <= self.turn <= 255:
            raise BadMessage("TurnPassed", "turn", self.turn, "1 to 255")
        check_list(self.pitches, 1, 65535, "TurnPassed", "pitches")
        if not -4160 <= self.index <= 4159:
            raise BadMessage("TurnPassed", "index", self.index, "-4160 to 4159")
        if not 0 <= self.indexes <= 255:
            raise BadMessage("TurnPassed", "indexes", self.indexes, "0 to 255")
        if not 0 <= self.ticks <= 255:
            raise BadMessage("TurnPassed", "ticks", self.ticks, "0 to 255")
        if not 0 <= self.tick_phase <= 159:
            raise BadMessage("TurnPassed", "tick_phase", self.tick_phase, "0 to 159")
        if not 0 <= self.tick_spread <= 255:
            raise BadMessage("TurnPassed", "tick_spread", self.tick_spread, "0 to 255")
        if not 0 <= self.illegal <= 255:
            raise BadMessage("TurnPassed", "illegal", self.illegal, "0 to 255")
        return b"".join((
            _TURN_PASSED_0.pack(self.spin, self.turn),
            counted(1, len(self.pitches), 52, struct.pack(f"<{len(self.pitches)}H", *self.pitches), "TurnPassed", "pitches"),
            _TURN_PASSED_2.pack(self.index, self.indexes, self.ticks, self.tick_phase, self.tick_spread, self.illegal),
        ))

    @classmethod
    def decode(cls, body: bytes) -> TurnPassed:
        if len(body) < 0 + 5:
            raise BadMessage("TurnPassed", "length", len(body), "more bytes")
        spin, turn = _TURN_PASSED_0.unpack_from(body, 0)
        at_ = 0 + 5
        if not 1 <= spin <= 4294967295:
            raise BadMessage("TurnPassed", "spin", spin, "1 to 4294967295")
        if not 1 <= turn <= 255:
            raise BadMessage("TurnPassed", "turn", turn, "1 to 255")
        pitches, at_ = read_list(body, at_, 1, 52, "H", 2, "TurnPassed", "pitches")
        check_list(pitches, 1, 65535, "TurnPassed", "pitches")
        if len(body) < at_ + 7:
            raise BadMessage("TurnPassed", "length", len(body), "more bytes")
        index, indexes, ticks, tick_phase, tick_spread, illegal = _TURN_PASSED_2.unpack_from(body, at_)
        at_ = at_ + 7
        if not -4160 <= index <= 4159:
            raise BadMessage("TurnPassed", "index", index, "-4160 to 4159")
        if not 0 <= tick_phase <= 159:
            raise BadMessage("TurnPassed", "tick_phase", tick_phase, "0 to 159")
        if at_ != len(body):
            raise BadMessage("TurnPassed", "length", len(body), f"{at_} bytes")
        return cls(spin, turn, pitches, index, indexes, ticks, tick_phase, tick_spread, illegal)


_TURN_PASSED_0 = struct.Struct("<IB")
_TURN_PASSED_2 = struct.Struct("<hBBBBB")


class SpinRested(Message, frozen=True, gc=False):
    """The wheel stood still long enough; the rest of the evidence of this spin."""

    ID: ClassVar[int] = 3

    spin: int  # number of the spin
    turns: int  # full turns told before
    gap: bool  # the sensor was off or blind for a part of the spin
    pitches: tuple[int, ...]  # [20 us] time for each complete pitch after the last full turn
    lowest: int  # [counts] furthest against the launch sense, from the rest angle
    peak: int  # [counts] furthest in the launch sense, from the rest angle
    rest: int  # [counts] where it rests, in the launch sense, from the rest angle
    still: int  # [ms] how long it has stood still
    index: int  # [counts] the ring's angle at the last index mark after the last full turn
    indexes: int  # how often the index mark passed after the last full turn, on the way out
    ticks: int  # pegs that left the indicator after the last full turn, forwards
    back_ticks: int  # pegs that left it on the way back from the peak
    tick_phase: int  # [counts] mean angle of the forward pegs within a pitch
    tick_spread: int  # [counts] largest departure of one peg from that mean
    illegal: int  # quadrature steps in which both channels changed, at most 255
    stray: int  # pegs and index marks seen after the ring had stopped
    deflection: int  # [%] how far the indicator is bent at rest; it lets go at 100
    approach: tuple[int, ...]  # [counts] counts moved in each 20 ms of the last 3.2 s of motion, in the launch sense

    def encode(self) -> bytes:
        if not 1 <= self.spin <= 4294967295:
            raise BadMessage("SpinRested", "spin", self.spin, "1 to 4294967295")
        if not 0 <= self.turns <= 255:
            raise BadMessage("SpinRested", "turns", self.turns, "0 to 255")
        if not 0 <= self.gap <= 1:
            raise BadMessage("SpinRested", "gap", self.gap, "0 to 1")
        check_list(self.pitches, 1, 65535, "SpinRested", "pitches")
        if not -2147483648 <= self.lowest <= 0:
            raise BadMessage("SpinRested", "lowest", self.lowest, "-2147483648 to 0")
        if not 0 <= self.peak <= 2147483647:
            raise BadMessage("SpinRested", "peak", self.peak, "0 to 2147483647")
        if not -2147483648 <= self.rest <= 2147483647:
            raise BadMessage("SpinRested", "rest", self.rest, "-2147483648 to 2147483647")
        if not 0 <= self.still <= 65535:
            raise BadMessage("SpinRested", "still", self.still, "0 to 65535")
        if not -4160 <= self.index <= 4159:
            raise BadMessage("SpinRested", "index", self.index, "-4160 to 4159")
        if not 0 <= self.indexes <= 255:
            raise BadMessage("SpinRested", "indexes", self.indexes, "0 to 255")
        if not 0 <= self.ticks <= 255:
            raise BadMessage("SpinRested", "ticks", self.ticks, "0 to 255")
        if not 0 <= self.back_ticks <= 255:
            raise BadMessage("SpinRested", "back_ticks", self.back_ticks, "0 to 255")
        if not 0 <= self.tick_phase <= 159:
            raise BadMessage("SpinRested", "tick_phase", self.tick_phase, "0 to 159")
        if not 0 <= self.tick_spread <= 255:
            raise BadMessage("SpinRested", "tick_spread", self.tick_spread, "0 to 255")
        if not 0 <= self.illegal <= 255:
            raise BadMessage("SpinRested", "illegal", self.illegal, "0 to 255")
        if not 0 <= self.stray <= 255:
            raise BadMessage("SpinRested", "stray", self.stray, "0 to 255")
        if not 0 <= self.deflection <= 100:
            raise BadMessage("SpinRested", "deflection", self.deflection, "0 to 100")
        check_list(self.approach, -32768, 32767, "SpinRested", "approach")
        return b"".join((
            _SPIN_RESTED_0.pack(self.spin, self.turns, self.gap),
            counted(1, len(self.pitches), 51, struct.pack(f"<{len(self.pitches)}H", *self.pitches), "SpinRested", "pitches"),
            _SPIN_RESTED_2.pack(self.lowest, self.peak, self.rest, self.still, self.index, self.indexes, self.ticks, self.back_ticks, self.tick_phase, self.tick_spread, self.illegal, self.stray, self.deflection),
            counted(1, len(self.approach), 160, struct.pack(f"<{len(self.approach)}h", *self.approach), "SpinRested", "approach"),
        ))

    @classmethod
    def decode(cls, body: bytes) -> SpinRested:
        if len(body) < 0 + 6:
            raise BadMessage("SpinRested", "length", len(body), "more bytes")
        spin, turns, gap_ = _SPIN_RESTED_0.unpack_from(body, 0)
        at_ = 0 + 6
        if not 1 <= spin <= 4294967295:
            raise BadMessage("SpinRested", "spin", spin, "1 to 4294967295")
        if gap_ > 1:
            raise BadMessage("SpinRested", "gap", gap_, "0 or 1")
        pitches, at_ = read_list(body, at_, 1, 51, "H", 2, "SpinRested", "pitches")
        check_list(pitches, 1, 65535, "SpinRested", "pitches")
        if len(body) < at_ + 24:
            raise BadMessage("SpinRested", "length", len(body), "more bytes")
        lowest, peak, rest, still, index, indexes, ticks, back_ticks, tick_phase, tick_spread, illegal, stray, deflection = _SPIN_RESTED_2.unpack_from(body, at_)
        at_ = at_ + 24
        if not -2147483648 <= lowest <= 0:
            raise BadMessage("SpinRested", "lowest", lowest, "-2147483648 to 0")
        if not 0 <= peak <= 2147483647:
            raise BadMessage("SpinRested", "peak", peak, "0 to 2147483647")
        if not -4160 <= index <= 4159:
            raise BadMessage("SpinRested", "index", index, "-4160 to 4159")
        if not 0 <= tick_phase <= 159:
            raise BadMessage("SpinRested", "tick_phase", tick_phase, "0 to 159")
        if not 0 <= deflection <= 100:
            raise BadMessage("SpinRested", "deflection", deflection, "0 to 100")
        approach, at_ = read_list(body, at_, 1, 160, "h", 2, "SpinRested", "approach")
        if at_ != len(body):
            raise BadMessage("SpinRested", "length", len(body), f"{at_} bytes")
        return cls(spin, turns, gap_ == 1, pitches, lowest, peak, rest, still, index, indexes, ticks, back_ticks, tick_phase, tick_spread, illegal, stray, deflection, approach)


_SPIN_RESTED_0 = struct.Struct("<IBB")
_SPIN_RESTED_2 = struct.Struct("<iiiHhBBBBBBBB")


class Moved(Message, frozen=True, gc=False):
    """The wheel was turned or knocked without becoming a spin."""

    ID: ClassVar[int] = 4

    before: int  # [counts] rest angle before
    after: int  # [counts] rest angle after
    fastest: int  # [turns/1000 s] highest speed

    def encode(self) -> bytes:
        if not 0 <= self.before <= 8319:
            raise BadMessage("Moved", "before", self.before, "0 to 8319")
        if not 0 <= self.after <= 8319:
            raise BadMessage("Moved", "after", self.after, "0 to 8319")
        if not 0 <= self.fastest <= 65535:
            raise BadMessage("Moved", "fastest", self.fastest, "0 to 65535")
        return _MOVED_0.pack(self.before, self.after, self.fastest)

    @classmethod
    def decode(cls, body: bytes) -> Moved:
        if len(body) != 6:
            raise BadMessage("Moved", "length", len(body), "6 bytes")
        before, after, fastest = _MOVED_0.unpack(body)
        if not 0 <= before <= 8319:
            raise BadMessage("Moved", "before", before, "0 to 8319")
        if not 0 <= after <= 8319:
            raise BadMessage("Moved", "after", after, "0 to 8319")
        return cls(before, after, fastest)


_MOVED_0 = struct.Struct("<HHH")


class Turning(Message, frozen=True, gc=False):
    """Angle and speed now, for screens."""

    ID: ClassVar[int] = 1

    spin: int  # number of the spin, 0 when there is none
    angle: int  # [counts] angle from the index mark
    speed: int  # [turns/1000 s] positive clockwise

    def encode(self) -> bytes:
        if not 0 <= self.spin <= 4294967295:
            raise BadMessage("Turning", "spin", self.spin, "0 to 4294967295")
        if not 0 <= self.angle <= 8319:
            raise BadMessage("Turning", "angle", self.angle, "0 to 8319")
        if not -32768 <= self.speed <= 32767:
            raise BadMessage("Turning", "speed", self.speed, "-32768 to 32767")
        return _TURNING_0.pack(self.spin, self.angle, self.speed)

    @classmethod
    def decode(cls, body: bytes) -> Turning:
        if len(body) != 8:
            raise BadMessage("Turning", "length", len(body), "8 bytes")
        spin, angle, speed = _TURNING_0.unpack(body)
        if not 0 <= angle <= 8319:
            raise BadMessage("Turning", "angle", angle, "0 to 8319")
        return cls(spin, angle, speed)


_TURNING_0 = struct.Struct("<IHh")


class ReadAngle(Message, frozen=True, gc=False):
    """Where does the wheel stand?"""

    ID: ClassVar[int] = 1

    def encode(self) -> bytes:
        return b""

    @classmethod
    def decode(cls, body: bytes) -> ReadAngle:
        if len(body) != 0:
            raise BadMessage("ReadAngle", "length", len(body), "0 bytes")
        return cls()


class ReadAngleResult(Message, frozen=True, gc=False):
    """ReadAngle was done."""

    ID: ClassVar[int] = 1

    angle: int  # [counts] angle from the index mark
    homed: bool  # the index mark has been seen since the power came on
    moving: bool  # the wheel is moving

    def encode(self) -> bytes:
        if not 0 <= self.angle <= 8319:
            raise BadMessage("ReadAngleResult", "angle", self.angle, "0 to 8319")
        if not 0 <= self.homed <= 1:
            raise BadMessage("ReadAngleResult", "homed", self.homed, "0 to 1")
        if not 0 <= self.moving <= 1:
            raise BadMessage("ReadAngleResult", "moving", self.moving, "0 to 1")
        return _READ_ANGLE_RESULT_0.pack(self.angle, self.homed, self.moving)

    @classmethod
    def decode(cls, body: bytes) -> ReadAngleResult:
        if len(body) != 4:
            raise BadMessage("ReadAngleResult", "length", len(body), "4 bytes")
        angle, homed_, moving_ = _READ_ANGLE_RESULT_0.unpack(body)
        if not 0 <= angle <= 8319:
            raise BadMessage("ReadAngleResult", "angle", angle, "0 to 8319")
        if homed_ > 1:
            raise BadMessage("ReadAngleResult", "homed", homed_, "0 or 1")
        if moving_ > 1:
            raise BadMessage("ReadAngleResult", "moving", moving_, "0 or 1")
        return cls(angle, homed_ == 1, moving_ == 1)


_READ_ANGLE_RESULT_0 = struct.Struct("<HBB")


class SelfTest(Message, frozen=True, gc=False):
    """Check the channels, the index and the indicator as far as they can be checked at rest."""

    ID: ClassVar[int] = 2

    def encode(self) -> bytes:
        return b""

    @classmethod
    def decode(cls, body: bytes) -> SelfTest:
        if len(body) != 0:
            raise BadMessage("SelfTest", "length", len(body), "0 bytes")
        return cls()


class SelfTestResult(Message, frozen=True, gc=False):
    """SelfTest was done."""

    ID: ClassVar[int] = 2

    ring: bool  # both channels alive
    index: bool  # the index was seen where it belongs when last passed
    indicator: bool  # the indicator answers
    illegal: int  # illegal quadrature steps since the power came on

    def encode(self) -> bytes:
        if not 0 <= self.ring <= 1:
            raise BadMessage("SelfTestResult", "ring", self.ring, "0 to 1")
        if not 0 <= self.index <= 1:
            raise BadMessage("SelfTestResult", "index", self.index, "0 to 1")
        if not 0 <= self.indicator <= 1:
            raise BadMessage("SelfTestResult", "indicator", self.indicator, "0 to 1")
        if not 0 <= self.illegal <= 65535:
            raise BadMessage("SelfTestResult", "illegal", self.illegal, "0 to 65535")
        return _SELF_TEST_RESULT_0.pack(self.ring, self.index, self.indicator, self.illegal)

    @classmethod
    def decode(cls, body: bytes) -> SelfTestResult:
        if len(body) != 5:
            raise BadMessage("SelfTestResult", "length", len(body), "5 bytes")
        ring_, index_, indicator_, illegal = _SELF_TEST_RESULT_0.unpack(body)
        if ring_ > 1:
            raise BadMessage("SelfTestResult", "ring", ring_, "0 or 1")
        if index_ > 1:
            raise BadMessage("SelfTestResult", "index", index_, "0 or 1")
        if indicator_ > 1:
            raise BadMessage("SelfTestResult", "indicator", indicator_, "0 or 1")
        return cls(ring_ == 1, index_ == 1, indicator_ == 1, illegal)


_SELF_TEST_RESULT_0 = struct.Struct("<BBBH")


class Rehome(Message, frozen=True, gc=False):
    """Count the angle afresh from the next index mark, after a coupling was put right."""

    ID: ClassVar[int] = 3

    def encode(self) -> bytes:
        return b""

    @classmethod
    def decode(cls, body: bytes) -> Rehome:
        if len(body) != 0:
            raise BadMessage("Rehome", "length", len(body), "0 bytes")
        return cls()


class RehomeResult(Message, frozen=True, gc=False):
    """Rehome was done."""

    ID: ClassVar[int] = 3

    def encode(self) -> bytes:
        return b""

    @classmethod
    def decode(cls, body: bytes) -> RehomeResult:
        if len(body) != 0:
            raise BadMessage("RehomeResult", "length", len(body), "0 bytes")
        return cls()


class Outputs(Message, frozen=True, gc=False):
    """What the host wants the outputs to be."""

    ID: ClassVar[int] = 0
    ENUMS: ClassVar[dict[str, type[IntEnum]]] = {"lamp": Lamp}

    lamp: Lamp = Lamp.OFF  # the lamp at the indicator
    live_rate: int = 0  # how many times a second to send Turning while the wheel moves; 0 is never

    def encode(self) -> bytes:
        if not 0 <= self.live_rate <= 20:
            raise BadMessage("Outputs", "live_rate", self.live_rate, "0 to 20")
        return _OUTPUTS_0.pack(self.lamp, self.live_rate)

    @classmethod
    def decode(cls, body: bytes) -> Outputs:
        if len(body) != 2:
            raise BadMessage("Outputs", "length", len(body), "2 bytes")
        lamp_, live_rate = _OUTPUTS_0.unpack(body)
        lamp = _LAMP.get(lamp_)
        if lamp is None:
            raise BadMessage("Outputs", "lamp", lamp_, _LAMP_NAMES)
        if not 0 <= live_rate <= 20:
            raise BadMessage("Outputs", "live_rate", live_rate, "0 to 20")
        return cls(lamp, live_rate)


_OUTPUTS_0 = struct.Struct("<BB")


SPEC = DeviceSpec(
    kind="wheel",
    code=1,
    version=1,
    digest=bytes.fromhex("7f10ff4d32174930"),
    title='Wheel sensor',
    beat_ms=2000,
    silence_ms=6000,
    capabilities={"deflection": 1, "lamp": 2},
    events={1: SpinStarted, 2: TurnPassed, 3: SpinRested, 4: Moved},
    live={1: Turning},
    commands={1: ReadAngle, 2: SelfTest, 3: Rehome},
    results={1: ReadAngleResult, 2: SelfTestResult, 3: RehomeResult},
    outputs=Outputs,
    safe=Outputs(),
    hold_ms={"lamp": 10000, "live_rate": 10000},
)
