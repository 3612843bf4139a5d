"""Proof that honest hands are not accused: sloppy people play, and what is said of them is held against what they did.

The judge knows what lay on the felt when betting closed, from the hands themselves, and shares no code with the table.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from controller.core.effects import Alarmed, AnyEffect, Asked, Moved, Refused, Settled
from controller.core.runtime import Told
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable
from simulators.people import war, wheel
from simulators.people.poker_habits import HONEST
from simulators.people.sloppy import (
    KINDS,
    MISSED,
    NUDGED,
    ON_THE_LINE,
    PAID_EARLY,
    PHASES,
    RESTARTED,
    TOPPLED,
    Sloppy,
)

ROUND_DEADLINE_S = 900.0
ACCUSED_AT_MOST = 0.005
"""The share of honest rounds in which something untrue may be said."""
CAREFUL: dict[str, Any] = {
    "wheel": wheel.Habits(late_bet=0.0, forgets_no_more_bets=0.0, weak_push=0.0, touches_wheel=0.0, under_minimum=0.0),
    "war": war.Habits(late_bet=0.0, under_minimum=0.0, over_maximum=0.0, surplus=0.0, silent=0.0),
    "poker": HONEST,
}
"""People who err in nothing but their hands."""
USUAL = {
    "wheel": frozenset({"near", "homing", "spin", "owners", "close_not_announced"}),
    "war": frozenset({"choice", "several", "cut", "surplus", "cutter"}),
    "poker": frozenset[str](),
}
"""What people are asked in any round, whatever their hands do."""
TRUE = {
    MISSED: frozenset({"refused not_read_yet"}),
    PAID_EARLY: frozenset({"asked unknown"}),
    TOPPLED: frozenset({"asked position", "unclear", "refused no_such_chips", "refused not_there"}),
    NUDGED: frozenset({"refused no_such_chips", "refused not_there", "line", "refused not_legal", "pot", "pot_over"}),
    ON_THE_LINE: frozenset({"asked position", "unclear"}),
    RESTARTED: frozenset({"refused suspended"}),
}
"""What is true of a kind of sloppiness: a chip on a line is on a line, one on another seat's line is no wager there,
a mat that restarts is away, a payment that no antenna has read yet is not read yet, and a
card that a dealer goes by and no reader has read is asked for."""
NOT_OF_HANDS = frozenset({"sign_missing", "chips", "no_more_bets_missing", "shoe"})
"""Alarms about devices, about cards, and about a dealer who is slow to speak."""


class Line(msgspec.Struct):
    """One kind of sloppiness: rounds, those with an untrue word, wagers lost, and which words."""

    kind: str
    rounds: int = 0
    accused: int = 0
    lost: int = 0
    words: dict[str, int] = {}

    def text(self) -> str:
        words = ", ".join(f"{word} {count}" for word, count in sorted(self.words.items()))
        return f"{self.kind:<32}{self.rounds:>6} rounds{self.accused:>6} accused{self.lost:>5} lost  {words}"


def nobody_accused(lines: Sequence[Line]) -> bool:
    """So few rounds with an untrue word, and no honest wager lost."""
    rounds, accused = sum(line.rounds for line in lines), sum(line.accused for line in lines)
    return accused <= ACCUSED_AT_MOST * rounds and not any(line.lost for line in lines)


class Sloppiness(msgspec.Struct):
    """What came of it."""

    game: str
    rulebook: str
    lines: list[Line]

    @property
    def rounds(self) -> int:
        return sum(line.rounds for line in self.lines)

    @property
    def accused(self) -> int:
        return sum(line.accused for line in self.lines)

    @property
    def lost(self) -> int:
        return sum(line.lost for line in self.lines)

    @property
    def ok(self) -> bool:
        return nobody_accused(self.lines)

    def text(self) -> str:
        """As a table for people."""
        shown = [f"{self.rulebook}: {self.rounds} rounds of honest, sloppy hands"]
        shown += [f"  {line.text()}" for line in self.lines]
        share = 100 * self.accused / max(self.rounds, 1)
        shown.append(f"  in all {share:.2f} % of rounds accused, {self.lost} wagers lost")
        return "\n".join(shown)


class Judge:
    """Listens to what the table says in a round, and counts what it counts as staked.

    Where something broke (`disturbed`), the round that it fell in counts for nobody.
    """

    def __init__(self, game: str, rulebook: str, people: Any, sloppy: Sloppy, lines: dict[str, Line]) -> None:
        self.game, self.people, self.sloppy, self.lines = game, people, sloppy, lines
        self.disturbed = False
        self.words: list[str] = []
        self.staked: dict[int, int] = {}
        self.counted: dict[int, int] = {}
        self.begun = 0
        self.chance = random.Random(rulebook)

    def watch(self, told: Told) -> None:
        for effect in told.effects:
            if isinstance(effect, Moved) and effect.machine != "life":
                self._moved(effect.source, effect.dest)
            elif isinstance(effect, Settled):
                self._settled(effect)
            elif (word := _word(self.game, effect)) and word not in TRUE.get(self.sloppy.kind, ()):
                self.words.append(word)

    def _moved(self, source: str, dest: str) -> None:
        phases = self.sloppy.phases
        if dest in phases.begins and source not in phases.open:
            self._new_round()
        self.sloppy.entered(dest)
        if dest in phases.closed and source in phases.open and self.game != "poker":
            felt, bank = self.sloppy.felt, self.sloppy.felt.bank
            self.staked = {area: bank.worth(felt.areas[area]) for area in self.sloppy.areas if felt.areas[area]}

    def _settled(self, settled: Settled) -> None:
        if self.game == "poker":
            return
        for result in settled.results:
            if result.result not in ("returned", "refused", "void"):
                area = _area(self.people, self.game, result.bet)
                self.counted[area] = self.counted.get(area, 0) + result.stake_taken + result.stake_returned

    def _new_round(self) -> None:
        if self.begun and (line := self.lines.get(self.sloppy.kind)) and self.sloppy.done and not self.disturbed:
            line.rounds += 1
            line.accused += bool(self.words)
            if self.counted:
                line.lost += sum(self.counted.get(area, 0) != cents for area, cents in self.staked.items())
            for word in set(self.words):
                line.words[word] = line.words.get(word, 0) + 1
        self.begun += 1
        self.words, self.staked, self.counted, self.disturbed = [], {}, {}, False
        self.sloppy.new_round(self.chance.choice(list(self.lines)))


def _word(game: str, effect: AnyEffect) -> str:
    """What was said of somebody, by its code; nothing where the effect says nothing."""
    match effect:
        case Alarmed(code=code) if code.partition(":")[0] not in NOT_OF_HANDS:
            return code.partition(":")[0]
        case Refused(code=code):
            return f"refused {code}"
        case Asked(subject=subject) if subject.partition(":")[0] not in USUAL[game]:
            return f"asked {subject.partition(':')[0]}"
    return ""


def _area(people: Any, game: str, bet: str) -> int:
    if game == "wheel":
        area: int = people.areas[bet]
        return area
    zone, _, box = bet.rpartition(" ")
    found: int = people.layout.area(int(box), zone)
    return found


def wagered_areas(people: Any, game: str) -> list[int]:
    """Where stakes lie that hands are sloppy with."""
    if game == "wheel":
        return list(people.areas.values())
    if game == "war":
        boxes = range(1, people.habits.boxes + 1)
        return [area for box in boxes if (area := people.layout.area(box, "main")) is not None]
    return list(range(1, people.habits.players + 1))


def play(game: str, rulebook: str, rounds: int, seed: int = 1, kinds: tuple[str, ...] = ()) -> Sloppiness:
    """Let sloppy people play so many rounds."""
    clock = VirtualClock()
    lines = {kind: Line(kind) for kind in kinds or KINDS[game]}
    with tempfile.TemporaryDirectory(prefix="tablectl-") as scratch:
        table = SimulatedTable(
            default_config(game, rulebook=rulebook), Path(scratch) / "sloppy.sqlite", clock, seed, habits=CAREFUL[game]
        )
        sloppy = Sloppy(clock, table.people, table.devices.mat, PHASES[game], wagered_areas(table.people, game), seed)
        judge = Judge(game, rulebook, table.people, sloppy, lines)
        table.runtime.watchers.append(judge.watch)
        table.start()
        while judge.begun <= rounds:
            before = judge.begun
            clock.run_until(lambda: judge.begun > before, ROUND_DEADLINE_S)  # noqa: B023 - called before the next pass
        table.stop()
    return Sloppiness(game, rulebook, list(lines.values()))
