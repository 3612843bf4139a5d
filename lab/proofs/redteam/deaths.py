"""Controllers that die at a chosen write of the journal, and the run around them."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from controller.core.effects import Settled
from controller.core.runtime import Runtime, Told
from controller.devices import inline
from controller.journal.committer import Committer, InlineCommitter
from controller.journal.file import Entry, JournalFile
from firmware_specs.clock import VirtualClock
from lab.proofs.audit import account, event_problems, picture_problems, replay_problems, settlement_problems
from lab.proofs.games import GAMES
from lab.proofs.poker import sealed_problems
from lab.proofs.stage import Host, World
from simulators.people.patient_poker import PatientPokerCrew

MOMENTS = ("before the write", "in the transaction", "after the write", "while telling")
AWAY_S = (0.05, 2.0, 12.0)
"""How long nobody runs the table: at once, before the devices notice, long after."""
DISK_S = 0.02
"""How long a write waits for the disk."""
DEADLINE_S = 900.0
REST_S = 20.0
"""Time for everything under way to arrive, once nobody plays any more."""


class Died(BaseException):
    """The controller stopped here, with nothing tidied up."""


def _die() -> None:
    raise Died


class DeadlyCommitter(InlineCommitter):
    """Commits on a disk that takes its time, until the n-th write, where the controller dies."""

    def __init__(self, runtime: Runtime, write: int, moment: str) -> None:
        self.deadly = DeadlyJournal(runtime.journal, write, moment)
        super().__init__(self.deadly, runtime.clock, runtime.journal_failed)  # type: ignore[arg-type]
        if moment == "while telling":
            runtime.watchers.insert(0, self._tell)

    def add(self, entry: Entry, release: Callable[[], None]) -> None:
        if not self._entries:
            self._clock.call_later(DISK_S, self._commit)
        self._entries.append(entry)
        self._releases.append(release)

    def _tell(self, told: Told) -> None:
        if self.deadly.left <= 0:
            raise Died


class DeadlyJournal:
    """The journal's writing side, cut short at one write."""

    def __init__(self, journal: JournalFile, write: int, moment: str) -> None:
        self._journal = journal
        self._moment = moment
        self.left = write

    def append(self, entries: list[Entry]) -> None:
        self.left -= 1
        if self.left:
            self._journal.append(entries)
            return
        if self._moment == "before the write":
            raise Died
        if self._moment == "in the transaction":
            self._journal._connection = NeverCommits(self._journal._connection)  # type: ignore[assignment]
        self._journal.append(entries)
        if self._moment == "after the write":
            raise Died

    def close(self) -> None:
        self._journal.close()


class NeverCommits:
    """A connection whose process ends with the transaction open."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.executemany = connection.executemany
        self.close = connection.close
        self.in_transaction = False

    def execute(self, sql: str, args: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        if sql == "COMMIT" or (sql.startswith("INSERT") and not self._connection.in_transaction):
            raise Died  # a statement alone is a transaction of its own
        return self._connection.execute(sql, args)


class Outcome(msgspec.Struct):
    """What came of one run."""

    settlements: list[Settled]
    writes: int
    problems: list[str]


class Run:
    """A table played to the end by as many controllers as it takes."""

    def __init__(self, game: str, path: Path, seed: int, rounds: int, through: str = "") -> None:
        self.game = GAMES[game]()
        self.path = path
        self.rounds = rounds
        self.clock = VirtualClock()
        self.world = World(self.game, self.clock, seed)
        self.crew = self.game.crew(self.world, seed, through, 1)
        self.rest_s = REST_S
        self.problems: list[str] = []
        self.world.devices.start()
        self.crew.start()

    def live(
        self,
        committer: Callable[[Runtime], Committer] = inline,
        wall_offset_ms: int = 0,
        dies_after: float | None = None,
    ) -> bool:
        """One controller's life: True when it lived to see the last round end."""
        host = Host(self.world, self.path, committer=committer, wall_offset_ms=wall_offset_ms)
        host.runtime.watchers.append(self._watch)
        if dies_after is not None:
            host.clock.call_later(dies_after, _die)
        try:
            host.start()
            self.clock.run_until(lambda: self.crew.rounds >= self.rounds, DEADLINE_S)
            self.crew.resting = True
            self.clock.run_for(self.rest_s)
            problems = picture_problems(self.world)
            if host.runtime.table.state.faults:
                problems.append(f"still suspended: {host.runtime.table.state.faults}")
            host.stop()
        except Died:
            self._nothing_forgotten_too_early()
            host.die()
            return False
        self.problems += problems
        return True

    def _watch(self, told: Told) -> None:
        for effect in told.effects:
            if isinstance(effect, Settled):
                self.problems += self.game.money_problems(self.world, self.crew, effect)

    def _nothing_forgotten_too_early(self) -> None:
        """A device forgets an event only when the journal has it: decision one of the design."""
        told = account(self.path)
        for place, link in self.world.links.items():
            marks = [mark for mark, _ in told.marks.get(place, []) if mark.epoch == link.epoch]
            safe = max((mark.number if mark.settled is None else mark.settled for mark in marks), default=0)
            if link._oldest - 1 > safe:
                self.problems.append(f"{place} forgot event {link._oldest - 1}, the journal ends at {safe}")

    def finish(self) -> Outcome:
        """Hold the journal against the world."""
        told = account(self.path)
        problems = self.problems + event_problems(self.world, told) + settlement_problems(told)
        problems += [f"{place} is said to have lost evidence, and has not" for place in told.losses]
        problems += replay_problems(self.world, self.path)
        if isinstance(self.crew, PatientPokerCrew):
            problems += sealed_problems(self.path, self.crew.opened)
        return Outcome(told.settlements, told.events, problems)


def uninterrupted(game: str, path: Path, seed: int, rounds: int, through: str = "") -> Outcome:
    """How it ends when nothing happens to the controller."""
    run = Run(game, path, seed, rounds, through)
    committers: list[DeadlyCommitter] = []

    def immortal(runtime: Runtime) -> DeadlyCommitter:
        committers.append(DeadlyCommitter(runtime, 0, ""))
        return committers[0]

    assert run.live(immortal)
    outcome = run.finish()
    outcome.writes = -committers[0].deadly.left
    return outcome


def died_once(
    game: str, path: Path, seed: int, rounds: int, write: int, moment: str, away: float, through: str = ""
) -> Outcome:
    """How it ends when one controller dies at this write and another comes after a while."""
    run = Run(game, path, seed, rounds, through)
    if not run.live(lambda runtime: DeadlyCommitter(runtime, write, moment)):
        run.clock.run_for(away)
        assert run.live()
    return run.finish()


def died_often(
    game: str, path: Path, seed: int, rounds: int, draw: random.Random, longest: int, through: str = ""
) -> tuple[Outcome, int]:
    """One controller after the other, none older than so many writes, until all is played; and how many died."""
    run = Run(game, path, seed, rounds, through)
    deaths = 0
    while not run.live(lambda runtime: DeadlyCommitter(runtime, draw.randint(1, longest), draw.choice(MOMENTS))):
        deaths += 1
        run.clock.run_for(draw.choice(AWAY_S))
    return run.finish(), deaths
