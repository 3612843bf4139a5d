"""Hands side by side with PokerKit; the long run is `make judge`, or `python -m tests.controller.games.poker.judge`."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.needs import POKERKIT

pytest.importorskip("pokerkit", reason=f"{POKERKIT.missing}: it is the judge")

from controller.games.poker.cards import DECK
from tests.controller.games.poker import differential as poker_differential
from tests.controller.games.poker import speed as poker_speed


@pytest.mark.clause("melbourne-poker", "[6.6]", "6.7", "6.9", "6.16.2(a)", "6.16.3", "8.5.1", "8.20.4(b)(iv)")
def test_random_hands_agree_with_the_judge_but_for_the_listed_clauses() -> None:
    played = poker_differential.play_against(140, seed=2)
    assert played.faults == []
    assert played.hands == 140
    assert set(played.differences) <= set(poker_differential.DIFFERENCES)


def test_a_long_run_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    whole = poker_differential.play_on(tmp_path / "whole.json", 2, tell=lambda words: None)
    poker_differential.play_on(tmp_path / "parts.json", 1, tell=lambda words: None)
    parts = poker_differential.play_on(tmp_path / "parts.json", 2, tell=lambda words: None)
    assert parts == whole
    assert set(whole) == set(poker_differential.PAIRS)
    assert all(played.hands == 2 and played.decisions for played in whole.values())


def test_the_scripted_hands_of_the_bench_reach_the_same_end() -> None:
    for count in (2, 6, 9):
        for deck in (DECK, DECK[::-1]):
            stacks = poker_speed.play_ours(count, poker_speed.our_inputs(count, deck))
            assert sum(stacks) == count * poker_speed.STACK
            assert sum(poker_speed.play_kit(count)) == sum(stacks)


def test_a_hand_to_showdown_takes_a_small_part_of_the_judge_s_time() -> None:
    rows = poker_speed.compare(slices=2, each=0.1)
    assert all(row["times"] > 10 for row in rows), rows
