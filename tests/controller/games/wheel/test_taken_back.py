"""A no spin is a no spin whenever its reason is found: at the result, while it is paid, and after that."""

from __future__ import annotations

import pytest

from controller.games.wheel.settle import Wager
from tests.controller.games.wheel.play import Play, clause, money, note, ruled
from tests.controller.money.play import MoneyPlay


def spun(play: Play, until: str) -> None:
    """Ann wins on D and Bob loses on A, up to this state."""
    play.bet("Ann", "D", 10)
    lost = play.bet("Bob", "A", 20)
    play.spin_to("D")
    if until != "result":
        play.press("acknowledge")
    if until in ("pay", "idle", "betting_open"):
        play.lift("A", lost)
    if until in ("idle", "betting_open"):
        play.press("paid", confirmed=True)
    if until == "betting_open":
        play.press("place_bets")
    assert play.state == until


def needed(play: Play) -> tuple[int, str]:
    """Whom the page asks to call a no spin, and under which clause."""
    (key,) = [key for key in play.table.available() if key.name == "no_spin"]
    return key.rank, key.clause


REASONS = [("under_revs", "7.1.1"), ("not_clear", "7.1.2"), ("interference", "7.1.3"), ("malfunction", "7.1.3")]


@clause("7.1.1", "7.1.2", "7.1.3", "7.2")
@pytest.mark.parametrize(("reason", "why"), REASONS)
def test_the_dealer_calls_a_no_spin_at_the_result_whatever_the_sensor_says(play: Play, reason: str, why: str) -> None:
    spun(play, "result")
    assert needed(play) == (1, "7.2")
    play.press("no_spin", 1, reason=reason)
    assert (play.state, play.settlements, play.reversals) == ("betting_open", [], [])
    assert (note(play, "no_spin").facts, note(play, "no_spin").clauses) == (
        {"reasons": [reason], "round": 1},
        (why, "7.2"),
    )
    assert play.table.game.wagers() == (Wager("Bob", "A", 2000), Wager("Ann", "D", 1000))  # type: ignore[attr-defined]
    assert money(play.result("A")["Bob/A"]) == (20, 0, 20)


@clause("7.1.3", "7.2")
@pytest.mark.parametrize("when", ["collect", "pay"])
def test_once_the_result_is_announced_a_no_spin_is_called_by_level_two_and_what_moved_goes_back(
    play: Play, when: str
) -> None:
    spun(play, when)
    assert needed(play) == (2, "7.2")
    play.press("no_spin", 1, reason="interference")
    assert (play.refused, play.state) == ("rank_too_low", when)
    play.press("no_spin", 2, reason="interference")
    assert (play.state, play.table.state.round) == ("betting_open", 1)
    (undone,) = play.reversals
    assert (undone.round, undone.clauses) == (1, ("7.1.3", "7.2"))
    assert {one.wager: money(one) for one in undone.results} == {"Bob/A": (0, 0, 20), "Ann/D": (0, 0, 10)}
    assert play.table.money.state.due == {}
    assert money(play.result("D")["Ann/D"]) == (110, 0, 10)
    assert play.settlements[-1].round == 1


@clause("7.1.3", "7.2", "9.11")
@pytest.mark.parametrize("when", ["idle", "betting_open"])
def test_once_it_is_paid_a_no_spin_is_decided_by_level_three_until_the_next_close(play: Play, when: str) -> None:
    spun(play, when)
    assert needed(play) == (3, "9.11")
    play.press("no_spin", 2, reason="malfunction")
    assert (play.refused, play.reversals) == ("rank_too_low", [])
    play.press("no_spin", 3, reason="malfunction")
    (undone,) = play.reversals
    assert (undone.round, undone.clauses, play.state) == (1, ("7.1.3", "7.2", "9.11"), when)
    assert note(play, "booked").facts == {"booking": 1, "kind": "taken_back", "cents": 9000, "by": "S3"}
    play.press("no_spin", 3, reason="malfunction")
    assert (play.refused, len(play.reversals)) == ("not_now", 1)


@clause("7.1.3", "5.3")
def test_a_hand_at_the_wheel_told_at_the_result_is_asked_about_before_anything_is_announced(play: Play) -> None:
    spun(play, "result")
    play.press("interference", actor="player")
    assert (play.refused, play.state, play.question.subject) == ("", "ruling", "spin")
    assert play.question.evidence["reasons"] == ["interference"]
    assert note(play, "breach").facts == {"actor": "player"}
    play.press("acknowledge")
    assert play.refused == "not_now"
    play.answer("stands", 2, reason="it was at rest")
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)


@clause("7.1.3", "7.2")
def test_a_hand_at_the_wheel_told_during_a_ruling_is_asked_about_with_it(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.spin_to("D", "under_revs")
    play.press("interference", actor="dealer")
    assert (play.state, play.question.evidence["reasons"]) == ("ruling", ["under_revs", "interference"])
    assert (len(play.table.state.desk.prompts), play.noted("breach")) == (1, [])
    play.answer("stands", 2, reason="counted by hand")
    play.press("interference", actor="player")
    assert (play.state, play.question.subject) == ("ruling", "spin")
    play.answer("no_spin")
    assert note(play, "no_spin").facts == {"reasons": ["under_revs", "interference"], "round": 1}


@clause("7.1.3", "7.2", "3.6.2")
@pytest.mark.parametrize("when", ["collect", "pay"])
def test_a_hand_at_the_wheel_told_while_it_is_paid_stops_the_payment_until_it_is_decided(play: Play, when: str) -> None:
    spun(play, when)
    play.press("interference", actor="player")
    asked = play.question
    assert (asked.subject, asked.evidence["round"], asked.evidence["compartment"] is not None) == ("touched", 1, True)
    play.press("interference", actor="other")
    assert len(play.table.state.desk.prompts) == 1
    if when == "collect":
        play.lift("A", play.laid["A"][0])
    play.press("paid", confirmed=True)
    assert (play.refused, play.state) == ("spin_in_doubt", "pay")
    play.answer("no_spin", 1, reason="on camera")
    assert play.refused == "rank_too_low"
    play.answer("no_spin", 2, reason="on camera")
    assert (play.state, play.reversals[-1].clauses) == ("betting_open", ("7.1.3", "7.2"))


@clause("7.1.3", "3.6.2")
def test_a_settled_spin_that_is_let_stand_is_paid(play: Play) -> None:
    spun(play, "pay")
    play.press("interference", actor="player")
    play.answer("stands", 2, reason="the hand was at the stand")
    play.press("paid", confirmed=True)
    assert (play.state, play.reversals) == ("idle", [])


@clause("7.1.3", "9.11", "7.2")
@pytest.mark.parametrize("when", ["idle", "betting_open"])
def test_a_hand_at_the_wheel_told_after_the_payment_is_asked_about_until_the_next_close(play: Play, when: str) -> None:
    spun(play, when)
    play.press("interference", actor="player")
    assert (play.question.subject, play.question.evidence["round"]) == ("touched", 1)
    play.answer("no_spin", 2, reason="on camera")
    assert play.refused == "rank_too_low"
    play.answer("no_spin", 3, reason="on camera")
    assert (play.state, play.reversals[-1].round, ruled(play).answer) == (when, 1, "no_spin")


@clause("7.1.3", "9.11")
def test_a_question_about_the_last_spin_ends_when_betting_closes_and_strikes_nothing_of_the_next(play: Play) -> None:
    spun(play, "betting_open")
    play.press("interference", actor="player")
    asked = play.question.prompt
    play.bet("Bob", "A", 10)
    play.launch()
    play.press("no_more_bets")
    assert play.table.state.desk.prompts == {}
    play.press("answer", 3, prompt=asked, answer="no_spin", reason="late")
    assert (play.refused, play.state) == ("no_such_prompt", "spin_closed")


@clause("5.1.3", "7.1.3")
def test_a_symbol_that_no_sensor_read_is_named_by_eye_and_on_record(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.spin_to(None, "malfunction", clear="unknown")
    answers = [option.answer for option in play.question.options]
    (asks,) = play.table.game.asks(play.question, "stands")
    assert (answers, asks.name, asks.optional) == (["no_spin", "stands"], "symbol", False)
    assert [symbol for symbol, _ in asks.choices] == list("ABCDEFG")
    play.answer("stands", 2, reason="by eye", symbol="D")
    assert note(play, "symbol_by_eye").facts == {"symbol": "D", "by": "S2"}
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)


@clause("5.1.3", "7.1.1")
def test_where_the_sensor_reads_a_symbol_a_spin_stands_on_it_without_being_asked_which(play: Play) -> None:
    play.spin_to("D", "under_revs")
    labels = {option.answer: (option.label, option.rank) for option in play.question.options}
    assert labels == {
        "no_spin": ("No spin", 1),
        "stands": ("The spin stands: D", 2),
        "elsewhere": ("It stands on another symbol than D, which the sensor reads", 3),
    }
    assert play.table.game.asks(play.question, "stands") == ()
    (asks,) = play.table.game.asks(play.question, "elsewhere")
    assert [symbol for symbol, _ in asks.choices] == list("ABCEFG")


@clause("7.2", "3.6.2")
def test_a_payment_for_a_spin_that_was_none_is_no_wager_on_the_next_and_is_on_record_until_it_is_taken_back() -> None:
    play = MoneyPlay().opened()
    play.bet("Ann", "D", 10)
    play.result("D")
    paid = play.pay("D", 10_000, 500, 500)
    play.press("no_spin", 2, reason="interference")
    assert (play.state, play.found) == ("betting_open", [("D", "paid_without_win", 11_000)])
    play.spin_to("D")
    assert (play.state, "late_change" in play.alarms) == ("result", False)
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)
    (wrong,) = play.noted("mispayment")
    assert (wrong["kind"], wrong["cents"], wrong["round"]) == ("paid_without_win", 11_000, 1)
    assert paid


@clause("7.2", "3.6.2")
def test_a_payment_for_a_spin_that_was_none_and_is_taken_back_leaves_nothing_behind() -> None:
    play = MoneyPlay().opened()
    play.bet("Ann", "D", 10)
    play.result("D")
    paid = play.pay("D", 10_000, 500, 500)
    play.press("no_spin", 2, reason="interference")
    play.collect("D", *paid)
    assert (play.found, play.alarms) == ([], {})
    play.spin_to("A")
    play.press("acknowledge")
    assert (money(play.results["Ann/D"]), play.noted("mispayment")) == ((0, 10, 0), [])
