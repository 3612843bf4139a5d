"""A small device declared here, and both ends of its wire joined for tests."""

from __future__ import annotations

import sys
import tomllib
import types
from collections.abc import Callable
from typing import Any

import msgspec

from drivers.events import Mark
from drivers.link import HostLink
from firmware_specs import link
from firmware_specs.clock import VirtualClock
from firmware_specs.declaration import Declaration, parse
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.link import Identity
from firmware_specs.python_codec import python_module
from firmware_specs.spec import Message
from simulators.behaviour import Refusal
from simulators.link import DeviceLink
from simulators.wire import Wire

BELL = """
[device]
kind = "bell"
code = 250
version = 1
title = "Bell"

[[capabilities]]
name = "lamp"
bit = 0
meaning = "it has a lamp"

[enums.Lamp]
meaning = "What the lamp shows."
values = [
  { name = "off", value = 0, meaning = "dark" },
  { name = "red", value = 1, meaning = "closed" },
  { name = "green", value = 2, meaning = "open" },
]

[events.Rung]
id = 1
meaning = "Somebody rang."
fields = [
  { name = "at", type = "u32", unit = "ms", meaning = "device time" },
  { name = "times", type = "u16", min = 1, max = 1000, meaning = "how often" },
  { name = "lamp", type = "Lamp", meaning = "what the lamp showed" },
  { name = "loud", type = "bool", meaning = "whether it was loud" },
]

[events.Tune]
id = 2
meaning = "A whole tune was played."
fields = [
  { name = "key", type = "i8", min = -7, max = 7, meaning = "sharps, or flats below zero" },
  { name = "notes", type = "u16[64]", unit = "Hz", min = 20, max = 20000, meaning = "one after the other" },
  { name = "score", type = "bytes<300>", meaning = "as written" },
  { name = "title", type = "str<20>", meaning = "as called" },
  { name = "lamps", type = "Lamp[4]", meaning = "the lamps meanwhile" },
  { name = "marks", type = "u64[8]", meaning = "anything" },
  { name = "length", type = "u32", unit = "ms", meaning = "how long" },
]

[live.Loudness]
id = 1
meaning = "How loud it is now."
fields = [{ name = "level", type = "u8", max = 100, meaning = "share of the loudest" }]

[commands.Ring]
id = 1
meaning = "Ring now."
fields = [{ name = "times", type = "u8", min = 1, max = 9, meaning = "how often" }]
result = [{ name = "rung", type = "u16", meaning = "how often it rang in all" }]

[commands.Oil]
id = 2
meaning = "Oil the clapper; takes a while."

[[outputs]]
name = "muted"
type = "bool"
safe = true
hold_ms = 4000
meaning = "the clapper is held"

[[outputs]]
name = "lamp"
type = "Lamp"
safe = "red"
hold_ms = 9000
meaning = "the lamp"
"""


def declared(text: str, file: str = "bell.toml") -> Declaration:
    return parse(tomllib.loads(text), file)


def module_of(text: str, name: str) -> Any:
    """The generated module of a declaration, imported under this name."""
    if name not in sys.modules:
        module = types.ModuleType(name)
        sys.modules[name] = module
        exec(compile(python_module(declared(text)), name, "exec"), module.__dict__)
    return sys.modules[name]


bell = module_of(BELL, "declared_bell")


class Bell:
    """The behaviour of a bell: it rings when told to and remembers what it was made to be."""

    def __init__(self) -> None:
        self.rung = 0
        self.acted: list[int] = []
        self.outputs_seen: list[tuple[str, Message]] = []
        self.power: list[tuple[bool, bool]] = []

    def command(self, command_id: int, message: Message) -> Message | Refusal | None:
        self.acted.append(command_id)
        if isinstance(message, bell.Ring):
            if message.times == 9:
                return Refusal("nine is too often")
            self.rung += message.times
            result: Message = bell.RingResult(self.rung)
            return result
        return None

    def outputs(self, outputs: Message, why: str) -> None:
        self.outputs_seen.append((why, outputs))

    def powered(self, on: bool, kept_memory: bool) -> None:
        self.power.append((on, kept_memory))


class Ears:
    """Hears what a link tells; settles events at once, or when `settle` is called."""

    def __init__(self, at_once: bool = True) -> None:
        self.at_once = at_once
        self.link: HostLink | None = None
        self.events: list[tuple[int, Message]] = []
        self.bad: list[tuple[int, str]] = []
        self.lives: list[Message] = []
        self.floods: list[bool] = []
        self.ups: list[tuple[Identity, bool]] = []
        self.downs: list[tuple[str, str]] = []
        self.refusals: list[tuple[str, str]] = []
        self.made_so: list[Message] = []

    def link_up(self, identity: Identity, lost: bool) -> None:
        self.ups.append((identity, lost))

    def link_down(self, cause: str, remedy: str) -> None:
        self.downs.append((cause, remedy))

    def link_refused(self, reason: str, remedy: str) -> None:
        self.refusals.append((reason, remedy))

    def event(self, number: int, message: Message) -> None:
        self.events.append((number, message))
        if self.at_once:
            self.settle(number)

    def bad_event(self, number: int, text: str) -> None:
        self.bad.append((number, text))
        self.settle(number)

    def settle(self, number: int) -> None:
        assert self.link is not None
        self.link.durable(number)

    def flooding(self, on: bool) -> None:
        self.floods.append(on)

    def live(self, message: Message) -> None:
        self.lives.append(message)

    def applied(self, outputs: Message) -> None:
        self.made_so.append(outputs)


class Joined:
    """A bell, its wire, and the host end with ears."""

    def __init__(
        self, *, serial: str = "B-1", expected: str | None = None, at_once: bool = True, baud: int | None = 115_200
    ) -> None:
        self.clock = VirtualClock()
        self.wire = Wire(self.clock, baud, name="bell wire")
        self.bell = Bell()
        self.device = DeviceLink(self.clock, self.wire.device, bell.SPEC, self.bell, serial=serial)
        self.expected = expected
        self.ears = Ears(at_once)
        self.host = self.new_host(None)

    def new_host(self, resume: Mark | None) -> HostLink:
        host = HostLink(
            self.clock,
            self.wire.host,
            bell.SPEC,
            self.ears,
            name="bell",
            serial=self.expected,
            resume=resume,
        )
        self.ears.link = host
        return host

    def start(self) -> Joined:
        self.device.start()
        self.host.start()
        self.clock.run_until(lambda: self.host.state == "up" and self.device.in_session, 30)
        return self

    def restart_host(self, resume: Mark | None) -> None:
        """The controller dies and comes back with what its journal holds."""
        self.host.stop()
        self.host = self.new_host(resume)
        self.host.start()

    def ring(self, times: int = 1) -> int:
        return self.device.post(rung(times))

    def settle_down(self, seconds: float = 60) -> None:
        self.clock.run_until(lambda: self.device.held == 0, seconds)

    def rings(self) -> list[int]:
        return [message.times for _, message in self.ears.events]  # type: ignore[attr-defined]


def rung(times: int = 1) -> Message:
    message: Message = bell.Rung(at=times, times=times, lamp=bell.Lamp.RED, loud=True)
    return message


def spy(joined: Joined) -> list[tuple[str, bytes]]:
    """All frames that go over the wire from now on, as (kind, content)."""
    seen: list[tuple[str, bytes]] = []

    def watch(octets: bytes) -> list[tuple[float, bytes]]:
        for content in FrameDecoder().feed(octets):
            seen.append((link.KIND_NAMES[content[0]], content))
        return [(0.0, octets)]

    joined.wire.host.meddle = joined.wire.device.meddle = watch
    return seen


def kinds(seen: list[tuple[str, bytes]]) -> list[str]:
    return [kind for kind, _ in seen]


Said = Callable[[link.Identity], link.Identity]


def say_otherwise(joined: Joined, said: Said) -> None:
    """Whatever the device says of itself comes changed."""

    def lie(frame: bytes) -> list[tuple[float, bytes]]:
        (content,) = FrameDecoder().feed(frame)
        if content[0] == link.IDENTITY:
            frame = link.AFRESH + encode_frame(said(link.Identity.decode(content)).encode())
        return [(0.0, frame)]

    joined.wire.device.meddle = lie


def far_ahead(by: int) -> Said:
    return lambda said: msgspec.structs.replace(said, oldest=said.next + by, next=said.next + by)
