"""Big Wheel by the rulebook, case by case."""

from __future__ import annotations

from fractions import Fraction

import pytest

from controller.config.kept import plain
from controller.core.desk import Limits
from controller.games.wheel.edge import expectation
from controller.games.wheel.rules import wheel_rules
from controller.games.wheel.settle import Wager, settle
from tests.controller.games.wheel.play import Play, money, with_rules

RULES = wheel_rules()
clause = pytest.mark.clause


@pytest.fixture
def play() -> Play:
    play = Play().opened()
    play.press("place_bets")
    return play


# -- settlement --------------------------------------------------------------------------------------------------


@clause("melbourne-wheel", *(symbol.pay_clause for option in RULES.options for symbol in option.symbols))
@clause("melbourne-wheel", "3.6.1", "3.6.2", "5.1.4")
@pytest.mark.parametrize("option", RULES.options, ids=lambda option: f"option {option.number}")
def test_ten_dollars_on_every_symbol_pay_the_odds_of_the_one_that_wins(option) -> None:  # type: ignore[no-untyped-def]
    wagers = [Wager("P1", symbol.symbol, 1000) for symbol in option.symbols]
    for winner in option.symbols:
        results = settle(option, winner.symbol, wagers, lambda *_: Limits(500, 10_000)).results
        assert sum(result.pays for result in results) == 1000 * winner.odds
        assert sum(result.stake_taken for result in results) == 1000 * (len(option.symbols) - 1)
        assert [result.bet for result in results if result.result == "win"] == [winner.symbol]
        assert all(winner.pay_clause in result.clauses for result in results)
    assert sum(symbol.compartments for symbol in option.symbols) == 52
    assert all(symbol.compartments * (symbol.odds + 1) == 48 for symbol in option.symbols)


def test_every_bet_of_every_option_loses_a_thirteenth_on_average() -> None:
    for option in RULES.options:
        for symbol in option.symbols:
            assert expectation(option, symbol.symbol) == Fraction(-1, 13)


@clause("melbourne-wheel", "2.1.3[unlettered item after (m)]", "2.1.3(n)", "2.1.3(o)", "6.1 Option 3 Symbol N")
def test_the_symbol_without_a_letter_is_the_fourteenth() -> None:
    play = Play(option=3).opened()
    play.press("place_bets")
    play.bet("p1", "N", 10)
    assert money(play.result("N")["p1/N"]) == (470, 0, 10)


@clause("melbourne-wheel", "3.6.1", "3.6.2", "6.1 Option 1 Symbol D")
def test_one_player_on_several_symbols_has_several_wagers(play: Play) -> None:
    play.bet("p1", "A", 50)
    play.bet("p1", "D", 25)
    play.bet("p1", "F", 5)
    results = play.result("D")
    assert [money(results[key]) for key in ("p1/A", "p1/D", "p1/F")] == [(0, 50, 0), (275, 0, 25), (0, 5, 0)]


# -- limits --------------------------------------------------------------------------------------------------------


@clause("melbourne-wheel", "4.2.2")
@pytest.mark.parametrize(("winner", "expected"), [("B", (300, 0, 150)), ("A", (0, 100, 50))])
def test_over_the_maximum_counts_as_the_maximum_and_the_rest_goes_back(
    play: Play, winner: str, expected: tuple[float, float, float]
) -> None:
    play.bet("p1", "B", 150)
    assert money(play.result(winner)["p1/B"]) == expected


@clause("melbourne-wheel", "4.2.2")
def test_cash_of_nobody_over_the_maximum_is_never_capped_silently(play: Play) -> None:
    play.bet("", "B", 150)
    play.spin_to("B")
    assert (play.state, play.question.subject) == ("ruling", "owners")
    tag = play.laid["B"][0]
    play.press("assign", area=play.area("B"), player="p1", tags=[tag])
    assert play.state == "result"


@clause("melbourne-wheel", "4.2.1")
def test_the_first_wager_under_the_minimum_is_settled_and_its_owner_advised(play: Play) -> None:
    play.bet("p1", "B", 2)
    assert money(play.result("B")["p1/B"]) == (6, 0, 2)
    assert play.noted("advised_under_minimum") == [{"player": "p1"}]


@clause("melbourne-wheel", "4.2.1")
@pytest.mark.parametrize("winner", ["A", "B"])
def test_after_the_advice_a_wager_under_the_minimum_goes_back_win_or_lose(play: Play, winner: str) -> None:
    play.table.game.state.advised.add("p1")  # type: ignore[attr-defined]
    play.bet("p1", "B", 2)
    result = play.result(winner)["p1/B"]
    assert (money(result), result.result) == ((0, 0, 2), "returned")


@clause("melbourne-wheel", "4.2.1")
def test_the_advice_lapses_when_the_minimum_changes() -> None:
    play = Play().opened()
    play.press("place_bets")
    play.bet("p1", "B", 2)
    play.result("A")
    play.settle_up()
    play.press("limits", 3, least=400, most=10_000)
    play.press("place_bets")
    play.bet("p1", "B", 2)
    assert play.result("A")["p1/B"].result == "lose"


@clause("melbourne-wheel", "4.2.3")
def test_winnings_are_rounded_up_to_the_smallest_chip() -> None:
    option = RULES.option(1)
    limits = Limits(500, 10_000, smallest_chip=250)
    (won,) = settle(option, "B", [Wager("p", "B", 790)], lambda *_: limits).results
    (lost,) = settle(option, "A", [Wager("p", "B", 790)], lambda *_: limits).results
    assert (won.pays, lost.stake_taken) == (2500, 790)
    assert "4.2.3" in won.clauses


@clause("melbourne-wheel", "4.3", "4.2.2", "1.1 'Distinctive Marker'")
@pytest.mark.parametrize(("marker", "expected"), [(True, (300, 0, 300)), (False, (100, 0, 300))])
def test_personal_limits_hold_only_with_the_marker(play: Play, marker: bool, expected: tuple[float, ...]) -> None:
    assert play.press("personal_limit", 2, player="p1", least=500, most=50_000)
    assert play.refused == "rank_too_low"
    play.press("personal_limit", 3, player="p1", least=500, most=50_000)
    if marker:
        play.press("marker", player="p1", laid=True)
    play.bet("p1", "A", 300)
    assert money(play.result("A")["p1/A"]) == expected


@clause("melbourne-wheel", "footnote 1 s 66(2)", "4.1", "footnote 1 s 66(1)(c)")
def test_a_higher_minimum_waits_twenty_minutes_on_the_sign_and_a_lower_one_does_not() -> None:
    from controller.core.events import SignShown

    play = Play().opened()
    play.press("limits", 3, least=1000, most=10_000)
    play.event(SignShown(play.table.state.sign))
    play.time(19)
    assert play.table.state.limits.least == 500
    assert play.table.sign()["coming"]["least"] == 1000
    play.time(2)
    assert play.table.state.limits.least == 1000
    play.press("limits", 3, least=200, most=10_000)
    assert play.table.state.limits.least == 200


@clause("melbourne-wheel", "footnote 1 s 66(2)")
def test_a_higher_minimum_does_not_come_while_the_sign_does_not_show_it() -> None:
    play = Play().opened()
    play.table.state.sign_shown = 0
    play.press("limits", 3, least=1000, most=10_000)
    play.time(21)
    assert play.table.state.limits.least == 500


@clause("melbourne-wheel", "4.1", "footnote 1 s 66(1)(c)")
def test_the_table_does_not_open_before_the_sign_shows_the_limits() -> None:
    from controller.core.events import SignShown, Started

    play = Play()
    play.event(Started("test", plain(play.config)))
    play.up("wheel")
    play.up("chips")
    play.press("open")
    assert play.life == "opening"
    play.event(SignShown(play.table.state.sign))
    assert play.life == "open"


# -- the betting window --------------------------------------------------------------------------------------------


@clause("melbourne-wheel", "5.1.1")
def test_a_round_begins_with_the_dealers_announcement() -> None:
    play = Play().opened()
    assert play.state == "idle"
    play.press("place_bets")
    assert play.state == "betting_open"
    assert play.announced("place_bets")


@clause("melbourne-wheel", "5.1.2", "3.3")
def test_bets_are_taken_until_the_announcement_although_the_wheel_turns(play: Play) -> None:
    play.launch()
    assert play.state == "spin_open"
    play.bet("p1", "A", 10)
    play.press("no_more_bets")
    play.rest("A")
    play.press("acknowledge")
    assert money(play.results["p1/A"]) == (10, 0, 10)


@clause("melbourne-wheel", "5.1.2")
def test_the_dealer_is_reminded_at_one_turn_and_alarmed_at_two(play: Play) -> None:
    play.launch()
    play.turn(1)
    assert play.announced("remind_no_more_bets")
    assert "no_more_bets_missing" not in play.table.state.desk.alarms
    play.turn(2)
    assert "no_more_bets_missing" in play.table.state.desk.alarms
    play.press("no_more_bets")
    assert "no_more_bets_missing" not in play.table.state.desk.alarms


@clause("melbourne-wheel", "5.1.2", "3.2", "9.11")
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


@clause("melbourne-wheel", "3.2", "3.3", "3.7")
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


@clause("melbourne-wheel", "3.2", "3.5", "9.11")
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


@clause("melbourne-wheel", "3.2", "3.5")
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


@clause("melbourne-wheel", "3.2")
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


@clause("melbourne-wheel", "3.2")
def test_a_winner_may_be_lifted_before_the_next_spin_and_is_no_wager_then(play: Play) -> None:
    play.bet("p1", "C", 10)
    assert money(play.result("C")["p1/C"]) == (50, 0, 10)
    play.settle_up()
    play.press("place_bets")
    play.press("idle_spins", 2, spins=1)
    assert play.result("C") == {}


@clause("melbourne-wheel", "3.2")
def test_a_winner_left_up_is_a_wager_on_the_next_spin(play: Play) -> None:
    play.bet("p1", "C", 10)
    play.result("C")
    play.press("paid", confirmed=True)
    play.press("place_bets")
    assert money(play.result("A")["p1/C"]) == (0, 10, 0)


@clause("melbourne-wheel", "3.4", "3.5", "3.7")
def test_a_chip_on_the_line_is_asked_about_and_no_wager_unless_told(play: Play) -> None:
    play.unclear(10, "A", "B")
    assert play.question.subject.startswith("position:")
    result = play.result("A")
    assert [r.result for r in result.values()] == ["returned"]
    assert not play.table.state.desk.prompts


@clause("melbourne-wheel", "3.4")
def test_a_chip_on_the_line_counts_where_the_dealer_says(play: Play) -> None:
    play.unclear(10, "A", "B")
    play.answer(f"area{play.area('B')}")
    assert [money(r) for r in play.result("B").values()] == [(30, 0, 10)]


@clause("melbourne-wheel", "3.4")
def test_chips_the_dealer_placed_are_recorded_and_settled_where_they_lie(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.press("dealer_placed", area=play.area("A"), player="p1")
    assert play.noted("dealer_placed")[0]["player"] == "p1"
    assert money(play.result("A")["p1/A"]) == (10, 0, 10)


@clause("melbourne-wheel", "3.1", "3.7", "3.1.1")
def test_what_is_not_a_chip_is_no_wager_and_the_dealer_is_told(play: Play) -> None:
    play.bet("", "A", 10, kind="unknown")
    assert any(code.startswith("foreign:") for code in play.table.state.desk.alarms)
    assert play.result("A") == {}


@clause("melbourne-wheel", "3.1.2(b)")
def test_another_tables_chip_is_no_wager_and_the_dealer_is_told_to_take_it_off(play: Play) -> None:
    tag = play.bet("", "A", 0, kind="other_table")
    assert "3.1.2(b)" in play.table.state.desk.alarms[f"foreign:{tag}"].clauses
    play.lift("A", tag)
    assert not play.table.state.desk.alarms


@clause("melbourne-wheel", "5.1.2")
def test_a_house_may_want_the_wheel_to_turn_before_betting_closes(play: Play) -> None:
    with_rules(play, "betting", close_before_spin=False).press("no_more_bets")
    assert play.refused == "spin_first"


@clause("melbourne-wheel", "3.2")
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


@clause("melbourne-wheel", "9.8")
def test_a_house_may_count_no_spins_as_notice() -> None:
    play = with_rules(Play().opened(), "closing", no_spins_count=True)
    play.press("sit", seat=1, player="p1")
    play.press("close", 2)
    play.press("place_bets")
    play.spin_to("A", "under_revs")
    play.answer("no_spin")
    assert play.table.state.closing is not None
    assert play.table.state.closing.rounds == 2


@clause("melbourne-wheel", "9.9")
def test_a_house_may_count_no_spins_as_idle_rounds() -> None:
    play = with_rules(Play().opened(), "idle_seats", no_spins_count=True)
    play.press("sit", seat=1, player="p1")
    play.press("place_bets")
    play.spin_to("A", "under_revs")
    play.answer("no_spin")
    assert play.table.game.state.idle_rounds == {1: 1}  # type: ignore[attr-defined]


@clause("melbourne-wheel", "9.3", "9.5")
def test_a_house_may_end_invalidation_with_the_payment(play: Play) -> None:
    with_rules(play, "voids", invalidate_until="paid")
    play.bet("p1", "A", 10)
    play.result("A")
    play.settle_up()
    play.press("cancel_disruption", 2, reason="robbery")
    assert play.refused == "too_late"


# -- result, collection, payment -----------------------------------------------------------------------------------


@clause("melbourne-wheel", "5.1.3")
def test_symbol_and_odds_are_shown_and_must_be_acknowledged(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.spin_to("E")
    assert {(said.to, said.text) for said in play.announced("result")} == {
        ("console", "E 23 to 1"),
        ("sign", "E 23 to 1"),
    }
    assert play.state == "result"
    assert play.settlements == []


@clause("melbourne-wheel", "5.1.4", "3.6.1")
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


@clause("melbourne-wheel", "3.6.2")
def test_a_payment_is_seen_or_confirmed_before_the_round_ends(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.result("A")
    play.press("paid")
    assert (play.refused, play.state) == ("not_seen", "pay")
    play.bet("", "A", 10)
    play.press("paid")
    assert (play.refused, play.state) == ("", "idle")


# -- no spin -------------------------------------------------------------------------------------------------------


@clause("melbourne-wheel", "7.1.1", "7.2")
def test_a_short_spin_is_proposed_as_no_spin_and_nothing_is_settled(play: Play) -> None:
    play.bet("p1", "C", 10)
    play.spin_to("C", "under_revs", forward=155.0)
    assert (play.state, play.question.proposal) == ("ruling", "no_spin")
    play.answer("no_spin")
    assert play.state == "betting_open"
    assert play.settlements == []
    assert play.noted("no_spin") == [{"reasons": ["under_revs"]}]
    assert play.table.game.view()["areas"] == {"C": 1000}


@clause("melbourne-wheel", "7.2", "3.2", "5.1.1")
def test_after_a_no_spin_wagers_may_be_changed_or_withdrawn(play: Play) -> None:
    tag = play.bet("p1", "B", 10)
    play.spin_to("B", "under_revs")
    play.answer("no_spin")
    play.lift("B", tag)
    assert play.table.state.desk.alarms == {}
    assert play.table.game.view()["areas"] == {}


@clause("melbourne-wheel", "7.1.1", "1.2")
def test_only_level_two_with_a_reason_lets_a_short_spin_stand(play: Play) -> None:
    play.bet("p1", "C", 10)
    play.spin_to("C", "under_revs", forward=150.0)
    play.answer("stands", 1, reason="sensor_fault")
    assert play.refused == "rank_too_low"
    play.answer("stands", 2)
    assert play.refused == "reason_needed"
    play.answer("stands", 2, reason="sensor_fault")
    assert play.state == "result"


@clause("melbourne-wheel", "7.1.2")
def test_a_pointer_near_a_divider_is_confirmed_by_level_two(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.spin_to("A", clear="near")
    assert play.question.subject == "near"
    play.answer("clear", 1)
    assert play.refused == "rank_too_low"
    play.answer("clear", 2)
    assert play.state == "result"


@clause("melbourne-wheel", "7.1.2", "7.2")
def test_a_pointer_near_a_divider_may_be_called_a_no_spin_by_the_dealer(play: Play) -> None:
    play.spin_to("A", clear="near")
    play.answer("no_spin", 1)
    assert play.state == "betting_open"


@clause("melbourne-wheel", "7.1.2", "7.2")
def test_a_pointer_on_a_peg_is_no_spin_with_both_reasons_if_both_apply(play: Play) -> None:
    play.spin_to(None, "under_revs", "not_clear", clear="not_clear", forward=120.0)
    play.answer("no_spin")
    assert play.noted("no_spin") == [{"reasons": ["under_revs", "not_clear"]}]


@clause("melbourne-wheel", "7.1.3", "5.3")
def test_a_strangers_hand_on_the_wheel_is_a_breach_and_a_no_spin(play: Play) -> None:
    play.launch()
    play.press("no_more_bets")
    play.press("interference", actor="player")
    play.rest("A")
    assert play.question.evidence["reasons"] == ["interference"]
    play.answer("no_spin")
    assert len(play.noted("breach")) == 1


@clause("melbourne-wheel", "5.3", "7.1.3", "7.2")
def test_the_dealer_may_touch_the_wheel_but_the_spin_is_still_none(play: Play) -> None:
    play.launch()
    play.press("no_more_bets")
    play.press("interference", actor="dealer")
    play.rest("A")
    play.answer("no_spin")
    assert play.noted("no_spin") == [{"reasons": ["interference"]}]
    assert play.noted("breach") == []


@clause("melbourne-wheel", "7.1.3")
def test_a_spin_whose_evidence_is_gone_is_never_guessed(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.spin_to(None, "malfunction", clear="unknown")
    play.answer("stands", 2, reason="seen by eye")
    assert play.refused == "symbol_needed"
    play.answer("stands", 2, reason="seen by eye", symbol="Z")
    assert play.refused == "no_such_symbol"
    play.answer("stands", 2, reason="seen by eye", symbol="A")
    assert play.state == "result"


@clause("melbourne-wheel", "7.2")
def test_a_no_spin_needs_one_of_the_listed_reasons(play: Play) -> None:
    play.launch()
    play.press("no_spin", reason="I felt like it")
    assert play.refused == "bad_argument"
    play.press("no_spin", reason="malfunction")
    assert play.state == "betting_open"


@clause("melbourne-wheel", "1.1 'Indicator'")
def test_no_result_is_formed_while_the_wheel_turns(play: Play) -> None:
    play.launch()
    play.press("no_more_bets")
    play.turn(3)
    play.press("acknowledge")
    assert play.refused == "not_now"
    assert play.announced("result") == []


@clause("melbourne-wheel", "5.2")
def test_the_sense_of_every_spin_is_recorded(play: Play) -> None:
    play.launch()
    assert play.noted("spin")[0]["sense"] == "clockwise"


def test_a_wheel_turned_outside_a_round_is_logged_and_no_spin(play: Play) -> None:
    play = Play().opened()
    play.launch()
    play.rest("A")
    assert play.state == "idle"
    assert len(play.noted("wheel_moved_outside_round")) == 1


# -- idle spins, closing, seats --------------------------------------------------------------------------------------


@clause("melbourne-wheel", "5.1.5")
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


@clause("melbourne-wheel", "5.1.5", "7.1.1")
def test_a_short_idle_spin_is_a_no_spin_too(play: Play) -> None:
    play.press("idle_spins", 2, spins=1)
    play.spin_to("A", "under_revs", forward=104.0)
    assert play.question.proposal == "no_spin"


@clause("melbourne-wheel", "9.8", "7.2")
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


@clause("melbourne-wheel", "9.8")
def test_an_empty_table_closes_at_once() -> None:
    play = Play().opened()
    play.press("close", 2)
    assert play.life == "closed"


@clause("melbourne-wheel", "9.9")
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


# -- void, exclusion, invalidation, disputes ------------------------------------------------------------------


@clause("melbourne-wheel", "9.2.1", "1.1 'Void'")
def test_voiding_one_players_wagers_leaves_the_others_to_be_settled(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.bet("p2", "A", 20)
    play.press("void", 3, player="p1", reason="device")
    assert play.refused == "rank_too_low"
    play.press("void", 4, player="p1", reason="device")
    results = play.result("A")
    assert (results["p1/A"].result, money(results["p1/A"])) == ("void", (0, 0, 10))
    assert money(results["p2/A"]) == (20, 0, 20)


@clause("melbourne-wheel", "9.1", "9.2.3")
def test_a_reported_device_is_decided_by_level_four(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.press("device_seen", player="p1")
    assert play.question.subject == "device:p1"
    play.answer("withhold", 3, reason="phone on the rail")
    assert play.refused == "rank_too_low"
    play.answer("withhold", 4, reason="phone on the rail")
    assert play.result("A")["p1/A"].withheld


@clause("melbourne-wheel", "9.2.2")
def test_an_excluded_players_later_wagers_go_back(play: Play) -> None:
    play.press("exclude", 4, player="p1", reason="device")
    play.bet("p1", "A", 10)
    assert play.result("A")["p1/A"].result == "returned"


@clause("melbourne-wheel", "9.2.3")
def test_withheld_winnings_are_owed_and_not_paid(play: Play) -> None:
    play.press("withhold", 4, player="p1", reason="suspected device")
    play.bet("p1", "A", 10)
    result = play.result("A")["p1/A"]
    assert (result.pays, result.withheld) == (1000, True)
    play.press("inquiry_over", 4, player="p1", outcome="cleared")
    assert play.table.game.state.withheld == set()  # type: ignore[attr-defined]


@clause("melbourne-wheel", "9.3", "9.5")
def test_fraud_is_cancelled_by_level_four_and_every_wager_goes_back(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.bet("p2", "B", 20)
    play.press("cancel_fraud", 3, reason="past posting")
    assert play.refused == "rank_too_low"
    play.launch()
    play.press("cancel_fraud", 4, reason="past posting")
    assert {key: money(result) for key, result in play.results.items()} == {"p1/A": (0, 0, 10), "p2/B": (0, 0, 20)}
    assert play.state == "idle"


@clause("melbourne-wheel", "9.4", "9.5")
def test_a_disruption_after_the_result_reverses_what_was_booked(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.result("B")
    play.press("cancel_disruption", 2, reason="fire")
    assert [money(result) for result in play.reversals[0].results] == [(0, 0, 10)]


@clause("melbourne-wheel", "9.3", "9.5")
def test_a_paid_round_can_be_invalidated_until_the_next_close_only(play: Play) -> None:
    play.bet("p1", "A", 10)
    play.result("A")
    play.settle_up()
    play.press("cancel_disruption", 2, reason="robbery")
    assert len(play.reversals) == 1
    play.press("cancel_disruption", 2, reason="robbery")
    assert play.refused == "too_late"


@clause("melbourne-wheel", "9.10", "9.11")
def test_a_dispute_is_decided_by_level_three_and_the_inspector_is_mentioned(play: Play) -> None:
    play.press("dispute", 2, text="my bet was on B", decision="stands")
    assert play.refused == "rank_too_low"
    play.press("dispute", 3, text="my bet was on B", decision="stands")
    assert play.announced("inspector")
    assert play.noted("inspector_told")
