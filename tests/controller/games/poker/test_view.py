"""What the screens of a poker table are told: pots as they stand, and how long the seat in turn has."""

from __future__ import annotations

from tests.controller.games.poker.play import PokerPlay, config


def test_a_side_pot_is_shown_as_soon_as_what_was_gathered_has_one() -> None:
    play = PokerPlay()
    play.seat(100, 300, 300)
    play.start()
    first = play.wanted().options
    play.put(first.seat, 10_000 - next(p.in_round for p in play.game.hand.betting.players if p.seat == first.seat))
    while play.phase == "bet1":
        may = play.wanted().options
        play.put(may.seat, may.to_call)
    total = sum(player.in_hand for player in play.game.hand.betting.players)
    play.street()  # the short stack is all in
    assert play.game.view()["pots"] == [total] == [30_000]
    betting = [player.seat for player in play.game.hand.betting.players if player.stack]
    assert len(betting) == 2, "nobody else is all in"
    opened = play.wanted().options.seat
    play.put(opened, 5_000)
    assert play.game.view()["pots"] == [total], "chips before a seat lie in no pot yet"
    play.put(play.wanted().options.seat, 5_000)
    play.street()
    assert play.game.view()["pots"] == [total, 10_000]


def test_the_time_of_the_seat_in_turn_is_told_where_the_sign_has_one_and_nothing_where_it_has_none() -> None:
    timed, free = PokerPlay(config(time_to_act_s=30)), PokerPlay()
    for play in (timed, free):
        play.seat(300, 300, 300)
        play.start()
    assert timed.game.view()["act_by"] == timed.table.state.desk.timers["act"]
    assert free.game.view()["act_by"] == 0
