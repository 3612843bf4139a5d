"""Limits, markers and notices run on the table's clock, also while nobody runs the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.core.runtime import Runtime
from controller.devices import inline
from controller.money.dress import ChipRegister
from controller.people import Person
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.devices import opened
from lab.sim.table import sign_that_shows

MINUTE = 60.0
clause = pytest.mark.clause


class House:
    """A table without devices, whose controller may be stopped or killed and started again later."""

    def __init__(self, folder: Path) -> None:
        self.clock = VirtualClock()
        self.path = folder / "t.sqlite"
        self.config = msgspec.structs.replace(default_config("wheel"), devices={})
        self.runtime: Runtime
        self.start()
        self.press("open")
        self.clock.run_for(2)
        assert self.runtime.table.state.life == "open"

    def start(self) -> None:
        self.runtime = opened(self.config, self.path, self.clock, ChipRegister({}), False)
        sign_that_shows(self.runtime, self.clock)
        self.runtime.start("test", self.config, inline(self.runtime))
        self.clock.run_for(1)

    def away(self, minutes: float, killed: bool) -> None:
        """Nobody runs the table for a while."""
        if killed:
            for timer in self.runtime._timers.values():
                timer.cancel()
            self.runtime.journal.close()
        else:
            self.runtime.stop()
        self.clock.run_for(minutes * MINUTE)
        self.start()

    def press(self, key: str, rank: int = 3, **args: Any) -> None:
        self.runtime.command(key, Person(f"S{rank}", rank), args)
        self.clock.run_for(1)

    @property
    def least(self) -> int:
        return self.runtime.table.state.limits.least


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.runtime.stop()


@clause("melbourne-wheel", "footnote 1 s 66(2)")
@pytest.mark.parametrize("killed", [False, True])
def test_a_higher_minimum_comes_when_its_twenty_minutes_are_over_though_the_controller_was_away(
    house: House, killed: bool
) -> None:
    house.press("limits", least=1000, most=50_000)
    house.clock.run_for(5 * MINUTE)
    house.away(10, killed)
    assert house.least == 500
    assert house.runtime.table.sign()["coming"]["least"] == 1000
    house.clock.run_for(4 * MINUTE)
    assert house.least == 500
    house.clock.run_for(1.5 * MINUTE)
    assert house.least == 1000


def test_a_minimum_whose_time_came_while_nobody_ran_the_table_comes_at_once(house: House) -> None:
    house.press("limits", least=1000, most=50_000)
    house.away(40, True)
    house.clock.run_for(2 * MINUTE)
    assert house.least == 1000


@clause("melbourne-wheel", "4.3")
def test_personal_limits_and_their_marker_are_there_after_a_restart(house: House) -> None:
    house.press("personal_limit", player="p1", least=500, most=80_000)
    house.press("marker", 1, player="p1", laid=True)
    house.away(1, True)
    assert house.runtime.table.limits_of("p1", "A").most == 80_000
    assert house.runtime.table.limits_of("p2", "A").most == 50_000


@clause("melbourne-wheel", "9.8")
def test_a_closing_notice_in_spins_counts_on_after_a_restart(house: House) -> None:
    house.press("sit", 1, seat=1, player="p1")
    house.press("close", 2)
    assert house.runtime.table.state.closing is not None
    house.runtime.table.round_over()
    house.away(1, False)
    assert house.runtime.table.state.closing is not None
    assert house.runtime.table.sign()["closing"] == "2 spins to come"
