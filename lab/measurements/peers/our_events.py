"""Knocks of a wheel: told to the table in memory, and through wire, frames, driver and journal as well: seconds."""

import json
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from controller.core.effects import Noted
from controller.core.guarded import GuardedTable
from controller.devices import inline
from controller.money.dress import ChipRegister
from drivers.events import Mark
from drivers.wheel import WheelKnocked
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.devices import SimulatedDevices, drivers_for, opened
from simulators.people.chips import Bank

config = default_config("wheel")
config = msgspec.structs.replace(config, devices={"wheel": config.devices["wheel"]})
seconds = float(sys.argv[1])
seen = knocks = 0


def in_memory():
    """The table takes each event and concludes; who wants to know hears of it."""
    global seen, knocks
    table = GuardedTable(config)
    seen = knocks = 0

    def hear(effect):
        global seen
        seen += type(effect) is Noted

    begin = time.process_time()
    while time.process_time() - begin < seconds:
        for _ in range(100):
            knocks += 1
            event = WheelKnocked("wheel", knocks % 52, (knocks + 1) % 52, 0.15)
            for effect in table.apply(knocks, event, "wheel", Mark("BENCH-1", 1, knocks)):
                hear(effect)
            table.snapshot()
    assert seen == knocks
    return knocks / (time.process_time() - begin)


def whole_stack(folder):
    """The same from the sensor's own memory to the journal's file, each acknowledged before the next."""
    global seen, knocks
    seen = knocks = 0
    clock, bank = VirtualClock(), Bank()
    devices = SimulatedDevices(config, clock, 1, bank)
    runtime = opened(config, folder / "table.sqlite", clock, ChipRegister(bank.register), durable=False)
    drivers_for(runtime, config, {place: wire.host for place, wire in devices.wires.items()})

    def watch(told):
        global seen
        seen += isinstance(told.event, WheelKnocked)

    def all_seen():
        return seen == knocks

    runtime.watchers.append(watch)
    devices.start()
    runtime.start("bench", config, inline(runtime))
    clock.run_until(lambda: runtime.table.state.devices["wheel"] == "up", 10)
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        for _ in range(100):
            knocks += 1
            devices.wheel.turn_to(0.5 + knocks % 52)
            clock.run_until(all_seen, 10)
    took = time.process_time() - begin
    runtime.stop()
    return knocks / took


with tempfile.TemporaryDirectory() as folder:
    print(json.dumps({"per_second": in_memory(), "whole_stack": whole_stack(Path(folder))}))
