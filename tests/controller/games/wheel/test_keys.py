"""Keys of Big Wheel: who may press them, when they mean something, what they undo, and what goes on record."""

from __future__ import annotations

import msgspec
import pytest

from controller.core.effects import Asked
from controller.games.wheel.game import WheelGame
from tests.controller.games.wheel.play import Play, clause, money, note, ruled

# -- void, exclusion, invalidation, disputes ------------------------------------------------------------------


@clause("9.2.1", "1.1 'Void'")
def test_voiding_one_players_wagers_leaves_the_others_to_be_settled(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.bet("p2", "A", 20)
    play.press("void", 3, player="p1", reason="device")
    assert play.refused == "rank_too_low"
    play.press("void", 4, player="p1", reason="device")
    results = play.result("A")
    assert (results["p1/A"].result, money(results["p1/A"])) == ("void", (0, 0, 10))
    assert money(results["p2/A"]) == (20, 0, 20)


@clause("9.1", "9.2.3")
def test_a_reported_device_is_decided_by_level_four(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.press("device_seen", player="p1")
    assert play.question.subject == "device:p1"
    play.answer("withhold", 3, reason="phone on the rail")
    assert play.refused == "rank_too_low"
    play.answer("withhold", 4, reason="phone on the rail")
    assert play.result("A")["p1/A"].withheld


@clause("9.2.2")
def test_an_excluded_players_later_wagers_go_back(play: Play) -> None:
    play.press("exclude", 4, player="p1", reason="device")
    play.bet("p1", "A", 10)
    assert play.result("A")["p1/A"].result == "returned"


@clause("9.2.3")
def test_withheld_winnings_are_owed_and_not_paid(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.press("withhold", 4, player="p1", reason="suspected device")
    result = play.result("A")["p1/A"]
    assert (result.pays, result.withheld) == (1000, True)
    assert play.table.money.unpaid(play.area("A")) == 0
    play.press("inquiry_over", 4, player="p1", outcome="cleared")
    assert (play.refused, play.table.game.state.withheld) == ("say_which", {"p1"})  # type: ignore[attr-defined]
    play.press("inquiry_over", 4, player="p1", outcome="cleared", winnings="pay")
    assert play.table.game.state.withheld == set()  # type: ignore[attr-defined]
    assert play.table.money.unpaid(play.area("A")) == 1000


@clause("9.3", "9.5")
def test_fraud_is_cancelled_by_level_four_and_every_wager_goes_back(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.bet("p2", "B", 20)
    play.press("cancel_fraud", 3, reason="past posting")
    assert play.refused == "rank_too_low"
    play.launch()
    play.press("cancel_fraud", 4, reason="past posting")
    assert {key: money(result) for key, result in play.results.items()} == {"p1/A": (0, 0, 10), "p2/B": (0, 0, 20)}
    assert play.state == "idle"


@clause("9.4", "9.5")
def test_a_disruption_after_the_result_reverses_what_was_booked(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.result("B")
    play.press("cancel_disruption", 2, reason="fire")
    assert [money(result) for result in play.reversals[0].results] == [(0, 0, 10)]


@clause("9.3", "9.5")
def test_a_paid_round_can_be_invalidated_until_the_next_close_only(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.result("A")
    play.settle_up()
    play.press("cancel_disruption", 2, reason="robbery")
    assert len(play.reversals) == 1
    play.press("cancel_disruption", 2, reason="robbery")
    assert play.refused == "too_late"


@clause("9.10", "9.11")
def test_a_dispute_is_decided_by_level_three_and_the_inspector_is_mentioned(play: Play) -> None:
    play.press("dispute", 2, text="my bet was on B", decision="stands")
    assert play.refused == "rank_too_low"
    play.press("dispute", 3, text="my bet was on B", decision="stands")
    assert play.announced("inspector")
    assert play.noted("inspector_told")


@clause("5.1.1")
def test_betting_opens_only_on_a_wheel_at_rest(play: Play) -> None:
    play.result("D")
    assert play.state == "idle"
    play.launch()
    play.press("place_bets")
    assert (play.refused, play.state) == ("wheel_turns", "idle")
    play.rest("A")
    play.press("place_bets")
    assert play.state == "betting_open"


@clause("7.2", "7.1.1", "7.1.2", "7.1.3")
def test_a_no_spin_needs_a_reason_and_a_spin_and_names_its_clauses(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.press("no_spin", reason="bored")
    assert play.refused == "bad_argument"
    play.press("no_spin", reason="not_clear")
    assert play.refused
    play.launch()
    play.press("no_more_bets")
    play.press("no_spin", reason="under_revs")
    assert ruled(play).clauses == ("7.1.1",)
    assert note(play, "no_spin").clauses == ("7.1.1", "7.2")
    assert note(play, "no_spin").facts["reasons"] == ["under_revs"]
    assert play.announced("no_spin")[-1].text == "No spin: too few turns."
    assert play.state == "betting_open"
    assert play.settlements == []


@clause("7.1.3", "5.3")
def test_interference_is_reported_once_and_a_stranger_is_a_breach(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.press("interference")
    assert play.refused
    play.launch()
    play.press("interference", actor="dealer")
    assert play.noted("breach") == []
    play.press("interference", actor="player")
    assert note(play, "breach").clauses == ("5.3",)
    assert [facts["actor"] for facts in play.noted("interference_reported")] == ["dealer", "player"]
    play.press("no_more_bets")
    play.rest("D")
    assert play.question.subject == "spin"
    assert play.question.evidence["reasons"] == ["interference"]


@clause("9.1", "9.2.1", "9.2.2", "9.2.3")
@pytest.mark.parametrize(
    ("answer", "where"), [("withhold", "withheld"), ("void", "voided"), ("exclude", "excluded"), ("nothing", "")]
)
def test_what_is_decided_about_a_reported_device_touches_that_player_only_and_needs_a_reason(
    play: Play, answer: str, where: str
) -> None:
    play.bet("Ann", "A", 10)
    play.bet("Bob", "A", 10)
    play.press("device_seen", player="Ann")
    asked = [effect for effect in play.told if isinstance(effect, Asked)][-1]
    assert [wager["owner"] for wager in asked.evidence["wagers"]] == ["Ann"]
    assert all(option.needs_reason for option in asked.options)
    assert asked.clauses == ("9.1", "9.2.1", "9.2.2", "9.2.3")
    play.answer(answer, 4)
    assert play.refused
    play.answer(answer, 4, reason="seen by two")
    game = play.table.game
    assert isinstance(game, WheelGame)
    found = {name: getattr(game.state, name) for name in ("withheld", "voided", "excluded")}
    assert found == {name: ({"Ann"} if name == where else set()) for name in found}


@clause("9.3", "9.4", "9.5")
def test_a_finished_spin_may_be_undone_until_betting_closes_again(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.result("D")
    play.settle_up()
    assert play.state == "idle"
    play.press("cancel_fraud", rank=4, reason="marked wheel")
    assert ruled(play).clauses == ("9.3",)
    (undone,) = play.reversals
    assert undone.clauses == ("9.3", "9.5")
    assert [money(result) for result in undone.results] == [(0, 0, 10)]
    play.press("cancel_fraud", rank=4, reason="again")
    assert len(play.reversals) == 1


@clause("9.10", "9.11")
def test_a_decided_dispute_tells_of_the_inspector(play: Play) -> None:
    play.press("dispute", rank=3, decision="upheld", text="the symbol was D")
    assert ruled(play).clauses == ("9.11",)
    assert play.announced("inspector")[-1].clauses == ("9.10",)
    assert note(play, "inspector_told").facts["by"] == "S3"


@clause("9.2.3")
def test_winnings_are_withheld_until_the_inquiry_is_over(play: Play) -> None:
    play.press("inquiry_over", rank=4, player="Ann", outcome="nothing found")
    assert play.refused == "not_there"
    play.bet("Ann", "D", 10)
    play.spin_to("D")
    play.press("withhold", rank=4, player="Ann", reason="device")
    assert ruled(play).clauses == ("9.2.3",)
    assert play.table.game.state.round.results[0].withheld  # type: ignore[attr-defined]
    play.press("inquiry_over", rank=4, player="Ann", outcome="nothing found", winnings="pay")
    assert play.table.game.state.withheld == set()  # type: ignore[attr-defined]
    assert (ruled(play).answer, ruled(play).reason) == ("Ann: nothing found", "pay")
    assert not play.table.game.state.round.results[0].withheld  # type: ignore[attr-defined]


@clause("7.2", "5.1.2")
def test_a_no_spin_ends_every_question_and_alarm_of_the_spin(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.launch()
    play.turn(2)
    assert "no_more_bets_missing" in play.table.state.desk.alarms
    play.press("no_spin", reason="malfunction")
    assert play.table.state.desk.alarms == {}
    play.launch()
    play.press("no_more_bets")
    play.bet("", "B", 5)
    assert "late_change" in play.table.state.desk.alarms
    round_ = play.table.state.round
    play.rest("D", "under_revs")
    assert play.question.subject == "spin"
    play.press("no_spin", reason="not_clear")
    assert (play.table.state.desk.alarms, play.table.state.desk.prompts) == ({}, {})
    assert note(play, "no_spin").facts["reasons"] == ["under_revs", "not_clear"]
    assert note(play, "no_spin").clauses == ("7.1.1", "7.1.2", "7.2")
    assert play.table.state.round >= round_


@clause("9.3", "9.5", "9.4")
def test_undoing_a_finished_spin_moves_the_money_back_and_ends_when_betting_closes(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.result("D")
    play.settle_up()
    held = play.table.state.money
    before = msgspec.to_builtins(held)
    play.press("cancel_disruption", rank=2, reason="fire alarm")
    assert (ruled(play).subject, ruled(play).answer) == ("invalidate", "round 1")
    assert msgspec.to_builtins(play.table.state.money) != before
    again = Play().opened()
    again.press("place_bets")
    again.bet("Ann", "D", 10)
    again.result("D")
    again.settle_up()
    again.press("place_bets")
    again.bet("Ann", "A", 10)
    again.launch()
    again.press("no_more_bets")
    assert again.table.game.state.past is None  # type: ignore[attr-defined]
    again.press("cancel_fraud", rank=4, reason="seen")
    assert ruled(again).answer == "round 2"
    assert again.results["Ann/A"].clauses == ("9.3", "9.5")
    again.press("cancel_fraud", rank=4, reason="the one before")
    assert ruled(again).subject == "invalidate_late"
    assert ruled(again).clauses == ("9.3", "9.5")
    again.press("cancel_disruption", rank=2, reason="the one before")
    assert again.refused == "too_late"
