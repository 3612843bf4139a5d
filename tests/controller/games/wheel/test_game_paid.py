"""Winners paid at Big Wheel: what the float can make, who may let a wrong payment pass, and what is on record then."""

from __future__ import annotations

import msgspec
import pytest

from controller.core.effects import Ruled
from tests.controller.games.wheel.play import Play, at_bets, clause, money, note
from tests.controller.money.play import MoneyPlay


def rulings(play: Play) -> list[tuple[str, str, tuple[str, ...], str]]:
    return [
        (effect.subject, effect.answer, effect.clauses, effect.reason)
        for effect in play.told
        if isinstance(effect, Ruled)
    ]


def wrongs(play: Play) -> list[tuple[str, int, str]]:
    return [(facts["kind"], facts["cents"], facts["patron"]) for facts in play.noted("mispayment")]


def short(play: MoneyPlay) -> MoneyPlay:
    """Ann is due $30 on B and is paid $25."""
    play.bet("Ann", "B", 10)
    play.result("B")
    play.pay("B", 2500)
    return play


@clause("4.2.3")
def test_a_float_that_cannot_pay_at_all_owes_the_amount_in_the_smallest_chip_and_asks_for_a_fill() -> None:
    play = MoneyPlay(stock={500: 1}).opened()
    play.bet("Ann", "D", 6)
    assert money(play.result("D")["Ann/D"]) == (66, 0, 6)
    assert play.alarms["float_short"].text == "Fill needed: the float is $61 short of what must be paid."
    assert play.alarms["float_short"].remedy == "Call for a fill, and pay no more than is due."


@clause("4.2.3", "6.1 Option 1 Symbol D")
def test_five_dollars_at_eleven_to_one_are_owed_fifty_five_whatever_chips_are_left_in_the_float() -> None:
    play = MoneyPlay(stock={100_000: 20}).opened()
    play.bet("Ann", "D", 5)
    assert money(play.result("D")["Ann/D"]) == (55, 0, 5)
    assert play.alarms["float_short"].text == "Fill needed: the chips in the float do not make $55 for D."
    for tag in range(20_000, 20_011):
        play.worth[tag] = 500
    play.into(*range(20_000, 20_011))
    assert "float_short" not in play.alarms
    assert play.found == [("D", "underpaid", 5500)]


@clause("4.2.3", "3.6.1")
def test_losing_chips_that_are_about_to_come_are_counted_before_a_fill_is_called_for() -> None:
    play = MoneyPlay(stock={2500: 20}).opened()
    lost = [play.bet("Bob", "A", 5) for _ in range(2)]
    play.bet("Ann", "D", 10)
    assert money(play.result("D")["Ann/D"]) == (110, 0, 10)
    assert "float_short" not in play.alarms
    play.collect("A", *lost)
    play.pay("D", 2500, 2500, 2500, 2500, 500, 500)
    play.press("paid")
    assert (play.state, play.alarms) == ("idle", {})


@clause("4.2.3")
@pytest.mark.parametrize(("smallest", "pays"), [(100, 6), (500, 10), (1000, 10), (2500, 25)])
def test_winnings_are_rounded_up_by_less_than_one_smallest_chip(smallest: int, pays: int) -> None:
    play = MoneyPlay(stock={100_000: 1}).opened()
    play.table.state.limits = msgspec.structs.replace(play.table.state.limits, smallest_chip=smallest)
    play.bet("Ann", "A", 6)
    assert money(play.result("A")["Ann/A"]) == (pays, 0, 6)


@clause("4.2.3")
def test_a_tray_that_the_house_does_not_watch_rounds_to_the_smallest_chip() -> None:
    play = MoneyPlay(stock={500: 40}, float_tray=False).opened()
    play.bet("Ann", "A", 6)
    assert money(play.result("A")["Ann/A"]) == (6, 0, 6)


@clause("3.6.2")
def test_a_payment_that_no_antenna_saw_is_confirmed_by_hand_and_noted_with_its_place() -> None:
    play = at_bets()
    play.bet("Ann", "B", 10)
    play.result("B")
    play.press("paid")
    assert (play.refused, play.state) == ("not_seen", "pay")
    play.press("paid", confirmed=True)
    assert play.state == "idle"
    confirmed = note(play, "payment_confirmed_by_hand")
    assert (confirmed.facts, confirmed.clauses) == ({"areas": ["B"], "by": "S1"}, ("3.6.2",))


@clause("3.6.2")
@pytest.mark.parametrize(("rank", "confirmed"), [(1, False), (1, True), (4, False)])
def test_a_wrong_payment_is_let_pass_neither_by_a_dealer_nor_without_being_confirmed(
    rank: int, confirmed: bool
) -> None:
    play = short(MoneyPlay().opened())
    play.press("paid", rank, confirmed=confirmed)
    assert (play.refused, play.state, rulings(play)) == ("mispaid", "pay", [])
    assert wrongs(play) == [("underpaid", -500, "Ann")]


@clause("3.6.2")
def test_a_supervisor_who_lets_a_wrong_payment_pass_is_on_record_with_the_reason() -> None:
    play = short(MoneyPlay().opened())
    play.press("paid", 2, confirmed=True, reason="the rest was paid in cash")
    assert rulings(play) == [("payment", "accepted", ("3.6.2",), "the rest was paid in cash")]
    assert (play.state, wrongs(play)) == ("idle", [("underpaid", -500, "Ann")])


@clause("3.6.2")
def test_where_the_house_only_warns_the_round_ends_without_a_ruling() -> None:
    play = short(MoneyPlay(mispayment="warn").opened())
    play.press("paid", 4)
    assert (play.state, rulings(play), wrongs(play)) == ("idle", [], [("underpaid", -500, "Ann")])


@clause("3.6.2", "3.6.1")
def test_a_losing_stake_that_never_reached_the_float_is_on_record_once_somebody_accepts_that() -> None:
    play = MoneyPlay().opened()
    lost = play.bet("Ann", "A", 50)
    play.result("B")
    play.off("A", lost)
    play.press("paid", 2)
    assert (play.refused, play.state, wrongs(play)) == ("mispaid", "pay", [])
    play.press("paid", 2, confirmed=True, reason="the player ran off with it")
    assert (play.state, wrongs(play)) == ("idle", [("taken_away", 5000, "Ann")])
