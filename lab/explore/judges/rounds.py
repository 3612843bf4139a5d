"""Whether an answer decides the round that it was asked about, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from controller.core.effects import Asked, Moved, Ruled, Settled
from lab.explore.found import Found
from lab.explore.judges import Seen

if TYPE_CHECKING:
    from lab.explore.table import ExploredTable

ENDS = frozenset({"voided", "cancel"})
"""Moves of a round's machine that end it without a result."""


class OwnRound:
    """Remembers when each question was asked."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}

    def look(self, table: ExploredTable, seen: Seen) -> Iterator[Found]:
        for effect in seen.row.effects:
            if isinstance(effect, Asked):
                self._asked[effect.prompt] = table.rounds
            elif isinstance(effect, Ruled) and self._asked.get(effect.prompt, seen.rounds) < seen.rounds:
                yield from _another(effect, seen)


def _another(ruled: Ruled, seen: Seen) -> Iterator[Found]:
    kind = ruled.subject.partition(":")[0]
    for effect in seen.row.effects:
        ended = isinstance(effect, Moved) and effect.trigger in ENDS
        voided = isinstance(effect, Settled) and any(result.result == "void" for result in effect.results)
        if ended or voided:
            yield Found(f"an answer about an earlier round voids this one: {kind}", f"{ruled.answer}: {effect}")
