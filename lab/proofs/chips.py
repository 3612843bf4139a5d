"""Proof that money cannot go astray unseen: random play with theft, late bets, wrong payments, false chips, poor reads.

The people who do wrong own up to it, and the antennas' picture can be held against what truly lies on the felt.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec

from controller.config.types import TableConfig
from controller.core.effects import Alarmed, AnyEffect, Moved, Noted, Refused
from controller.core.runtime import Told
from controller.money.payment import NOT_DETECTABLE
from firmware_specs.clock import VirtualClock
from lab.proofs.chip_signs import SIGNS
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable
from simulators.people import war, wheel
from simulators.people.mischief import UNSEEN, Done

ROUND_DEADLINE_S = 900.0
WITHIN_ROUNDS = 2
"""A wrong is found before the round after next begins, or it is not found."""
CANNOT_BE_SEEN = {
    **NOT_DETECTABLE,
    "equal exchange before the close": "players may change their wagers until no more bets; the value is the same",
    "stake lifted before the close": "players may lift wagers until no more bets; cash chips do not say whose they are",
}


class Said(msgspec.Struct, frozen=True):
    """Something the table said that may be about a wrong."""

    at: int
    effect: AnyEffect


WATCHED = frozenset({"float", "take_and_pay", "late_change", "float_short", "past_post", "moved", "cloned", "foreign"})
"""Alarms that accuse somebody."""
HONEST: dict[str, Any] = {
    "wheel": wheel.Habits(late_bet=0.0, forgets_no_more_bets=0.0, weak_push=0.0, touches_wheel=0.0, under_minimum=0.0),
    "war": war.Habits(late_bet=0.0, under_minimum=0.0, over_maximum=0.0, surplus=0.0, silent=0.0),
}
BEGINS = {"wheel": "betting_open", "war": "betting"}
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

    def text(self) -> str:
        """As a table for people."""
        rows = [("wrong", "done", "found", "longest", "within", "how it is told, or why it cannot be")]
        for line in self.lines:
            longest = f"{line.longest_ms / 1000:.1f} s" if line.found else ""
            within = f"{line.within_s:.0f} s" if line.within_s else ""
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
                "not detectable by chips alone, and not tried:",
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
        strays = sum(one.cents for one in tray.came.values()) - sum(one.cents for one in tray.out.values())
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
        case Noted(what=what):
            return what in ("late_change", "mispayment")
        case Refused(code=code):
            return code in ("mispaid", "not_clear", "late")
    return False


def judge(game: str, wrongs: list[Done], said: list[Said], rounds_at: list[int]) -> tuple[list[Line], list[str]]:
    """Which wrongs were found in time, and what was said in rounds in which nobody did anything wrong."""
    signs = SIGNS[game]
    lines = {wrong: Line(wrong, how=sign.how, within_s=sign.within_s) for wrong, sign in signs.items()}
    lines |= {wrong: Line(wrong, why_not=CANNOT_BE_SEEN[wrong]) for wrong in UNSEEN}
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
    habits = msgspec.structs.replace(HONEST[game], wrong=often, wrongs=(*SIGNS[game], *UNSEEN))
    with tempfile.TemporaryDirectory(prefix="tablectl-") as scratch:
        config: TableConfig = default_config(game, rulebook=rulebook)
        table = SimulatedTable(config, Path(scratch) / "proof.sqlite", clock, seed, habits=habits)
        table.devices.mat.misses(misses_per_minute)
        court = _Court(table)
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
    lines, false_alarms = judge(game, table.people.mischief.done, court.said, began)
    tried = (*UNSEEN, *SIGNS[game], "equal exchange")
    rest = {wrong: why for wrong, why in CANNOT_BE_SEEN.items() if wrong not in tried}
    return Proof(rulebook, rounds, lines, rest, false_alarms, court.broken)


def _begins(game: str, told: Told) -> bool:
    return any(isinstance(one, Moved) and one.dest == BEGINS[game] and one.machine != "life" for one in told.effects)
