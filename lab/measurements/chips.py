"""A full chip mat on the host: its share of a core, and the time from a late bet's last byte to the alarm."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from controller.config.types import DeviceSection, TableConfig
from controller.core.effects import Alarmed
from controller.core.runtime import Told
from controller.devices import inline, threaded
from controller.money.dress import ChipRegister
from controller.people import Person
from drivers.chips import ChipsSeen
from drivers.events import DeviceEvent
from firmware_specs.clock import Action, Clock, RealClock, Timer, VirtualClock
from firmware_specs.messages.chips import AreaSignal
from firmware_specs.port import OnBytes, OnLost, Port
from lab.measurements.latency import BareJournal
from lab.measurements.measure import Line, line, median, percentile, scratch, stopwatch
from lab.sim.config import default_config
from lab.sim.devices import drivers_for, opened
from lab.sim.table import sign_that_shows
from simulators.chips import ChipMat
from simulators.people.chips import Bank
from simulators.wire import Wire

BOXES = 9
TAGS = 2_000
READS_PER_S = 10
CHANGES_PER_S = 4
CORE_GOAL = 0.1
LATENCY_GOAL = 2.0
DEVICE_SPEED = 20.0
"""The simulated mat's own waits pass so much faster; what is measured is not sped up."""


class Meter:
    """Adds up the time that one side spends at work."""

    def __init__(self) -> None:
        self.spent = 0.0
        self.began = 0.0

    def time(self, action: Action, *args: Any) -> None:
        self.began = begin = stopwatch()
        try:
            action(*args)
        finally:
            self.spent += stopwatch() - begin


class MeteredClock:
    """A clock whose every action is counted."""

    def __init__(self, clock: Clock, meter: Meter) -> None:
        self._clock = clock
        self._meter = meter

    def now(self) -> float:
        return self._clock.now()

    def wall(self) -> int:
        return self._clock.wall()

    def call_at(self, when: float, action: Action, *args: Any) -> Timer:
        return self._clock.call_at(when, self._meter.time, action, *args)

    def call_later(self, delay: float, action: Action, *args: Any) -> Timer:
        return self._clock.call_later(delay, self._meter.time, action, *args)


class MeteredPort:
    """A port whose every arrival is counted."""

    def __init__(self, port: Port, meter: Meter) -> None:
        self._port = port
        self._meter = meter
        self.name = port.name
        self.write = port.write
        self.close = port.close

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        self._port.open(lambda octets: self._meter.time(on_bytes, octets), on_lost)


def table_of_one_mat() -> TableConfig:
    """A Big Wheel table with nine areas or more, and its chip mat alone."""
    config = default_config("wheel", option=3)
    return msgspec.structs.replace(config, devices={"chips": DeviceSection("chips", simulated=True)})


class StampedRegister(ChipRegister):
    """A register that keeps when the bytes arrived of the last change it was asked about."""

    def __init__(self, cents: Mapping[int, int], meter: Meter) -> None:
        super().__init__(cents)
        self._meter = meter
        self.arrived = 0.0

    def dress(self, event: DeviceEvent) -> list[msgspec.Struct]:
        if isinstance(event, ChipsSeen):
            self.arrived = self._meter.began
        return super().dress(event)


class FullMat:
    """A mat with a float tray and nine boxes, full of chips, and the host that listens to it."""

    def __init__(self, clock: Clock, journal: Path, durable: bool, tags: int) -> None:
        config = table_of_one_mat()
        self.meter = Meter()
        self.bank = Bank()
        wire = Wire(clock, None, "chips")
        self.mat = ChipMat(clock, wire.device, areas=BOXES + 1)
        per_box = tags // 2 // BOXES
        self.bank.stock(self.mat, 250)
        for area in range(1, BOXES + 1):
            self.mat.place(self.bank.make(500 * per_box), area)
        lying = sum(len(self.mat.lying(area)) for area in range(BOXES + 1))
        self.mat.place([self.bank._one(500) for _ in range(tags - lying)], 0)
        metered = MeteredClock(clock, self.meter)
        self.register = StampedRegister(self.bank.register, self.meter)
        self.runtime = opened(config, journal, metered, self.register, durable)
        drivers_for(self.runtime, config, {"chips": MeteredPort(wire.host, self.meter)})
        sign_that_shows(self.runtime, metered)
        self.config = config

    def start(self, committer: Any) -> None:
        self.mat.start()
        self.runtime.start("bench", self.config, committer)

    def press(self, key: str, rank: int = 1) -> None:
        self.runtime.command(key, Person(f"S{rank}", rank))

    @property
    def ready(self) -> bool:
        return self.runtime.table.money.state.read and not self.runtime.table.state.faults


def mat_load(seconds: float, folder: Path, tags: int = TAGS) -> dict[str, float]:
    """The share of a core that driver, table and journal take while every area is read ten times a second."""
    clock = VirtualClock()
    full = FullMat(clock, folder / "mat.sqlite", False, tags)
    full.start(inline(full.runtime))
    clock.run_until(lambda: full.ready, 120)
    full.press("open")
    clock.run_for(2)
    full.press("place_bets")
    clock.run_for(1)
    chance = random.Random(1)
    lifted: list[tuple[int, int]] = []

    def read_all() -> None:
        for area in range(BOXES + 1):
            full.mat.link.live(AreaSignal(area, 30, 4, len(full.mat.lying(area))))
        clock.call_later(1 / READS_PER_S, read_all)

    def change() -> None:
        if lifted:
            tag, area = lifted.pop()
            full.mat.place([tag], area)
        else:
            area = chance.choice([area for area in range(1, BOXES + 1) if full.mat.lying(area)])
            tag = chance.choice(sorted(full.mat.lying(area)))
            full.mat.remove([tag])
            lifted.append((tag, chance.randint(1, BOXES)))
        clock.call_later(1 / CHANGES_PER_S, change)

    read_all()
    change()
    full.meter.spent = 0.0
    events = full.runtime.guarded.position.seq
    clock.run_for(seconds)
    spent, events = full.meter.spent, full.runtime.guarded.position.seq - events
    full.runtime.stop()
    full.mat.stop()
    return {"core": spent / seconds, "events_per_s": events / seconds, "tags": float(tags)}


async def late_bets(folder: Path, count: int, tags: int = 400) -> tuple[list[float], list[float]]:
    """Seconds from the last byte of each late bet to its durable alarm, and of bare durable writes in the same run."""
    loop = asyncio.get_running_loop()
    full = FullMat(RealClock(loop, DEVICE_SPEED), folder / "late.sqlite", True, tags)
    told: asyncio.Queue[float] = asyncio.Queue()

    def watch(seen: Told) -> None:
        if any(isinstance(effect, Alarmed) and effect.code == "late_change" for effect in seen.effects):
            told.put_nowait(stopwatch())

    full.runtime.watchers.append(watch)
    full.start(threaded(full.runtime, loop))
    bare = BareJournal(folder / "bare.sqlite")
    took, floor = [], []
    try:
        await _until(lambda: full.ready)
        full.press("open")
        await _until(lambda: full.runtime.table.playing)
        full.press("place_bets")
        full.press("no_more_bets")
        await _until(lambda: full.runtime.table.game.machine.state == "closed_wait_spin")
        for number in range(count):
            full.mat.place(full.bank.make(500), number % BOXES + 1)
            at = await asyncio.wait_for(told.get(), timeout=10)
            took.append(at - full.register.arrived)
            floor += bare.commits(1)
    finally:
        bare.close()
        full.runtime.stop()
        full.mat.stop()
    return took, floor


async def _until(condition: Callable[[], bool]) -> None:
    deadline = stopwatch() + 60
    while not condition():
        if stopwatch() > deadline:
            raise TimeoutError("the table never got there")
        await asyncio.sleep(0.002)


def run(quick: bool) -> Iterator[Line]:
    """Both numbers, with the durable write of the same run beside the second."""
    with scratch() as folder:
        load = mat_load(10.0 if quick else 60.0, folder)
        took, floor = asyncio.run(late_bets(folder, 40 if quick else 200))
    yield line(
        "chip_mat_core", round(load["core"], 4), "of a core", f"under {CORE_GOAL:g}", load["core"] < CORE_GOAL,
        tags=TAGS, boxes=BOXES, reads_per_s=READS_PER_S, events_per_s=round(load["events_per_s"], 1),
    )  # fmt: skip
    p50, write = median(took) * 1000, median(floor) * 1000
    yield line(
        "late_bet_to_alarm", round(p50, 4), "ms p50", f"at most {LATENCY_GOAL:g} x a bare durable write, plus 1 ms",
        p50 <= LATENCY_GOAL * write + 1.0, ratio=p50 / write,
        floor={"durable_write_ms": round(write, 4)}, p99=round(percentile(took, 0.99) * 1000, 4), bets=len(took),
    )  # fmt: skip
