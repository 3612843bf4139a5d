"""A shift of Casino War played by a careless crew through the whole stack."""

from __future__ import annotations

import random
from pathlib import Path

from controller.config.types import TableConfig
from controller.core.runtime import Told
from controller.games.war.game import WarGame
from drivers.cards import CardPushedBack, CardReadAgain, CardUnread, TwoDrawn
from firmware_specs.clock import VirtualClock
from lab.sim.table import SimulatedTable
from simulators.card_reader import MishapRates
from simulators.faults import Fault
from simulators.people.war import Habits, WarCrew

BOOKS = ("melbourne-war", "perth-war", "star-war")
CARELESS = Habits(late_bet=0.1, under_minimum=0.1, over_maximum=0.05, silent=0.1, surrender=0.3)
MISHAPS = MishapRates(unreadable=0.01, misread=0.005, doubtful=0.01, twice=0.01, half=0.01, two=0.01)
FAULTS = ("drop", "corrupt", "delay", "stall", "unplug", "reboot")


class Shift:
    """A table played for some rounds, and everything it concluded."""

    def __init__(self, config: TableConfig, path: Path, seed: int, habits: Habits | None = None) -> None:
        self.clock = VirtualClock()
        self.path = path
        self.table = SimulatedTable(config, path, self.clock, seed, habits=habits)
        self.cited: set[str] = set()
        self.went_wrong = 0
        self.table.runtime.watchers.append(self._watch)
        self.table.start()

    def _watch(self, told: Told) -> None:
        self.went_wrong += isinstance(told.event, CardUnread | TwoDrawn | CardPushedBack | CardReadAgain)
        for effect in told.effects:
            self.cited |= set(getattr(effect, "clauses", ()))

    def play(self, rounds: int) -> None:
        self.clock.run_until(lambda: self.table.shift.rounds >= rounds, rounds * 600.0)

    def everything_arrives(self) -> None:
        self.crew.stand_back(True)
        self.clock.run_for(30.0)

    @property
    def crew(self) -> WarCrew:
        crew: WarCrew = self.table.people
        return crew

    @property
    def game(self) -> WarGame:
        game = self.table.runtime.table.game
        assert isinstance(game, WarGame)
        return game

    def strike(self, draw: random.Random) -> None:
        """Lines and devices fail every minute or so."""
        kind = draw.choice(FAULTS)
        frames = {"frames": 3} if kind in ("drop", "corrupt", "delay") else {}
        device, seconds = draw.choice(sorted(self.table.devices.wires)), draw.choice((1.0, 3.0, 8.0))
        fault = {"device": device, "fault": kind, "seconds": seconds, "seed": draw.randrange(999), **frames}
        self.table.devices.plan(Fault.of(fault))
        self.clock.call_later(draw.expovariate(1 / 60), self.strike, draw)
