"""What people rule at Big Wheel, and what no ruling may change: near dividers, unseen closes, stands, invalidation."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.types import ChipsSection
from controller.core.effects import Option
from controller.core.events import Chip, ChipPlaced, ChipsMoved, ChipUnclear
from controller.games.wheel.settle import Wager
from lab.sim.config import default_config
from tests.controller.games.wheel.play import Play, at_bets, clause, money, note, ruled, with_rules


def choices(options: tuple[Option, ...]) -> list[tuple[str, int, str, bool]]:
    return [(option.answer, option.rank, option.clause, option.needs_reason) for option in options]


# -- the spin ---------------------------------------------------------------------------------------------------------


@clause("7.1.2", "7.2", "9.11")
def test_a_pointer_near_a_divider_that_is_not_clear_is_a_no_spin_for_that_reason_and_no_round(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.spin_to("D", clear="near")
    assert (play.question.subject, play.question.proposal, play.question.clauses) == ("near", "clear", ("7.1.2",))
    play.answer("no_spin")
    assert (note(play, "no_spin").facts, note(play, "no_spin").clauses) == (
        {"reasons": ["not_clear"], "round": 1},
        ("7.1.2", "7.2"),
    )
    assert play.announced("no_spin")[-1].text == "No spin: not clearly in a compartment."
    assert (play.state, play.table.state.round, play.settlements) == ("betting_open", 1, [])
    assert play.table.game.wagers() == (Wager("Ann", "D", 1000),)  # type: ignore[attr-defined]
    assert money(play.result("D")["Ann/D"]) == (110, 0, 10)
    assert play.settlements[-1].round == 1


@clause("5.1.2", "5.1.3", "9.11")
def test_only_an_answer_that_lets_a_spin_stand_may_name_the_symbol(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.rest("D")
    play.answer("settle", 2, symbol="A")
    assert play.refused == "unknown_argument"
    play.answer("settle", 2)
    assert play.table.game.state.round.winner == "D"  # type: ignore[attr-defined]
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)


@clause("5.1.3", "7.1.2", "9.11")
def test_a_spin_without_a_compartment_stands_only_with_the_symbol_told(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.spin_to(None, "not_clear", clear="not_clear")
    assert play.question.evidence["reasons"] == ["not_clear"]
    play.answer("stands", 3, reason="clear by eye")
    assert (play.refused, play.state) == ("symbol_needed", "ruling")
    play.answer("stands", 3, reason="clear by eye", symbol="D")
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)


@clause("3.4", "9.11")
def test_the_answer_to_another_question_is_no_answer_to_this_one(play: Play) -> None:
    play.unclear(10, "A", "B")
    play.answer("stands", 4, reason="wrong screen")
    assert play.refused == "no_such_answer"
    assert play.question.subject == f"position:{play.tags}"


@clause("5.1.2", "3.5", "9.11", "3.3")
@pytest.mark.parametrize(("answer", "rank", "paid"), [("settle", 2, (110, 0, 10)), ("refund", 3, (0, 0, 10))])
def test_a_close_that_the_antennas_did_not_see_is_refunded_or_settled_by_those_who_may(
    play: Play, answer: str, rank: int, paid: tuple[float, float, float]
) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.down("chips")
    play.press("no_more_bets")
    play.rest("D")
    assert (play.state, play.table.state.desk.prompts) == ("check", {})
    play.up("chips")
    asked = play.question
    assert (asked.subject, asked.proposal, asked.clauses) == ("close_unseen", "refund", ("3.5", "9.11"))
    assert asked.evidence == {"wagers": [{"owner": "Ann", "symbol": "D", "cents": 1000}]}
    assert choices(asked.options) == [("settle", 2, "5.1.2", True), ("refund", 3, "9.11", True)]
    play.answer(answer, rank, reason="as people remember it")
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == paid


@clause("5.1.2", "3.5", "9.11")
@pytest.mark.parametrize("lost", [False, True], ids=["with its memory", "without its memory"])
@pytest.mark.parametrize("back", ["while it turns", "after it rests"])
def test_a_mat_that_restarts_in_mid_spin_has_seen_the_close_and_gets_nobody_a_refund(
    play: Play, back: str, lost: bool
) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    play.down("chips")
    if back == "after it rests":
        play.rest("A")
    play.up("chips", lost)
    if back == "while it turns":
        play.rest("A")
    assert (play.state, play.table.state.desk.prompts) == ("result", {})
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (0, 10, 0)


@clause("3.2", "9.11", "3.4")
def test_a_house_that_asks_about_a_restored_layout_asks_nothing_where_nothing_moved(play: Play) -> None:
    with_rules(play, "betting", restored_late_change="ask")
    play.bet("Ann", "D", 10)
    play.spin_to("D")
    assert (play.state, play.table.state.desk.prompts) == ("result", {})


@clause("3.2", "3.5", "9.11")
def test_the_alarm_about_a_late_chip_ends_with_the_result(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    play.bet("", "A", 5)
    play.rest("D")
    assert "late_change" in play.table.state.desk.alarms
    play.answer("as_closed")
    assert (play.state, play.table.state.desk.alarms) == ("result", {})


@clause("3.4", "9.11", "3.1.2")
def test_a_colour_chip_on_a_line_is_its_holders_once_its_place_is_told() -> None:
    config = msgspec.structs.replace(default_config("wheel"), chips=ChipsSection("T1", ("blue",)))
    play = at_bets(config=config)
    play.press("issue_colour", player="Ann", colour="blue", value=700, count=20, marker=700)
    play.event(ChipUnclear("chips", Chip(71, "colour", 0, "T1/blue"), (play.area("A"), play.area("B"))))
    assert play.question.evidence == {"tag": 71, "cents": 700, "areas": [play.area("A"), play.area("B")]}
    play.answer(f"area{play.area('B')}")
    assert play.table.game.wagers() == (Wager("Ann", "B", 700),)  # type: ignore[attr-defined]


# -- what is rested, turned and reported ------------------------------------------------------------------------------


@clause("1.1 'Indicator'", "5.3")
def test_a_wheel_that_rests_twice_has_one_result(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.spin_to("D", forward=200.12345)
    assert note(play, "spin_rested").facts["forward"] == 200.123
    play.rest("A")
    assert (note(play, "wheel_rested_outside_round").facts, play.refused) == ({"spin": 1}, "")
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)


@clause("5.1.2")
def test_the_alarm_waits_for_the_turn_that_the_house_names(play: Play) -> None:
    with_rules(play, "betting", alarm_at_revolutions=3)
    play.launch()
    play.turn(2)
    assert play.table.state.desk.alarms == {}
    play.turn(3)
    assert list(play.table.state.desk.alarms) == ["no_more_bets_missing"]


@clause("5.3", "7.1.3")
def test_where_no_spin_was_nobody_can_have_interfered_with_one() -> None:
    play = Play().opened()
    play.launch()
    play.press("interference", actor="player")
    assert (play.refused, play.noted("interference_reported"), play.noted("breach")) == ("not_now", [], [])
    play.rest("D")
    play.press("place_bets")
    play.press("interference", actor="player")
    assert (play.refused, play.noted("interference_reported"), play.noted("breach")) == ("not_now", [], [])


# -- limits and invalidation ------------------------------------------------------------------------------------------


@clause("4.2.1", "5.1.1")
@pytest.mark.parametrize(("lapses", "advised"), [(True, set()), (False, {"Ann"})])
def test_the_advice_outlasts_a_new_minimum_only_where_the_house_reads_it_so(lapses: bool, advised: set[str]) -> None:
    play = with_rules(Play().opened(), "limits", advice_lapses_on_new_minimum=lapses)
    play.press("place_bets")
    play.bet("Ann", "A", 3)
    play.result("D")
    play.settle_up()
    play.press("limits", rank=3, least=400, most=10_000)
    play.press("place_bets")
    assert play.table.game.state.advised == advised  # type: ignore[attr-defined]
    play.bet("Ann", "A", 3)
    assert play.result("A")["Ann/A"].result == ("win" if lapses else "returned")


@clause("9.3", "9.5")
def test_fraud_strikes_the_spin_that_has_an_outcome_and_not_the_bets_laid_since(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.result("D")
    play.settle_up()
    play.press("place_bets")
    play.bet("Bob", "A", 20)
    play.press("cancel_fraud", rank=4, reason="marked wheel")
    assert (ruled(play).subject, ruled(play).answer, ruled(play).clauses) == ("invalidate", "round 1", ("9.3",))
    assert [(undone.round, [money(result) for result in undone.results]) for undone in play.reversals] == [
        (1, [(0, 0, 10)])
    ]
    assert (play.state, len(play.settlements)) == ("betting_open", 1)
    assert money(play.result("A")["Bob/A"]) == (20, 0, 20)
    play.press("cancel_fraud", rank=4, reason="and this one too")
    assert (ruled(play).answer, play.reversals[-1].round, play.state) == ("round 2", 2, "idle")


@clause("9.3", "9.4", "9.5")
@pytest.mark.parametrize(("key", "rank"), [("cancel_fraud", 4), ("cancel_disruption", 2)])
def test_whoever_invalidates_may_say_which_of_two_spins(play: Play, key: str, rank: int) -> None:
    play.bet("Ann", "D", 10)
    play.result("D")
    play.settle_up()
    play.press("place_bets")
    play.bet("Bob", "A", 20)
    (asked,) = [ask for one in play.table.available() if one.name == key for ask in one.asks if ask.name == "spin"]
    assert [chosen for chosen, _ in asked.choices] == ["last", "now"]
    play.press(key, rank=rank, reason="seen", spin="now")
    assert (ruled(play).answer, play.reversals, play.state) == ("round 2", [], "idle")
    assert money(play.results["Bob/A"]) == (0, 0, 20)
    play.press(key, rank=rank, reason="seen", spin="last")
    assert (ruled(play).answer, play.reversals[-1].round) == ("round 1", 1)
    play.press(key, rank=rank, reason="seen", spin="last")
    assert play.refused == "too_late"


@clause("9.4", "9.5")
def test_a_disruption_strikes_the_spin_that_is_disrupted(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.result("D")
    play.settle_up()
    play.press("place_bets")
    play.bet("Bob", "A", 20)
    play.press("cancel_disruption", rank=2, reason="fire")
    assert (ruled(play).answer, play.reversals, play.state) == ("round 2", [], "idle")
    play.press("cancel_disruption", rank=2, reason="it burned before")
    assert (ruled(play).answer, play.reversals[-1].round) == ("round 1", 1)


@clause("3.2", "9.11")
def test_chips_moved_late_count_where_they_lie_only_when_that_is_ruled(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.launch()
    play.press("no_more_bets")
    tag = play.bet("", "D", 5)
    play.rest("D")
    assert play.question.subject == "late_change"
    play.answer("as_lying", 3, reason="the dealer put it there")
    play.press("assign", area=play.area("D"), player="Bob", tags=[tag])
    play.press("acknowledge")
    assert money(play.results["unassigned/D"] if "unassigned/D" in play.results else play.results["Bob/D"]) == (
        55,
        0,
        5,
    )
    closed = Play().opened()
    closed.press("place_bets")
    closed.bet("Ann", "A", 10)
    closed.launch()
    closed.press("no_more_bets")
    closed.bet("", "D", 5)
    closed.rest("D")
    closed.answer("as_closed")
    closed.press("acknowledge")
    assert money(closed.results["unassigned/D"]) == (0, 0, 5)
    assert closed.results["unassigned/D"].clauses == ("3.2", "3.3", "3.7")


@clause("3.4", "3.7")
def test_a_chip_whose_place_was_in_doubt_counts_where_it_is_seen_later_or_told(play: Play) -> None:
    tag = play.unclear(10, "A", "B")
    play.event(ChipPlaced("chips", tag))
    assert play.table.state.desk.prompts == {}
    tag = play.unclear(10, "A", "B")
    play.answer(f"area{play.area('B')}")
    assert note(play, "position_told").facts == {"tag": tag, "area": play.area("B")}
    assert note(play, "position_told").clauses == ("3.4",)
    assert play.table.game.wagers() == (Wager("", "B", 1000),)  # type: ignore[attr-defined]


@clause("4.2.2")
def test_cash_of_nobody_is_asked_about_only_over_the_maximum(play: Play) -> None:
    play.bet("", "D", 100)
    play.spin_to("D")
    assert play.state == "result"
    over = Play().opened()
    over.press("place_bets")
    over.bet("", "D", 100)
    over.bet("", "D", 5)
    over.spin_to("D")
    assert over.question.subject == "owners"


# -- chips seen while the round runs ----------------------------------------------------------------------------------


def picture(play: Play) -> dict[int, tuple[int, str]]:
    return {tag: (laid.area, laid.owner) for tag, laid in play.table.game.state.picture.items()}  # type: ignore[attr-defined]


@clause("3.4", "3.7")
def test_a_chip_in_doubt_is_no_wager_asked_about_once_and_no_longer_when_it_is_seen_or_gone(play: Play) -> None:
    tag = play.bet("Ann", "A", 10)
    chip = play.table.game.state.picture[tag].chip  # type: ignore[attr-defined]
    other = play.bet("Bob", "B", 10)
    play.event(ChipUnclear("chips", chip, (play.area("A"), play.area("B"))))
    assert list(picture(play)) == [other]
    assert note(play, "position_unclear").clauses == ("3.4", "3.7")
    play.event(ChipUnclear("chips", chip, (play.area("A"), play.area("B"))))
    assert len(play.noted("position_unclear")) == 1
    assert len(play.table.state.desk.prompts) == 1
    play.event(ChipsMoved("chips", play.area("A"), (chip,)))
    assert play.table.state.desk.prompts == {}
    assert play.table.game.state.unclear == {}  # type: ignore[attr-defined]
    tag = play.unclear(10, "A", "B")
    play.lift("A", tag)
    assert play.table.game.state.unclear == {}  # type: ignore[attr-defined]
    tag = play.unclear(7, "B", "C")
    play.launch()
    play.press("no_more_bets")
    assert play.table.state.desk.prompts == {}
    assert note(play, "unclear_chip_no_wager").facts == {"tag": tag}
    late = play.unclear(7, "A", "B")
    assert play.table.state.desk.prompts == {}
    play.event(ChipPlaced("chips", late))
    play.rest("D")
    play.press("acknowledge")
    assert play.results["unassigned/B"].stake_returned == 700
    assert play.results["unassigned/B"].clauses == ("3.2", "3.3", "3.7")


@clause("3.4")
def test_a_chip_in_doubt_since_the_close_is_withdrawn_without_a_question(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.launch()
    play.press("no_more_bets")
    tag = play.unclear(7, "A", "B")
    before = len(play.effects)
    play.event(ChipPlaced("chips", tag))
    assert play.effects[before:] == []
