"""Where the wheel has come to rest, counted for the pit's screen and for the day's report."""

from __future__ import annotations

from typing import Any

import msgspec

from drivers.motion.fairness import Fairness, Landed, landing_of
from drivers.wheel import WheelRested


def shown(judged: Fairness, ring: tuple[str, ...]) -> dict[str, Any]:
    """For people: spins by compartment, how many were due in each, and what that says."""
    return {
        "spins": judged.spins,
        "counts": list(judged.counts),
        "symbols": list(ring),
        "due": round(judged.spins / len(ring), 2),
        "uneven": judged.uneven,
        "text": judged.text(),
    }


class DaysLandings:
    """The landings of a gaming day."""

    def __init__(self, ring: tuple[str, ...]) -> None:
        self._ring = ring
        self._landed = Landed()

    def take(self, event: msgspec.Struct, dealer: str) -> None:
        """An event of the day, and who was dealing."""
        if isinstance(event, WheelRested) and (landing := landing_of(event.verdict, dealer)) is not None:
            self._landed.add(landing)

    def told(self) -> dict[str, Any]:
        """All of them."""
        return shown(self._landed.judged(), self._ring)
