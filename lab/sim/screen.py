"""The table as people at a simulated one see it and press its keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from controller.config.types import TableConfig
from controller.core.runtime import Runtime
from controller.people import Person
from simulators.people.table import Due, Question


class DealerScreen:
    """The dealer's screen; one member of staff of each rank is at hand."""

    def __init__(self, runtime: Runtime, config: TableConfig) -> None:
        self.runtime = runtime
        ladder = runtime.table.house.rulebook
        self._staff = {ladder.level(person.rank): person.id for person in reversed(config.staff)}

    def life(self) -> str:
        return self.runtime.table.state.life

    def state(self) -> str:
        return self.runtime.table.game.machine.state

    def questions(self) -> list[Question]:
        return [
            Question(
                asked.prompt,
                asked.subject,
                asked.proposal,
                tuple((option.answer, option.rank, option.needs_reason) for option in asked.options),
            )
            for asked in self.runtime.table.state.desk.prompts.values()
        ]

    def dues(self) -> list[Due]:
        results = self.runtime.table.game.view()["results"]
        return [msgspec.convert(result, Due) for result in results]

    def press(self, key: str, rank: int, args: Mapping[str, Any] | None = None) -> None:
        self.runtime.command(key, Person(self._staff.get(rank, f"rank{rank}"), rank), args)
