"""Calibrating a wheel: gather clean spins from its sensor, learn the map and the friction, keep them with a date."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from drivers.events import DeviceDown, DeviceEvent, DeviceRefused, DeviceUp, Mark
from drivers.motion import SpinVerdict, Trace, WheelProfile, simulated_wheel
from drivers.motion.learn import learn
from drivers.wheel import Wheel, WheelRested
from firmware_specs.clock import Clock
from firmware_specs.port import Port

ASK_FIRST = 3
"""Spins after which a person tells where the pointer rests; the map must fit all of them."""


class Calibration:
    """Takes the spins of a wheel sensor until there are enough; nothing is journalled and no table is needed."""

    def __init__(self, clock: Clock, port: Port, spins_each_way: int, wheel: str) -> None:
        self.wheel = wheel
        self.spins_each_way = spins_each_way
        self.traces: list[Trace] = []
        self.resting: dict[int, int] = {}
        self.on_spin: Callable[[SpinVerdict], None] = lambda verdict: None
        self.on_trouble: Callable[[str], None] = lambda text: None
        self.serial = ""
        self.driver = Wheel("wheel", clock, port, self, profile=simulated_wheel())

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        if durable is not None:
            durable()
        match event:
            case WheelRested(verdict=verdict) if verdict.trace:
                trace = Trace.decode(verdict.trace)
                if trace.complete:
                    self.traces.append(trace)
                    self.on_spin(verdict)
            case DeviceDown(cause=cause, remedy=remedy):
                self.on_trouble(f"{cause} {remedy}")
            case DeviceRefused(reason=reason, remedy=remedy):
                self.on_trouble(f"{reason} {remedy}")
            case DeviceUp(serial=serial, firmware=firmware):
                self.serial = serial
                self.on_trouble(f"wheel sensor {serial}, firmware {firmware}")

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        """Nobody watches."""

    def missing(self) -> tuple[int, int]:
        """Spins still wanted, clockwise and anticlockwise."""
        clockwise = sum(trace.sense > 0 for trace in self.traces)
        other = len(self.traces) - clockwise
        return max(0, self.spins_each_way - clockwise), max(0, self.spins_each_way - other)

    def rests_at(self, compartment: int) -> None:
        """A person saw where the pointer rests after the spin just taken."""
        self.resting[len(self.traces) - 1] = compartment

    def learnt(self, date: str) -> WheelProfile:
        return learn(self.traces, self.resting, self.wheel, date, self.serial)
