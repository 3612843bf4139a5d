"""What a round costs as more seats are played, and an event as more devices are joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from controller.config.types import TableConfig
from drivers.events import DeviceEvent
from drivers.shoe import Shoe
from firmware_specs.clock import VirtualClock
from lab.measurements.measure import Line, cpu_time, scratch
from lab.measurements.scaling import LINEAR, fitted, in_turns
from lab.sim.config import default_config
from lab.sim.table import ROUND_DEADLINE_S, SimulatedTable
from simulators.people.poker_habits import HONEST
from simulators.people.war import Habits as WarHabits
from simulators.shoe import CardShoe
from simulators.wire import Wire

FLAT = 0.15
"""An exponent below this is flat: sixteen times the devices for at most one and a half times the cost."""


def run(quick: bool) -> Iterator[Line]:
    """Boxes at Casino War, seats at poker, devices on their lines."""
    turns, rounds = (2, 12) if quick else (5, 40)
    boxes, seats, a_round = (1, 2, 4, 7), (2, 3, 5, 7), "ms of one core a round"
    costs = in_turns(boxes, turns, lambda count: war_round(count, rounds))
    yield fitted("growth_seats_war", boxes, costs, LINEAR, "linear at most", a_round)
    costs = in_turns(seats, turns, lambda count: poker_hand(count, rounds))
    yield fitted("growth_seats_poker", seats, costs, LINEAR, "linear at most", a_round)
    devices = (1, 4, 16) if quick else (1, 2, 4, 8, 16)
    costs = in_turns(devices, turns, lambda count: one_event(count, 40 if quick else 150))
    yield fitted("growth_devices", devices, costs, FLAT, f"flat, under {FLAT}", "ms of one core an event")


# -- seats -------------------------------------------------------------------------------------------------------


def war_round(boxes: int, rounds: int) -> float:
    """Seconds for a round of Casino War with so many boxes played, one player each."""
    habits = WarHabits(boxes, boxes, 0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return _a_round(default_config("war"), habits, rounds)


def poker_hand(seats: int, hands: int) -> float:
    """Seconds for a hand of poker with so many players."""
    return _a_round(default_config("poker"), msgspec.structs.replace(HONEST, players=seats), hands)


def _a_round(config: TableConfig, habits: Any, rounds: int) -> float:
    with scratch() as folder:
        clock = VirtualClock()
        table = SimulatedTable(config, folder / "table.sqlite", clock, 1, habits=habits)
        table.start()
        clock.run_until(lambda: table.shift.rounds >= 3, 3 * ROUND_DEADLINE_S)
        begin = cpu_time()
        clock.run_until(lambda: table.shift.rounds >= 3 + rounds, rounds * ROUND_DEADLINE_S)
        spent = cpu_time() - begin
        table.stop()
    return spent / rounds


# -- devices -----------------------------------------------------------------------------------------------------


class _Counted:
    """Takes events as durable at once, and counts them."""

    def __init__(self) -> None:
        self.events = 0

    def take(self, event: DeviceEvent, mark: object, durable: Callable[[], None] | None) -> None:
        self.events += 1
        if durable is not None:
            durable()

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        """Screens are elsewhere."""


def one_event(devices: int, cards: int) -> float:
    """Seconds for one card through line, link and driver while so many shoes are joined and draw in turn."""
    clock, sink = VirtualClock(), _Counted()
    shoes = []
    for number in range(devices):
        wire = Wire(clock, name=f"shoe{number}")
        shoe = CardShoe(clock, wire.device, serial=f"SHOE-{number}", seed=number)
        driver = Shoe(f"shoe{number}", clock, wire.host, sink)
        shoe.start()
        driver.start()
        shoe.load(["AS", "KD", "7H", "2C"] * (cards + 8))
        shoes.append(shoe)
    clock.run_for(5.0)
    before, begin = sink.events, cpu_time()
    for _ in range(cards):
        for shoe in shoes:
            shoe.draw(force=True)
        clock.run_for(1.0)
    spent, told = cpu_time() - begin, sink.events - before
    if told < cards * devices:
        raise RuntimeError(f"{cards * devices} cards were drawn and {told} were told")
    return spent / told
