"""The one spin of a calibration that is unlike all others: somebody touched it, and nothing is learnt from it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import median
from typing import TypeVar

FAR = 5.0  # times the straying of all others: this one would widen what is held to be natural
FEWEST = 9  # others, below which none can be called alike

_T = TypeVar("_T")


def alone(values: Sequence[float]) -> int | None:
    """Which one lies far from what the others are without it; None where none does, or too few say so."""
    if len(values) <= FEWEST:
        return None
    middle = median(values)
    furthest = max(range(len(values)), key=lambda n: abs(values[n] - middle))
    others = without(values, furthest)
    mean = sum(others) / len(others)
    sigma = sqrt(sum((value - mean) ** 2 for value in others) / len(others))
    return furthest if abs(values[furthest] - mean) > FAR * sigma else None


def without(values: Sequence[_T], left_out: int) -> list[_T]:
    """All others."""
    return [value for n, value in enumerate(values) if n != left_out]
