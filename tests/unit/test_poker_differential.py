"""Hands side by side with PokerKit; the long run is `python tests/unit/poker_judge.py play 200000`."""

from __future__ import annotations

import pytest

pytest.importorskip("pokerkit", reason="PokerKit is the judge")

import poker_differential
import poker_speed


@pytest.mark.clause("melbourne-poker", "[6.6]", "6.7", "6.9", "6.16.2(a)", "6.16.3", "8.5.1", "8.20.4(b)(iv)")
def test_random_hands_agree_with_the_judge_but_for_the_listed_clauses() -> None:
    played = poker_differential.play_against(84, seed=2)
    assert played.faults == []
    assert played.hands == 84
    assert set(played.differences) <= set(poker_differential.DIFFERENCES)


def test_the_scripted_hands_of_the_bench_reach_the_same_end() -> None:
    for count in (2, 6, 9):
        for deck in (poker_differential.DECK, poker_differential.DECK[::-1]):
            stacks = poker_speed.play_ours(count, poker_speed.our_inputs(count, deck))
            assert sum(stacks) == count * poker_speed.STACK
            assert sum(poker_speed.play_kit(count)) == sum(stacks)


def test_a_hand_to_showdown_takes_a_small_part_of_the_judge_s_time() -> None:
    rows = poker_speed.compare(slices=2, each=0.1)
    assert all(row["times"] > 10 for row in rows), rows
