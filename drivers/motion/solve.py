"""Least squares without a library: rows with few entries, a ridge, Gauss."""

from __future__ import annotations

from collections.abc import Sequence


class Squares:
    """Normal equations, gathered row by row."""

    def __init__(self, unknowns: int, ridge: float = 1e-9) -> None:
        self.matrix = [[ridge if i == j else 0.0 for j in range(unknowns + 1)] for i in range(unknowns)]
        self.rows = 0

    def add(self, entries: Sequence[tuple[int, float]], right: float, weight: float = 1.0) -> None:
        """One equation: the entries times their unknowns are `right`."""
        matrix = self.matrix
        for i, value in entries:
            row = matrix[i]
            scaled = weight * value
            for j, other in entries:
                row[j] += scaled * other
            row[-1] += scaled * right
        self.rows += 1

    def join(self, other: Squares) -> None:
        """The equations of both."""
        self.matrix = [
            [x + y for x, y in zip(a, b, strict=True)] for a, b in zip(self.matrix, other.matrix, strict=True)
        ]
        self.rows += other.rows

    def solved(self) -> list[float] | None:
        """The unknowns; None when the rows do not tell them apart."""
        m = [row[:] for row in self.matrix]
        size = len(m)
        for i in range(size):
            pivot = max(range(i, size), key=lambda r: abs(m[r][i]))
            m[i], m[pivot] = m[pivot], m[i]
            if abs(m[i][i]) < 1e-12:
                return None
            for r in range(size):
                if r != i and m[r][i]:
                    factor = m[r][i] / m[i][i]
                    m[r] = [x - factor * y for x, y in zip(m[r], m[i], strict=True)]
        return [m[i][size] / m[i][i] for i in range(size)]
