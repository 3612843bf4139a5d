"""Big Wheel at the table: spins, reminders, advice and rests, each told once and for its own spin only."""

from __future__ import annotations

from controller.core.effects import Alarmed
from drivers.wheel import WheelKnocked, WheelTurned
from tests.controller.games.wheel.play import Play, clause, note, ruled

# -- the spin ---------------------------------------------------------------------------------------------------------


@clause("5.3")
def test_a_wheel_that_moves_outside_a_spin_or_round_is_noted_and_nothing_else(play: Play) -> None:
    play.event(WheelKnocked("wheel", 10, 14, 0.1))
    assert (note(play, "wheel_moved_outside_spin").clauses, play.state) == (("5.3",), "betting_open")
    play.result("D")
    state = play.state
    play.launch()
    assert note(play, "wheel_moved_outside_round").facts["spin"] == play.spins
    assert note(play, "wheel_moved_outside_round").clauses == ("5.3",)
    assert play.state == state
    play.rest("A")
    assert note(play, "wheel_rested_outside_round").facts["spin"] == play.spins
    assert play.state == state


@clause("5.1.2")
def test_the_reminder_and_the_alarm_come_once_each_at_their_own_turn_of_this_spin_only(play: Play) -> None:
    play.event(WheelTurned("wheel", 1, 1))
    assert play.announced("remind_no_more_bets") == []
    play.launch()
    play.event(WheelTurned("wheel", play.spins + 1, 1))
    assert play.announced("remind_no_more_bets") == []
    play.turn(1)
    assert len(play.announced("remind_no_more_bets")) == 1
    assert not any(isinstance(effect, Alarmed) for effect in play.told)
    play.turn(2)
    assert [effect.code for effect in play.told if isinstance(effect, Alarmed)] == ["no_more_bets_missing"]
    play.turn(3)
    assert not any(isinstance(effect, Alarmed) for effect in play.told)
    assert play.table.game.state.round.spin.turns == 3  # type: ignore[attr-defined]
    play.press("no_more_bets")
    assert "no_more_bets_missing" not in play.table.state.desk.alarms
    before = len(play.announced("remind_no_more_bets"))
    play.turn(1)
    play.turn(2)
    assert len(play.announced("remind_no_more_bets")) == before
    assert "no_more_bets_missing" not in play.table.state.desk.alarms


@clause("5.1.5", "5.1.2")
def test_a_spin_without_wagers_uses_up_what_was_directed_and_is_otherwise_told(play: Play) -> None:
    play.press("idle_spins", rank=2, spins=0)
    assert play.refused == "bad_argument"
    play.press("idle_spins", rank=2, spins=1)
    assert (ruled(play).subject, ruled(play).answer, ruled(play).clauses) == ("idle_spins", "1", ("5.1.5",))
    play.launch()
    play.press("no_more_bets")
    assert note(play, "idle_spin").facts["left"] == 0
    assert play.noted("idle_spin_not_directed") == []
    play.rest("D")
    play.press("acknowledge")
    play.press("place_bets")
    play.launch()
    play.press("no_more_bets")
    assert len(play.noted("idle_spin")) == 1
    assert len(play.noted("idle_spin_not_directed")) == 1


@clause("5.1.1", "4.2.1")
def test_the_advice_about_the_minimum_lasts_until_the_minimum_changes(play: Play) -> None:
    play.bet("Ann", "A", 4)
    play.result("D")
    assert play.noted("advised_under_minimum") == [{"player": "Ann"}]
    play.settle_up()
    play.press("place_bets")
    assert play.table.game.state.advised == {"Ann"}  # type: ignore[attr-defined]
    play.bet("Ann", "A", 4)
    assert play.result("A")["Ann/A"].result == "returned"


@clause("1.1 'Indicator'", "5.2")
def test_a_rest_of_another_spin_settles_nothing(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.launch()
    play.press("no_more_bets")
    play.spins += 1
    play.rest("A")
    assert (play.state, note(play, "wheel_rested_outside_round").facts["spin"]) == ("spin_closed", 2)
    play.spins = 0
    play.rest("A")
    assert play.state == "result"
