"""What walks have reached, beside what is declared at the tables they were over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from controller import games
from controller.build import build_table
from controller.config.types import TableConfig
from controller.core import table_keys
from controller.core.effects import Moved
from lab.explore.found import Found
from lab.explore.table import NOT_PRESSED, ExploredTable

IN_VAIN = "key offered and always refused"
SURELY_REFUSED = 100
"""A key refused to those who may in so many walks, and never taken in any, is offered in vain.

The keys that are hardest to fill in rightly are taken in one walk of fifteen that try them, so that bad luck alone has
one of them refused so often less than once in nine hundred times.
"""
SOME = 2
"""What is new is tried so many times as often as what is well known."""
REFUSED_WEIGHS = 10
"""So many refusals count as one time taken."""
GOAL = 100
"""So often a campaign reaches each key, answer, row and alarm before it has said much about it."""


class Coverage(msgspec.Struct):
    """What walks have reached, with counts; kept in a file, so that a campaign goes on where it stopped."""

    game: str = ""
    rulebook: str = ""
    seed: int = 1
    walks: int = 0
    keys: dict[str, list[int]] = {}
    answers: dict[str, list[int]] = {}
    rows: dict[str, int] = {}
    alarms: dict[str, int] = {}
    findings: dict[str, int] = {}
    states: dict[str, list[int]] = {}
    """Walks by the state of the code they were over, and how many of them showed something."""

    def over(self, state: str, found: bool) -> None:
        """One walk more over this state of the code."""
        counted = self.states.setdefault(state, [0, 0])
        counted[0] += 1
        counted[1] += found

    def take(self, table: ExploredTable) -> None:
        """Count what one walk has reached; of keys and answers, in how many walks they were taken and refused."""
        for key, taken in set(table.pressed):
            self.keys.setdefault(key, [0, 0])[not taken] += 1
        for answer, taken in set(table.answered):
            self.answers.setdefault(answer, [0, 0])[not taken] += 1
        for effect in (effect for row in table.rows for effect in row.effects):
            if isinstance(effect, Moved):
                name = f"{effect.machine}: {effect.source} -{effect.trigger}-> {effect.dest}"
                self.rows[name] = self.rows.get(name, 0) + 1
        for kind in table.alarmed:
            self.alarms[kind] = self.alarms.get(kind, 0) + 1

    def seldom(self, kind: str, name: str) -> float:
        """How much a key or an answer is worth trying: the less the more often it was taken, or refused."""
        counted = self.keys if kind == "keys" else self.answers
        taken, refused = counted.get(name, (0, 0))
        return 1 / (SOME + min(taken, GOAL) + refused / REFUSED_WEIGHS)

    def in_vain(self) -> list[Found]:
        """Keys that were offered and never taken."""
        return [
            Found(f"{IN_VAIN}: {key}", f"in {refused} walks")
            for key, (taken, refused) in sorted(self.keys.items())
            if not taken and refused >= SURELY_REFUSED
        ]

    def times(self) -> dict[str, dict[str, int]]:
        """How often each was reached: keys and answers taken, rows by where they begin and what happens, alarms."""
        rows: Counter[str] = Counter()
        for name, count in self.rows.items():
            rows[name.partition("->")[0]] += count
        return {
            "keys": {name: taken for name, (taken, _) in self.keys.items()},
            "answers": {name: taken for name, (taken, _) in self.answers.items()},
            "rows": dict(rows),
            "alarms": self.alarms,
        }

    def short_of(self, declared: dict[str, set[str]], goal: int = GOAL) -> dict[str, dict[str, int]]:
        """What is declared at these tables and was reached less often than that."""
        times = self.times()
        return {
            kind: {name: count for name in sorted(names) if (count := times[kind].get(name, 0)) < goal}
            for kind, names in declared.items()
        }


def declared_at(tables: Iterable[TableConfig]) -> dict[str, set[str]]:
    """Every key, answer, row and alarm of these tables."""
    found: dict[str, set[str]] = {"keys": set(), "answers": set(), "rows": set(), "alarms": set()}
    for config in tables:
        table = build_table(config)
        course = games.find(config.table.game).course()
        found["keys"] |= {*table.keys, *table.game.keys, *table_keys.told_by_hand(table)} - NOT_PRESSED
        for question in table.game.questions:
            found["answers"] |= {f"{question.subject}={answer.answer}" for answer in question.answers}
        for row in course.rows:
            sources = (row.source,) if isinstance(row.source, str) else row.source
            found["rows"] |= {f"{table.game.machine.name}: {source} -{row.trigger}" for source in sources}
        for kinds, _ in table.alarms():
            found["alarms"] |= {kind.code for kind in kinds}
    return found
