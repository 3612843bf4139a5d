"""Calibration of the very end: what every part of a gap between pegs adds to a slow wheel's speed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import median

import msgspec

from drivers.motion.approach import UNKNOWN, WEIGHTS, Stretch, unexplained
from drivers.motion.profile import SLOW_PARTS, Slowing
from drivers.motion.solve import Squares

FOLDS = 3  # every third spin is held against what the others say
FEWEST = 4  # spins that must have passed a part before it is known
SMOOTH = 1e-4  # how strongly neighbouring parts are held alike
DOUBT = 5  # spins that stray as the more uneven parts do, for what few spins do not tell
UNEVEN = 0.8  # of the parts stray less than those
STEADIEST = 0.04  # compartments/s; no wheel is trusted to be read better than this
MOST = 16.0  # times the middling squared straying: what one spin may say of a part
_PARTS = range(2 * SLOW_PARTS)


class Slow(msgspec.Struct, frozen=True, gc=False):
    """The end of one spin: its stretches, and its own friction against the wheel's."""

    stretches: list[Stretch]
    share: float


def slowing_of(spins: Sequence[Slow]) -> tuple[Slowing, list[float]]:
    """What these spins say of each part, and how strange each of them is by what the others say."""
    passed = Counter(part for spin in spins for part in {p for s in spin.stretches for pair in s.parts for p in pair})
    known = tuple(float(passed[part] >= FEWEST) for part in _PARTS)
    index = {part: n for n, part in enumerate(sorted(passed))}
    folds = [_equations(spins[fold::FOLDS], index) for fold in range(FOLDS)]
    everything = _solved(folds, index)
    others = [Slowing(_solved(folds[:n] + folds[n + 1 :], index), known) for n in range(FOLDS)]
    strays = _strays([_squares(spin, others[n % FOLDS]) for n, spin in enumerate(spins)], known)
    strange = [
        max((gained / sigma for gained, sigma in _held(spin, Slowing(others[n % FOLDS].adds, strays))), default=0.0)
        for n, spin in enumerate(spins)
    ]
    return Slowing(everything, strays), [max(value, 0.0) for value in strange]


def _equations(spins: Sequence[Slow], index: Mapping[int, int]) -> Squares:
    squares = Squares(len(index))
    for spin in spins:
        for stretch in spin.stretches:
            entries: dict[int, float] = {}
            for weight, pair in zip(WEIGHTS, stretch.parts, strict=True):
                for part in pair:
                    entries[index[part]] = entries.get(index[part], 0.0) + weight * spin.share / 2
            squares.add(list(entries.items()), stretch.gained)
    return squares


def _solved(folds: Sequence[Squares], index: Mapping[int, int]) -> tuple[float, ...]:
    """By least squares, leaning on neighbouring parts doing alike."""
    squares = Squares(len(index))
    for fold in folds:
        squares.join(fold)
    alike = SMOOTH * squares.rows / SLOW_PARTS
    for part, n in index.items():
        beside = index.get(part // SLOW_PARTS * SLOW_PARTS + (part + 1) % SLOW_PARTS)
        if beside is not None:
            squares.add([(n, 1.0), (beside, -1.0)], 0.0, alike)
    found = squares.solved() or [0.0] * len(index)
    return tuple(round(found[index[part]], 2) if part in index else 0.0 for part in _PARTS)


def _held(spin: Slow, slowing: Slowing) -> list[tuple[float, float]]:
    return [unexplained(stretch, slowing, spin.share) for stretch in spin.stretches]


def _squares(spin: Slow, slowing: Slowing) -> dict[int, float]:
    """The mean squared straying of one spin at each part, by what other spins say."""
    seen: dict[int, list[float]] = {}
    for stretch, (gained, sigma) in zip(spin.stretches, _held(spin, slowing), strict=True):
        if sigma != UNKNOWN:
            seen.setdefault(stretch.parts[len(WEIGHTS) // 2][0], []).append((gained / sigma) ** 2)
    return {part: sum(values) / len(values) for part, values in seen.items()}


def _strays(spins: Sequence[Mapping[int, float]], known: Sequence[float]) -> tuple[float, ...]:
    """How far each known part strays, with its neighbours; one spin says little of it, few spins leave doubt."""
    seen = [[spin[part] for spin in spins if part in spin] for part in _PARTS]
    capped = [[min(value, MOST * median(values)) for value in values] for values in seen]
    means = sorted(sum(values) / len(values) for values in capped if values)
    usual = means[int(UNEVEN * (len(means) - 1))] if means else UNKNOWN**2

    def one(part: int) -> float:
        way = part // SLOW_PARTS * SLOW_PARTS
        near = [value for step in (-1, 0, 1) for value in capped[way + (part + step) % SLOW_PARTS]]
        return max(sqrt((sum(near) + DOUBT * usual) / (len(near) + DOUBT)), STEADIEST)

    return tuple(round(one(part), 4) if known[part] else 0.0 for part in _PARTS)
