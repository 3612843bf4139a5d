"""Kills by the thousand: controllers and devices of a virtual table at every kind of moment, and what was lost by it.

A kill in the process costs some milliseconds, so ten thousand are minutes; those of real processes are counted apart.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from controller.core import guarded
from controller.core.effects import Settled
from drivers.device import Device
from firmware_specs.clock import DeadlineMissed, Deadlock
from lab.proofs.games import GAMES
from lab.proofs.redteam.deaths import AWAY_S, MOMENTS, DeadlyCommitter, Outcome, Run, uninterrupted
from lab.proofs.redteam.killing import STAGED, Killing

ROUNDS = 2
WRITES = 14
"""No controller lives to see more writes; coming up needs about eight."""
COMING_UP_S = 0.2
"""About as long as it takes until every device has been greeted."""
LIVES = 40
"""After so many of one run the last controller lives on, so that every run ends."""
POWER_S = (0.05, 1.0, 5.0)
REST_S = 60.0
REAL_AT_ONCE = 20


class Killed(NamedTuple):
    """One run: how often what was killed, and what was wrong after it."""

    run: str
    kills: Counter[str]
    problems: list[str]


class Struck(Run):
    """A table whose controllers die in commits, in handshakes and in between; with `power`, its devices, too."""

    def __init__(self, game: str, path: Path, draw: random.Random, power: bool) -> None:
        states = GAMES[game]().states
        self.seed, self.through = draw.randrange(1 << 30), draw.choice(states)
        super().__init__(game, path, self.seed, ROUNDS, self.through)
        self.draw, self.power = draw, power
        self.rest_s = REST_S if power else self.rest_s
        self.kills: Counter[str] = Counter()
        self._greeting = False

    def _nothing_forgotten_too_early(self) -> None:
        super()._nothing_forgotten_too_early()
        assert self.world.host is not None
        drivers = self.world.host.runtime.drivers.values()
        self._greeting = any(isinstance(one, Device) and one.link.state != "up" for one in drivers)

    def play(self) -> Outcome:
        """Kill and come back until all rounds are played."""
        for _ in range(LIVES):
            if self._live_a_while():
                break
            self.clock.run_for(self.draw.choice(AWAY_S))
        else:
            assert self.live()
        return self.finish()

    def _live_a_while(self) -> bool:
        draw = self.draw
        if self.power and draw.random() < 0.5:
            self.clock.call_later(draw.uniform(0, 20), self._cut_power, "device")
        if draw.random() < 0.3:
            over = self.live(dies_after=draw.uniform(0, COMING_UP_S))
            how = "handshake" if self._greeting else "running"
        else:
            write, moment = draw.randint(1, WRITES), draw.choice(MOMENTS)
            over = self.live(lambda runtime: DeadlyCommitter(runtime, write, moment))
            how = "commit"
        if over:
            return True
        if self.power and draw.random() < 0.3:
            self._cut_power("")
            how = "both"
        self.kills[how] += 1
        return False

    def _cut_power(self, counted: str) -> None:
        """One device loses its power for a while and keeps what it holds, as ours do."""
        link = self.world.links[self.draw.choice(sorted(self.world.links))]
        if link.powered:
            link.power_cycle(True, self.draw.choice(POWER_S))
            if counted:
                self.kills[counted] += 1


def killed(game: str, path: Path, number: int, power: bool) -> Killed:
    """One run, the same for the same number."""
    draw = random.Random(f"{number} {game} {power}")
    before, guarded.SNAPSHOT_EVERY = guarded.SNAPSHOT_EVERY, draw.choice((7, 40, 10_000))
    name = f"{game}, run {number}{', devices too' if power else ''}"
    struck = Struck(game, path, draw, power)
    try:
        problems = _wrong(struck, path)
    except (Deadlock, DeadlineMissed, AssertionError) as stuck:
        problems = [f"it did not go on: {stuck}; {struck.world.see()}"]
    finally:
        guarded.SNAPSHOT_EVERY = before
    return Killed(name, struck.kills, [f"{name}: {one}" for one in problems])


def _wrong(struck: Struck, path: Path) -> list[str]:
    """What was lost, doubled or settled otherwise; where devices lost power, money is held against what truly was."""
    found = struck.play()
    if struck.power or found.problems:
        return found.problems
    whole = uninterrupted(struck.game.name, path.with_suffix(".whole"), struck.seed, ROUNDS, struck.through)
    return [] if found.settlements == whole.settlements else ["settled otherwise than without the kills"]


def runs(folder: Path, first: int) -> Iterator[Killed]:
    """Runs without end, from this number on; each game in turn, with and without its devices."""
    number = first
    while True:
        game = sorted(GAMES)[number % len(GAMES)]
        path = folder / f"{number}.sqlite"
        yield killed(game, path, number, power=number // len(GAMES) % 2 == 1)
        for left in folder.glob(f"{number}.*"):
            left.unlink()
        number += 1


def as_settled(settlements: list[Settled]) -> list[tuple[int, str, tuple[object, ...]]]:
    """Settlements without the moments at which they came, which real time makes its own."""
    return [(one.round, one.outcome, one.results) for one in settlements]


def real_runs(folder: Path, first: int, kills: int = REAL_AT_ONCE) -> Iterator[Killed]:
    """The same with real processes that are killed by SIGKILL, over pseudo-terminals and a journal on disk."""
    number = first
    while True:
        game, seed = sorted(STAGED)[number % len(STAGED)], 5 + number // len(STAGED) % 4
        place = folder / f"{number}"
        place.mkdir()
        killing = Killing(STAGED[game](), place, seed)
        name = f"{game}, processes {number}"
        try:
            told = killing.play(kills, ROUNDS, random.Random(number))
        except TimeoutError:
            problems = ["it did not go on"]
        else:
            problems = list(killing.problems)
            rounds = len({one.round for one in told.settlements})
            whole = uninterrupted(game, place / "whole.sqlite", seed, rounds)
            if as_settled(told.settlements) != as_settled(whole.settlements):
                problems.append("settled otherwise than without the kills")
        yield Killed(name, Counter(process=kills), [f"{name}: {one}" for one in problems])
        number += 1
