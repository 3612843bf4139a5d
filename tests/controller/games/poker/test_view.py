"""What the screens of a poker table are told: how long the seat in turn has."""

from __future__ import annotations

from tests.controller.games.poker.play import PokerPlay, config


def test_the_time_of_the_seat_in_turn_is_told_where_the_sign_has_one_and_nothing_where_it_has_none() -> None:
    timed, free = PokerPlay(config(time_to_act_s=30)), PokerPlay()
    for play in (timed, free):
        play.seat(300, 300, 300)
        play.start()
    assert timed.game.view()["act_by"] == timed.table.state.desk.timers["act"]
    assert free.game.view()["act_by"] == 0
