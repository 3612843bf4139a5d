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


def test_at_the_award_it_is_told_what_is_pushed_to_which_seat_and_nothing_before() -> None:
    play = PokerPlay()
    play.seat(300, 300, 300)
    play.start()
    assert play.game.view()["awards"] == []
    play.check_down()
    play.show_all()
    assert play.phase == "award"
    awards = play.game.view()["awards"]
    hand = play.game.hand
    assert sum(one["cents"] for one in awards) == sum(pot.amount for pot in hand.pots) - hand.rake
    assert {one["seat"] for one in awards} <= {1, 2, 3}
    assert all(one["hand"] for one in awards)


def test_a_hand_that_is_over_still_shows_what_decided_it_until_the_next_one_begins() -> None:
    play = PokerPlay()
    play.seat(300, 300, 300)
    play.start()
    play.check_down()
    play.show_all()
    board, tabled = play.game.view()["board"], play.game.view()["tabled"]
    assert (len(board), len(tabled)) == (5, 3)
    play.finish()
    assert play.game.view()["results"]
    shown = {seat: tuple(faces) for seat, faces in tabled.items()}
    assert play.game.view()["lay_open"] == {"board": tuple(board), "tabled": shown}
    play.start()
    assert play.game.view()["lay_open"] == {"board": (), "tabled": {}}
