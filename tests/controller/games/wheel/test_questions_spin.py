"""What people are asked about a spin: short ones, near dividers, touched wheels, lost evidence, late announcements."""

from __future__ import annotations

import re

from controller.games.wheel.config import WheelSection
from drivers.events import DeviceTrouble, DeviceTroubleOver
from tests.controller.games.wheel.play import Play, clause, money, note

# -- no spin -------------------------------------------------------------------------------------------------------


@clause("7.1.1", "7.2")
def test_a_short_spin_is_proposed_as_no_spin_and_nothing_is_settled(play: Play) -> None:
    play.bet("p1", "C", 10)
    play.spin_to("C", "under_revs", forward=155.0)
    assert (play.state, play.question.proposal) == ("ruling", "no_spin")
    play.answer("no_spin")
    assert play.state == "betting_open"
    assert play.settlements == []
    assert play.noted("no_spin") == [{"reasons": ["under_revs"], "round": 1}]
    assert play.table.game.view()["areas"] == {"C": 1000}


@clause("7.2", "3.2", "5.1.1")
def test_after_a_no_spin_wagers_may_be_changed_or_withdrawn(play: Play) -> None:
    tag = play.bet("p1", "B", 10)
    play.spin_to("B", "under_revs")
    play.answer("no_spin")
    play.lift("B", tag)
    assert play.table.state.desk.alarms == {}
    assert play.table.game.view()["areas"] == {}


@clause("7.1.1", "1.2")
def test_only_level_two_with_a_reason_lets_a_short_spin_stand(play: Play) -> None:
    play.bet("p1", "C", 10)
    play.spin_to("C", "under_revs", forward=150.0)
    play.answer("stands", 1, reason="sensor_fault")
    assert play.refused == "rank_too_low"
    play.answer("stands", 2)
    assert play.refused == "reason_needed"
    play.answer("stands", 2, reason="sensor_fault")
    assert play.state == "result"


@clause("7.1.2")
def test_a_pointer_near_a_divider_is_confirmed_by_level_two(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.spin_to("A", clear="near")
    assert play.question.subject == "near"
    play.answer("clear", 1)
    assert play.refused == "rank_too_low"
    play.answer("clear", 2)
    assert play.state == "result"


@clause("7.1.2", "7.2")
def test_a_pointer_near_a_divider_may_be_called_a_no_spin_by_the_dealer(play: Play) -> None:
    play.spin_to("A", clear="near")
    play.answer("no_spin", 1)
    assert play.state == "betting_open"


@clause("7.1.2", "7.2")
def test_a_pointer_on_a_peg_is_no_spin_with_both_reasons_if_both_apply(play: Play) -> None:
    play.spin_to(None, "under_revs", "not_clear", clear="not_clear", forward=120.0)
    play.answer("no_spin")
    assert play.noted("no_spin") == [{"reasons": ["under_revs", "not_clear"], "round": 1}]


@clause("7.1.3", "5.3")
def test_a_strangers_hand_on_the_wheel_is_a_breach_and_a_no_spin(play: Play) -> None:
    play.launch()
    play.press("no_more_bets")
    play.press("interference", actor="player")
    play.rest("A")
    assert play.question.evidence["reasons"] == ["interference"]
    play.answer("no_spin")
    assert len(play.noted("breach")) == 1


@clause("5.3", "7.1.3", "7.2")
def test_the_dealer_may_touch_the_wheel_but_the_spin_is_still_none(play: Play) -> None:
    play.launch()
    play.press("no_more_bets")
    play.press("interference", actor="dealer")
    play.rest("A")
    play.answer("no_spin")
    assert play.noted("no_spin") == [{"reasons": ["interference"], "round": 1}]
    assert play.noted("breach") == []


@clause("7.1.3")
def test_a_spin_whose_evidence_is_gone_is_never_guessed(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.spin_to(None, "malfunction", clear="unknown")
    play.answer("stands", 2, reason="seen by eye")
    assert play.refused == "symbol_needed"
    play.answer("stands", 2, reason="seen by eye", symbol="Z")
    assert play.refused == "no_such_symbol"
    play.answer("stands", 2, reason="seen by eye", symbol="A")
    assert play.state == "result"


@clause("7.2")
def test_a_no_spin_needs_one_of_the_listed_reasons(play: Play) -> None:
    play.launch()
    play.press("no_spin", reason="I felt like it")
    assert play.refused == "bad_argument"
    play.press("no_spin", reason="malfunction")
    assert play.state == "betting_open"


@clause("1.1 'Indicator'")
def test_no_result_is_formed_while_the_wheel_turns(play: Play) -> None:
    play.launch()
    play.press("no_more_bets")
    play.turn(3)
    play.press("acknowledge")
    assert play.refused == "not_now"
    assert play.announced("result") == []


@clause("5.2")
def test_the_sense_of_every_spin_is_recorded(play: Play) -> None:
    play.launch()
    assert play.noted("spin")[0]["sense"] == "clockwise"


def test_a_wheel_turned_outside_a_round_is_logged_and_no_spin(play: Play) -> None:
    play = Play().opened()
    play.launch()
    play.rest("A")
    assert play.state == "idle"
    assert len(play.noted("wheel_moved_outside_round")) == 1


@clause("1.1 'Indicator'", "5.2", "7.1.1", "5.1.3")
def test_a_spin_that_is_let_stand_against_the_sensor_wins_where_it_rests_or_where_people_say(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.spin_to("D", "under_revs")
    assert note(play, "spin_rested").facts == {
        "forward": 200.0,
        "reasons": ["under_revs"],
        "compartment": play.config.own(WheelSection).ring.index("D"),
    }
    assert note(play, "spin_rested").clauses == ("1.1 'Indicator'", "5.2")
    play.answer("stands", 2, reason="counted by hand", symbol="Z")
    assert play.refused == "no_such_symbol"
    play.answer("stands", 2, reason="counted by hand")
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)
    other = Play().opened()
    other.press("place_bets")
    other.bet("Ann", "A", 10)
    other.spin_to("D", "under_revs")
    other.answer("stands", 2, reason="counted by hand", symbol="A")
    assert (other.refused, other.state) == ("against_the_sensor", "ruling")
    other.answer("elsewhere", 2, reason="counted by hand", symbol="A")
    assert (other.refused, other.state) == ("rank_too_low", "ruling")
    other.answer("elsewhere", 3, reason="counted by hand", symbol="D")
    assert (other.refused, other.state) == ("as_read", "ruling")
    other.answer("elsewhere", 3, reason="counted by hand")
    assert (other.refused, other.state) == ("bad_argument", "ruling")
    other.answer("elsewhere", 3, reason="counted by hand", symbol="A")
    assert note(other, "symbol_against_sensor").facts == {"read": "D", "symbol": "A", "by": "S3"}
    assert other.announced("symbol_against_sensor")[-1].to == "surveillance"
    assert other.table.game.view()["named_by"] == "S3"
    other.press("acknowledge")
    assert money(other.results["Ann/A"]) == (10, 0, 10)


@clause("5.1.2", "9.5", "9.11")
def test_a_wheel_at_rest_without_the_announcement_may_be_refunded_by_level_three(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.rest("D")
    assert play.question.subject == "close_not_announced"
    play.answer("refund", 3, reason="never closed")
    assert play.settlements[-1].outcome == "invalidated"
    assert money(play.results["Ann/D"]) == (0, 0, 10)
    assert play.results["Ann/D"].clauses == ("9.11", "9.5")
    assert play.state == "idle"


@clause("7.1.2", "7.1.3")
def test_after_a_homing_an_eye_confirms_the_compartment_and_its_neighbours_once(play: Play) -> None:
    play.spin_to("D", clear="near", homed=False)
    assert play.question.subject == "homing"
    ring = play.config.own(WheelSection).ring
    seen = re.search(r"reads (D), between (.*) and (.*)\. Look", play.question.text)
    assert seen is not None
    before, after = seen[2].split(), seen[3].split()
    pattern = (*before, "D", *after)
    fits = [n for n in range(52) if pattern == tuple(ring[(n + k - len(before)) % 52] for k in range(len(pattern)))]
    assert fits == [ring.index("D")]  # no other compartment looks so
    play.answer("as_read", 1)
    assert play.refused == "rank_too_low"
    play.answer("as_read", 2)
    assert play.state == "result"  # clearly inside is part of that answer
    play.press("acknowledge")
    play.settle_up()
    play.press("place_bets")
    play.spin_to("A")
    assert play.state == "result"


@clause("7.1.3", "7.2")
def test_an_index_that_moved_by_whole_compartments_settles_nothing_until_an_eye_agrees(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.spin_to("D", clear="near", homed=False)
    play.answer("elsewhere")
    assert (play.state, play.settlements) == ("betting_open", [])
    assert play.noted("index_moved")[0]["read"] == play.config.own(WheelSection).ring.index("D")
    play.spin_to("D")  # the sensor thinks itself at home by now
    assert (play.state, play.question.subject) == ("ruling", "homing")
    play.answer("as_read", 2)
    assert play.state == "result"


@clause("7.1.1", "7.1.3")
def test_a_homing_in_a_spin_that_is_none_is_asked_about_in_the_next(play: Play) -> None:
    play.spin_to("D", "under_revs", homed=False)
    play.answer("no_spin")
    play.spin_to("A")
    assert play.question.subject == "homing"


@clause("7.1.3", "7.2")
def test_a_spin_that_the_sensor_never_saw_end_is_called_off_and_the_next_one_is_played(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    play.event(DeviceTrouble("wheel", "never_rests", "The wheel sensor has not seen the spin end.", "Look at it."))
    play.press("no_spin", reason="malfunction")
    assert (play.state, play.settlements) == ("betting_open", [])
    play.event(DeviceTroubleOver("wheel", "never_rests"))
    play.rest("D")  # what comes of the spin that was called off settles nothing
    assert (play.state, play.settlements) == ("betting_open", [])
    play.spin_to("D")
    assert play.state == "result"
