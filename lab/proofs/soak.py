"""A long day at one table: people err, devices fail, controllers stop and die; nothing may grow and nothing be lost.

The devices, the chips and the people live through the whole day under the virtual clock; only controllers come and go.
"""

from __future__ import annotations

import contextlib
import gc
import os
import random
import sqlite3
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from controller.config.types import TableConfig
from controller.core.effects import AnyEffect, Noted, Reversed, Settled, WagerResult
from controller.core.guarded import GuardedTable
from controller.core.runtime import Runtime, Told, recover
from controller.devices import inline
from controller.games.poker.config import PokerSection
from controller.games.war.config import WarSection
from controller.games.wheel.config import WheelSection
from controller.games.wheel.rules import wheel_rules
from controller.journal import row as record
from controller.journal.committer import Committer
from controller.journal.file import JournalFile, JournalTrouble
from controller.money.dress import ChipRegister
from controller.people import Person
from drivers.events import DeviceUp
from drivers.wheel import WheelRested
from firmware_specs.clock import DeadlineMissed, Deadlock, VirtualClock
from lab.measurements.measure import cpu_time, resident_kb
from lab.measurements.memory import TABLES
from lab.proofs.faultmatrix import FAULTS
from lab.proofs.sloppy import Line
from lab.proofs.soak_hands import Hands, habits, hands_for
from lab.proofs.stage import MortalClock
from lab.proofs.war_judge import WarJudge
from lab.scenarios.played import find
from lab.sim.config import default_config
from lab.sim.devices import SimulatedDevices, drivers_for, opened
from lab.sim.table import shift_for, sign_that_shows
from simulators.card_mouth import CannotDraw
from simulators.faults import Fault
from simulators.people.chips import Bank
from simulators.shuffler import CardShuffler

VERSION = metadata.version("tablectl")
"""Looked up once, as in a table's own process: each look leaves memory behind."""
TROUBLE_S = 240.0
"""How often something breaks, on average."""
RESTARTS = 0.25
"""The share of all troubles that is a controller going down; of those, more are killed than stopped."""
KILLED = 0.6
AWAY_S = (0.05, 2.0, 12.0)
LOOK_S = 20.0
"""People look up by themselves, too: a key pressed while no controller ran is pressed again."""
EXPLAIN_S = 300.0
"""How long the float's alarm stands before a supervisor has found the slip."""
STUCK_S = 2_400.0
SAMPLE_S = 900.0
REST_S = 600.0
"""How long the table may need until it knows again what lies on the mat."""


class Sample(msgspec.Struct, frozen=True):
    """What the process held at one moment of the day, and what the time since the last one cost."""

    at_s: float
    rounds: int
    resident_kb: int
    open_files: int
    threads: int
    journal_bytes: int
    blocks: int
    """Pieces of memory in use; unlike the process's memory, nothing but our own work adds to them."""
    cpu_s: float
    yardsticks: float
    """The same for a round, in fixed pieces of work done in between: a busy machine slows both."""
    remembered: int = 0
    """Values that the table itself keeps: chips that lie, seats, and bounded lists, which fill up in a day."""


class Soaked(msgspec.Struct):
    """A day that is over."""

    table: str
    seed: int
    hours: float
    rounds: int = 0
    events: int = 0
    faults: int = 0
    stopped: int = 0
    killed: int = 0
    judged: int = 0
    """Rounds of Casino War that a second judge decided again, from the cards that truly left the source."""
    explained: int = 0
    """How often a supervisor had to say where the float's money was."""
    cpu_s: float = 0.0
    hands: list[Line] = []
    """Where people erred in nothing but their hands: what was said of each kind of sloppiness."""
    samples: list[Sample] = []
    problems: list[str] = []


class Day:
    """One table through one day, the same for the same seed."""

    def __init__(self, table: str, path: Path, seed: int, trouble_s: float = TROUBLE_S, honest: bool = False) -> None:
        game, rulebook = TABLES[table]
        self.config: TableConfig = default_config(game, rulebook=rulebook)
        self.path, self.seed = path, seed
        self.clock = VirtualClock()
        self.draw = random.Random(f"{seed} soak {table}")
        self.bank = Bank()
        self.devices = SimulatedDevices(self.config, self.clock, seed, self.bank)
        self.shift = shift_for(self.config)
        self.told = Soaked(table, seed, 0.0)
        self.runtime: Runtime | None = None
        self._trouble_s = trouble_s
        self._mortal: MortalClock
        self._people: Any = None
        self._hands: Hands
        self._honest = honest
        self._audited = 0
        self._float_since = 0.0
        self._ring = getattr(self.config.play, "ring", ())
        self._judge = self._war_judge() if game == "war" else None
        self._last: dict[str, tuple[int, int]] = {}
        self._settled: dict[tuple[int, str, str], int] = {}

    # -- the day -----------------------------------------------------------------------------------------------

    def play(self, hours: float, sampled: Callable[[Sample], object] = lambda sample: None) -> Soaked:
        """So many hours of virtual time, a sample every quarter of an hour."""
        told, begin = self.told, cpu_time()
        told.hours = hours
        self.devices.start()
        self._come_up()
        self._look_up()
        self.clock.call_later(min(100.0, self._trouble_s), self._trouble)
        every = min(SAMPLE_S, hours * 3600 / 8)
        try:
            for number in range(1, int(hours * 3600 / every) + 1):
                before = self.shift.rounds
                used, sticks = self._play_until(number * every)
                rounds = max(self.shift.rounds - before, 1)
                told.samples.append(self._sample(used / rounds, used / sticks / rounds))
                sampled(told.samples[-1])
                self._audit()
            self._rest()
        except (Deadlock, DeadlineMissed) as stuck:
            told.problems.append(f"it did not go on after {self.clock.now():,.0f} s: {stuck} ({self._where()})")
        if self.runtime is not None:
            self._go_down(killed=False)
        self.devices.stop()
        self._replay()
        told.hands = list(self._hands.lines.values()) if self._honest else []
        told.rounds, told.events, told.cpu_s = self.shift.rounds, self.shift.events, cpu_time() - begin
        return told

    def _play_until(self, when: float) -> tuple[float, float]:
        """The processor time of play, and of one yardstick meanwhile."""
        played = 0.0
        sticks: list[float] = []
        while self.clock.now() < when:
            before, begin = self.shift.rounds, cpu_time()
            self.clock.run_until(lambda: self.clock.now() >= when or self.shift.rounds > before, STUCK_S)  # noqa: B023
            between = cpu_time()
            _yardstick()
            played, sticks = played + between - begin, [*sticks, cpu_time() - between]
        self.clock.run_until(lambda: self.runtime is not None, STUCK_S)
        return played, sum(sticks) / len(sticks)

    def _rest(self) -> None:
        """Everything arrives; then the table must know what truly lies on the mat."""
        self._trouble_s = 0.0
        self.clock.run_until(lambda: self.runtime is not None and not self._differences(), REST_S + STUCK_S)

    def _differences(self) -> str:
        """How the table's picture differs from the mat itself, while it plays."""
        assert self.runtime is not None
        table, mat = self.runtime.table, self.devices.mat
        if not table.playing:
            return f"the table is {table.state.life}"
        known = {area: sorted(tags) for area, tags in table.game.chip_picture().items() if tags}
        lying = {area: sorted(mat.lying(area)) for area in range(1, mat.areas) if mat.lying(area)}
        return "" if known == lying else f"the table knows {known}, on the mat lies {lying}"

    # -- controllers -------------------------------------------------------------------------------------------

    def _come_up(self) -> None:
        self._mortal = mortal = self._controllers_clock()
        runtime = opened(self.config, self.path, mortal, ChipRegister(self.bank.register), durable=False)
        drivers_for(runtime, self.config, {place: wire.host for place, wire in self.devices.wires.items()})
        sign_that_shows(runtime, mortal)
        runtime.watchers += [self.shift.watch, self._watch]
        runtime.guarded.defect = lambda seq, trace: self.told.problems.append(f"event {seq} broke the table: {trace}")
        if self._people is None:
            erring = habits(self.config, self._honest)
            crew = find(self.config.table.game).crew
            self._people = crew(runtime, self.devices, self.config, self.clock, self.seed, erring)
            self._press = self._people.screen.press
            self._hands = hands_for(self.config, self._people, self.devices, self.clock, self.seed)
        else:
            people = self._people
            people.screen.runtime = runtime
            self._hands.press_on(self._press)
            self._hands.broke()
            runtime.watchers.append(lambda told: people.look())
        runtime.watchers.append(self._hands.watch)
        self.runtime = runtime
        runtime.start(VERSION, self.config, self._committer(runtime))

    def _controllers_clock(self) -> MortalClock:
        return MortalClock(self.clock)

    def _committer(self, runtime: Runtime) -> Committer:
        return inline(runtime)

    def _go_down(self, killed: bool) -> None:
        runtime, self.runtime = self.runtime, None
        assert runtime is not None
        self._hands.press_on(_pressed_in_vain)
        self._hands.broke()
        if killed:
            self._mortal.alive = False
            for wire in self.devices.wires.values():
                wire.host.close()
            runtime.journal.close()
        else:
            runtime.stop()
            self._mortal.alive = False

    def _look_up(self) -> None:
        if self.runtime is not None:
            self._people.look()
            self._supervise(self.runtime)
        self.clock.call_later(LOOK_S, self._look_up)

    def _supervise(self, runtime: Runtime) -> None:
        """Somebody of rank sees to what the crew leaves alone."""
        self._explain_the_float(runtime)
        table = runtime.table
        late = table.desk.at - round(1000 * EXPLAIN_S)
        for code, fault in list(table.state.faults.items()):
            place, _, what = code.partition(":")
            source = self.devices.sources.get(place)
            if fault.since > late:
                continue
            if what == "stopped" and isinstance(source, CardShuffler):
                # It knows nothing of the cards inside: they come out, are looked at, and go in again.
                with contextlib.suppress(CannotDraw):
                    source.load(source.take_out())
            elif fault.rank:
                runtime.command("clear_fault", Person("rank6", 6), {"fault": code, "reason": "looked at"})

    def _explain_the_float(self, runtime: Runtime) -> None:
        """A fill or credit entered while no controller ran leaves the float open until somebody explains it."""
        key = runtime.table.keys.get("float_explained")
        if key is None or "float" not in runtime.table.state.desk.alarms:
            self._float_since = self.clock.now()
        elif self.clock.now() - self._float_since > EXPLAIN_S:
            self._float_since = self.clock.now()
            self.told.explained += 1
            runtime.command(key.name, Person("rank6", 6), {"reason": "entered while the controller was down"})

    def _trouble(self) -> None:
        if not self._trouble_s:
            return
        draw, told = self.draw, self.told
        if self.runtime is not None and draw.random() < RESTARTS:
            killed = draw.random() < KILLED
            told.killed, told.stopped = told.killed + killed, told.stopped + (not killed)
            self._go_down(killed)
            self.clock.call_later(draw.choice(AWAY_S), self._come_up)
        elif self.runtime is not None:
            told.faults += 1
            self._hands.broke()
            place, name = draw.choice(sorted(self.devices.faults)), draw.choice(sorted(FAULTS))
            self.devices.plan(Fault.of({"device": place, "seed": draw.randrange(1_000), **FAULTS[name]}))
        self.clock.call_later(draw.expovariate(1 / self._trouble_s), self._trouble)

    def _where(self) -> str:
        if self.runtime is None:
            return "no controller"
        table = self.runtime.table
        causes = "; ".join(fault.text for fault in table.state.faults.values()) or "no fault"
        return f"table {table.state.life}, round {table.game.machine.state}, {causes}"

    # -- what must hold ----------------------------------------------------------------------------------------

    def _watch(self, told: Told) -> None:
        for effect in told.effects:
            if isinstance(effect, Settled):
                self.told.problems += self._money_problems(effect)
            elif isinstance(effect, Noted) and effect.what == "round" and self._judge is not None:
                self._judge_again(self._judge, effect.facts)

    def _war_judge(self) -> WarJudge:
        war = self.config.own(WarSection)
        return WarJudge(self.config.table.rulebook, war.payout_column, self.config.limits.smallest_chip)

    def _judge_again(self, judge: WarJudge, facts: dict[str, Any]) -> None:
        """A round that counted, decided by another judge and held against the cards that truly came out."""
        if not facts["valid"]:
            return
        self.told.judged += 1
        problems = judge.problems(facts)
        (source,) = self.devices.sources.values()
        cards = facts["cards"]
        truly = source.drawn[-len(cards) :]
        if cards != truly:
            problems.append(f"the table took {cards} for {truly}")
        self.told.problems += [f"round {facts['round']}: {one}" for one in problems]

    def _money_problems(self, settled: Settled) -> list[str]:
        """What is wrong with a settlement by itself, and against the wheel as it truly stands."""
        problems = []
        where = f"round {settled.round}, {settled.outcome}"
        for one in settled.results:
            parts = (one.pays, one.stake_taken, one.stake_returned)
            # What was staked beyond the maximum goes back, whatever the rest of it does.
            surplus = one.stake_returned if one.stake_taken >= self.config.limits.max else self._odd_part(one)
            if min(parts) < 0 or (one.result == "lose" and (one.pays or one.stake_returned != surplus)):
                problems.append(f"{where}: {one.bet} of {one.player} is settled {one.result} with {parts}")
            if one.result in ("void", "standoff") and (one.pays or one.stake_taken):
                problems.append(f"{where}: {one.bet} of {one.player} is {one.result} and costs {parts}")
        if self.config.table.game == "poker":
            hands = [one for one in settled.results if one.bet == "hand"]
            rake = sum(one.stake_taken - one.pays for one in hands)
            most = (self.config.own(PokerSection).rake.cap or 0) if settled.outcome != "refunded" else 0
            if hands and not 0 <= rake <= most:
                problems.append(f"{where}: the house keeps {rake} of the pots, and may keep up to {most}")
        elif self._ring and settled.outcome in self._ring and not self.devices.wheel.moving:
            winner = self._ring[int(self.devices.wheel.place)]
            if settled.outcome != winner:
                problems.append(f"{where}: the wheel stands at {winner}")
            odds = (
                wheel_rules(self.config.table.rulebook).option(self.config.own(WheelSection).option).symbol(winner).odds
            )
            for one in settled.results:
                if one.result == "win" and (one.bet != winner or one.pays != one.stake_returned * odds):
                    problems.append(f"{where}: {one.bet} wins {one.pays} on {one.stake_returned}")
        return problems

    def _audit(self) -> None:
        """The rows since the last look: chained, each device's events once and in order, no wager settled twice."""
        journal = JournalFile.read_only(self.path)
        problems = self.told.problems
        try:
            journal.verify(self._audited + 1)
            for row in journal.rows(self._audited + 1):
                kept = record.decode(row.body)
                self._audited = row.seq
                self._settled_once(kept.effects)
                mark, lost = kept.mark, isinstance(kept.event, DeviceUp) and kept.event.lost
                again = isinstance(kept.event, WheelRested) and "malfunction" in kept.event.verdict.reasons
                if mark is not None and not again:
                    place = kept.event.device  # type: ignore[attr-defined]
                    epoch, number = self._last.get(place, (mark.epoch, 0))
                    if mark.epoch == epoch and mark.number <= number:
                        problems.append(f"{place}: event {mark.number} comes after {number}")
                    self._last[place] = (mark.epoch, mark.number)
                elif lost:
                    self._last.pop(kept.event.device, None)  # type: ignore[attr-defined]
        except JournalTrouble as trouble:
            problems.append(str(trouble))
        finally:
            journal.close()

    def _odd_part(self, one: WagerResult) -> int:
        """What of a lost stake is no whole step above the minimum goes back, and no more than that."""
        limits = self.config.limits
        whole = limits.unit and one.stake_taken >= limits.min and (one.stake_taken - limits.min) % limits.unit == 0
        return one.stake_returned if whole and one.stake_returned < limits.unit else 0

    def _settled_once(self, effects: Sequence[AnyEffect]) -> None:
        """No wager of a round is settled again without having been taken back."""
        for effect in effects:
            if not isinstance(effect, Settled | Reversed):
                continue
            self._settled = {key: count for key, count in self._settled.items() if key[0] >= effect.round - 1}
            for one in effect.results:
                if one.result in ("returned", "void"):
                    continue  # handed back, chip by chip and as often as they lay it down
                key = (effect.round, one.wager, one.bet)
                self._settled[key] = self._settled.get(key, 0) + (1 if isinstance(effect, Settled) else -1)
                if self._settled[key] > 1:
                    self.told.problems.append(f"round {effect.round}: {one.wager or one.bet} was settled twice")

    def _replay(self) -> None:
        """The whole day, decided again from its first event, gives the same conclusions."""
        journal = JournalFile.read_only(self.path)
        try:
            recover(self._second_table(), journal, from_snapshot=False)
        except JournalTrouble as trouble:
            self.told.problems.append(str(trouble))
        finally:
            journal.close()

    def _second_table(self) -> GuardedTable:
        """The table that decides the day again."""
        return GuardedTable(self.config)

    # -- samples -----------------------------------------------------------------------------------------------

    def _sample(self, cpu_s: float, yardsticks: float) -> Sample:
        gc.collect()
        with contextlib.closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as file:
            # As a reader sees it: the file itself grows in the steps of its write-ahead log.
            size = file.execute("PRAGMA page_count").fetchone()[0] * file.execute("PRAGMA page_size").fetchone()[0]
        files = len(os.listdir("/proc/self/fd"))
        return Sample(
            self.clock.now(), self.shift.rounds, resident_kb(), files, threading.active_count(), size,
            sys.getallocatedblocks(), cpu_s, yardsticks, self._remembered(),
        )  # fmt: skip

    def _remembered(self) -> int:
        return 0 if self.runtime is None else _values(msgspec.json.decode(self.runtime.table.save()))


def _values(saved: Any) -> int:
    """How many values something saved is made of, keys included."""
    if isinstance(saved, dict):
        return 1 + sum(1 + _values(one) for one in saved.values())
    return 1 + sum(map(_values, saved)) if isinstance(saved, list) else 1


def _yardstick() -> int:
    """A fixed piece of work, of the kind that a table does."""
    counts: dict[int, int] = {}
    for number in range(4_000):
        counts[number & 255] = counts.get(number & 255, 0) + number
    return len(counts)


def _pressed_in_vain(key: str, rank: int, args: Mapping[str, Any] | None = None) -> None:
    """Nobody runs the table; the key does nothing."""
