"""Proof that money cannot go astray unseen: random play with theft, late bets, wrong payments, false chips, poor reads.

The people who do wrong own up to it, and the antennas' picture can be held against what truly lies on the felt.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec

from controller.config.types import TableConfig
from controller.core.effects import Alarmed, Announced, AnyEffect, Moved, Noted, Refused
from controller.core.runtime import Told
from controller.money.payment import NOT_DETECTABLE
from firmware_specs.clock import VirtualClock
from lab.proofs.chip_signs import SIGNS
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable
from simulators.people import poker_habits, war, wheel
from simulators.people.mischief import UNSEEN, Done
from simulators.people.poker_mischief import PUSHED, PokerMischief

ROUND_DEADLINE_S = 900.0
WITHIN_ROUNDS = 2
"""A wrong is found before the round after next begins, or it is not found."""
AT_POKER = {
    PUSHED: "chips of a decided pot go to stacks, under which no antenna lies",
    "chips passed between stacks": "no antenna lies under players' stacks",
    "chip palmed before it is laid": "no antenna has read it",
    "chips without a tag": NOT_DETECTABLE["chips without a tag"],
}
CANNOT_BE_SEEN = {
    **NOT_DETECTABLE,
    "equal exchange before the close": "players may change their wagers until no more bets; the value is the same",
    "stake lifted before the close": "players may lift wagers until no more bets; cash chips do not say whose they are",
}


class Said(msgspec.Struct, frozen=True):
    """Something the table said that may be about a wrong."""

    at: int
    effect: AnyEffect


WATCHED = frozenset(
    {
        "float",
        "take_and_pay",
        "late_change",
        "float_short",
        "past_post",
        "moved",
        "cloned",
        "foreign",
        "line",
        "pot",
        "pot_short",
        "pot_over",
    }
)
"""Alarms that accuse somebody."""
HONEST: dict[str, Any] = {
    "wheel": wheel.Habits(late_bet=0.0, forgets_no_more_bets=0.0, weak_push=0.0, touches_wheel=0.0, under_minimum=0.0),
    "war": war.Habits(late_bet=0.0, under_minimum=0.0, over_maximum=0.0, surplus=0.0, silent=0.0),
    "poker": poker_habits.HONEST,
}
BEGINS = {"wheel": "betting_open", "war": "betting", "poker": "posting"}
"""The state a round begins with."""


class Line(msgspec.Struct):
    """One kind of wrong: how often it was done and found, and the longest time until then."""

    wrong: str
    done: int = 0
    found: int = 0
    longest_ms: int = 0
    within_s: float = 0.0
    how: str = ""
    why_not: str = ""


class Proof(msgspec.Struct):
    """What came of it."""

    table: str
    rounds: int
    lines: list[Line]
    undetectable: dict[str, str]
    false_alarms: list[str]
    broken: list[str]

    @property
    def ok(self) -> bool:
        """Every wrong that can be seen was found, nothing was said without cause, and no cent was made or lost."""
        missed = any(line.found < line.done for line in self.lines if not line.why_not)
        return not missed and not self.false_alarms and not self.broken

    @property
    def kinds(self) -> int:
        """How many kinds of wrong there are."""
        return len(self.lines) + len(self.undetectable)

    @property
    def unseen(self) -> int:
        """How many kinds of wrong no antenna can show."""
        return len(self.undetectable) + sum(bool(line.why_not) for line in self.lines)

    def text(self) -> str:
        """As a table for people."""
        rows = [("wrong", "done", "found", "longest", "within", "how it is told, or why it cannot be")]
        for line in self.lines:
            longest = f"{line.longest_ms / 1000:.1f} s" if line.found else ""
            within = f"{line.within_s:g} s" if line.within_s else ""
            rows.append((line.wrong, str(line.done), str(line.found), longest, within, line.why_not or line.how))
        widths = [max(len(row[place]) for row in rows) for place in range(5)]
        shown = [
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row[:5], widths, strict=True)) + "  " + row[5]
            for row in rows
        ]
        others = [f"  {wrong}: {why}" for wrong, why in self.undetectable.items()]
        return "\n".join(
            [
                f"{self.table}: {self.rounds} rounds",
                *shown,
                f"not detectable by chips alone: {self.unseen} of {self.kinds} kinds; of these not tried:",
                *others,
                f"said without cause: {len(self.false_alarms)}" + "".join(f"\n  {one}" for one in self.false_alarms),
                f"books that did not balance: {len(self.broken)}" + "".join(f"\n  {one}" for one in self.broken),
            ]
        )


class _Court:
    """Listens to the table, holds what it says against what was done, and its books against the felt."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self.said: list[Said] = []
        self.broken: list[str] = []
        table.runtime.watchers.append(self.watch)

    def watch(self, told: Told) -> None:
        self.said += [Said(told.at, effect) for effect in told.effects if _matters(effect)]
        tray = self.table.runtime.table.money.state.tray
        gone, come = [*tray.out.values(), *tray.handed], [*tray.came.values(), *tray.slipped]
        strays = sum(one.cents for one in come) - sum(one.cents for one in gone)
        books = tray.opening + tray.collected - tray.paid + strays + tray.explained
        if tray.value != books and len(self.broken) < 5:
            self.broken.append(f"event {told.seq}: {tray.value} in the tray, {books} in the books")

    def at_rest(self) -> None:
        """Whether the table knows the tray as it truly is."""
        truth, known = self.table.devices.mat.lying(0), self.table.runtime.table.money.picture().get(0, [])
        if truth != set(known):
            self.broken.append(f"the tray holds {len(truth)} chips, the table knows {len(known)} others or fewer")


def _matters(effect: AnyEffect) -> bool:
    match effect:
        case Alarmed(code=code):
            return code.partition(":")[0] in WATCHED
        case Announced(code=code):
            return code == "out_of_turn"
        case Noted(what=what):
            return what in ("late_change", "mispayment", "float_unexplained")
        case Refused(code=code):
            return code in ("mispaid", "not_clear", "late", "not_legal")
    return False


def judge(game: str, wrongs: list[Done], said: list[Said], rounds_at: list[int]) -> tuple[list[Line], list[str]]:
    """Which wrongs were found in time, and what was said in rounds in which nobody did anything wrong."""
    signs = SIGNS[game]
    lines = {wrong: Line(wrong, how=sign.how, within_s=sign.within_s) for wrong, sign in signs.items()}
    unseen = {PUSHED: AT_POKER[PUSHED]} if game == "poker" else {wrong: CANNOT_BE_SEEN[wrong] for wrong in UNSEEN}
    lines |= {wrong: Line(wrong, why_not=why) for wrong, why in unseen.items()}
    guilty: list[tuple[int, int]] = []
    for done in wrongs:
        later = [at for at in rounds_at if at > done.at]
        guilty.append((done.at, later[WITHIN_ROUNDS - 1] if len(later) >= WITHIN_ROUNDS else 1 << 62))
        line = lines[done.kind]
        line.done += 1
        if done.kind not in signs:
            continue
        sign = signs[done.kind]
        until = done.at + 1000 * sign.within_s
        told = next((one for one in said if done.at <= one.at <= until and sign.matches(done, one.effect)), None)
        if told is not None:
            done.found_at = told.at
            line.found += 1
            line.longest_ms = max(line.longest_ms, told.at - done.at)
    without_cause = [one for one in said if not any(begin <= one.at < end for begin, end in guilty)]
    return list(lines.values()), [f"{one.at}: {msgspec.to_builtins(one.effect)}" for one in without_cause]


def prove(
    rounds: int,
    seed: int = 1,
    *,
    game: str = "wheel",
    rulebook: str = "melbourne-wheel",
    misses_per_minute: float = 0.0,
    often: float = 0.5,
) -> Proof:
    """Play so many rounds, in about half of which somebody does something wrong."""
    clock = VirtualClock()
    habits = HONEST[game]
    if game != "poker":
        habits = msgspec.structs.replace(habits, wrong=often, wrongs=(*SIGNS[game], *UNSEEN))
    with tempfile.TemporaryDirectory(prefix="tablectl-") as scratch:
        config: TableConfig = default_config(game, rulebook=rulebook)
        table = SimulatedTable(config, Path(scratch) / "proof.sqlite", clock, seed, habits=habits)
        table.devices.mat.misses(misses_per_minute)
        court = _Court(table)
        mischief = _poker_mischief(table, seed, often) if game == "poker" else table.people.mischief
        began: list[int] = []
        table.runtime.watchers.append(lambda told: began.append(told.at) if _begins(game, told) else None)
        table.start()
        for _ in range(rounds):
            before = len(began)
            clock.run_until(lambda: len(began) > before, ROUND_DEADLINE_S)  # noqa: B023 - called before the next pass
        table.people.stand_back(True)
        clock.run_for(60.0)
        court.at_rest()
        table.stop()
    lines, false_alarms = judge(game, mischief.done, court.said, began)
    tried = (*UNSEEN, *SIGNS[game], PUSHED, "equal exchange")
    never = AT_POKER if game == "poker" else CANNOT_BE_SEEN
    rest = {wrong: why for wrong, why in never.items() if wrong not in tried}
    return Proof(rulebook, rounds, lines, rest, false_alarms, court.broken)


def _poker_mischief(table: SimulatedTable, seed: int, often: float) -> PokerMischief:
    made = PokerMischief(table.clock, table.people, table.devices.mat, seed, tuple(SIGNS["poker"]), often)

    def watch(told: Told) -> None:
        for effect in told.effects:
            if isinstance(effect, Moved) and effect.machine != "life":
                made.entered(effect.dest)

    table.runtime.watchers.append(watch)
    return made


def _begins(game: str, told: Told) -> bool:
    return any(isinstance(one, Moved) and one.dest == BEGINS[game] and one.machine != "life" for one in told.effects)
