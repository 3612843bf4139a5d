"""Seats at Big Wheel: idle ones when all others are taken."""

from __future__ import annotations

import msgspec
import pytest

from lab.sim.config import default_config
from tests.controller.games.wheel.play import Play, clause


@clause("9.9")
@pytest.mark.parametrize(
    ("others", "rounds", "told"),
    [
        (6, ["no_bet", "no_bet", "no_bet"], True),
        (5, ["no_bet", "no_bet", "no_bet"], False),
        (6, ["no_bet", "no_spin", "no_bet"], False),
        (6, ["no_bet", "bet", "no_bet", "no_bet"], False),
    ],
)
def test_an_idle_seat_is_told_when_all_others_are_in_use(others: int, rounds: list[str], told: bool) -> None:
    play = Play().opened()
    for seat in range(1, others + 2):
        play.press("sit", seat=seat, player=f"p{seat}")
    for kind in rounds:
        if play.state == "idle":
            play.press("place_bets")
        for seat in range(2, others + 2):
            play.bet(f"p{seat}", "A", 10)
        if kind == "bet":
            play.bet("p1", "A", 10)
        if kind == "no_spin":
            play.spin_to("A", "under_revs")
            play.answer("no_spin")
        else:
            play.result("B")
            play.settle_up()
    assert bool(play.announced("seat_idle")) is told


@clause("9.9")
def test_an_idle_seat_is_named_after_three_spins_only_when_all_seats_are_taken() -> None:
    config = default_config("wheel")
    config = msgspec.structs.replace(config, seats=msgspec.structs.replace(config.seats, count=2))
    play = Play(config=config).opened()
    play.press("sit", seat=1, player="Ann")
    play.press("sit", seat=3, player="Bob")
    assert play.refused == "no_such_seat"
    play.press("sit", seat=0, player="Bob")
    assert play.refused == "no_such_seat"
    play.press("sit", seat=1, player="Bob")
    assert play.refused == "seat_taken"
    for spin in range(1, 6):
        if spin == 4:
            play.press("sit", seat=2, player="Bob")
        play.press("place_bets")
        play.bet("Bob" if spin >= 4 else "Cyd", "A", 10)
        play.result("D")
        play.settle_up()
        expected = 0 if spin < 4 else spin - 3
        assert len(play.announced("seat_idle")) == expected, spin
    assert "Seat 1 has not wagered for 5 spins" in play.announced("seat_idle")[-1].text
    assert play.table.game.state.idle_rounds == {1: 5, 2: 0}  # type: ignore[attr-defined]
    play.press("leave", seat=2)
    play.press("leave", seat=2)
    assert play.refused == "seat_empty"


@clause("5.1.5")
def test_a_spin_with_wagers_is_no_idle_spin(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    assert play.noted("idle_spin") == play.noted("idle_spin_not_directed") == []
