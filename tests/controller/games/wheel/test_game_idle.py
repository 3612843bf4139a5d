"""Spins over an empty layout, and closing a Big Wheel table on notice."""

from __future__ import annotations

from tests.controller.games.wheel.play import Play, clause

# -- idle spins, closing, seats --------------------------------------------------------------------------------------


@clause("5.1.5")
def test_a_spin_over_an_empty_layout_needs_level_two(play: Play) -> None:
    play.press("idle_spins", 1, spins=2)
    assert play.refused == "rank_too_low"
    assert play.result("A") == {}
    assert len(play.noted("idle_spin_not_directed")) == 1
    play.press("idle_spins", 2, spins=2)
    for _ in range(2):
        play.press("place_bets")
        assert play.result("A") == {}
    assert len(play.noted("idle_spin_not_directed")) == 1
    assert len(play.announced("place_bets")) == len(play.announced("no_more_bets")) == 3


@clause("5.1.5", "7.1.1")
def test_a_short_idle_spin_is_a_no_spin_too(play: Play) -> None:
    play.press("idle_spins", 2, spins=1)
    play.spin_to("A", "under_revs", forward=104.0)
    assert play.question.proposal == "no_spin"


@clause("9.8", "7.2")
def test_closing_needs_three_valid_spins_of_notice() -> None:
    play = Play().opened()
    play.press("sit", seat=1, player="p1")
    play.press("close", 1)
    assert play.refused == "rank_too_low"
    play.press("close", 2)
    assert play.life == "closing"
    play.press("idle_spins", 2, spins=9)
    for spin in ("valid", "no_spin", "valid", "valid"):
        play.press("close", 2)
        assert (play.refused, play.life) == ("notice_runs", "closing")
        if play.state == "idle":
            play.press("place_bets")
        if spin == "valid":
            play.result("A")
        else:
            play.spin_to("A", "under_revs")
            play.answer("no_spin")
    play.press("close", 2)
    assert play.life == "closed"


@clause("9.8")
def test_an_empty_table_closes_at_once() -> None:
    play = Play().opened()
    play.press("close", 2)
    assert play.life == "closed"
