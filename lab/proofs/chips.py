"""Proof that money cannot go astray unseen: random play with theft, late bets, wrong payments, false chips, poor reads.

The people who do wrong own up to it, and the antennas' picture can be held against what truly lies on the felt.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from controller.config.types import TableConfig
from controller.core.effects import Alarmed, AnyEffect, Noted, Refused
from controller.core.runtime import Told
from controller.money.payment import NOT_DETECTABLE
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable
from simulators.people.mischief import UNSEEN, WRONGS, Done
from simulators.people.wheel import Habits

ROUND_DEADLINE_S = 900.0
WITHIN_ROUNDS = 2
"""A wrong is found before the round after next begins, or it is not found."""
CANNOT_BE_SEEN = {
    **NOT_DETECTABLE,
    "equal exchange before the close": "players may change their wagers until no more bets; the value is the same",
    "stake lifted before the close": "players may lift wagers until no more bets; cash chips do not say whose they are",
}


class Sign(msgspec.Struct, frozen=True):
    """Something the table said that may be about a wrong."""

    at: int
    effect: AnyEffect


def _alarm(code: str, words: str = "") -> Callable[[Done, AnyEffect], bool]:
    def told(done: Done, effect: AnyEffect) -> bool:
        return isinstance(effect, Alarmed) and effect.code == code and words in effect.text

    return told


def _chip_alarm(code: str) -> Callable[[Done, AnyEffect], bool]:
    def told(done: Done, effect: AnyEffect) -> bool:
        return isinstance(effect, Alarmed) and effect.code in [f"{code}:{tag}" for tag in done.tags]

    return told


def _float(words: str) -> Callable[[Done, AnyEffect], bool]:
    def told(done: Done, effect: AnyEffect) -> bool:
        named = any(f"tag {tag:x}" in effect.text for tag in done.tags) if isinstance(effect, Alarmed) else False
        return isinstance(effect, Alarmed) and effect.code == "float" and words in effect.text and named

    return told


def _late(*kinds: str) -> Callable[[Done, AnyEffect], bool]:
    def told(done: Done, effect: AnyEffect) -> bool:
        if not isinstance(effect, Noted) or effect.what != "late_change" or effect.facts["kind"] not in kinds:
            return False
        return effect.facts["tag"] in done.tags or effect.facts["instead"] in done.tags

    return told


def _mispaid(*kinds: str) -> Callable[[Done, AnyEffect], bool]:
    def told(done: Done, effect: AnyEffect) -> bool:
        if not isinstance(effect, Noted) or effect.what != "mispayment":
            return False
        facts = effect.facts
        return facts["area"] == done.area and facts["kind"] in kinds and abs(facts["cents"]) == done.cents

    return told


def _refused(code: str) -> Callable[[Done, AnyEffect], bool]:
    return lambda done, effect: isinstance(effect, Refused) and effect.code == code


SIGNS: dict[str, tuple[str, Callable[[Done, AnyEffect], bool]]] = {
    "theft from the float": ("alarm: missing from the float, with the tag", _float("missing")),
    "chips slipped into the float": ("alarm: too much in the float, with the tag", _float("too much")),
    "chips handed out of the float unbooked": ("alarm: missing, last seen on the area", _float("missing")),
    "cloned chip": ("alarm: a tag in two places", _chip_alarm("cloned")),
    "unknown chip": ("alarm: not a chip of this table", _chip_alarm("foreign")),
    "late bet": ("late change: added", _late("added", "swapped")),
    "late bet taken back": ("late change: added, then restored", _late("added", "swapped")),
    "stake withdrawn late": ("late change: removed", _late("removed", "swapped")),
    "stake moved late": ("late change: moved", _late("moved")),
    "stake swapped late": ("late change: swapped", _late("swapped")),
    "loser left lying": ("refused: chips still lie there", _refused("not_clear")),
    "loser snatched": ("alarm: taken away, with area and amount", _alarm("take_and_pay", "taken away")),
    "underpaid": ("held: underpaid, to the cent", _mispaid("underpaid")),
    "overpaid": ("held: overpaid, to the cent", _mispaid("overpaid", "paid_twice")),
    "paid twice": ("held: paid twice, to the cent", _mispaid("paid_twice")),
    "paid without a win": ("held: paid without a win", _mispaid("paid_without_win", "overpaid", "not_collected")),
    "paid into the hand": ("held: underpaid, to the cent", _mispaid("underpaid")),
}
WATCHED = frozenset({"float", "take_and_pay", "late_change", "float_short"})


class Line(msgspec.Struct):
    """One kind of wrong: how often it was done and found, and the longest time until then."""

    wrong: str
    done: int = 0
    found: int = 0
    longest_ms: int = 0
    how: str = ""
    why_not: str = ""


class Proof(msgspec.Struct):
    """What came of it."""

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
        rows = [("wrong", "done", "found", "longest", "how it is told, or why it cannot be")]
        for line in self.lines:
            longest = f"{line.longest_ms / 1000:.1f} s" if line.found else ""
            rows.append((line.wrong, str(line.done), str(line.found), longest, line.why_not or line.how))
        widths = [max(len(row[place]) for row in rows) for place in range(4)]
        shown = [
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row[:4], widths, strict=True)) + "  " + row[4]
            for row in rows
        ]
        others = [f"  {wrong}: {why}" for wrong, why in self.undetectable.items()]
        return "\n".join(
            [
                f"{self.rounds} rounds",
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
        self.said: list[Sign] = []
        self.broken: list[str] = []
        table.runtime.watchers.append(self.watch)

    def watch(self, told: Told) -> None:
        self.said += [Sign(told.at, effect) for effect in told.effects if _matters(effect)]
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
            return code in WATCHED or code.startswith(("cloned:", "foreign:"))
        case Noted(what=what):
            return what in ("late_change", "mispayment")
        case Refused(code=code):
            return code in ("mispaid", "not_clear")
    return False


def judge(wrongs: list[Done], said: list[Sign], rounds_at: list[int]) -> tuple[list[Line], list[str]]:
    """Which wrongs were found, and what was said in rounds in which nobody did anything wrong."""
    lines = {wrong: Line(wrong, how=SIGNS[wrong][0]) for wrong in WRONGS}
    lines |= {wrong: Line(wrong, why_not=CANNOT_BE_SEEN[wrong]) for wrong in UNSEEN}
    guilty: list[tuple[int, int]] = []
    for done in wrongs:
        later = [at for at in rounds_at if at > done.at]
        until = later[WITHIN_ROUNDS - 1] if len(later) >= WITHIN_ROUNDS else 1 << 62
        guilty.append((done.at, until))
        line = lines[done.kind]
        line.done += 1
        if done.kind not in SIGNS:
            continue
        matches = SIGNS[done.kind][1]
        sign = next((s for s in said if done.at <= s.at < until and matches(done, s.effect)), None)
        if sign is not None:
            done.found_at = sign.at
            line.found += 1
            line.longest_ms = max(line.longest_ms, sign.at - done.at)
    without_cause = [s for s in said if not any(begin <= s.at < end for begin, end in guilty)]
    return list(lines.values()), [f"{s.at}: {msgspec.to_builtins(s.effect)}" for s in without_cause]


def prove(rounds: int, seed: int = 1, *, misses_per_minute: float = 0.0, often: float = 0.5) -> Proof:
    """Play so many rounds, in about half of which somebody does something wrong."""
    clock = VirtualClock()
    honest = Habits(late_bet=0.0, forgets_no_more_bets=0.0, weak_push=0.0, touches_wheel=0.0, under_minimum=0.0)
    habits = msgspec.structs.replace(honest, wrong=often, wrongs=(*WRONGS, *UNSEEN))
    with tempfile.TemporaryDirectory(prefix="tablectl-") as scratch:
        config: TableConfig = default_config("wheel")
        table = SimulatedTable(config, Path(scratch) / "proof.sqlite", clock, seed, habits=habits)
        table.devices.mat.misses(misses_per_minute)
        court = _Court(table)
        began: list[int] = []
        table.runtime.watchers.append(lambda told: began.append(told.at) if _begins(told) else None)
        table.start()
        for _ in range(rounds):
            before = len(began)
            clock.run_until(lambda: len(began) > before, ROUND_DEADLINE_S)  # noqa: B023 - called before the next pass
        table.people.stand_back(True)
        clock.run_for(60.0)
        court.at_rest()
        table.stop()
    lines, false_alarms = judge(table.people.mischief.done, court.said, began)
    if misses_per_minute:
        # A chip that the antennas lose for a moment looks like one that was lifted and put back.
        false_alarms = [one for one in false_alarms if "late_change" not in one and "late change" not in one]
    tried = (*UNSEEN, *WRONGS, "equal exchange")
    rest = {wrong: why for wrong, why in CANNOT_BE_SEEN.items() if wrong not in tried}
    return Proof(rounds, lines, rest, false_alarms, court.broken)


def _begins(told: Told) -> bool:
    event: Any = told.event
    return getattr(event, "name", "") == "place_bets" and not any(isinstance(e, Refused) for e in told.effects)
