"""A fold, call or blind that was keyed by mistake is put right, as long as nothing has come of it."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.events import TimerDue
from drivers.shuffler import ShufflerLoaded, ShufflerState
from tests.controller.games.poker.play import PokerPlay
from tests.controller.games.poker.seen import make_ready, with_shuffler

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


def called_before_the_flop() -> tuple[PokerPlay, Any]:
    """The first to act is said to have called; what was due of them then."""
    play = PokerPlay()
    play.seat(200, 200, 200, 200)
    play.start()
    may = play.wanted().options
    play.press("call")
    assert play.wanted().seats != (may.seat,)
    return play, may


def test_players_who_look_at_their_cards_do_not_end_it() -> None:
    play, may = called_before_the_flop()
    for seat in (2, may.seat):
        held = [name for name, place in play.lies.items() if place == seat]
        play.take_up(*held)
        play.lay(seat, *held)
    play.press("take_back")
    assert play.wanted().seats == (may.seat,)


def test_a_raise_said_to_be_a_call_is_put_right_by_rank_once_the_chips_lie_there() -> None:
    play, may = called_before_the_flop()
    play.put(may.seat, 4_000)
    play.event(TimerDue(f"line:{may.seat}"))
    assert play.refused("take_back").code == "rank_too_low"
    play.press("take_back", max(play.table.house.power("resume").rank, 2), reason="a raise was announced")
    assert play.game.hand.betting.high == 4_000, "without the call, what lies there is the raise (6.12)"
    assert play.wanted().options.to_call == 4_000


def test_a_wager_of_the_next_player_stands_on_it() -> None:
    play, may = called_before_the_flop()
    play.put(may.seat, may.to_call)
    after = play.wanted().options
    play.put(after.seat, after.to_call)
    assert play.refused("take_back", 4, reason="too late").code == "has_followed"


def test_a_blind_said_to_be_refused_is_still_posted() -> None:
    play = PokerPlay()
    play.seat(200, 200, 200, 200)
    play.press("start_hand")
    play.press("refuse_blind", seat=1)
    assert play.game.state.seats[1].flags.missed_blind
    play.press("take_back")
    assert not play.game.state.seats[1].flags.missed_blind
    play.post_and_deal()
    assert play.phase == "bet1"


def test_the_deck_of_the_next_hand_in_the_shuffler_does_not_end_it() -> None:
    play = with_shuffler()
    play.press("start_hand")
    for event in (ShufflerLoaded("shuffler", 52, 52), ShufflerState("shuffler", "empty", 0, True)):
        play.event(event)
    play.press("take_back")
    assert play.phase == "between_hands"
    play.press("start_hand")
    make_ready(play)
    assert play.refused("take_back").code == "has_followed", "the hand is dealt from it"
