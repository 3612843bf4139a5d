"""A fold that was pressed by mistake in the middle of a hand is put right, as long as nothing has come of it."""

from __future__ import annotations

import pytest

from tests.controller.games.poker.play import PokerPlay

pytestmark = pytest.mark.clause("melbourne-poker", "8.2.3")


def folded_on_the_flop() -> tuple[PokerPlay, int]:
    """Four on the flop; the first has checked, and the second is said to have folded instead."""
    play = PokerPlay()
    play.seat(200, 200, 200, 200)
    play.start()
    while play.phase == "bet1":
        may = play.wanted().options
        play.put(may.seat, may.to_call) if may.to_call else play.press("check")
    play.street()
    play.press("check")
    seat = play.wanted().seats[0]
    play.press("fold")
    assert play.wanted().seats != (seat,)
    return play, seat


def test_on_the_flop_whoever_pressed_it_has_the_player_act_again_and_the_hand_goes_on() -> None:
    play, seat = folded_on_the_flop()
    play.press("take_back")
    assert play.wanted().seats == (seat,)
    play.press("check")
    play.check_down()
    play.show_all()
    assert len(play.finish().results) == 4
    assert play.phase == "between_hands"


def test_somebody_else_needs_rank_and_a_reason() -> None:
    play, seat = folded_on_the_flop()
    other = max(play.table.house.power("resume").rank, 2)
    assert play.refused("take_back", other).code == "reason_needed"
    play.press("take_back", other, reason="the player checked")
    assert play.wanted().seats == (seat,)


def test_once_the_cards_are_mucked_or_the_next_has_acted_it_is_a_fold() -> None:
    play, seat = folded_on_the_flop()
    play.fold(seat)
    assert play.refused("take_back").code == "has_followed"
    play, seat = folded_on_the_flop()
    play.press("check")
    play.press("take_back")
    assert play.refused("take_back").code == "has_followed", "of two keys the last alone is taken back"
    assert play.wanted().seats != (seat,)
