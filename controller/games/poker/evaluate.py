"""Values hands: best five of up to seven, exactly two and three in Omaha, and the eight-or-better low.

A hand is a number with one bit a card. Four tables over the thirteen ranks of a suit answer everything else.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from controller.games.poker.cards import BIT

SUIT: Final = 0x1FFF
NO_PAIR, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL = range(10)
NAMES: Final = (
    "no pair",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
_CATEGORY: Final = 21
_FIRST: Final = 17
_SECOND: Final = 13
_WHEEL: Final = 0b1_0000_0000_1111


def _highest(count: int, fewer: array[int] | None) -> array[int]:
    """For every set of ranks, its `count` highest ones."""
    table = array("H", bytes(2 * (SUIT + 1)))
    for ranks in range(1, SUIT + 1):
        top = 1 << (ranks.bit_length() - 1)
        table[ranks] = top | fewer[ranks ^ top] if fewer is not None else top
    return table


def _straights() -> array[int]:
    """For every set of ranks, the top rank of its best run of five plus one, or 0 (3.2.2(f))."""
    table = array("B", bytes(SUIT + 1))
    runs = [(0b11111 << low, low + 5) for low in range(8, -1, -1)]
    runs.append((_WHEEL, 4))  # the ace below the two, the lowest run
    for ranks in range(SUIT + 1):
        for run, top in runs:
            if ranks & run == run:
                table[ranks] = top
                break
    return table


_TOP1 = _highest(1, None)
_TOP2 = _highest(2, _TOP1)
_TOP3 = _highest(3, _TOP2)
_TOP5 = _highest(5, _highest(4, _TOP3))
_RUN = _straights()


def _suited() -> array[int]:
    """The value of the ranks of one suit: a flush, a run in it, or 0 for fewer than five (3.2.2(a), (b), (e))."""
    table = array("I", bytes(4 * (SUIT + 1)))
    for ranks in range(SUIT + 1):
        if ranks.bit_count() < 5:
            continue
        run = _RUN[ranks]
        if not run:
            table[ranks] = FLUSH << _CATEGORY | _TOP5[ranks]
        elif run == 13:
            table[ranks] = ROYAL << _CATEGORY
        else:
            table[ranks] = STRAIGHT_FLUSH << _CATEGORY | run << _FIRST
    return table


def _unpaired() -> array[int]:
    """The value of ranks that are all different: a run or the five highest (3.2.2(f), (j))."""
    table = array("I", bytes(4 * (SUIT + 1)))
    for ranks in range(SUIT + 1):
        run = _RUN[ranks]
        table[ranks] = STRAIGHT << _CATEGORY | run << _FIRST if run else _TOP5[ranks]
    return table


def _lows() -> array[int]:
    """For every set of the ranks ace to eight, its five lowest, or 0 for fewer (3.2.2(j) [second])."""
    table = array("B", bytes(256))
    for ranks in range(256):
        five, rest = 0, ranks
        while rest and five.bit_count() < 5:
            five |= rest & -rest
            rest &= rest - 1
        table[ranks] = five if five.bit_count() == 5 else 0
    return table


_SUITED = _suited()
_UNPAIRED = _unpaired()
_LOW = _lows()


def high_value(mask: int) -> int:
    """The value of the best five of these five to seven cards; a higher number wins, equal numbers tie."""
    clubs = mask & SUIT
    diamonds = mask >> 13 & SUIT
    hearts = mask >> 26 & SUIT
    spades = mask >> 39
    # Seven cards with five of one suit can hold neither quads nor a full house, so a flush is final.
    suited = _SUITED[clubs] or _SUITED[diamonds] or _SUITED[hearts] or _SUITED[spades]
    if suited:
        return suited
    minor, major = clubs | diamonds, hearts | spades
    both_minor, both_major = clubs & diamonds, hearts & spades
    ranks = minor | major
    paired = both_minor | both_major | minor & major
    if not paired or _RUN[ranks]:
        return _UNPAIRED[ranks]
    four = both_minor & both_major
    if four:
        return QUADS << _CATEGORY | four.bit_length() << _FIRST | _TOP1[ranks ^ four]
    three = both_minor & major | both_major & minor
    if three:
        top = three.bit_length()
        others = paired ^ 1 << top - 1
        if others:
            return FULL_HOUSE << _CATEGORY | top << _FIRST | others.bit_length() << _SECOND
        return TRIPS << _CATEGORY | top << _FIRST | _TOP2[ranks ^ three]
    top = paired.bit_length()
    others = paired ^ 1 << top - 1
    if others:
        second = others.bit_length()
        rest = ranks ^ 1 << top - 1 ^ 1 << second - 1
        return TWO_PAIR << _CATEGORY | top << _FIRST | second << _SECOND | _TOP1[rest]
    return PAIR << _CATEGORY | top << _FIRST | _TOP3[ranks ^ paired]


def low_ranks(mask: int) -> int:
    """The ranks ace to eight among these cards, a bit each, the ace lowest."""
    ranks = mask & SUIT | mask >> 13 & SUIT | mask >> 26 & SUIT | mask >> 39
    return (ranks & 0x7F) << 1 | ranks >> 12


def low_value(mask: int) -> int:
    """The best eight-or-better low of these cards; a lower number wins, 0 means none."""
    return _LOW[low_ranks(mask)]


def omaha_high(hole: Sequence[int], board: Sequence[int]) -> int:
    """The best high hand of exactly two hole cards and three of the board (8.20.4(c), (d)(i))."""
    triples = [a | b | c for a, b, c in combinations(board, 3)]
    best = 0
    for one, two in combinations(hole, 2):
        pair = one | two
        for triple in triples:
            value = high_value(pair | triple)
            if value > best:
                best = value
    return best


def omaha_low(hole: Sequence[int], board: Sequence[int]) -> int:
    """The best low of exactly two hole cards and three of the board, or 0 (8.20.4(d)(ii))."""
    triples = [low for low in map(low_ranks, (a | b | c for a, b, c in combinations(board, 3))) if low.bit_count() == 3]
    best = 0
    if not triples:
        return 0
    for one, two in combinations(hole, 2):
        pair = low_ranks(one | two)
        for triple in triples:
            value = _LOW[pair | triple]
            if value and (not best or value < best):
                best = value
    return best


def hand_values(hole: Sequence[str], board: Sequence[str], *, omaha: bool, hilo: bool) -> tuple[int, int]:
    """The high and the low value of a tabled hand; low is 0 in a game without it or when none qualifies."""
    hole_bits = [BIT[card] for card in hole]
    board_bits = [BIT[card] for card in board]
    if omaha:
        return omaha_high(hole_bits, board_bits), omaha_low(hole_bits, board_bits) if hilo else 0
    mask = 0
    for bit in hole_bits:
        mask |= bit
    for bit in board_bits:
        mask |= bit
    return high_value(mask), low_value(mask) if hilo else 0


def category(value: int) -> int:
    """Which of the ten kinds of hand a high value is."""
    return value >> _CATEGORY


def least_value(name: str) -> int:
    """The lowest high value of a kind of hand, by its name; ValueError when there is none of this name."""
    return NAMES.index(name) << _CATEGORY


def describe(value: int) -> str:
    """What the dealer announces of a high value."""
    return NAMES[value >> _CATEGORY]
