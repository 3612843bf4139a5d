"""The only player left while the flop is dealt for the side wagers alone: it has won, and nothing takes its hand."""

from __future__ import annotations

import pytest

from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import clause, seated


def alone_before_the_flop(*stacks: int) -> PokerPlay:
    """Everybody but the big blind has folded, and seat 1's wager on red still waits for its flop."""
    deck = [f"{rank}c" for rank in "23456789TJQ"][: 2 * len(stacks) + 1]
    play = seated(*stacks, setup=config(side_wagers=True), deck=(*deck, "2h", "3h", "4s"))
    play.press("start_hand")
    play.put(play.game.layout.side(1, "red"), 1_000)
    play.post_and_deal()
    while play.phase == "bet1":
        play.press("fold")
    assert play.phase == "side_flop"
    return play


@clause("8.17.3(a)", "8.17.3(a)(i)", "1.1 'Substantial action'", "9.1.1(f)", "13.14", "13.2.1")
@pytest.mark.parametrize("what", ["exchanged_cards", "contravention", "wrong_count"])
def test_the_hand_of_the_only_player_left_cannot_be_reported_away(what: str) -> None:
    play = alone_before_the_flop(1000, 1000, 1000)
    refused = play.refused("report", 4, what=what, seat=2)
    assert (refused.code, refused.clauses) == ("not_legal", ("8.17.3(a)",))
    assert not play.table.state.desk.prompts
    play.street()
    assert play.phase == "award"
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    play.press("dropped", confirmed=True)
    assert play.stacks() == {1: 98_500, 2: 100_500, 3: 100_000}


@clause("9.1.1(g)", "8.17.3(a)(i)")
def test_a_wrong_count_of_the_only_player_left_is_reported_once_the_flop_has_settled_the_side_wagers() -> None:
    play = alone_before_the_flop(1000, 1000, 1000)
    assert play.refused("report", what="survivor_wrong_count", seat=2).clauses == ("9.1.1",)
    play.street()
    play.press("report", what="survivor_wrong_count", seat=2)
    asked = play.asked()
    assert (asked.proposal, asked.clauses) == ("hand_dead_all_refunded", ("9.1.1(g)",))
    play.answer("hand_dead_all_refunded", 1)
    assert play.stacks() == {1: 99_000, 2: 100_000, 3: 100_000}


@clause("9.1.1(f)", "8.17.3(a)(i)")
def test_before_substantial_action_a_wrong_count_of_the_only_player_left_is_still_a_misdeal() -> None:
    play = alone_before_the_flop(1000, 1000)
    play.press("report", what="wrong_count", seat=2)
    assert play.asked().proposal == "misdeal"
    play.answer("misdeal", 1)
    assert play.phase == "shuffling"
    assert [(wager.seat, wager.amount) for wager in play.game.hand.side] == [(1, 1_000)]
