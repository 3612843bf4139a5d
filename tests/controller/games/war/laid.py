"""Stakes as values, for tests of what they come to."""

from __future__ import annotations

from typing import Any

from controller.games.war.state import Stake


def stake(
    amount: int, zone: str = "main", *, player: str = "Ann", box: int = 1, counted: int | None = None, **more: Any
) -> Stake:
    return Stake("w", player, box, zone, amount, counted=amount if counted is None else counted, **more)
