"""Joins the suite to a device: a simulator in this process under the virtual clock, or whatever is on a port."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

import firmware_specs
from controller.conform.bodies import Bodies
from controller.conform.probe import Probe
from controller.conform.simulated import MAKE, BackDoor
from controller.conform.stimulus import Stimulus
from controller.conform.suite import Report, Step, StepResult, conform
from controller.simulated.loop_clock import LoopClock
from drivers.ports import open_port
from firmware_specs.clock import VirtualClock
from firmware_specs.declaration import Declaration, load
from firmware_specs.spec import DeviceSpec, Message
from simulators.wire import Wire

SPECS = Path(firmware_specs.__file__).parent
SERIAL_BAUD = 115_200
REAL_SLACK_S = 0.03
"""How much later than it was sent a frame may be seen over a real port, in real seconds."""

OnStep = Callable[[StepResult], None]


def declaration_of(kind: str) -> Declaration:
    return load(SPECS / f"{kind}.toml")


def spec_of(kind: str) -> DeviceSpec:
    spec: DeviceSpec = import_module(f"firmware_specs.messages.{kind}").SPEC
    return spec


def sample_event(kind: str) -> Message:
    """The shortest event of a device, with middling values."""
    declaration = declaration_of(kind)
    shortest = min(declaration.events, key=lambda message: message.longest)
    return spec_of(kind).events[shortest.id].decode(Bodies(declaration).body(shortest))


def conform_simulator(
    kind: str, steps: Iterable[Step] | None = None, on_step: OnStep | None = None, key: bytes = b""
) -> Report:
    """The suite against the simulator of this kind, as fast as the machine can."""
    clock = VirtualClock()
    wire = Wire(clock, SERIAL_BAUD, name="simulator")
    device = MAKE[kind](clock, wire.device, f"SIM-{kind.upper()}", 1)
    device.link.key = key
    device.start()
    probe = Probe(clock, wire.host, spec_of(kind), slack=0.05, key=key)
    return conform(probe, declaration_of(kind), BackDoor(device.link, sample_event(kind)), steps, on_step)


def conform_port(
    kind: str,
    address: str,
    stimulus: Stimulus,
    steps: Iterable[Step] | None = None,
    on_step: OnStep | None = None,
    speed: float = 1.0,
    slack: float = REAL_SLACK_S,
    key: bytes = b"",
) -> Report:
    """The suite against whatever is on a port, in real time; `speed` is for devices that run a faster clock too."""
    loop = asyncio.new_event_loop()
    try:
        clock = LoopClock(loop, speed)
        probe = Probe(clock, open_port(address, loop), spec_of(kind), slack=slack * speed, key=key)
        return conform(probe, declaration_of(kind), stimulus, steps, on_step)
    finally:
        stimulus.close()
        loop.close()
