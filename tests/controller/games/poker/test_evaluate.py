"""Hand values, judged by PokerKit on samples; the whole proof is `python -m tests.controller.games.poker.judge`."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from controller.games.poker.cards import BIT, DECK, mask_of, parse_cards
from controller.games.poker.evaluate import describe, hand_values, high_value, low_value, omaha_high, omaha_low
from lab.needs import POKERKIT

judge = pytest.importorskip("tests.controller.games.poker.judge", reason=f"{POKERKIT.missing}: it is the judge")

LADDER = [
    "AsKsQsJsTs",
    "KhQhJhTh9h",
    "5c4c3c2cAc",
    "AsAhAdAcKs",
    "2s2h2d2c3s",
    "AsAhAdKsKh",
    "2s2h2dAsAh",
    "AsKsQsJs9s",
    "7d5d4d3d2d",
    "AsKdQsJsTs",
    "5s4d3s2sAs",
    "AsAhAdKsQh",
    "2s2h2d4s3h",
    "AsAhKdKsQh",
    "3s3h2d2s4h",
    "AsAhKdQsJh",
    "2s2h5d4s3h",
    "AsKhQdJs9h",
    "7s5h4d3s2h",
]


@pytest.mark.clause(
    "melbourne-poker",
    *("3.2.1", "3.2.2(a)", "3.2.2(b)", "3.2.2(c)", "3.2.2(d)", "3.2.2(e)"),
    *("3.2.2(f)", "3.2.2(g)", "3.2.2(h)", "3.2.2(i)", "3.2.2(j)"),
)
def test_the_ladder_of_hands_runs_from_the_royal_flush_to_seven_high() -> None:
    values = [high_value(mask_of(parse_cards(hand))) for hand in LADDER]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


@pytest.mark.clause("melbourne-poker", "3.2.2(a)", "3.2.2(b)", "3.2.2(e)")
def test_no_suit_is_higher_than_another() -> None:
    for ranks in ("AKQJT", "98765", "AJ962"):
        assert len({high_value(mask_of(rank + suit for rank in ranks)) for suit in "cdhs"}) == 1


def test_five_card_hands_rank_as_the_judge_ranks_them() -> None:
    rng = random.Random(4)
    hands = [rng.sample(DECK, 5) for _ in range(1500)] + [parse_cards(hand) for hand in LADDER]
    assert judge.order_faults(hands) == []


@pytest.mark.clause("melbourne-poker", "3.2.2(j) [second]")
def test_every_low_hand_ranks_as_the_judge_ranks_it() -> None:
    assert judge.low_faults() == []


@pytest.mark.clause("melbourne-poker", "8.20.4(a)", "8.20.4(b)(i)", "8.20.4(b)(ii)")
def test_seven_cards_compare_as_the_judge_compares_them() -> None:
    assert judge.board_faults(150, seed=5, omaha=False) == []


@pytest.mark.clause("melbourne-poker", "8.20.4(c)", "8.20.4(d)(i)", "8.20.4(d)(ii)")
def test_omaha_boards_compare_as_the_judge_compares_them() -> None:
    assert judge.board_faults(40, seed=6, omaha=True) == []


@pytest.mark.clause("melbourne-poker", "8.20.4(c)")
def test_omaha_plays_exactly_two_hole_cards() -> None:
    hole = [BIT[card] for card in parse_cards("AsKsQsJs")]
    board = [BIT[card] for card in parse_cards("Ts2s3d4d5h")]
    assert describe(omaha_high(hole, board)) == "no pair"
    assert omaha_low(hole, board) == 0


@pytest.mark.clause("melbourne-poker", "3.2.2(j) [second]")
def test_runs_and_suits_do_not_spoil_a_low() -> None:
    assert low_value(mask_of(parse_cards("5c4c3c2cAc"))) == 0b11111
    assert low_value(mask_of(parse_cards("9c4c3c2cAc"))) == 0
    assert low_value(mask_of(parse_cards("8c8d4c3c2cAc"))) == 0b10001111


def test_a_low_counts_only_in_games_that_have_one() -> None:
    assert hand_values(parse_cards("As2s"), parse_cards("3d4d5h9hKs"), omaha=False, hilo=False)[1] == 0


def test_the_tables_are_small_and_quick_to_build() -> None:
    probe = (
        "import time, tracemalloc, controller.games.poker.cards;"
        "began = time.process_time(); import controller.games.poker.evaluate as e;"
        "took = time.process_time() - began;"
        "tables = [e._TOP1, e._TOP2, e._TOP3, e._TOP5, e._RUN, e._SUITED, e._UNPAIRED, e._LOW];"
        "size = sum(len(table) * table.itemsize for table in tables);"
        "print(took, size)"
    )
    answers = [
        subprocess.run([sys.executable, "-c", probe], check=True, capture_output=True, text=True, timeout=30)
        for _ in range(2)
    ]
    took = min(float(answer.stdout.split()[0]) for answer in answers)
    assert int(answers[0].stdout.split()[1]) < 200_000
    assert took < 0.2, "building the tables takes over 50 ms on a table's own processor with room to spare"
