"""A round of Big Wheel from the announcement to the last chip paid: when bets are taken, what counts, what is shown."""

from __future__ import annotations

from tests.controller.games.wheel.play import Play, clause, money, with_rules

# -- the betting window --------------------------------------------------------------------------------------------


@clause("5.1.1")
def test_a_round_begins_with_the_dealers_announcement() -> None:
    play = Play().opened()
    assert play.state == "idle"
    play.press("place_bets")
    assert play.state == "betting_open"
    assert play.announced("place_bets")


@clause("5.1.2", "3.3")
def test_bets_are_taken_until_the_announcement_although_the_wheel_turns(play: Play) -> None:
    play.launch()
    assert play.state == "spin_open"
    play.bet("p1", "A", 10)
    play.press("no_more_bets")
    play.rest("A")
    play.press("acknowledge")
    assert money(play.results["p1/A"]) == (10, 0, 10)


@clause("5.1.2")
def test_the_dealer_is_reminded_at_one_turn_and_alarmed_at_two(play: Play) -> None:
    play.launch()
    play.turn(1)
    assert play.announced("remind_no_more_bets")
    assert "no_more_bets_missing" not in play.table.state.desk.alarms
    play.turn(2)
    assert "no_more_bets_missing" in play.table.state.desk.alarms
    play.press("no_more_bets")
    assert "no_more_bets_missing" not in play.table.state.desk.alarms


@clause("5.1.2", "3.2", "9.11")
def test_a_wheel_at_rest_without_the_announcement_is_ruled_by_level_two(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.launch()
    play.rest("A")
    assert (play.state, play.question.subject) == ("ruling", "close_not_announced")
    assert play.settlements == []
    play.answer("settle", 1)
    assert play.refused == "rank_too_low"
    play.answer("settle", 2)
    assert play.state == "result"


@clause("3.2", "3.3", "3.7")
def test_a_late_bet_on_the_winning_symbol_is_handed_back(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.launch()
    play.press("no_more_bets")
    play.bet("p2", "D", 25)
    assert play.noted("late_change")[0]["kind"] == "added"
    play.rest("D")
    assert play.question.subject == "late_change"
    play.answer("as_closed")
    play.press("acknowledge")
    assert money(play.results["p1/A"]) == (0, 10, 0)
    assert (money(play.results["p2/D"]), play.results["p2/D"].result) == ((0, 0, 25), "returned")


@clause("3.2", "3.5", "9.11")
def test_chips_slid_to_the_winner_after_the_close_are_settled_where_they_were(play: Play) -> None:
    tag = play.bet("p1", "A", 50)
    play.launch()
    play.press("no_more_bets")
    play.slide(tag, "A", "C")
    play.rest("C")
    assert play.question.subject == "late_change"
    play.answer("as_lying", 2, reason="disputed")
    assert play.refused == "rank_too_low"
    play.answer("as_closed")
    play.press("acknowledge")
    assert {key: money(result) for key, result in play.results.items()} == {"p1/A": (0, 50, 0)}


@clause("3.2", "3.5")
def test_a_stack_knocked_off_and_put_back_before_the_rest_is_settled_and_only_logged(play: Play) -> None:
    from controller.core.events import Chip, ChipsMoved

    tag = play.bet("p1", "B", 20)
    play.launch()
    play.press("no_more_bets")
    play.lift("B", tag)
    assert "late_change" in play.table.state.desk.alarms
    play.event(ChipsMoved("chips", play.area("B"), (Chip(tag, "cash", 2000),)), 4000)
    play.rest("B")
    assert play.state == "result"
    assert len(play.noted("late_change_restored")) == 1
    play.press("acknowledge")
    assert {key: money(result) for key, result in play.results.items()} == {"p1/B": (60, 0, 20)}


@clause("3.2")
def test_a_wager_taken_back_after_the_close_is_still_owed(play: Play) -> None:
    tag = play.bet("p1", "A", 10)
    play.launch()
    play.press("no_more_bets")
    play.lift("A", tag)
    assert play.noted("late_change")[0]["kind"] == "removed"
    play.rest("C")
    play.answer("as_closed")
    play.press("acknowledge")
    assert money(play.results["p1/A"]) == (0, 10, 0)


@clause("3.2")
def test_a_winner_may_be_lifted_before_the_next_spin_and_is_no_wager_then(play: Play) -> None:
    play.bet("p1", "C", 10)
    assert money(play.result("C")["p1/C"]) == (50, 0, 10)
    play.settle_up()
    play.press("place_bets")
    play.press("idle_spins", 2, spins=1)
    assert play.result("C") == {}


@clause("3.2")
def test_a_winner_left_up_is_a_wager_on_the_next_spin(play: Play) -> None:
    play.bet("p1", "C", 10)
    play.result("C")
    play.press("paid", confirmed=True)
    play.press("place_bets")
    assert money(play.result("A")["p1/C"]) == (0, 10, 0)


@clause("3.4", "3.5", "3.7")
def test_a_chip_on_the_line_is_asked_about_and_no_wager_unless_told(play: Play) -> None:
    play.unclear(10, "A", "B")
    assert play.question.subject.startswith("position:")
    result = play.result("A")
    assert [r.result for r in result.values()] == ["returned"]
    assert not play.table.state.desk.prompts


@clause("3.4")
def test_a_chip_on_the_line_counts_where_the_dealer_says(play: Play) -> None:
    play.unclear(10, "A", "B")
    play.answer(f"area{play.area('B')}")
    assert [money(r) for r in play.result("B").values()] == [(30, 0, 10)]


@clause("3.4")
def test_chips_the_dealer_placed_are_recorded_and_settled_where_they_lie(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.press("dealer_placed", area=play.area("A"), player="p1")
    assert play.noted("dealer_placed")[0]["player"] == "p1"
    assert money(play.result("A")["p1/A"]) == (10, 0, 10)


@clause("3.1", "3.7", "3.1.1")
def test_what_is_not_a_chip_is_no_wager_and_the_dealer_is_told(play: Play) -> None:
    play.bet("", "A", 10, kind="unknown")
    assert any(code.startswith("foreign:") for code in play.table.state.desk.alarms)
    assert play.result("A") == {}


@clause("3.1.2(b)")
def test_another_tables_chip_is_no_wager_and_the_dealer_is_told_to_take_it_off(play: Play) -> None:
    tag = play.bet("", "A", 0, kind="other_table")
    assert "3.1.2(b)" in play.table.state.desk.alarms[f"foreign:{tag}"].clauses
    play.lift("A", tag)
    assert not play.table.state.desk.alarms


@clause("5.1.2")
def test_a_house_may_want_the_wheel_to_turn_before_betting_closes(play: Play) -> None:
    with_rules(play, "betting", close_before_spin=False).press("no_more_bets")
    assert play.refused == "spin_first"


@clause("3.2")
def test_a_house_may_want_to_be_asked_about_a_restored_layout(play: Play) -> None:
    from controller.core.events import Chip, ChipsMoved

    with_rules(play, "betting", restored_late_change="ask")
    tag = play.bet("p1", "B", 20)
    play.launch()
    play.press("no_more_bets")
    play.lift("B", tag)
    play.event(ChipsMoved("chips", play.area("B"), (Chip(tag, "cash", 2000),)))
    play.rest("B")
    assert play.question.subject == "late_change"


@clause("9.8")
def test_a_house_may_count_no_spins_as_notice() -> None:
    play = with_rules(Play().opened(), "closing", no_spins_count=True)
    play.press("sit", seat=1, player="p1")
    play.press("close", 2)
    play.press("place_bets")
    play.spin_to("A", "under_revs")
    play.answer("no_spin")
    assert play.table.state.closing is not None
    assert play.table.state.closing.rounds == 2


@clause("9.9")
def test_a_house_may_count_no_spins_as_idle_rounds() -> None:
    play = with_rules(Play().opened(), "idle_seats", no_spins_count=True)
    play.press("sit", seat=1, player="p1")
    play.press("place_bets")
    play.spin_to("A", "under_revs")
    play.answer("no_spin")
    assert play.table.game.state.idle_rounds == {1: 1}  # type: ignore[attr-defined]


@clause("9.3", "9.5")
def test_a_house_may_end_invalidation_with_the_payment(play: Play) -> None:
    with_rules(play, "voids", invalidate_until="paid")
    play.bet("p1", "A", 10)
    play.result("A")
    play.settle_up()
    play.press("cancel_disruption", 2, reason="robbery")
    assert play.refused == "too_late"


# -- result, collection, payment -----------------------------------------------------------------------------------


@clause("5.1.3")
def test_symbol_and_odds_are_shown_and_must_be_acknowledged(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.spin_to("E")
    assert {(said.to, said.text) for said in play.announced("result")} == {
        ("console", "E 23 to 1"),
        ("sign", "E 23 to 1"),
    }
    assert play.state == "result"
    assert play.settlements == []


@clause("5.1.4", "3.6.1")
def test_winners_are_not_paid_before_the_losers_are_cleared(play: Play) -> None:
    play.bet("p1", "A", 10)
    tag = play.bet("p2", "B", 10)
    play.result("A")
    assert play.state == "collect"
    play.press("losers_clear")
    assert play.refused == "not_clear"
    play.press("paid", confirmed=True)
    assert play.refused == "collect_first"
    play.lift("B", tag)
    assert play.state == "pay"


@clause("3.6.2")
def test_a_payment_is_seen_or_confirmed_before_the_round_ends(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.result("A")
    play.press("paid")
    assert (play.refused, play.state) == ("not_seen", "pay")
    play.bet("", "A", 10)
    play.press("paid")
    assert (play.refused, play.state) == ("", "idle")
