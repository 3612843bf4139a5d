"""A storm: devices struck and controllers killed at random while a table is played; and what is left of it."""

from __future__ import annotations

import random
from pathlib import Path

from controller.core.effects import Settled
from controller.core.runtime import Told
from firmware_specs.clock import DeadlineMissed, Deadlock, VirtualClock
from lab.proofs.audit import account, event_problems, picture_problems, replay_problems, settlement_problems
from lab.proofs.faultmatrix import FAULTS
from lab.proofs.games import GAMES
from lab.proofs.stage import Host, World
from simulators.faults import Fault

EVERY_S = 15.0
AWAY_S = (0.05, 2.0, 12.0)
ROUND_S = 500.0
REST_S = 60.0


class Storm:
    """One table in one storm, the same for the same seed."""

    def __init__(self, game: str, path: Path, seed: int) -> None:
        self.draw = random.Random(seed)
        self.game = GAMES[game]()
        self.clock = VirtualClock()
        self.world = World(self.game, self.clock, seed)
        self.crew = self.game.crew(self.world, seed, self.draw.choice(self.game.states), self.draw.randrange(5))
        self.path = path
        self.blows: list[str] = []
        self.problems: list[str] = []

    def play(self, rounds: int) -> list[str]:
        """What was wrong after so many rounds."""
        self.world.devices.start()
        self._start_controller()
        self.crew.start()
        self.clock.call_later(EVERY_S, self._blow)
        try:
            self.clock.run_until(lambda: self.crew.rounds >= rounds, rounds * ROUND_S)
            self.crew.resting = True
            self.clock.run_for(REST_S)
            self.problems += picture_problems(self.world)
        except (Deadlock, DeadlineMissed) as stuck:
            self.problems.append(f"it did not go on: {stuck}; {self.world.see()}")
        host = self.world.host
        if host is not None:
            self.problems += [f"still suspended: {one.text}" for one in host.runtime.table.state.faults.values()]
            host.stop()
        told = account(self.path)
        self.problems += event_problems(self.world, told) + settlement_problems(told)
        self.problems += replay_problems(self.world, self.path)
        return self.problems

    def _start_controller(self) -> None:
        host = Host(self.world, self.path)
        host.runtime.watchers.append(self._watch)
        host.start()

    def _watch(self, told: Told) -> None:
        for effect in told.effects:
            if isinstance(effect, Settled):
                self.problems += self.game.money_problems(self.world, self.crew, effect)

    def _blow(self) -> None:
        if self.crew.resting:
            return
        draw, host = self.draw, self.world.host
        if draw.random() < 0.2 and host is not None:
            self.blows.append("controller killed")
            host.die()
            self.clock.call_later(draw.choice(AWAY_S), self._start_controller)
        else:
            name, place = draw.choice(sorted(FAULTS)), draw.choice(self.game.places)
            self.blows.append(f"{place} {name}")
            self.world.devices.plan(Fault.of({"device": place, "seed": draw.randrange(1000), **FAULTS[name]}))
        self.clock.call_later(draw.expovariate(1 / EVERY_S), self._blow)
