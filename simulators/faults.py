"""Faults one can name: lose, spoil, repeat, cut up, hold up, pull the cable, take the power.

A fault is a small frozen struct that scenarios, the command line and rigs write as
`{"device": "wheel", "fault": "drop", "at_event": 3}` or `wheel drop at_event=3`. Everything random comes from its seed.
"""

from __future__ import annotations

import difflib
import math
import random
from collections import deque
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from firmware_specs import link
from firmware_specs.clock import Clock
from firmware_specs.frames import FrameDecoder
from firmware_specs.port import OnBytes, OnLost, Port, PortTrouble

from .link import DeviceLink
from .wire import Wire

Kind = Literal["drop", "corrupt", "duplicate", "split", "delay", "stall", "unplug", "reboot"]
Way = Literal["both", "to_host", "to_device"]
_ON_FRAMES = ("drop", "corrupt", "duplicate", "split", "delay")


class BadFault(ValueError):
    """A fault that cannot be understood, with the nearest one that can."""


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that goes wrong with one device: now, at an event, at a time, or by chance."""

    device: str
    fault: Kind
    at_event: int | None = None  # the how-manieth new event on its way to the host, counted from now
    at: float | None = None  # seconds from now
    rate: float | None = None  # chance for every frame
    seed: int = 0
    way: Way = "both"
    frames: int = 1  # how many frames in a row are hit
    seconds: float = 1.0  # how long a delay, a stall, an unplugged cable or a lost power lasts
    bits: float | None = None  # corrupt: chance for every bit of every frame, instead of one bit of a frame
    keep_memory: bool = True  # reboot: whether held events survive

    def __post_init__(self) -> None:
        if sum(when is not None for when in (self.at_event, self.at, self.rate)) > 1:
            raise ValueError("only one of at_event, at and rate says when")
        if self.rate is not None and not 0 <= self.rate <= 1:
            raise ValueError("rate is a chance from 0 to 1")
        if self.bits is not None and (not 0 < self.bits < 1 or self.fault != "corrupt"):
            raise ValueError("bits is a chance between 0 and 1, for the fault corrupt")
        if self.seconds < 0 or self.frames < 1 or (self.at_event or 1) < 1 or (self.at or 0) < 0:
            raise ValueError("seconds and at are not negative, frames and at_event start from 1")

    @classmethod
    def of(cls, values: dict[str, Any]) -> Fault:
        """A fault from plain values."""
        for key in values:
            if key not in cls.__struct_fields__:
                near = difflib.get_close_matches(key, cls.__struct_fields__, 1)
                hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(cls.__struct_fields__)}"
                raise BadFault(f"a fault has no '{key}'; {hint}")
        try:
            return msgspec.convert(values, cls)
        except msgspec.ValidationError as error:
            raise BadFault(f"{values}: {error}") from error

    @classmethod
    def parse(cls, text: str) -> Fault:
        """A fault as typed: `device fault key=value …`."""
        words = text.split()
        if len(words) < 2 or not all("=" in word for word in words[2:]):
            raise BadFault(f"'{text}': write DEVICE FAULT and then key=value, as in 'wheel drop at_event=3'")
        values: dict[str, Any] = {"device": words[0], "fault": words[1]}
        for word in words[2:]:
            key, _, value = word.partition("=")
            try:
                values[key] = msgspec.json.decode(value)
            except msgspec.DecodeError:
                values[key] = value
        return cls.of(values)

    def plain(self) -> dict[str, Any]:
        """The inverse of `of`."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


class _Effect:
    """A fault at work on one direction."""

    __slots__ = ("fault", "left", "random")

    def __init__(self, fault: Fault, way: str, left: int | None) -> None:
        self.fault = fault
        self.random = random.Random(f"{fault.seed} {fault.device} {fault.fault} {way}")
        self.left = left  # None: by chance, for ever

    def hits(self) -> bool:
        if self.left is None:
            return self.fault.rate is None or self.random.random() < self.fault.rate
        self.left -= 1
        return True

    def on(self, extra: float, octets: bytes) -> list[tuple[float, bytes]]:
        match self.fault.fault:
            case "drop":
                return []
            case "corrupt":
                return [(extra, self._spoil(octets))]
            case "duplicate":
                return [(extra, octets), (extra, octets)]
            case "split":
                cut = self.random.randrange(len(octets) + 1)
                return [(extra, piece) for piece in (octets[:cut], octets[cut:]) if piece]
            case _:
                return [(extra + self.fault.seconds, octets)]

    def _spoil(self, octets: bytes) -> bytes:
        spoilt = bytearray(octets)
        bits = 8 * len(octets)
        chance = self.fault.bits
        if chance is None:
            flips = [self.random.randrange(bits)]
        else:
            flips = []
            at = -1
            while (at := at + 1 + int(math.log(1 - self.random.random()) / math.log(1 - chance))) < bits:
                flips.append(at)
        for flip in flips:
            spoilt[flip // 8] ^= 1 << flip % 8
        return bytes(spoilt)


class Stream:
    """One direction of a line, with whatever is wrong with it; called with every write."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.effects: list[_Effect] = []
        self.hit = 0
        self._stalled_until = 0.0
        self._watch: Callable[[bytes], None] | None = None
        self._on_frame: Callable[[], None] | None = None

    def __call__(self, octets: bytes) -> list[tuple[float, bytes]]:
        if self._watch is not None:
            self._watch(octets)
        if self._on_frame is not None:
            self._on_frame()
        pieces = [(max(0.0, self._stalled_until - self.clock.now()), octets)]
        if not self.effects:
            return pieces
        for effect in self.effects:
            after: list[tuple[float, bytes]] = []
            for extra, piece in pieces:
                if effect.left != 0 and effect.hits():
                    self.hit += 1
                    after += effect.on(extra, piece)
                else:
                    after.append((extra, piece))
            pieces = after
        if any(effect.left == 0 for effect in self.effects):
            self.effects = [effect for effect in self.effects if effect.left != 0]
        return pieces

    def stall(self, seconds: float) -> None:
        """Nothing moves for a while; then everything comes."""
        self._stalled_until = max(self._stalled_until, self.clock.now() + seconds)


class Faults:
    """All that can go wrong with one device and its line."""

    def __init__(
        self,
        clock: Clock,
        device: str,
        *,
        unplug: Callable[[], None],
        replug: Callable[[], None],
        reboot: Callable[[bool, float], None] | None,
    ) -> None:
        self.clock = clock
        self.device = device
        self.to_host = Stream(clock)
        self.to_device = Stream(clock)
        self.struck: list[Fault] = []
        self._unplug, self._replug, self._reboot = unplug, replug, reboot
        self._waiting: list[tuple[int, Fault]] = []  # event count, fault
        self._chances: list[_Effect] = []
        self._events = 0
        self._highest = 0
        self._epoch = 0
        self._decoder = FrameDecoder()
        self._wire: Wire | None = None

    @classmethod
    def on_wire(cls, clock: Clock, wire: Wire, device_link: DeviceLink, device: str) -> Faults:
        """Faults on a wire inside the process and the device at its end."""
        faults = cls(clock, device, unplug=wire.unplug, replug=wire.replug, reboot=device_link.power_cycle)
        faults._wire = wire
        return faults

    def plan(self, fault: Fault) -> None:
        """Have a fault happen when it says, or now."""
        if fault.device != self.device:
            raise BadFault(f"a fault of '{fault.device}' was given to the faults of '{self.device}'")
        if fault.fault == "reboot" and self._reboot is None:
            raise BadFault(f"'{self.device}' cannot be rebooted from here; only a simulated device can")
        if self._wire is not None:  # a line that nothing is wrong with is left alone
            self._wire.device.meddle, self._wire.host.meddle = self.to_host, self.to_device
        if fault.at is not None:
            self.clock.call_later(fault.at, self._strike, fault)
        elif fault.at_event is not None:
            self._waiting.append((self._events + fault.at_event, fault))
            self.to_host._watch = self._look_for_events
        elif fault.rate is not None or fault.bits is not None:
            if fault.fault in _ON_FRAMES:
                self._affect(fault, None)
            else:
                self._chances.append(_Effect(fault, "chance", None))
                self.to_host._on_frame = self.to_device._on_frame = self._take_chances
        else:
            self._strike(fault)

    def unplug(self) -> None:
        """Pull the cable until somebody plugs it in again."""
        self._unplug()

    def replug(self) -> None:
        """Plug the cable in again."""
        self._replug()

    def clear(self) -> None:
        """Nothing is wrong any more, apart from what is unplugged or off for its time."""
        for stream in (self.to_host, self.to_device):
            stream.effects = []
            stream._stalled_until = 0.0
            stream._on_frame = stream._watch = None
        self._waiting.clear()
        self._chances.clear()

    def _affect(self, fault: Fault, left: int | None) -> None:
        # "At event N" hits the frame that carries it, unless another way is asked for.
        ways = ("to_host",) if fault.at_event is not None and fault.way == "both" else (fault.way,)
        for way, stream in (("to_host", self.to_host), ("to_device", self.to_device)):
            if way in ways or "both" in ways:
                stream.effects.append(_Effect(fault, way, left))

    def _strike(self, fault: Fault) -> None:
        self.struck.append(fault)
        match fault.fault:
            case "unplug":
                self._unplug()
                self.clock.call_later(fault.seconds, self._replug)
            case "reboot":
                assert self._reboot is not None
                self._reboot(fault.keep_memory, fault.seconds)
            case "stall":
                for way, stream in (("to_host", self.to_host), ("to_device", self.to_device)):
                    if fault.way in ("both", way):
                        stream.stall(fault.seconds)
            case _:
                self._affect(fault, fault.frames)

    def _take_chances(self) -> None:
        for chance in self._chances:
            if chance.hits():
                # The write under way ends first; a cable is not pulled from inside a call of the port.
                self.clock.call_later(0.0, self._strike, chance.fault)

    def _look_for_events(self, octets: bytes) -> None:
        for content in self._decoder.feed(octets):
            if content[0] == link.IDENTITY:
                epoch = link.Identity.decode(content).epoch
                if epoch != self._epoch:  # numbering starts again
                    self._epoch, self._highest = epoch, 0
            if content[0] != link.EVENT or len(content) < link.HEAD_EVENT.size:
                continue
            number = link.unpack_event(content)[1]
            if number <= self._highest:
                continue
            self._highest = number
            self._events += 1
            due = [fault for count, fault in self._waiting if count <= self._events]
            self._waiting = [(count, fault) for count, fault in self._waiting if count > self._events]
            for fault in due:
                if fault.fault in ("unplug", "reboot"):
                    self.clock.call_later(0.0, self._strike, fault)
                else:
                    self._strike(fault)


class _Queue:
    """Pieces that leave in order, each no earlier than its time."""

    def __init__(self, clock: Clock, deliver: OnBytes) -> None:
        self._clock = clock
        self._deliver = deliver
        self._pieces: deque[tuple[float, bytes]] = deque()

    def put(self, pieces: list[tuple[float, bytes]]) -> None:
        now = self._clock.now()
        for extra, piece in pieces:
            if extra <= 0 and not self._pieces:
                self._deliver(piece)
                continue
            due = max(now + extra, self._pieces[-1][0]) if self._pieces else now + extra
            self._pieces.append((due, piece))
            self._clock.call_at(due, self._flush)

    def _flush(self) -> None:
        while self._pieces and self._pieces[0][0] <= self._clock.now():
            self._deliver(self._pieces.popleft()[1])


class FaultyPort:
    """Any port with faults between it and who uses it; the near side is a device, simulated or not."""

    def __init__(self, clock: Clock, port: Port, device: str, reboot: Callable[[bool, float], None] | None = None):
        self.clock = clock
        self.port = port
        self.faults = Faults(clock, device, unplug=self._pull, replug=self._push, reboot=reboot)
        self._leaving = _Queue(clock, port.write)
        self._coming = _Queue(clock, self._deliver)
        self._plugged = True
        self._on_bytes: OnBytes | None = None
        self._on_lost: OnLost | None = None

    @property
    def name(self) -> str:
        return self.port.name

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        if not self._plugged:
            raise PortTrouble(f"{self.name} is unplugged by a planned fault", "Wait until the fault is over.")
        self.port.open(self._came, self._lost)
        self._on_bytes, self._on_lost = on_bytes, on_lost

    def write(self, octets: bytes) -> None:
        self._leaving.put(self.faults.to_host(octets))

    def close(self) -> None:
        self._on_bytes = self._on_lost = None
        self.port.close()

    def _came(self, octets: bytes) -> None:
        self._coming.put(self.faults.to_device(octets))

    def _deliver(self, octets: bytes) -> None:
        if self._on_bytes is not None:
            self._on_bytes(octets)

    def _lost(self, trouble: PortTrouble) -> None:
        on_lost = self._on_lost
        self._on_bytes = self._on_lost = None
        if on_lost is not None:
            on_lost(trouble)

    def _pull(self) -> None:
        self._plugged = False
        self.port.close()
        self._lost(PortTrouble(f"{self.name} was unplugged by a planned fault", "Wait until the fault is over."))

    def _push(self) -> None:
        self._plugged = True
