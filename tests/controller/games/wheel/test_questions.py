"""What people rule at Big Wheel, and what no ruling may change: near dividers, unseen closes, stands, invalidation."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.types import ChipsSection
from controller.core.effects import Option
from controller.core.events import Chip, ChipUnclear
from controller.games.wheel.settle import Wager
from lab.sim.config import default_config
from tests.controller.games.wheel.play import Play, at_bets, clause, money, note, ruled, with_rules


@pytest.fixture
def play() -> Play:
    return at_bets()


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
        {"reasons": ["not_clear"]},
        ("7.1.2", "7.2"),
    )
    assert play.announced("no_spin")[-1].text == "No spin: not clear."
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
def test_only_the_spin_of_a_round_can_be_interfered_with_and_only_while_it_turns(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.spin_to("D")
    play.press("interference", actor="player")
    assert play.refused == "not_now"
    play.press("acknowledge")
    play.press("paid", confirmed=True)
    assert play.state == "idle"
    play.launch()
    play.press("interference", actor="player")
    assert (play.refused, play.noted("interference_reported"), play.noted("breach")) == ("not_now", [], [])


# -- limits and invalidation ------------------------------------------------------------------------------------------


@clause("4.2.1", "5.1.1")
@pytest.mark.parametrize(("lapses", "advised"), [(True, set()), (False, {"Ann"})])
def test_the_advice_outlasts_a_new_minimum_only_where_the_house_reads_it_so(lapses: bool, advised: set[str]) -> None:
    play = with_rules(Play().opened(), "limits", advice_lapses_on_new_minimum=lapses)
    play.press("place_bets")
    play.bet("Ann", "A", 4)
    play.result("D")
    play.settle_up()
    play.press("limits", rank=3, least=450, most=10_000)
    play.press("place_bets")
    assert play.table.game.state.advised == advised  # type: ignore[attr-defined]
    play.bet("Ann", "A", 4)
    assert play.result("A")["Ann/A"].result == ("win" if lapses else "returned")


@clause("9.3", "9.5")
def test_the_spin_under_way_is_invalidated_before_the_one_that_was_paid(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.result("D")
    play.settle_up()
    play.press("place_bets")
    play.bet("Bob", "A", 20)
    play.press("cancel_fraud", rank=4, reason="marked wheel")
    assert (ruled(play).subject, ruled(play).answer, ruled(play).clauses) == ("invalidate", "round 2", ("9.3",))
    assert (play.settlements[-1].round, play.settlements[-1].outcome) == (2, "invalidated")
    assert money(play.results["Bob/A"]) == (0, 0, 20)
    assert (play.reversals, play.state) == ([], "idle")
    play.press("cancel_fraud", rank=4, reason="and the one before")
    assert ruled(play).answer == "round 1"
    assert [(undone.round, [money(result) for result in undone.results]) for undone in play.reversals] == [
        (1, [(0, 0, 10)])
    ]
