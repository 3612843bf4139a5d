"""What hands are worth, held against a second and slower way of finding out."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from controller.games.poker import evaluate
from controller.games.poker.cards import BIT, DECK, RANKS
from controller.games.poker.evaluate import hand_values, high_value, low_value
from tests.controller.games.poker.seen import clause

# -- what a hand is worth ---------------------------------------------------------------------------------------------


def slow_five(cards: tuple[str, ...]) -> tuple[int, ...]:
    """The value of five cards as people work it out."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    shape, order = [count for count, _ in groups], [rank for _, rank in groups]
    flush = len({card[1] for card in cards}) == 1
    top = -1
    if len(set(ranks)) == 5:
        top = ranks[0] if ranks[0] - ranks[4] == 4 else 3 if ranks == [12, 3, 2, 1, 0] else -1
    if flush and top >= 0:
        return (9,) if top == 12 else (8, top)
    if shape[0] == 4:
        return 7, *order
    if shape[:2] == [3, 2]:
        return 6, *order
    if flush:
        return 5, *ranks
    if top >= 0:
        return 4, top
    kind = {(3, 1): 3, (2, 2): 2, (2, 1): 1}.get((shape[0], shape[1]), 0)
    return kind, *order


def slow_low(cards: tuple[str, ...]) -> tuple[int, ...] | None:
    ranks = sorted({(RANKS.index(card[0]) + 1) % 13 for card in cards}, reverse=True)
    return tuple(ranks) if len(ranks) == 5 and ranks[0] <= 7 else None


def mask(cards: tuple[str, ...]) -> int:
    return sum(BIT[card] for card in cards)


def drawn(seed: int, count: int, size: int) -> list[tuple[str, ...]]:
    """Random hands, half of them from few ranks or suits so that strong ones are common."""
    chance = random.Random(seed)
    short = [card for card in DECK if card[0] in "A2345678"]
    suited = [card for card in DECK if card[1] in "sh"]
    few = [card for card in DECK if card[0] in "TJQKA9"]
    runs = [card for card in DECK if card[1] == "s" or card[0] == "7"]
    return [tuple(chance.sample((DECK, short, suited, few, runs)[number % 5], size)) for number in range(count)]


KINDS = ("3.2.1", *(f"3.2.2({letter})" for letter in "abcdefghij"))


@clause(*KINDS)
def test_hands_of_seven_rank_as_their_best_five_do() -> None:
    hands = drawn(11, 160, 7)
    slow = {hand: max(slow_five(five) for five in combinations(hand, 5)) for hand in hands}
    fast = {hand: high_value(mask(hand)) for hand in hands}
    for one, other in zip(hands, sorted(hands, key=lambda hand: slow[hand]), strict=True):
        assert (fast[one] > fast[other]) == (slow[one] > slow[other]), (one, other)
        assert (fast[one] == fast[other]) == (slow[one] == slow[other]), (one, other)
    assert {value[0] for value in slow.values()} >= set(range(9))
    assert all(evaluate.category(fast[hand]) == slow[hand][0] for hand in hands)
    by_slow, by_fast = sorted(hands, key=lambda hand: slow[hand]), sorted(hands, key=lambda hand: fast[hand])
    assert [slow[hand] for hand in by_fast] == [slow[hand] for hand in by_slow]


@clause(*KINDS)
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AsKsQsJsTs", "KsQsJsTs9s"), ("6s5s4s3s2s", "5s4s3s2sAs"), ("5s4s3s2sAs", "AsAhAdAcKs"),
        ("AsAhAdAc3s", "AsAhAdAc2s"), ("2s2h2d2c3s", "AsAhAdKcKs"), ("3s3h3d2c2s", "2s2h2dAcAs"),
        ("3s3h3dAcAs", "3s3h3dKcKs"), ("7s5s4s3s2s", "AsKhQdJcTs"), ("AsKsQsJs9s", "AsKsQsJs8s"),
        ("6h5s4s3s2s", "5h4s3s2sAs"), ("5h4s3s2sAs", "AsAhAdKcQs"), ("3s3h3dAcKs", "3s3h3dAcQs"),
        ("2s2h2d4c3s", "AsAhKdKcQs"), ("AsAh3d3c2s", "KsKhQdQcAs"), ("AsAh3d3c4s", "AsAh3d3c2s"),
        ("AsAh4d4c2s", "AsAh3d3cKs"), ("2s2h3d3c4s", "AsAhKdQcJs"), ("2s2h5d4c3s", "AsKhQdJc9s"),
        ("AsAhKdQc3s", "AsAhKdQc2s"), ("AsKhQdJc9s", "AsKhQdJc8s"),
    ],
)  # fmt: skip
def test_one_hand_beats_the_next(better: str, worse: str) -> None:
    def value(text: str) -> int:
        return high_value(mask(tuple(text[at : at + 2] for at in range(0, 10, 2))))

    assert value(better) > value(worse)


@clause(*KINDS, "3.2.2(j) [second]")
def test_the_tables_that_values_are_looked_up_in_come_out_the_same_when_made_again() -> None:
    one = evaluate._highest(1, None)
    two = evaluate._highest(2, one)
    three = evaluate._highest(3, two)
    assert (one, two, three) == (evaluate._TOP1, evaluate._TOP2, evaluate._TOP3)
    assert evaluate._straights() == evaluate._RUN
    assert evaluate._suited() == evaluate._SUITED
    assert evaluate._unpaired() == evaluate._UNPAIRED
    assert evaluate._lows() == evaluate._LOW


@clause("3.2.2(j) [second]", "8.20.4(b)(ii)")
def test_a_low_is_the_best_five_different_ranks_of_eight_or_under_with_the_ace_lowest() -> None:
    hands = drawn(12, 160, 7)
    lows = {hand: [low for five in combinations(hand, 5) if (low := slow_low(five))] for hand in hands}
    assert any(lows.values())
    assert not all(lows.values())
    for one, other in combinations(hands[:80], 2):
        first, second = low_value(mask(one)), low_value(mask(other))
        assert bool(first) == bool(lows[one])
        if first and second:
            assert (first < second) == (min(lows[one]) < min(lows[other]))
            assert (first == second) == (min(lows[one]) == min(lows[other]))


@clause("8.20.4(c)", "8.20.4(d)(i)", "8.20.4(d)(ii)", "8.20.4(a)", "8.20.4(b)(i)")
def test_omaha_takes_exactly_two_and_three_and_the_other_games_any_five() -> None:
    deals = drawn(13, 60, 9)
    slow: list[tuple[tuple[int, ...], tuple[int, ...] | None]] = []
    fast = []
    for deal in deals:
        hole, board = deal[:4], deal[4:]
        fives = [(*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3)]
        slow.append((max(map(slow_five, fives)), min(filter(None, map(slow_low, fives)), default=None)))
        fast.append(hand_values(hole, board, omaha=True, hilo=True))
        assert hand_values(hole, board, omaha=True, hilo=False) == (fast[-1][0], 0)
        whole = (*hole[:2], *board)
        assert hand_values(hole[:2], board, omaha=False, hilo=True) == (high_value(mask(whole)), low_value(mask(whole)))
        assert hand_values(hole[:2], board, omaha=False, hilo=False) == (high_value(mask(whole)), 0)
    for (one, slow_one), (other, slow_other) in combinations(list(zip(fast, slow, strict=True)), 2):
        assert (one[0] > other[0]) == (slow_one[0] > slow_other[0])
        assert (one[0] == other[0]) == (slow_one[0] == slow_other[0])
        if slow_one[1] and slow_other[1]:
            assert (one[1] < other[1]) == (slow_one[1] < slow_other[1])
    assert all((value[1] == 0) == (low is None) for value, (_, low) in zip(fast, slow, strict=True))
    assert hand_values(("As", "2s", "3s", "4s"), ("Kh", "Qh", "Jh", "2h", "3h"), omaha=True, hilo=True)[1] == 0
    assert any(low for _, low in slow)
