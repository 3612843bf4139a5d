"""What chips mean, what hands are worth and who shows first, held at every edge against a second way of finding out."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from controller.games.poker import evaluate
from controller.games.poker.actions import (
    ChipReading,
    Held,
    Resolved,
    extension_fault,
    out_of_time,
    over_blind_fault,
    read_chips,
    resolve_held,
    stake_change_fault,
)
from controller.games.poker.betting import Betting, Player, call, fold, open_first_round, open_round, wager
from controller.games.poker.cards import BIT, DECK, RANKS
from controller.games.poker.evaluate import hand_values, high_value, low_value
from controller.games.poker.showdown import read_hand, show_order
from controller.games.poker.structures import Structure

BOOK = "melbourne-poker"
FIXED = Structure("fixed", 0, 100, levels=(200, 200, 400, 400))
NO_LIMIT = Structure("no_limit", 200, 100)
POT = Structure("pot", 200, 100)


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


def at_table(structure: Structure, *stacks: int, round_: int = 1) -> Betting:
    players = [Player(seat, stack) for seat, stack in enumerate(stacks, 1)]
    for player, blind in zip(players, (100, 200), strict=False):
        player.stack -= blind
        player.in_round = player.in_hand = blind
    betting = Betting(structure, players)
    open_first_round(betting, 200, 1)
    if round_ > 1:
        for player in players:
            player.in_round = 0
        betting.kept = 300
        open_round(betting, round_)
    return betting


# -- chips without words ----------------------------------------------------------------------------------------------

CHIPS = ("1.1 'Oversize chip'", "6.12", "6.13", "6.14.1(a)", "6.14.1(b)", "6.14.2", "6.4", "6.17", "8.2.1", "8.2.4")


@clause(*CHIPS)
@pytest.mark.parametrize(
    ("put", "how", "expected"),
    [
        (0, {}, ChipReading("complete_or_fold", 200, 0, 200, "6.17")),
        (199, {}, ChipReading("complete_or_fold", 200, 0, 1, "6.17")),
        (200, {}, ChipReading("call", 200, 0, 0, "8.2.1")),
        (201, {}, ChipReading("call", 200, 1, 0, "6.12")),
        (299, {}, ChipReading("call", 200, 99, 0, "6.12")),
        (300, {}, ChipReading("complete_raise", 400, 0, 100, "6.12")),
        (399, {}, ChipReading("complete_raise", 400, 0, 1, "6.12")),
        (400, {}, ChipReading("raise", 400, 0, 0, "6.12")),
        (900, {}, ChipReading("raise", 900, 0, 0, "6.12")),
        (900, {"single": True}, ChipReading("call", 200, 700, 0, "6.14.1(a)")),
        (900, {"single": True, "announced": "raise"}, ChipReading("raise", 900, 0, 0, "6.14.2")),
        (900, {"announced": "raise"}, ChipReading("raise", 900, 0, 0, "1.1 'Raise'")),
        (250, {"announced": "raise"}, ChipReading("complete_raise", 400, 0, 150, "1.1 'Raise'")),
        (900, {"announced": "call"}, ChipReading("call", 200, 700, 0, "1.1 'Call'")),
        (4999, {}, ChipReading("raise", 4999, 0, 0, "6.12")),
        (5000, {}, ChipReading("all_in_raise", 5000, 0, 0, "6.16.1")),
    ],
)
def test_chips_put_forward_before_the_flop_without_limit(put: int, how: dict[str, Any], expected: ChipReading) -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000)
    assert read_chips(betting, 2, put, **{"single": False, **how}) == expected


@clause(*CHIPS)
@pytest.mark.parametrize(
    ("structure", "put", "how", "expected"),
    [
        (NO_LIMIT, 0, {}, ChipReading("check", 0, 0, 0, "8.2.4")),
        (NO_LIMIT, 99, {}, ChipReading("check", 0, 99, 0, "6.12")),
        (NO_LIMIT, 100, {}, ChipReading("complete_bet", 200, 0, 100, "6.4")),
        (NO_LIMIT, 50, {"announced": "raise"}, ChipReading("complete_bet", 200, 0, 150, "6.4")),
        (NO_LIMIT, 199, {}, ChipReading("complete_bet", 200, 0, 1, "6.4")),
        (NO_LIMIT, 200, {}, ChipReading("bet", 200, 0, 0, "[6.6]")),
        (NO_LIMIT, 500, {"single": True}, ChipReading("bet", 500, 0, 0, "6.14.1(b)")),
        (FIXED, 500, {"single": True}, ChipReading("bet", 200, 300, 0, "6.13")),
        (FIXED, 500, {}, ChipReading("bet", 200, 300, 0, "[6.6]")),
        (POT, 500, {}, ChipReading("bet", 300, 200, 0, "[6.6]")),
        (POT, 4800, {}, ChipReading("bet", 300, 4500, 0, "1.1 'All-in'")),
    ],
)
def test_chips_put_forward_when_nobody_has_bet(
    structure: Structure, put: int, how: dict[str, Any], expected: ChipReading
) -> None:
    betting = at_table(structure, 5000, 5000, 5000, round_=2)
    assert read_chips(betting, 1, put, **{"single": False, **how}) == expected


@clause(*CHIPS, "1.1 'Raise'")
def test_an_oversize_chip_is_a_call_by_the_clause_of_the_round_and_the_structure() -> None:
    later = at_table(NO_LIMIT, 5000, 5000, 5000, round_=2)
    wager(later, 0, 300)
    assert read_chips(later, 1, 1000, single=True) == ChipReading("call", 300, 700, 0, "6.14.1(b)")
    fixed = at_table(FIXED, 5000, 5000, 5000)
    assert read_chips(fixed, 2, 1000, single=True) == ChipReading("call", 200, 800, 0, "6.13")
    told = read_chips(fixed, 2, 1000, single=True, announced="raise")
    assert told == ChipReading("raise", 400, 600, 0, "1.1 'Raise'")
    assert read_chips(fixed, 0, 100, single=False) == ChipReading("call", 200, 0, 0, "8.2.1")
    assert read_chips(fixed, 1, 0, single=False) == ChipReading("check", 200, 0, 0, "8.2.4")


@clause(*CHIPS, "6.16.1", "1.1 'All-in'")
def test_a_whole_stack_is_a_call_a_raise_or_as_much_of_one_as_is_legal() -> None:
    short = at_table(NO_LIMIT, 5000, 5000, 150, 200, 700)
    assert read_chips(short, 2, 150, single=False) == ChipReading("all_in_call", 150, 0, 0, "6.16.1")
    assert read_chips(short, 3, 200, single=False) == ChipReading("all_in_call", 200, 0, 0, "6.16.1")
    assert read_chips(short, 4, 700, single=False) == ChipReading("all_in_raise", 700, 0, 0, "6.16.1")
    pot = at_table(POT, 5000, 5000, 5000, 700)
    assert read_chips(pot, 2, 5000, single=False) == ChipReading("raise", 700, 4300, 0, "1.1 'All-in'")
    assert read_chips(pot, 3, 700, single=False) == ChipReading("all_in_raise", 700, 0, 0, "6.16.1")
    closed = at_table(NO_LIMIT, 5000, 5000, 5000)
    closed.players[2].closed = "6.18.3"
    assert read_chips(closed, 2, 5000, single=False) == ChipReading("call", 200, 4800, 0, "6.18.3")
    assert read_chips(closed, 2, 900, single=False) == ChipReading("call", 200, 700, 0, "6.18.3")
    quiet = at_table(NO_LIMIT, 5000, 5000, 5000, round_=2)
    quiet.players[2].closed = "6.17"
    assert read_chips(quiet, 2, 5000, single=False) == ChipReading("check", 0, 5000, 0, "6.17")
    assert read_chips(quiet, 2, 900, single=False) == ChipReading("check", 0, 900, 0, "6.17")


# -- out of turn ------------------------------------------------------------------------------------------------------


@clause("6.18", "6.18.1", "6.18.2", "6.18.3", "6.18.4")
def test_an_early_action_stands_falls_or_waits_for_its_player() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000, 5000)
    assert resolve_held(betting, 2, Held(3, "check")) == Resolved(False, None, "6.18.3")
    big_blind = resolve_held(betting, 1, Held(2, "check"))
    assert big_blind == Resolved(True, ChipReading("check", 200, 0, 0, "8.2.4"), "6.18.3")
    called = resolve_held(betting, 2, Held(3, "call", 500, against=200))
    assert called == Resolved(True, ChipReading("call", 200, 300, 0, "1.1 'Call'"), "6.18.1")
    raised = resolve_held(betting, 2, Held(3, "raise", 250, against=200))
    assert raised == Resolved(True, ChipReading("complete_raise", 400, 0, 150, "1.1 'Raise'"), "6.18.1")
    one_chip = resolve_held(betting, 2, Held(3, "bet", 500, single=True, against=200))
    assert one_chip == Resolved(True, ChipReading("raise", 500, 0, 0, "6.14.2"), "6.18.1")
    betting.high = 201
    assert not resolve_held(betting, 1, Held(2, "check")).stands
    betting.high = 200
    wager(betting, 2, 600)
    assert resolve_held(betting, 3, Held(4, "call", 200, against=200)) == Resolved(
        False, None, "6.18.2", take_back=True
    )
    assert resolve_held(betting, 3, Held(4, "call", 599, against=200)).take_back
    between = resolve_held(betting, 3, Held(4, "raise", 700, against=200))
    assert between == Resolved(True, ChipReading("call", 600, 100, 0, "6.12"), "6.18.1")
    exact = resolve_held(betting, 3, Held(4, "raise", 600, against=200))
    assert exact == Resolved(True, ChipReading("call", 600, 0, 0, "8.2.1"), "6.18.1")
    assert resolve_held(betting, 0, Held(1, "call", 499, against=200)).take_back
    assert not resolve_held(betting, 0, Held(1, "call", 500, against=200)).take_back


@clause("6.18.4")
def test_an_early_all_in_for_less_than_the_call_stands() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000, 300)
    wager(betting, 2, 600)
    held = resolve_held(betting, 3, Held(4, "raise", 300, against=200))
    assert held == Resolved(True, ChipReading("all_in_call", 300, 0, 0, "6.16.1"), "6.18.4")
    assert resolve_held(betting, 3, Held(4, "raise", 299, against=200)) == Resolved(
        False, None, "6.18.2", take_back=True
    )
    blind = at_table(NO_LIMIT, 400, 5000, 5000)
    wager(blind, 2, 600)
    held = resolve_held(blind, 0, Held(1, "call", 300, against=200))
    assert held.reading == ChipReading("all_in_call", 400, 0, 0, "6.16.1")
    level = at_table(NO_LIMIT, 5000, 5000, 5000, 600)
    wager(level, 2, 600)
    assert resolve_held(level, 3, Held(4, "call", 600, against=200)).clause == "6.18.1"


@clause("6.15", "6.15.2", "1.1 'Over-blind bet'", "6.5", "8.9.4", "6.11")
def test_time_over_blinds_and_stacks_at_their_edges() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000)
    assert [out_of_time(betting, index) for index in (0, 1, 2)] == ["dead_hand", "check", "dead_hand"]
    assert [extension_fault(bought, 2) for bought in (1, 2, 3)] == ["", "6.15.2", "6.15.2"]

    def over(amount: int = 400, seat: int = 3, **offered: bool) -> str:
        how = {"first": True, "straddle": True, "over_blinds": True, **offered}
        return over_blind_fault(200, amount, seat, 3, **how)[0]

    assert over() == over(first=False) == over(over_blinds=False) == over(first=False, straddle=False) == ""
    assert over(straddle=False) == "6.5"
    assert over(first=False, over_blinds=False) == "8.9.4"
    assert over(seat=4) == "6.5"
    assert over(seat=4, first=False) == "8.9.4"
    assert [over(amount) for amount in (399, 401)] == ["6.5", "6.5"]
    assert over(401, first=False) == "8.9.4"
    assert "400 cents" in over_blind_fault(200, 1, 3, 3, first=True, straddle=True, over_blinds=True)[1]
    assert [stake_change_fault(False, change) for change in (-1, 0, 1)] == ["6.11", "", ""]
    assert stake_change_fault(True, 0) == stake_change_fault(True, 100) == "6.11"


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


@clause("1.1 'Cards speak'", "1.1 'Community cards'")
def test_a_tabled_hand_is_read_as_its_game_says() -> None:
    from controller.games.poker.rules import PokerRules
    from controller.rules.rulebook import load_rules

    rules = load_rules(BOOK, PokerRules)
    board = ("2s", "3h", "7d", "Kc", "Qs")
    for name, hole in (("Holdem", ("As", "4d")), ("Omaha Hi-Lo Eight Qualifier", ("As", "4d", "Kd", "Ks"))):
        game = rules.game(name)
        read = read_hand(5, hole, board, game)
        assert (read.seat, (read.high, read.low)) == (5, hand_values(hole, board, omaha=game.omaha, hilo=game.hilo))


@clause("8.20.4")
def test_who_was_called_shows_first_and_the_rest_follow_clockwise() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000, 5000)
    assert show_order(betting.players, 2) == [3, 4, 1, 2]
    assert show_order(betting.players, 0) == show_order(betting.players, -1) == [1, 2, 3, 4]
    fold(betting, 2)
    assert show_order(betting.players, 2) == [1, 2, 4]
    assert show_order(betting.players, 3) == [4, 1, 2]
    assert call(betting, 0) == 100
