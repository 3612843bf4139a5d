"""A shift of poker played by a clumsy crew, and every chip of it counted."""

from __future__ import annotations

import msgspec

from controller.config.tomlread import Cents
from controller.config.types import TableConfig
from controller.core.effects import Noted, Refused, Settled
from controller.core.runtime import Told
from controller.games.poker.config import PokerSection, RakeSection
from lab.sim.config import default_config
from simulators.people.poker_habits import Habits

CLUMSY = Habits(6, 0.4, 0.2, 0.15, 0.15, 0.15, 0.15, 0.2, 0.2, 0.2)
"""People who deal to wrong seats, forget burns, turn cards early, show cards, act out of turn."""


def spread(game: str, structure: str = "no_limit", **more: object) -> TableConfig:
    base = default_config("poker")
    levels = tuple(Cents(level) for level in (500, 500, 1_000, 1_000)) if structure == "fixed" else ()
    poker = PokerSection(
        game=game,  # type: ignore[arg-type]
        structure=structure,  # type: ignore[arg-type]
        blinds=(Cents(250), Cents(500)),
        levels=levels,
        most=Cents(2_000) if structure == "spread" else None,
        least_buy_in=Cents(10_000),
        rake=RakeSection("percentage", 5, Cents(1_000)),
        side_wagers=True,
        **more,  # type: ignore[arg-type]
    )
    return msgspec.structs.replace(base, play=poker)


class Ledger:
    """Every chip that came to the table and left it, from what the table concluded."""

    def __init__(self) -> None:
        self.bought = self.house = 0
        self.settled: list[Settled] = []
        self.refused: list[Refused] = []
        self.errors: list[str] = []

    def watch(self, told: Told) -> None:
        for effect in told.effects:
            match effect:
                case Noted(what="sat_down" | "chips_added", facts=facts):
                    self.bought += facts["amount"]
                case Noted(what="hand_over", facts=facts):
                    self.house += facts["rake"] + facts["fees"] + facts["side"]
                case Settled():
                    self.settled.append(effect)
                case Refused():
                    self.refused.append(effect)
