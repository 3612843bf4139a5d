"""Joins the suite to a device: a simulator in this process under the virtual clock, or whatever is on a port."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

import firmware_specs
from drivers.capture import Recorder
from drivers.ports import open_port
from firmware_specs.clock import Clock, VirtualClock
from firmware_specs.declaration import Declaration, load
from firmware_specs.spec import DeviceSpec, Message
from lab.conformance.bodies import Bodies
from lab.conformance.probe import Probe
from lab.conformance.simulated import MAKE, BackDoor
from lab.conformance.stimulus import Stimulus
from lab.conformance.suite import Report, Step, StepResult, conform
from lab.sim.loop_clock import LoopClock
from simulators.hands import Hands
from simulators.wire import Wire

SPECS = Path(firmware_specs.__file__).parent
SERIAL_BAUD = 115_200
CAPACITY = 64
"""Events that a simulator holds here, so that the suite sees what a full memory does."""
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
    kind: str,
    steps: Iterable[Step] | None = None,
    on_step: OnStep | None = None,
    key: bytes = b"",
    record: Path | None = None,
) -> Report:
    """The suite against the simulator of this kind, as fast as the machine can."""
    clock = VirtualClock()
    wire = Wire(clock, SERIAL_BAUD, name="simulator")
    device = MAKE[kind](clock, wire.device, f"SIM-{kind.upper()}", 1)
    device.link.key = key
    device.link.capacity = CAPACITY
    device.start()
    probe = Probe(clock, wire.host, spec_of(kind), slack=0.05, key=key)
    probe.recorder = _recorder(record, clock, kind)
    return conform(
        probe, declaration_of(kind), BackDoor(device.link, sample_event(kind), Hands(device)), steps, on_step
    )


def _recorder(path: Path | None, clock: Clock, kind: str) -> Recorder | None:
    return None if path is None else Recorder(path, clock, device="conform", kind=kind)


def conform_port(
    kind: str,
    address: str,
    stimulus: Stimulus,
    steps: Iterable[Step] | None = None,
    on_step: OnStep | None = None,
    speed: float = 1.0,
    slack: float = REAL_SLACK_S,
    key: bytes = b"",
    record: Path | None = None,
) -> Report:
    """The suite against whatever is on a port, in real time; `speed` is for devices that run a faster clock too."""
    loop = asyncio.new_event_loop()
    try:
        clock = LoopClock(loop, speed)
        probe = Probe(clock, open_port(address, loop), spec_of(kind), slack=slack * speed, key=key)
        probe.recorder = _recorder(record, clock, kind)
        return conform(probe, declaration_of(kind), stimulus, steps, on_step)
    finally:
        stimulus.close()
        loop.close()
