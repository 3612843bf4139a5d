"""Finds a device for a test: the rig's where it has one of the kind, else a simulated one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import msgspec

from controller.config.types import IN_PROCESS
from firmware_specs.spec import Message
from lab.conformance.bench import SERIAL_BAUD, sample_event, spec_of
from lab.conformance.probe import NotTried
from lab.conformance.simulated import MAKE, BackDoor
from lab.conformance.stimulus import Control, Person, Stimulus
from lab.plugin.device import BenchDevice
from lab.plugin.reader import BenchReader, Swipe
from lab.rig.bench import READER, RigBench
from lab.sim.loop_clock import SteppedClock
from simulators.hands import Hands
from simulators.swipe import Card, WiredReader
from simulators.wire import Wire


class Engineer(Person):
    """Whoever runs the tests, asked to let the device see something; pytest must be run with -s for that."""

    reason = "nobody can be asked: run pytest with -s, or give the rig file a control socket"

    def post(self, message: Message) -> None:
        fields = ", ".join(f"{name} {value}" for name, value in message.plain().items())
        self._please(f"Let the device see this: {type(message).__name__} ({fields}).")


@contextlib.contextmanager
def bench_device(kind: str, clock: SteppedClock, bench: RigBench | None) -> Iterator[BenchDevice]:
    """A device of this kind, not started; it is taken down at the end."""
    place = _place(kind, bench)
    if bench is not None and place is not None and not bench.rig.devices[place].simulated:
        control = bench.control(place)
        stimulus: Stimulus = control or Engineer(spec_of(kind), bench.ask)
        device = BenchDevice(kind, spec_of(kind), clock, bench.port(place), stimulus, real=True)
        try:
            yield device
        finally:
            device.stop()
            stimulus.close()
        return
    on_line = bench is not None and place is not None and bench.rig.devices[place].port != IN_PROCESS
    if bench is not None and place is not None and on_line:
        simulator = MAKE[kind](clock, bench.simulator_port(place), f"SIM-{kind.upper()}", 1)
        port = bench.port(place)
    else:
        wire = Wire(clock, SERIAL_BAUD, name=kind)
        simulator = MAKE[kind](clock, wire.device, f"SIM-{kind.upper()}", 1)
        port = wire.host
    simulator.start()
    back_door = BackDoor(simulator.link, sample_event(kind), Hands(simulator))
    device = BenchDevice(kind, spec_of(kind), clock, port, back_door)
    device.simulator = simulator
    try:
        yield device
    finally:
        device.stop()
        simulator.stop()


@contextlib.contextmanager
def bench_reader(clock: SteppedClock, bench: RigBench | None) -> Iterator[BenchReader]:
    """A swipe reader, not started; it is taken down at the end."""
    place = _place(READER, bench)
    control = None
    if bench is not None and place is not None and not bench.rig.devices[place].simulated:
        control = bench.control(place)
        swipe = _by_control(control) if control is not None else _by_person(bench)
        reader = BenchReader(clock, bench.port(place), swipe, real=True)
    else:
        on_line = bench is not None and place is not None and bench.rig.devices[place].port != IN_PROCESS
        if bench is not None and place is not None and on_line:
            far, near = bench.simulator_port(place), bench.port(place)
        else:
            wire = Wire(clock, name=READER)
            far, near = wire.device, wire.host
        simulated = WiredReader(far)
        simulated.start()
        reader = BenchReader(clock, near, simulated.swipe)
    try:
        yield reader
    finally:
        reader.stop()
        if control is not None:
            control.close()


def _by_control(control: Control) -> Swipe:
    def swipe(held: Card, bad: Sequence[int]) -> None:
        control.hand("swipe", bad=list(bad), **msgspec.structs.asdict(held))

    return swipe


def _by_person(bench: RigBench) -> Swipe:
    def swipe(held: Card, bad: Sequence[int]) -> None:
        how = "Draw a card half through the reader and pull it back." if bad else "Draw a card through the reader."
        if not bench.ask(how):
            raise NotTried(f"{Engineer.reason}: {how}")

    return swipe


def _place(kind: str, bench: RigBench | None) -> str | None:
    if bench is None:
        return None
    return next((place for place in bench.rig.devices if bench.rig.kind(place) == kind), None)
