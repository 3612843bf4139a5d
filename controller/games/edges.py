"""What a wager is worth in the long run, whatever the game."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Edge(NamedTuple):
    """The expectation of one unit on a wager, exact; `way` tells how it is played or which odds hold."""

    wager: str
    way: str
    stage: str
    expectation: Fraction
    clauses: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """The fraction in two whole numbers, and as a decimal for people."""
        return {
            "wager": self.wager,
            "way": self.way,
            "stage": self.stage,
            "numerator": self.expectation.numerator,
            "denominator": self.expectation.denominator,
            "expectation": float(self.expectation),
            "clauses": list(self.clauses),
        }
